"""The scan: what is recalled and what derived, workers that crash, hang or lose their parent, cancelling."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.graph.types import Focus
from pairwright.tags.files import STUCK
from pairwright.workspace import workers
from pairwright.workspace.cache import FILE_NAME, Cache
from pairwright.workspace.derive import Look, look
from pairwright.workspace.discover import Cancelled
from pairwright.workspace.scan import Indexed, Scan, nothing
from pairwright.workspace.worker import SCAN, TEXT

SETTINGS = Index(workers=2)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """60 files that are much for the server's own process, written long enough ago to be trusted."""
    monkeypatch.setattr("pairwright.workspace.scan._HERE_TOTAL", 50_000)
    monkeypatch.setattr("pairwright.workspace.workers._BATCH_BYTES", 20_000)
    place = tmp_path / "repo"
    place.mkdir()
    body = "".join(f"def f{i}(a):\n    return f{i + 1}(a) + helper(a)\n\n" for i in range(50))
    for i in range(60):
        file = place / f"m{i:02}.py"
        file.write_text(f"def only_{i}():\n    pass\n\n" + body)
        os.utime(file, (1_600_000_000, 1_600_000_000 + i))
    (place / "data.json").write_text("{}")
    return place


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    made = Cache(tmp_path / "cache")
    yield made
    made.close()


def scan(root: Path, cache: Cache, before: Indexed | None = None) -> Indexed:
    return Scan(str(root), SETTINGS, cache, before or nothing(str(root), SETTINGS)).run()


def check(found: Indexed, root: Path) -> None:
    """`found` is the index of `root`, whichever way its rows came."""
    fresh = scan(root, Cache(None))
    assert found.ready
    assert list(found.stats) == list(fresh.stats)
    assert dict(found.problems) == dict(fresh.problems)
    assert found.graph.paths == fresh.graph.paths
    assert all(found.graph.row(path) == fresh.graph.row(path) for path in fresh.graph.paths)
    assert found.graph.rank(Focus()) == fresh.graph.rank(Focus())


