"""Notices what changes on disk where the client does not watch: one child process a workspace
folder.

Only folders of the index are watched, so nothing below an ignored one costs a watch; besides them
the folder of git's index, which says when another branch is checked out. What the system cannot
watch is said once, and the caller looks from time to time instead. Knows no loop: it tells what it
sees from its own thread."""

from __future__ import annotations

import json
import logging
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pairwright.workspace import history
from pairwright.workspace.host import Host
from pairwright.workspace.rules import is_rule

_log = logging.getLogger(__name__)

ALL = ""
"""Stands for the whole folder among changed paths."""

MOST = 20_000
"""Folders beyond which nothing is watched: the system's limit is all programs' together."""

_LOOK_SECONDS = 1.0
_TRIES = 5
_LONGEST_LINE = 1 << 26
_TELLING = ("index", "HEAD")
_MAIN = (
    "import sys; sys.path[:] = {path!r}; from pairwright.workspace.watch_child import main; main()"
)


class Unwatchable(Exception):
    """The system does not watch; the message says why in words for the user."""


class Watcher:
    """Watches the folder of `host` from `start` to `stop`. `changed` gets workspace-relative paths,
    a folder's or ALL for everything in it; `ended` gets the reason when watching is not possible.
    Both are called in the watcher's thread, `ended` at most once and last."""

    def __init__(
        self,
        host: Host,
        changed: Callable[[Sequence[str]], None],
        ended: Callable[[str], None],
    ) -> None:
        self._host = host
        self._changed = changed
        self._ended = ended
        self._root = host.snapshot().root
        self._git = _git_folder(self._root)
        self._child: subprocess.Popen[bytes] | None = None
        self._is_stopped = threading.Event()
        self._pending = b""
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    @property
    def is_alive(self) -> bool:
        """Whether changes are noticed, or will be once the folder is indexed."""
        return self._thread.is_alive() and not self._is_stopped.is_set()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the child; nothing is told any more. Waits for nobody."""
        self._is_stopped.set()
        if self._child is not None:
            self._child.kill()

    # --- the thread

    def _run(self) -> None:
        try:
            self._serve()
        except (OSError, Unwatchable) as error:
            if not self._is_stopped.is_set():
                self._is_stopped.set()
                self._ended(str(error))
        finally:
            self._end_child()

    def _serve(self) -> None:
        watched: tuple[str, ...] | None = None
        told: tuple[str, ...] = ()
        tries = 0
        while not self._is_stopped.is_set():
            folders = self._host.folders
            if folders and folders is not watched:
                if folders != watched:
                    self._order(folders)
                watched = folders
            message = self._next()
            if watched is None or message is None:
                continue
            if "watching" in message:
                # What changed between the scan and the first watch was seen by nobody.
                if fresh := _fresh(told, watched):
                    self._changed(fresh)
                told, tries = watched, 0
            elif "changed" in message:
                self._tell(message["changed"])
            elif message["again"] and tries < _TRIES:
                watched, told, tries = None, (), tries + 1
                self._is_stopped.wait(_LOOK_SECONDS)
            else:
                raise Unwatchable(_reason(message["failed"]))

    def _order(self, folders: Sequence[str]) -> None:
        """Have the child watch `folders` instead of those before."""
        if len(folders) > MOST:
            raise Unwatchable(f"it has more than {MOST:,} folders")
        places = [self._root + "/" + path if path else self._root for path in folders]
        if self._git is not None:
            places.append(self._git)
        child = self._child or self._start()
        assert child.stdin is not None
        # A name that is no Unicode cannot be watched by this library; the rescans see it.
        line = json.dumps([place for place in places if _is_unicode(place)])
        child.stdin.write(line.encode() + b"\n")
        child.stdin.flush()

    def _start(self) -> subprocess.Popen[bytes]:
        path = [place for place in sys.path if place.startswith("/")]
        self._child = subprocess.Popen(
            [sys.executable, "-c", _MAIN.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        if self._is_stopped.is_set():
            self._child.kill()
        return self._child

    def _next(self) -> dict[str, Any] | None:
        """The child's next message; None when there was none for a while."""
        child = self._child
        if child is None:
            self._is_stopped.wait(_LOOK_SECONDS)
            return None
        assert child.stdout is not None
        while b"\n" not in self._pending:
            ready, _, _ = select.select([child.stdout], [], [], _LOOK_SECONDS)
            if not ready:
                return None
            part = os.read(child.stdout.fileno(), 1 << 16)
            if not part or len(self._pending) > _LONGEST_LINE:
                raise Unwatchable("the process that watches it ended")
            self._pending += part
        line, _, self._pending = self._pending.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def _tell(self, places: Sequence[str]) -> None:
        paths = {path for place in places if (path := self._path(place)) is not None}
        if paths:
            self._changed(sorted(paths))

    def _path(self, place: str) -> str | None:
        """The workspace path that `place` stands for; None for what changes nothing."""
        folder, _, name = place.rpartition("/")
        if folder == self._git:
            return f".git/{name}" if name in _TELLING else None
        if place == self._root:
            return ALL
        path = place.removeprefix(self._root.rstrip("/") + "/")
        if path == ".git" or path == place:
            return None
        if is_rule(path):
            return path
        # The place is real but for its last part, so no links need be followed: this runs thousands
        # of times when a branch changes.
        rules = self._host.rules
        return None if rules is None or rules.ignored(path) else path

    def _end_child(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        child.wait()


def _fresh(before: Sequence[str], folders: Sequence[str]) -> tuple[str, ...]:
    """What is watched now and was not before; ALL at the first time."""
    if not before:
        return (ALL,)
    old = set(before)
    return tuple(path for path in folders if path not in old)


def _git_folder(root: str) -> str | None:
    """The folder with git's index for the work tree of `root`."""
    top = history.find_top(Path(root))
    found = history.git_dir(top) if top is not None else None
    return str(found.private.resolve()) if found is not None else None


def _is_unicode(place: str) -> bool:
    try:
        place.encode()
    except UnicodeEncodeError:
        return False
    return True


def _reason(error: str) -> str:
    if "watch limit" in error:
        return "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
    if "Too many open files" in error:
        return "the system's limit of watchers is reached (fs.inotify.max_user_instances)"
    return error
