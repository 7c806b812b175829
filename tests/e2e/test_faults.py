"""What may go wrong with the index: each ends in a working server and at most one clear message."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor
from tests.support.serving import COMMAND, environment
from tests.support.spaces import inside, read_only, small_disk

from pairwright.workspace.cache import Cache

# What is killed here, and found among the children of the server, is the processes themselves.
pytestmark = pytest.mark.usefixtures("cold")

COUNT = 120
_PROGRESS = {"window": {"workDoneProgress": True}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small folder."""
    return made(tmp_path / "work", 2)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """More than the server parses in its own process."""
    return made(tmp_path / "work", 250)


def made(folder: Path, size: int) -> Path:
    """Files of so many functions, written long enough ago to be trusted."""
    folder.mkdir()
    body = "".join(f"def f{i}(a):\n    return f{i + 1}(a) + only_1(a)\n\n" for i in range(size))
    for number in range(COUNT):
        file = folder / f"m{number:03}.py"
        file.write_text(f"def only_{number}():\n    pass\n\n{body}")
        os.utime(file, (1_600_000_000, 1_600_000_000))
    return folder


@asynccontextmanager
async def serving(
    root: Path, tmp_path: Path, command: list[str] | None = None
) -> AsyncIterator[Editor]:
    options = {"symbols": {"workspace": True}}
    editor = await Editor.start(
        root,
        _PROGRESS,
        env=environment(tmp_path),
        command=command or COMMAND,
        init_options=options,
    )
    async with editor:
        yield editor


async def check(editor: Editor, message: str | None = None) -> None:
    """The whole folder is indexed and answers; the user was told `message` once and nothing else."""
    for _ in range(600):
        found = (await editor.command("pairwright.status"))["roots"][0]
        if found["ready"]:
            break
        await asyncio.sleep(0.1)
    assert (found["ready"], found["files"]) == (True, COUNT)
    for number in (0, COUNT // 2, COUNT - 1):
        wanted = f"only_{number}"
        symbols = await editor.request("workspace/symbol", {"query": wanted})
        assert wanted in [item["name"] for item in symbols], wanted
    made = await editor.command("pairwright.map", budget=500)
    assert "def only_1()" in made["text"]
    told = warnings(editor)
    assert len(told) == (message is not None), told
    assert message is None or message in told[0]


def warnings(editor: Editor) -> list[str]:
    """Warnings and errors that reached the client, in its log or as a pop-up."""
    methods = ("window/logMessage", "window/showMessage")
    sent = [m["params"] for m in editor.received if m["method"] in methods]
    return [params["message"] for params in sent if params["type"] <= 2]


async def scanning(editor: Editor) -> None:
    """Wait until the scan has done some of the files."""

    def ready(message: dict[str, Any]) -> bool:
        value = message["params"].get("value") if message["method"] == "$/progress" else None
        return bool(value) and 0 < value.get("percentage", 0) < 100

    await editor.wait_for("some progress", ready)


def children(editor: Editor, kind: str) -> list[int]:
    """Child processes of the server whose command names `kind`."""
    pid = editor.process.pid
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += (task / "children").read_text().split()
    names = {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes().decode() for pid in found}
    return sorted(pid for pid, name in names.items() if kind in name)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_server_killed_in_its_scan_starts_again(large: Path, tmp_path: Path) -> None:
    editor = await Editor.start(large, _PROGRESS, env=environment(tmp_path), command=COMMAND)
    await scanning(editor)
    workers = children(editor, "workspace.worker")
    assert workers
    editor.process.kill()
    await editor.process.wait()
    async with serving(large, tmp_path) as again:
        await check(again)
    assert not [pid for pid in workers if is_alive(pid)]


async def test_a_killed_worker_costs_no_file(large: Path, tmp_path: Path) -> None:
    async with serving(large, tmp_path) as editor:
        await scanning(editor)
        for pid in children(editor, "workspace.worker"):
            os.kill(pid, signal.SIGKILL)
        await check(editor)


def filled(tmp_path: Path) -> Path:
    """A cache as an earlier run leaves it; its file."""
    cache = Cache(tmp_path / "cache" / "index")
    cache.put_many({b"%d" % number: os.urandom(500) for number in range(500)})
    path = cache.path
    cache.close()
    assert path is not None
    return path


def cut(cache: Path) -> None:
    raw = cache.read_bytes()
    cache.write_bytes(raw[: len(raw) // 2 + 100])


def replace(cache: Path) -> None:
    cache.write_bytes(b"garbage" * 5000)


@pytest.mark.parametrize("damage", [cut, replace])
async def test_a_damaged_cache_is_built_anew(
    root: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(filled(tmp_path))
    async with serving(root, tmp_path) as editor:
        await check(editor, "is damaged")


async def test_a_cache_of_another_version_is_built_anew(root: Path, tmp_path: Path) -> None:
    with sqlite3.connect(filled(tmp_path)) as db:
        db.execute("DROP TABLE derived")
        db.execute("CREATE TABLE derived (other TEXT)")
        db.execute("PRAGMA user_version = 999")
    db.close()
    async with serving(root, tmp_path) as editor:
        await check(editor)


async def test_a_full_disk(root: Path, tmp_path: Path) -> None:
    command = inside(small_disk(tmp_path / "cache", "60k"), COMMAND)
    async with serving(root, tmp_path, command) as editor:
        await check(editor, "cannot be used")


async def test_a_cache_folder_that_cannot_be_written(root: Path, tmp_path: Path) -> None:
    command = inside(read_only(tmp_path / "cache"), COMMAND)
    async with serving(root, tmp_path, command) as editor:
        await check(editor, "cannot be used")


async def test_a_cache_that_can_only_be_read(root: Path, tmp_path: Path) -> None:
    filled(tmp_path)
    command = inside(read_only(tmp_path / "cache"), COMMAND)
    async with serving(root, tmp_path, command) as editor:
        await check(editor, "cannot be used")


async def test_two_servers_at_once(root: Path, tmp_path: Path) -> None:
    async with serving(root, tmp_path) as one, serving(root, tmp_path) as other:
        await asyncio.gather(check(one), check(other))
        first, second = [await e.command("pairwright.map", budget=800) for e in (one, other)]
        assert first["text"] == second["text"]
