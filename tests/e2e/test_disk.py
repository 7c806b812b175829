"""A disk that moves under the real server: other programs' files, another branch, while the user types."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.editor import Editor, uri_of
from tests.support.serving import COMMAND, environment
from tests.support.spaces import few_watches, inside

COUNT = 400
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"]
WATCHING: dict[str, Any] = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
# Below the half minute after which a server that is told nothing looks by itself.
_SECONDS = 25


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "lib").mkdir(parents=True)
    (folder / "app.py").write_text("def main():\n    return 1\n")
    return folder


@asynccontextmanager
async def serving(
    root: Path, tmp_path: Path, caps: dict[str, Any] | None = None, command: list[str] | None = None
) -> AsyncIterator[Editor]:
    options = {"symbols": {"workspace": True, "document": True}}
    editor = await Editor.start(
        root,
        caps or {},
        env=environment(tmp_path),
        command=command or COMMAND,
        init_options=options,
    )
    async with editor:
        while not (await editor.command("pairwright.status"))["roots"][0]["ready"]:
            await asyncio.sleep(0.05)
        yield editor


async def check(editor: Editor, *names: str, absent: tuple[str, ...] = ()) -> None:
    """The index comes to define each of `names`, and none of `absent`."""
    for name in (*names, *absent):
        for _ in range(_SECONDS * 10):
            found = await editor.request("workspace/symbol", {"query": name}) or []
            if (name in [item["name"] for item in found]) == (name in names):
                break
            await asyncio.sleep(0.1)
        else:
            raise AssertionError(f"{name}: {[item['name'] for item in found][:5]}")


async def test_other_programs_files_are_seen_where_the_client_does_not_watch(
    root: Path, tmp_path: Path
) -> None:
    async with serving(root, tmp_path) as editor:
        await check(editor, "main")
        (root / "lib/new.py").write_text("def from_elsewhere():\n    pass\n")
        await check(editor, "from_elsewhere")
        (root / "more").mkdir()
        (root / "more/deep.py").write_text("def in_a_new_folder():\n    pass\n")
        await check(editor, "in_a_new_folder")
        (root / "more/deep.py").unlink()
        await check(editor, absent=("in_a_new_folder",))


async def test_where_nothing_can_be_watched_a_save_looks_and_one_line_says_so(
    root: Path, tmp_path: Path
) -> None:
    command = inside(few_watches(1), COMMAND)
    async with serving(root, tmp_path, command=command) as editor:
        await editor.wait_for("the line", lambda m: "max_user_watches" in str(m["params"]))
        editor.open(root / "app.py")
        (root / "lib/made.py").write_text("def made_by_a_generator():\n    pass\n")
        editor.save(root / "app.py")
        await check(editor, "made_by_a_generator")
        lines = [m for m in editor.received if m["method"] == "window/logMessage"]
        assert len([m for m in lines if m["params"]["type"] <= 2]) == 1


async def test_folders_that_are_added_are_watched_and_removed_ones_not(
    root: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    folder = {"uri": uri_of(other), "name": "other"}
    async with serving(root, tmp_path) as editor:
        event = {"added": [folder], "removed": []}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        (other / "a.py").write_text("def in_the_other():\n    pass\n")
        await check(editor, "in_the_other")
        (other / "b.py").write_text("def later_in_the_other():\n    pass\n")
        await check(editor, "later_in_the_other")
        event = {"added": [], "removed": [folder]}
        editor.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await check(editor, absent=("in_the_other",))


def branches(root: Path) -> list[str]:
    """Make `root` a repository whose branch `other` has other definitions in many files."""
    names = [f"lib/m{number:03}.py" for number in range(COUNT)]
    for prefix, branch in (("here", "main"), ("there", "other")):
        subprocess.run([*GIT, "init", "-q"], cwd=root, check=True)
        if branch == "other":
            subprocess.run([*GIT, "checkout", "-qb", branch], cwd=root, check=True)
        for number, name in enumerate(names):
            (root / name).write_text(f"def {prefix}_{number}():\n    return {number}\n")
        subprocess.run([*GIT, "add", "."], cwd=root, check=True)
        subprocess.run([*GIT, "commit", "-qm", branch], cwd=root, check=True)
    checkout(root, "main")
    return names


def checkout(root: Path, branch: str) -> None:
    subprocess.run([*GIT, "checkout", "-q", branch], cwd=root, check=True)


@pytest.mark.parametrize("client_watches", [True, False])
async def test_another_branch_while_the_user_types(
    root: Path, tmp_path: Path, client_watches: bool
) -> None:
    names = branches(root)
    async with serving(root, tmp_path, WATCHING if client_watches else None) as editor:
        await check(editor, "here_0", f"here_{COUNT - 1}")
        editor.open(root / "app.py")
        for branch, prefix, gone in (("other", "there", "here"), ("main", "here", "there")):
            checkout(root, branch)
            if client_watches:
                events = [{"uri": uri_of(root / name), "type": 2} for name in names]
                params = {"changes": events}
                editor.notify("workspace/didChangeWatchedFiles", params)
            for number in range(20):
                editor.type(root / "app.py", 0, 0, f"def typed_{branch}_{number}():\n    pass\n")
                ident = {"textDocument": {"uri": uri_of(root / "app.py")}}
                found = await editor.request("textDocument/documentSymbol", ident)
                assert found[0]["name"] == f"typed_{branch}_{number}"
            await check(
                editor, f"{prefix}_0", f"{prefix}_{COUNT - 1}", absent=(f"{gone}_0", f"{gone}_7")
            )
        await check(editor, "typed_main_19", "typed_other_0")
