"""The disk moves under the server: another branch with thousands of changed files while the user types, and typing
into a file of 1 MB.

Measured from outside, over stdio: how long the server takes to answer the cheapest request there is, asked all the
time. That is the time its loop is held, plus what the machine does besides.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.bench.corpora import Corpus
from tests.bench.table import Figure, ms, p95, under
from tests.support.editor import Editor, uri_of
from tests.support.serving import environment

CHANGED = 5_000
BIG = 1_000_000
HOLD = 20.0
_GIT = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]
_WATCHING = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def switches(corpus: Corpus) -> list[Figure]:
    """Another branch of `corpus`, whose files are Python, with a client that watches and without."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "work"
        changed = _branches(corpus, root)
        figures = []
        for watching in (True, False):
            figures += asyncio.run(switch(root, Path(folder), changed, corpus, watching))
    return figures


def large_file() -> list[Figure]:
    """Typing into a file of 1 MB."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(large(Path(folder)))


def _branches(corpus: Corpus, root: Path) -> list[str]:
    """A clone with a branch `other` on which thousands of files have a further definition."""
    clone = ["clone", "-q", "--shared", str(corpus.root), str(root)]
    subprocess.run([*_GIT, *clone], check=True)
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))
    names = [name for name in names if name != corpus.typed][:CHANGED]
    for number, name in enumerate(names):
        with (root / name).open("a") as file:
            file.write(f"\n\ndef on_the_other_branch_{number}():\n    pass\n")
    for words in (["checkout", "-qb", "other"], ["commit", "-qam", "x"], ["checkout", "-q", "-"]):
        subprocess.run([*_GIT, *words], cwd=root, check=True)
    return names


@asynccontextmanager
async def serving(root: Path, scratch: Path, caps: dict[str, Any]) -> AsyncIterator[Editor]:
    options = {"symbols": {"workspace": True}}
    env = environment(scratch)
    async with await Editor.start(root, caps, init_options=options, env=env) as editor:
        while not (await status(editor))["ready"]:
            await asyncio.sleep(0.2)
        # The first ranking and the first watch follow the scan.
        await asyncio.sleep(3)
        yield editor


async def status(editor: Editor) -> dict[str, Any]:
    found = await editor.command("pairwright.status", timeout=300)
    root: dict[str, Any] = found["roots"][0]
    return {**root, "running": found["running"]}


class Pulse:
    """Asks the server without a pause; `seconds`: how long each answer took."""

    def __init__(self, editor: Editor) -> None:
        self.seconds: list[float] = []
        self._editor = editor
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            began = time.perf_counter()
            await self._editor.command("pairwright.status")
            self.seconds.append(time.perf_counter() - began)
            await asyncio.sleep(0.002)

    async def stop(self) -> list[float]:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        return self.seconds


async def switch(
    root: Path, scratch: Path, changed: list[str], corpus: Corpus, watching: bool
) -> list[Figure]:
    """The other branch is checked out while the user types."""
    who = "told by the client" if watching else "seen by our own watcher"
    async with serving(root, scratch, _WATCHING if watching else {}) as editor:
        typed = root / corpus.typed
        editor.open(typed, corpus.language)
        await asyncio.sleep(0.5)
        quiet = Pulse(editor)
        await asyncio.sleep(1)
        idle = await quiet.stop()
        pulse, began = Pulse(editor), time.perf_counter()
        git = await asyncio.create_subprocess_exec(*_GIT, "checkout", "-q", "other", cwd=root)
        typing = asyncio.create_task(_type(editor, typed))
        assert await git.wait() == 0
        checked_out = time.perf_counter() - began
        if watching:
            events = [{"uri": uri_of(root / name), "type": 2} for name in changed]
            editor.notify("workspace/didChangeWatchedFiles", {"changes": events})
        await _known(editor, len(changed))
        known = time.perf_counter() - began - checked_out
        typing.cancel()
        seconds = await pulse.stop()
    subprocess.run([*_GIT, "checkout", "-q", "-"], cwd=root, check=True)
    count = f"{len(changed):,} files"
    value = f"{ms(max(seconds))} (p95 {ms(p95(seconds))}; idle {ms(max(idle))})"
    longest = Figure(
        f"longest answer while a branch with {count} changed, {who}, {corpus.name}",
        f"about {HOLD:g} ms",
        value,
        max(seconds) * 1000 < 2 * HOLD,
    )
    return [longest, Figure(f"all of it in the index, {who}, {corpus.name}", "-", ms(known), None)]


async def _type(editor: Editor, path: Path) -> None:
    while True:
        at = len(editor.text(path)) // 2
        editor.type(path, at, at, "x")
        await asyncio.sleep(0.08)


async def _known(editor: Editor, count: int) -> None:
    """Wait until the index knows definitions of the other branch in the first and the last of its files."""
    for number in (0, count // 2, count - 1):
        wanted = f"on_the_other_branch_{number}"
        found: list[Any] = []
        while not any(item["name"] == wanted for item in found):
            await asyncio.sleep(0.1)
            found = await editor.request("workspace/symbol", {"query": wanted}, 300) or []


async def large(scratch: Path) -> list[Figure]:
    """A file of 1 MB: its opening, its tags, a hover, and what a keystroke costs before and after its tree is
    there."""
    root = scratch / "large"
    root.mkdir()
    path = root / "large.py"
    body = "class C{0}(Base):\n    def method(self, a):\n        return helper_{0}(a) + self.other(a)\n\n"
    text = "".join(body.format(number) for number in range(BIG // 90))
    path.write_text(text)
    async with serving(root, scratch, {}) as editor:
        pulse, began = Pulse(editor), time.perf_counter()
        editor.open(path)
        await _hover(editor, path, 4)
        opened = time.perf_counter() - began
        at_opening = await pulse.stop()
        pulse = Pulse(editor)
        keys: list[float] = []
        for version in range(2, 152):
            # Positions are made by hand: the test's editor would look through the whole text for each.
            where = {"line": 4 * (version * 37 % 2000) + 2, "character": len("        return h")}
            change = {"range": {"start": where, "end": where}, "text": "x"}
            ident = {"uri": uri_of(path), "version": version}
            params = {"textDocument": ident, "contentChanges": [change]}
            began = time.perf_counter()
            editor.notify("textDocument/didChange", params)
            await editor.command("pairwright.status")
            keys.append(time.perf_counter() - began)
            await asyncio.sleep(0.03 if version % 10 else 0.3)
        await asyncio.sleep(3)
        typed = await pulse.stop()
        began = time.perf_counter()
        await _hover(editor, path, 8)
        hovered = time.perf_counter() - began
    name = "1 MB Python"
    return [
        under(f"keystroke taken, {name}, p95", HOLD, p95(keys)),
        under(f"longest answer while typing, {name}", HOLD, max(typed)),
        under(f"longest answer while it opens, {name}", HOLD, max(at_opening)),
        Figure(f"opened to the first hover, {name}", "-", ms(opened), None),
        under(f"hover after typing, {name}", 100, hovered),
    ]


async def _hover(editor: Editor, path: Path, line: int) -> None:
    position = {"line": line, "character": 7}
    params = {"textDocument": {"uri": uri_of(path)}, "position": position}
    assert await editor.request("textDocument/hover", params, 120) is not None
