"""Commands of the user's that look at proposed texts: lint on each changed file, tests on a copy of the workspace.

Each is run on the text before as well where it complains, and only what is new counts. Nothing is written where the
user works.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase

from pairwright.config.checks import Checks
from pairwright.edits.types import FileChange
from pairwright.engine.events import Emit, Status
from pairwright.engine.findings import Finding, fresh, line_map
from pairwright.engine.ports import Runner
from pairwright.tags.languages import language_of
from pairwright.text.encoding import encode
from pairwright.workspace import scratch
from pairwright.workspace.run import Ran
from pairwright.workspace.types import Snapshot

MOST_FILES = 20
"""Files of one edit that are linted."""


def commands(
    path: str, data: bytes, lint: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """The commands for a text, in the order of the settings: by language, by path, or by the file's name."""
    language, name = language_of(path, data), path.rpartition("/")[2]
    found = []
    for key, command in lint.items():
        if command and (key == language or fnmatchcase(path, key) or fnmatchcase(name, key)):
            found.append(tuple(command))
    return tuple(dict.fromkeys(found))


class Linter:
    """One edit under lint. `settings`: the commands and their bounds."""

    def __init__(self, settings: Checks, runner: Runner, snapshot: Snapshot, emit: Emit) -> None:
        self._settings = settings
        self._runner = runner
        self._snapshot = snapshot
        self._emit = emit

    def wanted(
        self, changes: Sequence[FileChange]
    ) -> tuple[tuple[FileChange, tuple[str, ...]], ...]:
        """What is to be run for which file."""
        found: list[tuple[FileChange, tuple[str, ...]]] = []
        for change in [change for change in changes if change.after is not None][:MOST_FILES]:
            for command in commands(change.path, change.after or b"", self._settings.lint):
                found.append((change, command))
        return tuple(found)

    async def lint(self, changes: Sequence[FileChange]) -> tuple[Finding, ...]:
        """What the commands say of the texts as `changes` leave them and not of those before."""
        wanted = self.wanted(changes)
        if not wanted:
            return ()
        places = _Places(self._settings, self._snapshot, changes)
        try:
            found: list[Finding] = []
            for change, command in wanted:
                found += await self._one(change, command, places)
            return tuple(found)
        except scratch.TooLarge:
            self._emit(Status("lint did not run: the workspace is too large to be copied"))
        except OSError as error:
            self._emit(Status(f"lint did not run: {error}"))
        finally:
            await asyncio.to_thread(places.remove)
        return ()

    async def _one(
        self, change: FileChange, command: tuple[str, ...], places: _Places
    ) -> tuple[Finding, ...]:
        name = shlex.join(command)
        self._emit(Status(f"running {command[0]} on {change.path}"))
        after = await self._run(command, change.path, change.after or b"", places, True)
        if reason := unusable(after, self._settings.timeout):
            self._emit(Status(f"lint: {name} {reason}"))
            return ()
        if after.code == 0:
            return ()
        said = ""
        if change.before is not None:
            path = change.moved_from or change.path
            before = await self._run(command, path, change.before, places, False)
            said = "" if unusable(before, self._settings.timeout) else before.output
        rows = fresh(said, after.output, await asyncio.to_thread(line_map, change))
        if not rows:
            return ()
        return (Finding("lint", change.path, 0, f"`{name}` says", "\n".join(rows)),)

    async def _run(
        self, command: tuple[str, ...], path: str, data: bytes, places: _Places, is_after: bool
    ) -> Ran:
        takes_file = any("{file}" in word for word in command)
        place, cwd = "", self._snapshot.root
        if takes_file or self._settings.scratch_tree:
            place = await asyncio.to_thread(places.place, is_after)
            cwd = place if self._settings.scratch_tree else cwd
        file = path if self._settings.scratch_tree else f"{place}/{path}"
        words = [word.replace("{file}", file).replace("{path}", path) for word in command]
        stdin = b"" if takes_file else raw(self._snapshot, path, data)
        ran = await self._runner.run(words, cwd, self._settings.timeout, stdin=stdin)
        return _placed(ran, place)


class _Places:
    """The folders with the texts after and before, made at first use. For threads, one at a time."""

    def __init__(self, settings: Checks, snapshot: Snapshot, changes: Sequence[FileChange]) -> None:
        self._settings = settings
        self._snapshot = snapshot
        self._changes = changes
        self._made: dict[bool, str] = {}

    def place(self, is_after: bool) -> str:
        """The folder with the texts after the changes, or before them."""
        if is_after not in self._made:
            files = texts(self._snapshot, self._changes, is_after)
            if self._settings.scratch_tree:
                made = scratch.tree(self._snapshot.root, self._snapshot.paths(), files)
            else:
                made = scratch.folder({p: data for p, data in files.items() if data is not None})
            self._made[is_after] = made
        return self._made[is_after]

    def remove(self) -> None:
        for place in self._made.values():
            with suppress(OSError):
                scratch.remove(place)