def count_workers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Process ids of the workers that are started from now on."""
    started: list[int] = []
    start = workers.Worker._start

    def counting(self: workers.Worker) -> subprocess.Popen[bytes]:
        child = start(self)
        started.append(child.pid)
        return child

    monkeypatch.setattr(workers.Worker, "_start", counting)
    return started


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def test_a_cold_scan_uses_workers_and_a_warm_one_none(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = count_workers(monkeypatch)
    cold = scan(root, cache)
    assert len(started) == 2
    assert not any(is_alive(pid) for pid in started)
    warm = scan(root, cache)
    assert len(started) == 2
    check(warm, root)
    check(cold, root)


def test_content_counts_and_not_the_time(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = scan(root, cache)
    started = count_workers(monkeypatch)
    for file in root.glob("*.py"):
        os.utime(file, (1_650_000_000, 1_650_000_000))
    (root / "m00.py").rename(root / "moved.py")
    anew = scan(root, cache)
    after = scan(root, cache, before)
    assert not started
    check(anew, root)
    check(after, root)


def test_another_branch_and_back_derives_nothing_twice(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {file: file.read_bytes() for file in sorted(root.glob("*.py"))}
    index = scan(root, cache)
    started = count_workers(monkeypatch)
    new = []
    for add in (b"def there(): pass\n", b"", b"def there(): pass\n"):
        for file, data in here.items():
            file.write_bytes(data + add)
        before = len(started)
        index = scan(root, cache, index)
        new.append(len(started) - before)
        assert ("there" in names(index)) == bool(add)
    assert new == [2, 0, 0]
    check(index, root)


@pytest.mark.parametrize(("is_known", "most_looked_at"), [(True, 61), (False, 10)])
def test_a_repository_that_is_new_to_a_used_cache_is_read_by_the_workers(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch, is_known: bool, most_looked_at: int
) -> None:
    scan(root, cache)
    other = root.with_name("other")
    other.mkdir()
    for file in sorted(root.glob("*.py")):
        text = file.read_text()
        (other / file.name).write_text(text if is_known else text.replace("helper", "other"))
    monkeypatch.setattr("pairwright.workspace.scan._SAMPLE", 8)
    looked: list[str] = []

    def counted(root: str, path: str, limit: int) -> Look | None:
        looked.append(path)
        return look(root, path, limit)

    monkeypatch.setattr("pairwright.workspace.scan.look", counted)
    started = count_workers(monkeypatch)
    found = scan(other, cache)
    assert bool(started) != is_known
    assert len(looked) == len(set(looked)) <= most_looked_at
    monkeypatch.undo()
    check(found, other)


def test_a_changed_file_of_the_same_size_and_time_is_found_by_its_inode(
    root: Path, cache: Cache
) -> None:
    before = scan(root, cache)
    old = (root / "m01.py").stat()
    new = root / "new"
    new.write_bytes((root / "m01.py").read_bytes().replace(b"only_1", b"luck_1"))
    os.utime(new, ns=(old.st_atime_ns, old.st_mtime_ns))
    new.replace(root / "m01.py")
    check(scan(root, cache, before), root)
    check(scan(root, cache), root)


def test_a_rescan_touches_only_what_changed(root: Path, cache: Cache) -> None:
    before = scan(root, cache)
    (root / "m02.py").write_text("def brand_new(): pass\n")
    (root / "m03.py").unlink()
    done: list[tuple[int, int]] = []
    job = Scan(str(root), SETTINGS, cache, before)
    after = job.run(lambda now, total: done.append((now, total)))
    assert done[-1] == (1, 1)
    check(after, root)
    assert before.graph.row("m03.py") is not None


def test_progress_reaches_the_total_and_partial_indexes_are_usable(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pairwright.workspace.scan._FIRST_PUBLISH_SECONDS", 0.0)
    done: list[tuple[int, int]] = []
    partial: list[Indexed] = []
    job = Scan(str(root), SETTINGS, cache, nothing(str(root), SETTINGS))
    job._interval = 0.0
    final = job.run(lambda now, total: done.append((now, total)), partial.append)
    assert done[-1] == (61, 61)
    assert done == sorted(done)
    assert partial and not any(item.ready for item in partial)
    assert all(list(item.stats) == list(final.stats) for item in partial)
    assert len(partial[0].graph.rank(Focus()).definitions) > 0
    check(final, root)


def test_a_cancelled_scan_ends_its_workers_and_keeps_what_is_done(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = count_workers(monkeypatch)
    job = Scan(str(root), SETTINGS, cache, nothing(str(root), SETTINGS))

    def stop(done: int, total: int) -> None:
        if done > 1:
            job.cancel()

    with pytest.raises(Cancelled):
        job.run(stop)
    assert started and not any(is_alive(pid) for pid in started)
    assert cache.knows_anything()
    check(scan(root, cache), root)


def test_a_file_that_kills_its_worker_costs_only_itself(
    root: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad = "from pairwright.workspace import worker, derive; import os\n"
    bad += "true = derive.tags_of\n"
    bad += "def tags_of(path, data, language):\n"
    bad += "    if path == 'm07.py': os._exit(139)\n"
    bad += "    return true(path, data, language)\n"
    bad += "derive.tags_of = tags_of\n"
    main = workers._MAIN.replace("main()", f"exec({bad!r}); main()")
    monkeypatch.setattr(workers, "_MAIN", main)
    found = scan(root, cache)
    assert found.problems == {"m07.py": STUCK}
    assert len(found.graph.paths) == 61
    assert {f"only_{i}" for i in range(60)} <= names(found)
    row = found.graph.row("m07.py")
    assert row is not None and not row.refs, "its lines tell definitions only"
    assert sum("m07.py" in record.message for record in caplog.records) == 1


def names(found: Indexed) -> set[str]:
    rows = (found.graph.row(path) for path in found.graph.paths)
    return {name for row in rows if row for name in row.defs}


def test_a_silent_worker_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SILENCE_SECONDS", 0.2)
    monkeypatch.setattr(workers, "_MAIN", "import time; time.sleep(60) #{path}")
    worker = workers.Worker()
    with pytest.raises(workers.WorkerDied):
        worker.ask((TEXT, "a.py", b"", "python"))


def test_a_worker_that_is_held_up_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a loaded machine, or after it slept, silence says nothing about the worker."""
    monkeypatch.setattr(workers, "_SILENCE_SECONDS", 1.0)
    worker = workers.Worker()
    child = worker._start()
    child.send_signal(signal.SIGSTOP)
    late = threading.Timer(2.5, lambda: child.send_signal(signal.SIGCONT))
    late.start()
    monkeypatch.setattr(workers, "_effort", keep(workers._effort, seen := []))
    assert worker.ask((SCAN, "/nonexistent", 100, ["a.py"], "")) == []
    assert any(is_busy for is_busy, _ in seen)
    late.join()
    worker.stop()


