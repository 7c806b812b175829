"""A kill at any moment of a commit leaves the state before it or behind it, and the next start says
which. Every twenty-third point is tried; all of them with PAIRWRIGHT_FAULTS=all."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.support.repos import UserRepo

from pairwright.checkpoints.commit import Options, Step, commit
from pairwright.checkpoints.commit_index import in_index
from pairwright.checkpoints.commit_lock import holding
from pairwright.checkpoints.commit_recover import plan_of_reset, told
from pairwright.checkpoints.commit_state import look

_CHILD = Path(__file__).parents[2] / "support" / "killed_commit.py"
_MOST = 400


def _arranged(top: Path) -> UserRepo:
    repo = UserRepo.of(top)
    repo.write("other.txt", "staged\n")
    repo.git("add", "other.txt")
    repo.write("app.py", "x = 2\ny = 1\nmine\n")
    return repo


def check(repo: UserRepo, said: str) -> None:
    """Either state, whole, as `said`."""
    status = repo.git("status", "--porcelain").splitlines()
    if "finished" in said:
        assert (repo.log(), status) == (["feat: edit", "chore: mine", "base"], ["M  other.txt"])
    else:
        assert (repo.log(), status) == (["base"], [" M app.py", "M  other.txt"])
    repo.is_sound()


def _mended(repo: UserRepo) -> str:
    """What the next start says; a git command that was under way is waited for."""
    lock = repo.top / ".git/index.lock"
    until = time.monotonic() + 10
    while not (said := told(repo.top, repo.env)) and lock.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return said


def test_every_point_of_a_commit(tmp_path: Path) -> None:
    step = 1 if os.environ.get("PAIRWRIGHT_FAULTS") == "all" else 23
    outcomes = set()
    for point in range(5, _MOST, step):
        repo = _arranged(tmp_path / str(point))
        words = [sys.executable, str(_CHILD), str(repo.top), str(point)]
        done = subprocess.run(words, env=repo.env, capture_output=True)
        if done.returncode == 0:
            assert done.stdout == b"2\n"
            break
        said = _mended(repo)
        check(repo, said)
        outcomes.add(said.partition(" (")[0])
    assert point < _MOST - step and {"A commit that was cut short is finished"} < outcomes


@pytest.mark.parametrize("moved", [True, False])
def test_an_undo_that_was_cut_short(tmp_path: Path, moved: bool) -> None:
    repo = UserRepo.of(tmp_path / "work")
    repo.write("app.py", "x = 2\n")
    made = commit(repo.command, [Step({"app.py": repo.state("app.py")}, "feat: x")], Options())
    place = look(repo.command)
    target = made.made[0].parent
    with holding(place.index) as held:
        held.note(plan_of_reset(place.head, target, made.staged))
        left = (repo.top / ".git/index.lock").read_bytes()
    if moved:
        repo.git("update-ref", "HEAD", target)
    (repo.top / ".git/index.lock").write_bytes(left)
    assert ("finished" in told(repo.top, repo.env)) == moved
    assert repo.git("rev-parse", "HEAD") == (target if moved else made.made[0].id)
    assert repo.staged() == []
    repo.is_sound()


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    repo = UserRepo.of(tmp_path / "work")
    lock = repo.top / ".git/index.lock"
    for content in (b"", b"DIRC", b"pairwright 1 another-host\n"):
        lock.write_bytes(content)
        assert told(repo.top, repo.env) == ""
        assert lock.read_bytes() == content
    lock.unlink()
    with holding(repo.top / ".git/index"):
        assert told(repo.top, repo.env) == ""
        assert lock.exists()
    assert told(tmp_path, repo.env) == ""
    assert in_index(repo.command, ["app.py"])["app.py"] is not None


def test_a_note_that_was_cut_off_is_no_plan(tmp_path: Path) -> None:
    repo = UserRepo.of(tmp_path / "work")
    lock = repo.top / ".git/index.lock"
    with holding(repo.top / ".git/index") as held:
        held.note({"do": "commit"})
        left = lock.read_bytes()
    for content in (left, left[:-5]):
        lock.write_bytes(content)
        assert "before it began" in told(repo.top, repo.env)
        repo.is_sound()
