"""The scripted endpoint for a client that is no Python: prints its URL, then takes a line of JSON for each reply,
`{"text": ..., "size": characters a piece, "delay": seconds between them}`. Ends with its input."""

from __future__ import annotations

import json
import sys

from tests.support.endpoint import Endpoint


def main() -> None:
    with Endpoint() as endpoint:
        print(endpoint.url, flush=True)
        for line in sys.stdin:
            said = json.loads(line)
            endpoint.say(
                said["text"], size=int(said.get("size", 12)), delay=float(said.get("delay", 0))
            )
            print("ok", flush=True)


if __name__ == "__main__":
    main()
