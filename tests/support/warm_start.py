"""A process that has imported what the server, or the model process, imports, and forks one for every start that
`warm_site/sitecustomize.py` hands over. Ends with whoever started it.

A start from which the imports could come out otherwise, or whose process could not be the same, is sent back and
goes its ordinary way.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import re
import runpy
import select
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warm_place import place

_SERVER = str(Path(__file__).parents[2] / "server")
_IMPORTS = {
    "server": (
        "cli.serve",
        "config.load",
        "lsp.routes",
        "lsp.hosts",
        "lsp.server",
        "lsp.transport",
        "lsp.notify",
    ),
    "model": ("llm.child", "llm.litellm_client"),
}
# What litellm imports at its first request, half a second of it; a name that another version has not is left to it.
_LATE = (
    "anyio._backends._asyncio",
    "litellm._service_logger",
    "litellm.integrations.generic_api.generic_api_callback",
    "litellm.litellm_core_utils.default_encoding",
    "litellm.llms.github_copilot.authenticator",
    "litellm.proxy.openai_files_endpoints.common_utils",
    "litellm.proxy.spend_tracking.savings",
    "litellm.types.litellm_core_utils.streaming_chunk_builder_utils",
)
# What of the environment the imports could read: of the server nothing but what Python itself does.
_EARLY = {
    "server": re.compile(r"PYTHON\w+|LANG|LANGUAGE|LC_\w+"),
    "model": re.compile(
        r"(?!\w+_API_KEY$|(PAIRWRIGHT|PYTEST|TESTS|NVIM|XDG|GIT)_|(NVIM|VIM|VIMRUNTIME|MYVIMRC|HOME|PATH|PWD|OLDPWD|"
        r"TERM|SHLVL|EDITOR|COLUMNS|LINES|PS1|_)$)\w+"
    ),
}


@dataclass(frozen=True, slots=True)
class Start:
    """One that was handed over. `words`: its command line, with the interpreter."""

    fds: Sequence[int]
    env: Mapping[str, str]
    folder: str
    words: Sequence[str]


class Nursery:
    """The forks that live, each with the line to the process that stands for it."""

    def __init__(self, kind: str, door: socket.socket, owner: int) -> None:
        self._kind = kind
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
        env, folder, words, where = json.loads(asked) if asked else ({}, "", [], None)
        pid = self._forked(line, Start(fds, env, folder, words)) if self._fits(env, where) else 0
        for fd in fds:
            os.close(fd)
        with contextlib.suppress(OSError):
            line.sendall(pid.to_bytes(4, "big"))
        if not pid:
            line.close()
            return
        ended = os.pidfd_open(pid)
        for watched in (line, ended):
            self._watched.register(watched, selectors.EVENT_READ, (pid, line, ended))

    def _fits(self, env: Mapping[str, str], where: Any) -> bool:
        """Whether a process that starts with these would have imported the same and be the same."""
        return where == place() and self._early(env) == self._early(os.environ)

    def _early(self, env: Mapping[str, str]) -> dict[str, str]:
        early = {name: value for name, value in env.items() if _EARLY[self._kind].fullmatch(name)}
        # The server's folder is on the path in any case.
        folders = early.get("PYTHONPATH", "").split(os.pathsep)
        early["PYTHONPATH"] = os.pathsep.join(f for f in folders if f != _SERVER)
        return early

    def _forked(self, line: socket.socket, start: Start) -> int:
        pid = os.fork()
        if pid:
            return pid
        try:
            line.close()
            for key in list(self._watched.get_map().values()):
                os.close(key.fd)
            self._watched.close()
            become(self._kind, start)
        except SystemExit as ended:
            os._exit(int(ended.code or 0))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(1)

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


def become(kind: str, start: Start) -> None:
    """Run as the process that was started."""
    for at, fd in enumerate(start.fds):
        os.dup2(fd, at)
        os.close(fd)
    os.chdir(start.folder)
    os.environ.clear()
    os.environ.update(start.env)
    if kind == "server":
        sys.argv = list(start.words[2:])
        runpy.run_module("pairwright", run_name="__main__", alter_sys=True)
    else:
        os.setsid()
        sys.argv = ["-c", *start.words[4:]]
        importlib.import_module("pairwright.llm.child").main()


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
    kind, door = sys.argv[1], socket.socket(fileno=int(sys.argv[2]))
    if door.fileno() in select.select([door.fileno(), 0], [], [])[0]:
        gc.disable()
        for name in _IMPORTS[kind]:
            importlib.import_module(f"pairwright.{name}")
        if kind == "model":
            for name in _LATE:
                with contextlib.suppress(ImportError):
                    importlib.import_module(name)
            gc.enable()
        else:
            # The message types refer to each other by names that the first converter resolves.
            importlib.import_module("lsprotocol.converters").get_converter()
        gc.freeze()
        Nursery(kind, door, 0).serve()


if __name__ == "__main__":
    main()