def texts(
    snapshot: Snapshot, changes: Sequence[FileChange], is_after: bool
) -> dict[str, bytes | None]:
    """The bytes of the changed files after the changes, or before them, and of what is open and not saved; None: no
    such file."""
    found: dict[str, bytes | None] = {
        path: raw(snapshot, path, buffer.document.data)
        for path, buffer in snapshot.buffers.items()
        if not snapshot.ignored(path)
    }
    for change in changes:
        source = change.moved_from or change.path
        if is_after:
            found[source] = None
            found[change.path] = (
                None if change.after is None else raw(snapshot, source, change.after)
            )
        else:
            found[change.path] = None
            found[source] = None if change.before is None else raw(snapshot, source, change.before)
    return found


def raw(snapshot: Snapshot, path: str, data: bytes) -> bytes:
    """A text as it would be saved: in the encoding of the file that is there."""
    disk = snapshot.on_disk(path)
    if disk is None or disk.codec is None:
        return data
    return encode(data, disk.codec, disk.bom)


def unusable(ran: Ran, timeout: float) -> str:
    """Why what a command said counts for nothing; empty if it counts."""
    if ran.timed_out:
        return f"took more than {timeout:g} s and was ended"
    if ran.code is None:
        return f"could not be started ({ran.output})"
    return f"was ended by signal {-ran.code}" if ran.code < 0 else ""


def _placed(ran: Ran, place: str) -> Ran:
    """What a command said, with paths as the workspace has them."""
    output = ran.output.replace(f"{place}/", "").replace(place, ".") if place else ran.output
    return Ran(ran.code, output, ran.timed_out, ran.cut)


class Tests:
    """The tests of the workspace: in copies of it for an edit that is not accepted yet, else in itself."""

    __test__ = False

    def __init__(self, settings: Checks, runner: Runner, snapshot: Snapshot, emit: Emit) -> None:
        self._settings = settings
        self._runner = runner
        self._snapshot = snapshot
        self._emit = emit
        self._name = shlex.join(settings.test)

    async def proposed(self, changes: Sequence[FileChange]) -> Finding | None:
        """What fails with `changes` and does not without them."""

        async def run(is_after: bool) -> Ran:
            files = await asyncio.to_thread(texts, self._snapshot, changes, is_after)
            return await self._in_copy(files)

        return await self._compared(lambda: run(True), lambda: run(False))

    async def accepted(self, before: Mapping[str, bytes | None]) -> Finding | None:
        """What fails now and did not while the files `before` held these texts (None: there was none). What the
        editor has not saved is tested in a copy."""
        snapshot = self._snapshot

        async def now() -> Ran:
            files = await asyncio.to_thread(texts, snapshot, (), True)
            if not await asyncio.to_thread(lambda: any(is_unsaved(snapshot, p) for p in files)):
                return await self._in(snapshot.root)
            return await self._in_copy(files)

        async def then() -> Ran:
            files = await asyncio.to_thread(texts, snapshot, (), True)
            old = {
                p: None if data is None else raw(snapshot, p, data) for p, data in before.items()
            }
            return await self._in_copy({**files, **old})

        return await self._compared(now, then)

    async def _compared(
        self, now: Callable[[], Awaitable[Ran]], then: Callable[[], Awaitable[Ran]]
    ) -> Finding | None:
        self._emit(Status(f"running {self._name}"))
        try:
            after = await now()
            if reason := unusable(after, self._settings.test_timeout):
                self._emit(Status(f"{self._name} {reason}"))
                return None
            if after.code == 0:
                self._emit(Status(f"{self._name} passed"))
                return None
            self._emit(Status(f"{self._name} failed; running it without the edit"))
            before = await then()
        except scratch.TooLarge:
            self._emit(Status("tests did not run: the workspace is too large to be copied"))
            return None
        except OSError as error:
            self._emit(Status(f"tests did not run: {error}"))
            return None
        failed_before = before.code and not unusable(before, self._settings.test_timeout)
        if failed_before and not fresh(before.output, after.output):
            self._emit(Status(f"{self._name} fails without the edit in the same way"))
            return None
        words = f"`{self._name}` failed (exit status {after.code})"
        return Finding("test", "", 0, words, after.output.rstrip())

    async def _in_copy(self, files: Mapping[str, bytes | None]) -> Ran:
        root, paths = self._snapshot.root, self._snapshot.paths()
        place = await asyncio.to_thread(scratch.tree, root, paths, files)
        try:
            return _placed(await self._in(place), place)
        finally:
            await asyncio.to_thread(scratch.remove, place)

    async def _in(self, place: str) -> Ran:
        return await self._runner.run(self._settings.test, place, self._settings.test_timeout)


def is_unsaved(snapshot: Snapshot, path: str) -> bool:
    """Whether the editor holds another text of `path` than the disk. Reads the disk."""
    buffer, disk = snapshot.buffers.get(path), snapshot.on_disk(path)
    if buffer is None:
        return False
    return disk is None or disk.raw != raw(snapshot, path, buffer.document.data)
