"""Python imports this at its start while `tests.support.warm` has it on the path. A start of the model process is
handed to `tests.support.warm_model`, which forks one that has its imports behind it; whatever else starts goes on.

This process stays, with the number that the server knows: when it is killed its fork is, and it ends as its fork
does.
"""

import os
import sys


def _hand_over(path: str) -> None:
    """Return only where the start has to go its ordinary way."""
    import json
    import socket

    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect(path)
        asked = json.dumps([dict(os.environ), os.getcwd()]).encode()
        socket.send_fds(line, [len(asked).to_bytes(4, "big")], [0, 1, 2])
        line.sendall(asked)
        if line.recv(1) != b"y":
            return
    except OSError:
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    told = line.recv(4)
    code = int.from_bytes(told, "big", signed=True) if told else 1
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


if any(" pairwright.llm.child import main" in word for word in sys.orig_argv[:4]):
    _place = os.environ.get("TESTS_WARM_MODEL")
    if _place:
        _hand_over(_place)
