"""The store, judged by the git command: exact files and bytes, sound objects, nothing else."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.checkpoints.head import head_of
from pairwright.checkpoints.place import folder_of
from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import LINK, CheckpointError, Files, FileState, Limits

SERVER = Path(__file__).parents[3] / "server"
LARGE = 10**12
ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "T",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_NAME": "T",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
}


def git(*args: str, cwd: Path, input: bytes = b"") -> bytes:
    done = subprocess.run(["git", *args], cwd=cwd, env=ENV, capture_output=True, input=input)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def fsck(store: Store) -> None:
    out = git("fsck", "--strict", "--full", "--no-dangling", cwd=store.path)
    assert out == b""


def check(store: Store, id: str, files: Files) -> None:
    """git sees exactly the files that exist, and `read` gives all of them back."""
    listing = git("ls-tree", "-r", "-z", id, cwd=store.path)
    seen = {}
    for entry in listing.split(b"\0")[:-1]:
        meta, _, name = entry.partition(b"\t")
        mode, _, sha = meta.split()
        path = name.decode("utf-8", "surrogateescape")
        seen[path] = (mode, git("cat-file", "blob", sha.decode(), cwd=store.path))
    wanted = {}
    for path, state in files.items():
        if state.data is not None:
            bits = (
                b"120000" if state.mode == LINK else b"100755" if state.mode & 0o111 else b"100644"
            )
            wanted[path] = (bits, state.data)
    assert seen == wanted
    assert store.read(id) == files


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data" / "store", "/home/me/project")


FILES = {
    "a.py": FileState(b"x = 1\r\n"),
    "bin/run.sh": FileState(b"#!/bin/sh\n", 0o755),
    "deep/er/empty": FileState(b""),
    "gone.txt": FileState(None),
    "key.pem": FileState(b"\x00\xff", 0o600),
    "link": FileState(b"a.py", LINK),
    "mod/": FileState(None),
    "mod/new.py": FileState(None),
}


def test_a_checkpoint_holds_exactly_the_touched_files(store: Store) -> None:
    made = store.record(
        FILES, kind="before", note="Rename it\nplease", time=1000.7, proposal="p1", head="b" * 40
    )
    check(store, made.id, FILES)
    fsck(store)
    assert made.paths == tuple(path for path in sorted(FILES) if path != "mod/")
    assert (made.kind, made.note, made.time, made.proposal) == ("before", "Rename it", 1000.0, "p1")
    assert (made.head, made.branch, made.base) == ("b" * 40, "", "")
    assert store.list() == (made,) == Store(store.path).list()


def test_git_log_is_readable(store: Store) -> None:
    first = store.record(
        {"a": FileState(b"1")}, kind="before", note="Rename it", time=1, branch="main"
    )
    store.record({"a": FileState(b"2")}, kind="after", note="Rename it", time=2, base=first.id)
    assert git("log", "--format=%s", cwd=store.path) == b"after: Rename it\nbefore: Rename it\n"
    trailers = git(
        "log", "--format=%(trailers:key=Pairwright-Branch)", "-1", first.id, cwd=store.path
    )
    assert trailers.strip() == b"Pairwright-Branch: main"


@pytest.mark.parametrize(
    "path",
    [
        "fänny dir/résumé.md",
        "caf\udce9.txt",
        "tab\tname",
        "new\nline",
        '"quoted"',
        " lead",
        "-x",
        "a.b/a",
    ],
)
def test_odd_names_come_back(store: Store, path: str) -> None:
    files = {path: FileState(b"1"), f"{path}.gone": FileState(None)}
    check(store, store.record(files, kind="before", note="n", time=1).id, files)
    fsck(store)


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "a//b", "../x", "a/./b", ".git/config", "a/.GIT/x", "\ud800"]
)
def test_names_no_tree_can_hold_are_refused(store: Store, path: str) -> None:
    with pytest.raises(CheckpointError, match="no checkpoint can hold"):
        store.record({path: FileState(b"1")}, kind="before", note="n", time=1)
    assert store.list() == ()


@pytest.mark.parametrize("pair", [("a", "a/b"), ("x/a", "x/a/b/c"), ("a-b/c", "a-b")])
def test_a_file_and_a_directory_of_one_name_are_refused(
    store: Store, pair: tuple[str, str]
) -> None:
    with pytest.raises(CheckpointError, match="file and a directory"):
        store.record({path: FileState(b"1") for path in pair}, kind="before", note="n", time=1)


_names = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=6
).filter(lambda name: name not in (".", "..") and name.lower() != ".git")
_states = st.builds(
    FileState,
    st.binary(max_size=40),
    st.sampled_from([0o644, 0o755, 0o600, 0o640, 0o4755, LINK]),
) | st.just(FileState(None))


@given(st.dictionaries(st.lists(_names, min_size=1, max_size=3).map("/".join), _states, max_size=6))
def test_any_files_come_back(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, FileState]
) -> None:
    kept: dict[str, FileState] = {}
    for path in sorted(files):
        clash = any(path.startswith(k + "/") or k.startswith(path + "/") for k in kept)
        if not clash:
            kept[path] = files[path]
    store = Store(tmp_path_factory.getbasetemp() / "any")
    made = store.record(kept, kind="before", note="n", time=1)
    assert store.read(made.id) == {path: kept[path] for path in sorted(kept)}


def test_previous_and_next(store: Store) -> None:
    made = [
        store.record({"a": FileState(b"%d" % n)}, kind="before", note="n", time=n) for n in range(3)
    ]
    assert [store.previous(c.id) for c in made] == [None, made[0], made[1]]
    assert [store.next(c.id) for c in made] == [made[1], made[2], None]
    assert store.list(2) == (made[2], made[1])
    assert store.get(made[1].id) == made[1]
    for unknown in ("", "0" * 40, "HEAD", made[0].id[:10]):
        assert store.get(unknown) is None
        assert store.read(unknown) is None
        assert store.previous(unknown) is None
        assert store.next(unknown) is None


def test_only_the_user_may_look(store: Store) -> None:
    store.record(FILES, kind="before", note="n", time=1)
    store.record({"a.py": FileState(b"2")}, kind="after", note="n", time=2)
    for path in [store.path, *store.path.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_pruning_keeps_what_is_needed_and_ids(store: Store) -> None:
    day = 86400.0
    made = []
    for n in range(6):
        before = store.record({"a": FileState(b"%d" % n)}, kind="before", note="n", time=n * day)
        after = store.record(
            {"a": FileState(b"%d" % (n + 1)), f"d/{n}": FileState(b"only %d" % n)},
            kind="after",
            note="n",
            time=n * day,
            base=before.id,
        )
        made += [before, after]
    assert store.prune(Limits(100, 100, LARGE), 6 * day) == 0
    # Seven would cut a pair: its first half stays too.
    assert store.prune(Limits(100, 7, LARGE), 6 * day) == 4
    assert store.list() == tuple(reversed(made[4:]))
    fsck(store)
    assert git("log", "--format=%H", cwd=store.path).split() == [
        c.id.encode() for c in reversed(made[4:])
    ]
    assert store.read(made[0].id) is None
    assert store.read(made[4].id) == {"a": FileState(b"2")}
    gone = subprocess.run(
        ["git", "cat-file", "-e", f"{made[1].id}:d/0"], cwd=store.path, env=ENV, capture_output=True
    )
    assert gone.returncode != 0
    assert store.prune(Limits(1.5, 100, LARGE), 5 * day) == 4
    assert store.list() == tuple(reversed(made[8:]))
    assert store.prune(Limits(1, 1, LARGE), 1000 * day) == 2
    assert store.list() == (made[11], made[10])
    later = store.record({"a": FileState(b"z")}, kind="before", note="n", time=9 * day)
    fsck(store)
    assert Store(store.path).list() == (later, made[11], made[10])


def test_pruning_by_size_counts_what_newer_ones_do_not_hold(store: Store) -> None:
    shared = FileState(os.urandom(50_000))
    made = [
        store.record(
            {"shared": shared, "own": FileState(os.urandom(20_000))},
            kind="before",
            note="n",
            time=n,
        )
        for n in range(6)
    ]
    assert store.prune(Limits(99, 99, 1_000_000), 6) == 0
    # 50 KB once, 20 KB each, and a little for trees and commits.
    assert store.prune(Limits(99, 99, 115_000), 6) == 3
    assert store.list() == tuple(reversed(made[3:]))
    fsck(store)
    assert store.prune(Limits(99, 99, 1), 6) == 2
    assert store.read(made[5].id) is not None
    fsck(store)


def test_pruning_reaches_into_packs(store: Store) -> None:
    made = [
        store.record({"a": FileState(os.urandom(9_000))}, kind="before", note="n", time=n)
        for n in range(4)
    ]
    git("gc", "-q", cwd=store.path)
    assert store.prune(Limits(99, 2, LARGE), 4) == 2
    assert [store.read(c.id) is None for c in made] == [True, True, False, False]
    assert sum(f.stat().st_size for f in store.path.rglob("*") if f.is_file()) < 30_000
    fsck(store)


def test_a_packed_repository_is_read_and_written(store: Store) -> None:
    first = store.record(FILES, kind="before", note="n", time=1)
    git("gc", "-q", cwd=store.path)
    second = store.record({"a.py": FileState(b"2")}, kind="after", note="n", time=2)
    check(store, first.id, FILES)
    assert store.list() == (second, first)
    fsck(store)


def test_locks_of_a_dead_process_are_broken(store: Store) -> None:
    store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)
    blob = (
        git("hash-object", "--stdin", cwd=store.path)
        and subprocess.run(
            ["git", "hash-object", "--stdin"],
            input=b"2",
            cwd=store.path,
            env=ENV,
            capture_output=True,
        )
        .stdout.decode()
        .strip()
    )
    (store.path / "objects" / blob[:2]).mkdir(exist_ok=True)
    (store.path / "objects" / blob[:2] / f"{blob[2:]}.lock").write_bytes(b"half")
    (store.path / "refs/heads/checkpoints.lock").write_bytes(b"")
    made = store.record({"a": FileState(b"2")}, kind="after", note="n", time=2)
    check(store, made.id, {"a": FileState(b"2")})
    assert not list(store.path.rglob("checkpoints.lock"))


def test_an_old_lock_of_the_branch_is_broken_at_once(store: Store) -> None:
    store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)
    lock = store.path / "refs/heads/checkpoints.lock"
    lock.write_bytes(b"")
    os.utime(lock, (1, 1))
    made = store.record({"a": FileState(b"2")}, kind="after", note="n", time=2)
    check(store, made.id, {"a": FileState(b"2")})
    assert not lock.exists()


def test_many_files_of_the_same_bytes(store: Store) -> None:
    files = {f"d{number}/same": FileState(b"same" * 9000) for number in range(20)}
    made = store.record(files, kind="before", note="n", time=1)
    check(store, made.id, files)
    assert not list((store.path / "objects").rglob("*.lock"))
    fsck(store)


def test_a_record_that_cannot_be_written_leaves_the_branch(store: Store) -> None:
    first = store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)
    id = git("hash-object", "--stdin", cwd=store.path, input=b"2").decode().strip()
    place = store.path / "objects" / id[:2]
    place.mkdir(exist_ok=True)
    # No file can be opened there, and no lock removed.
    (place / f"{id[2:]}.lock").mkdir()
    with pytest.raises(CheckpointError):
        store.record({"a": FileState(b"2")}, kind="after", note="n", time=2)
    assert store.list() == (first,)
    assert not (store.path / "refs/heads/checkpoints.lock").exists()
    (place / f"{id[2:]}.lock").rmdir()
    check(store, store.record(FILES, kind="after", note="n", time=2).id, FILES)


def test_what_a_record_gives_is_what_is_read(tmp_path: Path, store: Store) -> None:
    files = {**FILES, "gone": FileState(None), "made/": FileState(None)}
    made = store.record(files, kind="before", note="n", time=1, moves=(("a", "b"),))
    assert Store(store.path, str(tmp_path)).get(made.id) == made


def test_a_folder_that_is_no_repository_is_set_aside(store: Store) -> None:
    store.path.mkdir(parents=True)
    (store.path / "something").write_text("mine")
    made = store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)
    check(store, made.id, {"a": FileState(b"1")})
    assert (store.path.parent / "store.damaged" / "something").read_text() == "mine"


def test_damage_is_told_and_not_raised_raw(store: Store) -> None:
    store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)
    (store.path / "refs/heads/checkpoints").write_bytes(b"")
    with pytest.raises(CheckpointError, match="damaged"):
        Store(store.path).list()
    with pytest.raises(CheckpointError, match=str(store.path)):
        store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match="cannot be used"):
        Store(tmp_path / "file" / "store").record({}, kind="before", note="n", time=1)


def test_a_store_removed_while_in_use_begins_anew(store: Store) -> None:
    store.record({"a": FileState(b"1")}, kind="before", note="n", time=1)
    store.path.rename(store.path.with_name("elsewhere"))
    assert store.list() == ()
    made = store.record({"a": FileState(b"2")}, kind="before", note="n", time=1)
    assert store.list() == (made,)


def test_two_servers_and_many_threads_lose_nothing(store: Store) -> None:
    others = [Store(store.path), Store(store.path), store]
    errors: list[BaseException] = []

    def work(mine: Store, number: int) -> None:
        try:
            for step in range(5):
                data = b"%d %d" % (number, step)
                mine.record({"a": FileState(data)}, kind="before", note=f"{number}", time=step)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(others[n % 3], n)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(store.list()) == 30
    assert sorted(c.note for c in store.list()) == sorted(
        f"{n}" for n in range(6) for _ in range(5)
    )
    fsck(store)


_VICTIM = """
import sys
from pathlib import Path
from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import FileState
store = Store(Path(sys.argv[1]))
number = 0
while True:
    files = {f"d{n}/f": FileState(b"%d %d" % (number, n)) for n in range(5)}
    store.record(files, kind="before", note=f"n{number}", time=number)
    print(number, flush=True)
    number += 1
