"""The history of real repositories made by git: what is read, followed, left out, cached, refused."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.graph.types import History
from pairwright.workspace import past, workers
from pairwright.workspace.cache import Cache
from pairwright.workspace.commits import MANY
from pairwright.workspace.host import Host
from pairwright.workspace.past import Past
from pairwright.workspace.worker import WALK

Commits = list[tuple[str, ...]]


class Repo:
    """A repository whose commits are a minute apart."""

    def __init__(self, top: Path, *words: str) -> None:
        self.top = top
        self.minute = 0
        top.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *words)

    def git(self, *words: str) -> str:
        when = f"{1_700_000_000 + 60 * self.minute} +0100"
        who = {
            f"GIT_{who}_{what}": "a@b"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        clean = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *words],
            cwd=self.top,
            env={**os.environ, **clean, **who, **dates},
            capture_output=True,
            check=True,
        )
        return os.fsdecode(done.stdout).strip()

    def write(self, *paths: str) -> None:
        for path in paths:
            file = self.top / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(os.fsencode(f"{path} in minute {self.minute}\n" + "same line\n" * 20))

    def commit(self, *paths: str) -> str:
        """Change `paths` and commit everything."""
        self.minute += 1
        self.write(*paths)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"minute {self.minute}")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("a.py", "b.py")
    made.commit("lib/c.py", "a.py")
    made.commit("b.py")
    return made


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    made = Cache(tmp_path / "cache")
    yield made
    made.close()


BASE: Commits = [("b.py",), ("a.py", "lib/c.py"), ("a.py", "b.py")]


def commits(past: Past) -> Commits:
    """The paths of each commit that `past` reads."""
    return list(past.read().commits)


def check(folder: Path, cache: Cache, expected: Commits) -> None:
    """The history of `folder`, read for the first time and again, by this reader and another."""
    reader = Past(str(folder), cache)
    found = reader.read()
    assert list(found.commits) == expected
    assert len(found.said) == len(expected)
    assert reader.read() == found == Past(str(folder), cache).read()


def test_newest_first_with_all_paths_of_each_commit(repo: Repo, cache: Cache) -> None:
    check(repo.top, cache, BASE)
    repo.git("rm", "-q", "b.py")
    repo.commit("a.py")
    check(repo.top, cache, [("a.py", "b.py"), *BASE])
    repo.commit()
    check(repo.top, cache, [("a.py", "b.py"), *BASE])


def test_a_commit_says_what_it_is_about(repo: Repo, cache: Cache) -> None:
    repo.write("a.py")
    message = (
        "Parse HTTPReply headers\n\nThe parser (https://a.example/x) folds lines.\n\n"
        "Signed-off-by: Ann Author <ann@a.example>\nChange-Id: I0123\n"
    )
    repo.git("commit", "-q", "-a", "-m", message)
    said = Past(str(repo.top), cache).read().said
    words = ("parse", "http", "reply", "headers", "the", "parser", "folds", "lines")
    assert said[:2] == (words, ("minute",))
    assert said == Past(str(repo.top), cache).read().said


def test_both_sides_of_a_merge_count_and_the_merge_does_not(repo: Repo, cache: Cache) -> None:
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side.py", "a.py")
    repo.git("checkout", "-q", "main")
    repo.commit("main.py")
    repo.minute += 1
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    check(repo.top, cache, [("main.py",), ("a.py", "side.py"), *BASE])


def test_a_new_commit_costs_only_itself(
    repo: Repo, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []
    ask = workers.Worker.ask

    def watching(self: workers.Worker, job: tuple[object, ...]) -> object:
        last = job[-1]
        asked.append((str(job[0]), len(last) if isinstance(last, list) else 0))
        return ask(self, job)

    monkeypatch.setattr(workers.Worker, "ask", watching)
    Past(str(repo.top), cache).read()
    assert asked == [(WALK, 0), ("touched", 3)]
    asked.clear()
    head = repo.commit("new.py")
    Past(str(repo.top), cache).read()
    assert asked == [(WALK, 0), ("touched", 1)]
    asked.clear()
    repo.git("checkout", "-q", "HEAD~1")
    assert commits(Past(str(repo.top), cache)) == BASE
    repo.git("checkout", "-q", head)
    Past(str(repo.top), cache).read()
    assert not asked


def test_names_are_followed_backwards(repo: Repo, cache: Cache) -> None:
    """Moved untouched, moved with a change under the same base name, moved twice."""
    repo.git("mv", "lib/c.py", "lib/d.py")
    repo.commit()
    (repo.top / "src").mkdir()
    repo.git("mv", "a.py", "src/a.py")
    repo.git("mv", "lib/d.py", "src/e.py")
    repo.commit("src/a.py", "other.py")
    check(
        repo.top,
        cache,
        [
            ("other.py", "src/a.py", "src/e.py"),
            ("src/e.py",),
            ("b.py",),
            ("src/a.py", "src/e.py"),
            ("b.py", "src/a.py"),
        ],
    )


def test_a_commit_over_many_files_is_left_out_but_its_moves_count(repo: Repo, cache: Cache) -> None:
    (repo.top / "src").mkdir()
    repo.git("mv", "b.py", "src/b.py")
    repo.commit(*(f"many/{i}.py" for i in range(MANY)))
    check(repo.top, cache, [("src/b.py",), ("a.py", "lib/c.py"), ("a.py", "src/b.py")])


def test_no_more_commits_than_asked_for(
    repo: Repo, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "MOST", 2)
    check(repo.top, cache, BASE[:2])


def test_a_folder_below_the_top_sees_its_own_paths(repo: Repo, cache: Cache) -> None:
    repo.commit("lib/d.py", "lib/c.py", "library.py")
    check(repo.top / "lib", cache, [("c.py", "d.py"), ("c.py",)])


def test_odd_names(repo: Repo, cache: Cache) -> None:
    odd = [
        " lead.py",
        'quote".py',
        "tab\t.py",
        "new\nline.py",
        "ünï.py",
        os.fsdecode(b"caf\xe9.py"),
    ]
    repo.commit(*odd)
    check(repo.top, cache, [tuple(sorted(odd)), *BASE])


def test_only_files_count(repo: Repo, cache: Cache) -> None:
    """Links and submodules are no files of the index; a file that became a folder is."""
    os.symlink("a.py", repo.top / "link.py")
    repo.git("submodule", "add", "-q", str(repo.top), "sub")
    repo.git("rm", "-q", "b.py")
    repo.commit("b.py/now.py")
    check(repo.top, cache, [(".gitmodules", "b.py", "b.py/now.py"), *BASE])
    check(repo.top / "sub", cache, BASE)


def test_packed_and_loose_refs_and_objects(repo: Repo, cache: Cache) -> None:
    repo.git("pack-refs", "--all")
    repo.git("gc", "-q")
    check(repo.top, cache, BASE)
    repo.commit("loose.py")
    check(repo.top, cache, [("loose.py",), *BASE])


def test_detached_unborn_and_broken_heads(repo: Repo, cache: Cache) -> None:
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    check(repo.top, cache, BASE[1:])
    repo.git("checkout", "-q", "--orphan", "empty")
    check(repo.top, cache, [])
    for head in ("0" * 40, "ref: refs/../../outside", "ref: refs/heads/gone", "junk", ""):
        (repo.top / ".git" / "HEAD").write_text(head)
        check(repo.top, cache, [])


def test_clones_that_share_or_are_cut(repo: Repo, cache: Cache, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--shared", ".", str(tmp_path / "shared"))
    check(tmp_path / "shared", cache, BASE)
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.top}", str(tmp_path / "cut"))
    # What the last commit there changed cannot be known: its parent is absent.
    check(tmp_path / "cut", Cache(None), BASE[:1])
    own = Cache(tmp_path / "own")
    check(tmp_path / "cut", own, BASE[:1])
    subprocess.run(["git", "fetch", "-q", "--unshallow"], cwd=tmp_path / "cut", check=True)
    check(tmp_path / "cut", own, BASE)
    own.close()


def test_a_linked_work_tree_has_a_head_of_its_own(repo: Repo, cache: Cache, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"), "HEAD~1")
    check(tmp_path / "linked", cache, BASE[1:])
    check(repo.top, cache, BASE)


def test_what_cannot_be_read_has_no_history_and_says_why(
    tmp_path: Path, cache: Cache, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    wide = Repo(tmp_path / "wide", "--object-format=sha256")
    wide.commit("a.py")
    check(wide.top, cache, [])
    assert "not SHA-1" in caplog.text
    (tmp_path / "plain").mkdir()
    check(tmp_path / "plain", cache, [])


def test_damaged_and_absent_objects(
    repo: Repo, cache: Cache, caplog: pytest.LogCaptureFixture
) -> None:
    middle = repo.git("rev-parse", "HEAD~1^{tree}")
    (repo.top / ".git/objects" / middle[:2] / middle[2:]).unlink()
    check(repo.top, Cache(None), [("a.py", "b.py")])
    head = repo.git("rev-parse", "HEAD")
    file = repo.top / ".git/objects" / head[:2] / head[2:]
    file.chmod(0o644)
    file.write_bytes(b"damage")
    check(repo.top, Cache(None), [])
    assert f"commit {head} cannot be read" in caplog.text


def test_a_reader_that_dies_leaves_no_history(
    repo: Repo, cache: Cache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "_MAIN", "import os; os._exit(1) #{path}")
    assert Past(str(repo.top), cache).read() == History()
    assert "its reader died" in caplog.text
    monkeypatch.undo()
    check(repo.top, cache, BASE)


def test_damaged_values_of_the_cache_are_read_anew(repo: Repo, cache: Cache) -> None:
    Past(str(repo.top), cache).read()
    db = cache._connection()
    assert db is not None
    with db:
        db.execute("UPDATE derived SET value = x'93' WHERE length(value) > 60")
    assert commits(Past(str(repo.top), cache)) == BASE


def test_a_scan_brings_the_history_and_follows_a_branch_switch(repo: Repo, cache: Cache) -> None:
    host = Host(str(repo.top), Index(), cache)
    try:
        assert host.snapshot().history() == History()
        before = host.scan()
        assert list(before.history().commits) == BASE
        repo.commit("new.py")
        after = host.scan()
        assert list(after.history().commits) == [("new.py",), *BASE]
        assert after.revision > before.revision
        assert list(before.history().commits) == BASE
        repo.git("checkout", "-q", "-b", "old", "HEAD~2")
        host.disk([".git/HEAD"])
        host.settle().result()
        end = time.monotonic() + 30
        while list(host.snapshot().history().commits) != BASE[1:] and time.monotonic() < end:
            time.sleep(0.02)
        assert list(host.snapshot().history().commits) == BASE[1:]
        assert host.snapshot().paths() == ("a.py", "b.py", "lib/c.py")
    finally:
        host.stop()


def test_a_folder_without_git_has_none(tmp_path: Path, cache: Cache) -> None:
    shutil.copytree(
        Path(__file__).parent, tmp_path / "copy", ignore=shutil.ignore_patterns("*.pyc")
    )
    host = Host(str(tmp_path / "copy"), Index(), cache)
    assert host.scan().history() == History()
    host.stop()


def test_the_server_never_loads_dulwich_for_it(repo: Repo, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from pairwright.workspace.cache import Cache\n"
        "from pairwright.workspace.past import Past\n"
        "print(len(Past(sys.argv[1], Cache(None)).read().commits), 'dulwich' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(repo.top)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(place for place in sys.path if place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["3", "False"]
    assert done.stderr == ""
