"""The user's repository is byte-identical before and after checkpoints, in every state one can be in."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from tests.support.desks import Office

from pairwright.engine.accept import Selection, accept
from pairwright.engine.undo import How, redo, restore, undo

BASE = "git init -q -b main . && printf '1\\n2\\n3\\n' > a.txt && echo x > gone.txt && git add -A"
COMMITTED = f"{BASE} && git commit -qm base"
CLASH = f"""{COMMITTED}
git checkout -qb side && printf '1\\nside\\n3\\n' > a.txt && git commit -qam side
git checkout -q main && printf '1\\nmain\\n3\\n' > a.txt && git commit -qam main
"""
# What is done in the folder `outer`, and the workspace below it.
KINDS = {
    "no git": ("printf '1\\n2\\n3\\n' > a.txt; echo x > gone.txt", "."),
    "unborn": (BASE, "."),
    "a branch, staged and unstaged": (
        f"{COMMITTED}; echo 4 >> a.txt; git add a.txt; echo 5 >> a.txt; echo u > untracked",
        ".",
    ),
    "detached": (f"{COMMITTED} && git checkout -q --detach", "."),
    "packed": (f"{COMMITTED} && git gc -q && git pack-refs --all", "."),
    "a worktree": (f"{COMMITTED} && git worktree add -q -b wt wt", "wt"),
    "a submodule": (
        f"mkdir sub super && (cd sub && {COMMITTED}) && cd super && git init -q -b main . && "
        "git -c protocol.file.allow=always submodule --quiet add ../sub sub && git commit -qm s",
        "super/sub",
    ),
    "nested": (f"git init -q . && mkdir in && cd in && {COMMITTED}", "in"),
    "a folder below the top": (
        "mkdir in && cd in && printf '1\\n2\\n3\\n' > a.txt && echo x > gone.txt && cd .. && "
        "git init -q -b main . && git add -A && git commit -qm base",
        "in",
    ),
    "sparse": (
        f"{COMMITTED} && mkdir far && echo f > far/f && git add -A && git commit -qm far && "
        "git sparse-checkout set --no-cone '/*' '!/far/'",
        ".",
    ),
    "a merge in progress": (f"{CLASH}git merge side; test -f .git/MERGE_HEAD", "."),
    "a rebase in progress": (f"{CLASH}git rebase side; test -d .git/rebase-merge", "."),
    "a cherry-pick in progress": (
        f"{CLASH}git cherry-pick side; test -f .git/CHERRY_PICK_HEAD",
        ".",
    ),
    "a stash": (f"{COMMITTED} && echo s >> a.txt && git stash -q", "."),
    "a held lock": (f"{COMMITTED} && : > .git/index.lock", "."),
    "reftable": (f"{COMMITTED} && git refs migrate --ref-format=reftable", "."),
    "sha256": (COMMITTED.replace("init", "init --object-format=sha256"), "."),
}


def sh(script: str, cwd: Path, home: Path) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "T" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "t@example.invalid" for who in ("AUTHOR", "COMMITTER")},
    }
    done = subprocess.run(["bash", "-c", script], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode and "migrate" in script:
        pytest.skip(f"this git cannot: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr


def repositories(outer: Path) -> dict[str, str]:
    """Every file of every repository below `outer`: a digest of its bytes, mode and time."""
    found = {}
    for path in sorted(outer.rglob("*")):
        if ".git" in path.relative_to(outer).parts:
            stat = path.lstat()
            data = path.read_bytes() if path.is_file() else b""
            sign = f"{stat.st_mode} {stat.st_mtime_ns}".encode()
            found[str(path)] = hashlib.sha256(data + sign).hexdigest()
    return found


@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_of_git_changes(tmp_path: Path, kind: str) -> None:
    script, where = KINDS[kind]
    outer = tmp_path / "outer"
    outer.mkdir()
    sh(script, outer, tmp_path)
    office = Office.at(outer / where, tmp_path / "data")
    before, disk = repositories(outer), office.on_disk()
    first = office.editor.text("a.txt")
    assert first is not None and bool(before) == (kind != "no git")
    wanted = {"a.txt": b"0\n" + first + b"9\n", "gone.txt": None, "new/n.txt": b"n\n"}
    proposal = office.propose(wanted)
    for hunks in (("0.0",), ("0.1", "1.0", "2.0")):
        result = await accept(office.desk, proposal.id, Selection(hunks=hunks))
        assert result.state == "applied", result
    assert (await undo(office.desk)).state == "done"
    assert (await redo(office.desk)).state == "done"
    oldest = office.desk.store.list()[-1]
    assert (await restore(office.desk, oldest.id)).state == "done"
    assert (await undo(office.desk)).state == "done"
    assert (await undo(office.desk, proposal.id, How(turn=True))).state == "done"
    office.editor.save_all()
    assert office.on_disk() == disk
    assert repositories(outer) == before
