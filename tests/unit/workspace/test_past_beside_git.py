"""The history read while git commands rewrite the repository beside us, and from clones that lack objects:
always a history that stood, never a crash, never the network."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.support.repos import UserRepo

from pairwright.graph.types import History
from pairwright.workspace.cache import Cache
from pairwright.workspace.history import find_top, git_dir, head_of
from pairwright.workspace.past import Past

_ROUNDS = 3


def _repo(top: Path) -> UserRepo:
    repo = UserRepo.of(top)
    for at in range(6):
        repo.write(f"lib/f{at}.py", f"{at}\n")
        repo.write("app.py", f"x = {at}\n")
        repo.git("add", "-A")
        repo.git("commit", "-qm", f"c{at}")
    return repo


def check(root: Path, expected: History) -> None:
    """A reader that knows nothing yet finds `expected`."""
    assert Past(str(root), Cache(None)).read() == expected


def test_git_at_work_beside_us_does_no_harm(tmp_path: Path) -> None:
    repo = _repo(tmp_path / "work")
    expected = Past(str(repo.top), Cache(None)).read()
    assert len(expected.commits) == 7
    stop, failed = threading.Event(), []

    def work() -> None:
        try:
            for _ in range(_ROUNDS):
                repo.git("repack", "-adq")
                repo.git("pack-refs", "--all", "--prune")
                repo.git("commit", "-q", "--amend", "--no-edit", "--reset-author")
                repo.git("reflog", "expire", "--expire=now", "--all")
                repo.git("gc", "-q", "--prune=now")
                repo.git("rebase", "-q", "--force-rebase", "HEAD~3")
        except AssertionError as error:
            failed.append(error)
        finally:
            stop.set()

    user = threading.Thread(target=work)
    user.start()
    seen = []
    while not stop.is_set():
        seen.append(Past(str(repo.top), Cache(None)).read())
    user.join()
    assert not failed
    # A rebase goes through heads that are older; what is read is the history of one of them.
    tails = {expected.commits[at:] for at in range(4)}
    assert seen and {one.commits for one in seen} <= tails
    check(repo.top, expected)
    repo.is_sound()


def test_a_clone_without_trees_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    repo = _repo(tmp_path / "work")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=tree:0", "--no-checkout", f"file://{repo.top}", "../bare")
    clone = UserRepo(tmp_path / "bare", repo.env)
    objects = sorted((clone.top / ".git/objects").rglob("*"))
    check(clone.top, History())
    assert sorted((clone.top / ".git/objects").rglob("*")) == objects, "nothing was fetched"


def test_a_clone_of_blobless_history_is_whole(tmp_path: Path) -> None:
    repo = _repo(tmp_path / "work")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.top}", "../partial")
    check(tmp_path / "partial", Past(str(repo.top), Cache(None)).read())


def test_a_borrowed_store_that_moves_is_no_crash(tmp_path: Path) -> None:
    repo = _repo(tmp_path / "work")
    repo.git("clone", "-q", "--shared", str(repo.top), "../shared")
    check(tmp_path / "shared", Past(str(repo.top), Cache(None)).read())
    (repo.top / ".git/objects").rename(tmp_path / "gone")
    check(tmp_path / "shared", History())


def test_a_head_is_found_at_every_moment_of_packing(tmp_path: Path) -> None:
    repo = _repo(tmp_path / "work")
    top = find_top(repo.top / "lib")
    assert top is not None
    found = git_dir(top)
    assert found is not None
    head = repo.git("rev-parse", "HEAD")
    stop = threading.Event()

    def work() -> None:
        for _ in range(8):
            repo.git("pack-refs", "--all", "--prune")
            repo.git("update-ref", "refs/heads/main", head)
            (repo.top / ".git/refs/heads/main").write_text(f"{head}\n")
        stop.set()

    user = threading.Thread(target=work)
    user.start()
    heads = set()
    while not stop.is_set():
        heads.add(head_of(found))
    user.join()
    assert heads == {head}
