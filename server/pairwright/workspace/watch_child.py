"""The main of a watcher: folders in, changed paths out, as lines of JSON; ends with its parent.

A process of its own, because setting up a few thousand folders holds the interpreter for a tenth of
a second, and because an idle watcher then costs the server nothing. Each line of the input is a
list of folders to watch instead of those before, each by itself and not what is below. Each line of
the output is an object: `watching` (how many, once they are), `changed` (paths) or `failed` (why,
and in `again` whether another try makes sense): then nothing is watched any more.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import IO, Any

_STEP_MS = 150
_LONGEST_MS = 1000
_NICE = 5


def main() -> None:
    """Watch until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    orders: SimpleQueue[list[str]] = SimpleQueue()
    renewed = threading.Event()
    reader = threading.Thread(target=_read, args=(incoming, orders, renewed), daemon=True)
    reader.start()
    while True:
        places = orders.get()
        renewed.clear()
        if orders.empty():
            _watch(places, renewed, outgoing)


def _read(incoming: IO[bytes], orders: SimpleQueue[list[str]], renewed: threading.Event) -> None:
    for line in incoming:
        orders.put(json.loads(line))
        renewed.set()
    os._exit(0)


def _watch(places: list[str], renewed: threading.Event, outgoing: IO[bytes]) -> None:
    from watchfiles import watch

    # Left to the library, unreadable folders and the system's limits would be passed over alike.
    readable = [place for place in places if os.access(place, os.R_OK | os.X_OK)]
    found = watch(
        *readable,
        watch_filter=None,
        recursive=False,
        step=_STEP_MS,
        debounce=_LONGEST_MS,
        rust_timeout=_STEP_MS,
        yield_on_timeout=True,
        stop_event=renewed,
        debug=False,
        raise_interrupt=False,
        ignore_permission_denied=False,
    )
    is_told = False
    try:
        for changes in found:
            if not is_told:
                _say(outgoing, {"watching": len(readable)})
                is_told = True
            if changes:
                _say(outgoing, {"changed": sorted({path for _, path in changes})})
    except (OSError, RuntimeError) as error:
        # A folder went or was closed before it was watched, or a name is no Unicode: none lasts.
        passing = (FileNotFoundError, PermissionError)
        again = isinstance(error, passing) or "decode path" in str(error)
        _say(outgoing, {"failed": str(error), "again": again})


def _say(outgoing: IO[bytes], message: dict[str, Any]) -> None:
    try:
        outgoing.write(json.dumps(message).encode() + b"\n")
        outgoing.flush()
    except OSError:
        os._exit(0)
