"""The scripted endpoint for a client that is no Python: prints its URL, then takes a line of JSON for each reply,
`{"text": ..., "size": characters a piece, "delay": seconds between them}`, or `{}`, which is answered with what the
last request was, `{"key", "text"}`. Ends with its input."""

from __future__ import annotations

import json
import sys

from tests.support.endpoint import Endpoint


def main() -> None:
    with Endpoint() as endpoint:
        print(endpoint.url, flush=True)
        for line in sys.stdin:
            said = json.loads(line)
            if "text" in said:
                size, delay = int(said.get("size", 12)), float(said.get("delay", 0))
                endpoint.say(said["text"], size=size, delay=delay)
            print(json.dumps(_last(endpoint)), flush=True)


def _last(endpoint: Endpoint) -> dict[str, str]:
    """The last request as it arrived."""
    if not endpoint.requests:
        return {}
    last = endpoint.requests[-1]
    headers = {name.lower(): value for name, value in last.headers.items()}
    return {"key": headers.get("authorization", "").removeprefix("Bearer "), "text": last.text}


if __name__ == "__main__":
    main()