def keep(
    ask: Callable[[int], tuple[bool, float]], seen: list[tuple[bool, float]]
) -> Callable[[int], tuple[bool, float]]:
    """`ask`, with its answers kept in `seen`."""

    def asking(pid: int) -> tuple[bool, float]:
        seen.append(ask(pid))
        return seen[-1]

    return asking


def test_a_worker_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(workers, "_MAIN", "while True: pass #{path}")
    with pytest.raises(workers.WorkerDied, match="no answer"):
        workers.Worker().ask((TEXT, "a.py", b"", "python"))


def test_prints_of_a_worker_do_not_reach_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    noisy = "import os, sys; from pairwright.workspace import worker\n"
    noisy += "true = worker.answer\n"
    noisy += "def answer(job):\n"
    noisy += "    print('noise'); os.write(1, b'noise'); assert sys.stdin.read() == ''\n"
    noisy += "    return true(job)\n"
    noisy += "worker.answer = answer\n"
    monkeypatch.setattr(
        workers, "_MAIN", workers._MAIN.replace("main()", f"exec({noisy!r}); main()")
    )
    worker = workers.Worker()
    assert worker.ask((TEXT, "a.py", b"def a(): pass\n", "python"))
    assert worker.ask((SCAN, "/nonexistent", 100, ["a.py"], "")) == []
    worker.stop()


def test_a_worker_imports_no_server_and_no_store(tmp_path: Path) -> None:
    code = "import sys; import pairwright.workspace.worker; print(*sorted(sys.modules))"
    path = os.pathsep.join(place for place in sys.path if place)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"pygls", "asyncio", "sqlite3", "numpy", "scipy", "networkx", "litellm"}
    assert not any(name.startswith(("pairwright.cli", "pairwright.lsp")) for name in loaded)


PARENT = """
import sys, threading
sys.path[:] = {path!r}
from pairwright.tags.files import STUCK
from pairwright.workspace import workers
worker = workers.Worker()
assert worker.ask((workers.TEXT, "a.py", b"x", "python"))
print(worker._child.pid, flush=True)
threading.Event().wait()
"""


def test_workers_end_when_their_parent_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(path=sys.path)], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert is_alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 5
    while is_alive(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_alive(child)


SCANNER = """
import sys
sys.path[:] = {path!r}
from pathlib import Path
from pairwright.config.schema import Index
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
host = Host(sys.argv[1], Index(), Cache(Path(sys.argv[2])))
host.scan(lambda done, total: print(done, flush=True))
"""


def test_kill_9_in_the_middle_leaves_a_cache_that_works(root: Path, tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", SCANNER.format(path=sys.path), str(root), str(tmp_path / "cache")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    child.stdout.readline()
    child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    cache = Cache(tmp_path / "cache")
    check(scan(root, cache), root)
    cache.close()


def test_two_scans_share_one_cache(root: Path, tmp_path: Path) -> None:
    found: list[Indexed] = []

    def one() -> None:
        cache = Cache(tmp_path / "cache")
        found.append(scan(root, cache))
        cache.close()

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2
    for item in found:
        check(item, root)


def test_a_cache_that_loses_its_values_is_filled_again(root: Path, cache: Cache) -> None:
    scan(root, cache)
    path = cache.path
    assert path is not None and path.name == FILE_NAME
    db = cache._connection()
    assert db is not None
    with db:
        db.execute("DELETE FROM derived")
    check(scan(root, cache), root)


def test_files_that_vanish_or_cannot_be_read(root: Path, cache: Cache) -> None:
    (root / "huge.py").write_bytes(b"x = 1\n" * 400_000)
    (root / "noise.py").write_bytes(b"# \x01\xfe\x80\x00\n" * 10)
    (root / "latin.py").write_bytes(b"# caf\xe9\n" * 10)
    os.symlink("m00.py", root / "link.py")
    found = scan(root, cache)
    assert found.problems["huge.py"] == "too large"
    assert "noise.py" in found.problems and "latin.py" not in found.problems
    assert "link.py" not in found.stats
    assert found.summary() == (
        "64 files indexed; without tags or with few: 1 not text in a known encoding, 1 too large"
    )
    check(scan(root, cache), root)