"""


@pytest.mark.parametrize("delay", [0.0, 0.003, 0.011, 0.023])
def test_a_killed_server_leaves_whole_checkpoints(store: Store, delay: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(_VICTIM), str(store.path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SERVER)},
    )
    assert process.stdout
    for _ in range(3):
        process.stdout.readline()
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    told = process.stdout.read().split()
    process.wait()
    last = int(told[-1]) if told else 2
    found = store.list(10_000)
    assert last <= int(found[0].time) <= last + 1
    for checkpoint in found[:3]:
        files = store.read(checkpoint.id)
        assert files and [s.data for s in files.values()] == [
            b"%d %d" % (checkpoint.time, n) for n in range(5)
        ]
    again = store.record({"a": FileState(b"1")}, kind="before", note="again", time=1)
    assert store.list(1) == (again,)
    git("fsck", "--full", cwd=store.path)


def test_the_cost_does_not_grow_with_the_history(store: Store) -> None:
    files = {f"src/pkg/f{n}.py": FileState(b"x = %d\n" % n * 200) for n in range(5)}
    store.record(files, kind="before", note="n", time=0)
    spans = []
    for number in range(60):
        files["src/pkg/f1.py"] = FileState(b"y = %d\n" % number)
        start = time.perf_counter()
        store.record(files, kind="after", note="n", time=number)
        spans.append(time.perf_counter() - start)
    assert sorted(spans)[30] < 0.05


def test_folders_are_told_apart_and_readable(tmp_path: Path) -> None:
    one, two = folder_of(tmp_path, "/home/me/pro ject"), folder_of(tmp_path, "/srv/pro ject")
    assert one != two and one.parent == two.parent
    assert one.name.endswith("-pro-ject")
    assert folder_of(tmp_path, "/").name.endswith("-root")
    assert folder_of(tmp_path, "/a/\udce9").parent == one.parent


# --- the user's repository


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git("init", "-q", "-b", "main", cwd=root)
    return root


def _commit(repo: Path) -> str:
    git("commit", "-q", "--allow-empty", "-m", "base", cwd=repo)
    return git("rev-parse", "HEAD", cwd=repo).decode().strip()


def test_head_of_a_branch(repo: Path) -> None:
    assert head_of(str(repo)) == ("", "main")
    id = _commit(repo)
    assert head_of(str(repo)) == (id, "main")
    (repo / "sub" / "dir").mkdir(parents=True)
    assert head_of(str(repo / "sub" / "dir")) == (id, "main")
    git("checkout", "-q", "-b", "feature/ü", cwd=repo)
    git("pack-refs", "--all", cwd=repo)
    assert head_of(str(repo)) == (id, "feature/ü")
    git("checkout", "-q", "--detach", cwd=repo)
    assert head_of(str(repo)) == (id, "")


def test_head_of_a_worktree(repo: Path, tmp_path: Path) -> None:
    id = _commit(repo)
    git("worktree", "add", "-q", "-b", "wt", str(tmp_path / "wt"), cwd=repo)
    assert head_of(str(tmp_path / "wt")) == (id, "wt")


@pytest.mark.parametrize(
    "damage",
    [
        "rm -rf .git",
        "rm .git/HEAD",
        ": > .git/HEAD",
        "printf '\\377\\n' > .git/HEAD",
        "echo 'ref: refs/heads/../../../etc/passwd' > .git/HEAD",
        "echo 'ref: HEAD' > .git/HEAD",
        "echo garbage > .git/refs/heads/main",
        ": > .git/refs/heads/main",
        "git pack-refs --all; echo garbage > .git/packed-refs",
        "rm -rf .git; echo 'gitdir: /nowhere' > .git",
        "rm -rf .git; echo nonsense > .git",
        "rm -rf .git/objects",
        "echo '[core' > .git/config",
        "printf '[core]\\nrepositoryformatversion = 99\\n' > .git/config",
        "printf '[core]\\nrepositoryformatversion=1\\n[extensions]\\nwhat=1\\n' > .git/config",
        "rm .git/HEAD; mkdir .git/HEAD",
        "ln -sfn .git .git/HEAD",
    ],
)
def test_a_broken_repository_never_raises(repo: Path, damage: str) -> None:
    _commit(repo)
    subprocess.run(["bash", "-c", damage], cwd=repo, env=ENV, check=True)
    id, branch = head_of(str(repo))
    assert id == "" or len(id) == 40
    assert branch in ("", "main", "HEAD")


def test_head_of_nothing(tmp_path: Path) -> None:
    assert head_of(str(tmp_path)) == ("", "")
    assert head_of(str(tmp_path / "missing")) == ("", "")


def test_nothing_is_written_to_the_users_repository(repo: Path, store: Store) -> None:
    _commit(repo)
    (repo / "a.py").write_text("x")
    before = {p: p.stat().st_mtime_ns for p in repo.rglob("*")}
    id, branch = head_of(str(repo))
    store.record({"a.py": FileState(b"x")}, kind="before", note="n", time=1, head=id, branch=branch)
    assert {p: p.stat().st_mtime_ns for p in repo.rglob("*")} == before
