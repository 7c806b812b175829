"""Python imports this at its start while `tests.support.warm` has it on the path. A start of the server or of the
model process is handed to `tests.support.warm_start`, which forks one that has its imports behind it; whatever else
starts goes on.

This process stays, with the number that its parent knows: when it is killed its fork is, and it ends as its fork
does.
"""

import os
import sys


def _kind() -> str:
    """Of what starts here; empty: of nothing that is forked."""
    if sys.orig_argv[1:4] == ["-m", "pairwright", "serve"]:
        return "server"
    is_model = any(" pairwright.llm.child import main" in word for word in sys.orig_argv[:4])
    return "model" if is_model else ""


def _hand_over(path: str) -> None:
    """Return only where the start has to go its ordinary way."""
    import json
    import socket

    from warm_place import place

    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect(path)
        asked = json.dumps([dict(os.environ), os.getcwd(), sys.orig_argv, place()]).encode()
        socket.send_fds(line, [len(asked).to_bytes(4, "big")], [0, 1, 2])
        line.sendall(asked)
        pid = int.from_bytes(line.recv(4), "big")
    except OSError:
        return
    if pid:
        _stand_for(pid, line)


def _stand_for(pid: int, line: "socket.socket") -> None:  # type: ignore[name-defined]  # noqa: F821
    import signal

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    told = line.recv(4)
    code = int.from_bytes(told, "big", signed=True) if told else 1
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
        os.kill(os.getpid(), -code)
    os._exit(code)


if _found := _kind():
    _door = os.environ.get(f"TESTS_WARM_{_found.upper()}")
    if _door:
        _hand_over(_door)
