"""A process that has imported what the model process imports, and forks one for every start that
`warm_site/sitecustomize.py` hands over. Ends with whoever started it.

A start whose environment could make the imports come out otherwise is sent back, and goes its ordinary way.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import selectors
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

import pairwright
from pairwright.llm import child

# Read when a request is made, or by nothing the model process imports.
_LATER = re.compile(
    r"\w+_API_KEY|(PAIRWRIGHT|PYTEST|NVIM|VIM|XDG|GIT|LC)_\w+|NVIM|VIM|VIMRUNTIME|MYVIMRC|HOME|PWD|OLDPWD|"
    r"LANG|TERM|SHLVL|EDITOR|COLUMNS|LINES|PS1|_"
)

_SERVER = str(Path(pairwright.__file__).parents[1])


def fits(env: Mapping[str, str]) -> bool:
    """Whether a process with this environment would have imported the same."""
    return _early(env) == _early(os.environ)


def _early(env: Mapping[str, str]) -> dict[str, str]:
    """What of an environment is read by imports. The server's folder is on the path in any case."""
    early = {name: value for name, value in env.items() if not _LATER.fullmatch(name)}
    folders = early.get("PYTHONPATH", "").split(os.pathsep)
    early["PYTHONPATH"] = os.pathsep.join(f for f in folders if f != _SERVER)
    return early


class Nursery:
    """The forks that live, each with the line to the process that stands for it."""

    def __init__(self, door: socket.socket, owner: int) -> None:
        self._door = door
        self._owner = owner
        self._watched = selectors.DefaultSelector()
        self._watched.register(door, selectors.EVENT_READ)
        self._watched.register(owner, selectors.EVENT_READ)

    def serve(self) -> None:
        """Until the owner's end of the pipe closes."""
        while True:
            for key, _ in self._watched.select():
                if key.fd == self._owner:
                    self._end_all()
                    return
                if key.fileobj is self._door:
                    self._take(self._door.accept()[0])
                else:
                    self._settle(*key.data)

    def _take(self, line: socket.socket) -> None:
        head, fds, _, _ = socket.recv_fds(line, 4, 3)
        asked = _exactly(line, int.from_bytes(head, "big"))
        pid = 0
        if asked:
            env, folder = json.loads(asked)
            pid = self._started(line, fds, env, folder) if fits(env) else 0
        for fd in fds:
            os.close(fd)
        if not pid:
            line.close()
            return
        ended = os.pidfd_open(pid)
        for watched in (line, ended):
            self._watched.register(watched, selectors.EVENT_READ, (pid, line, ended))

    def _started(
        self, line: socket.socket, fds: list[int], env: dict[str, str], folder: str
    ) -> int:
        line.sendall(b"y")
        pid = os.fork()
        if not pid:
            line.close()
            self._become(fds, env, folder)
        return pid

    def _become(self, fds: list[int], env: dict[str, str], folder: str) -> None:
        """Run as the model process; never returns."""
        for key in list(self._watched.get_map().values()):
            os.close(key.fd)
        self._watched.close()
        for at, fd in enumerate(fds):
            os.dup2(fd, at)
            os.close(fd)
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(env)
        child.main()
        os._exit(0)

    def _settle(self, pid: int, line: socket.socket, ended: int) -> None:
        """Either end of the pair is gone: so is the other, then."""
        if line.fileno() < 0:
            return
        os.kill(pid, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with contextlib.suppress(OSError):
            line.sendall(code.to_bytes(4, "big", signed=True))
        self._watched.unregister(line)
        self._watched.unregister(ended)
        line.close()
        os.close(ended)

    def _end_all(self) -> None:
        for key in list(self._watched.get_map().values()):
            if key.data:
                os.kill(key.data[0], signal.SIGKILL)


def _exactly(line: socket.socket, size: int) -> bytes:
    """So many bytes; none when the other side is gone before."""
    whole = bytearray()
    while len(whole) < size:
        piece = line.recv(size - len(whole))
        if not piece:
            return b""
        whole += piece
    return bytes(whole)


def main() -> None:
    """Wait for the first start before anything is imported: many a run has none."""
    door = socket.socket(fileno=int(sys.argv[1]))
    if door.fileno() in select.select([door.fileno(), 0], [], [])[0]:
        child._load()
        Nursery(door, 0).serve()


if __name__ == "__main__":
    main()
