"""The files of conversations: shared by processes, whole after kills, closed to others, damage left out."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pairwright.memory.chat import Exchange, Opened
from pairwright.memory.records import Newer
from pairwright.memory.store import Store

OPENED = Opened("talk", 5.0, id="o1")


def turn(id: str, request: str = "q", proposal: str = "") -> Exchange:
    return Exchange(request, "a", proposal=proposal, id=id)


def ids(store: Store, session: str = "talk") -> list[str]:
    return [record.id for record in store.read(session).records]


def file_of(store: Store) -> Path:
    (path,) = store.folder.glob("*.jsonl")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data" / "sessions" / "x")


def test_what_is_added_is_read_back_from_any_place(store: Store) -> None:
    assert store.read("talk").opened is None
    store.append(OPENED, [turn("t1")])
    first = store.read("talk")
    assert first.opened == OPENED and [r.id for r in first.records] == ["o1", "t1"]
    store.append(OPENED, [turn("t2"), turn("t3")])
    rest = store.read("talk", first.end)
    assert [r.id for r in rest.records] == ["t2", "t3"] and rest.opened == OPENED


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_nobody_else_may_look(store: Store) -> None:
    store.append(OPENED, [turn("t1")])
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(p.stat().st_mode) for p in store.folder.iterdir()} == {0o600}


@pytest.mark.parametrize("session", ["../../etc/x", "A", "a" * 300, "con.", "\ud800", "a/b", ".x"])
def test_any_id_is_a_file_in_the_folder(store: Store, session: str) -> None:
    opened = Opened(session, 1.0, id="o")
    store.append(opened, [turn("t1")])
    assert [p.parent for p in store.folder.rglob("*.jsonl")] == [store.folder]
    assert ids(store, session) == ["o", "t1"]
    assert [one.session for one in store.listed()] == [session]


def test_a_damaged_line_costs_itself(store: Store) -> None:
    store.append(OPENED, [turn("t1"), turn("t2"), turn("t3")])
    path = file_of(store)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"id":"t2"', b'"id:"t2"'))
    assert ids(store) == ["o1", "t1", "t3"]
    assert store.read("talk").damaged == 1


def test_a_cut_line_costs_itself_and_not_the_next(store: Store) -> None:
    store.append(OPENED, [turn("t1"), turn("t2")])
    path = file_of(store)
    path.write_bytes(path.read_bytes()[:-9])
    assert ids(store) == ["o1", "t1"], "it may be on its way"
    assert store.read("talk").damaged == 0
    store.append(OPENED, [turn("t3")])
    assert ids(store) == ["o1", "t1", "t3"]
    assert store.read("talk").damaged == 1


def test_a_damaged_beginning_costs_itself(store: Store) -> None:
    store.append(OPENED, [turn("t1")])
    path = file_of(store)
    path.write_bytes(b"\x00" * 30 + path.read_bytes()[30:])
    read = store.read("talk")
    assert [r.id for r in read.records] == ["t1"] and read.damaged == 1
    assert read.opened is not None and read.opened.session == "talk"


def test_a_later_schema_is_left_alone(store: Store) -> None:
    store.append(Opened("talk", 1.0, schema=99, id="o"), [turn("t1")])
    before = file_of(store).read_bytes()
    with pytest.raises(Newer):
        store.read("talk")
    assert store.listed() == () and file_of(store).read_bytes() == before


def test_the_list_names_the_last_used_first(store: Store) -> None:
    store.append(Opened("one", 1.0, id="o"), [turn("t1", "First\nsecond line")])
    store.append(Opened("two", 2.0, id="o"), [turn("t1"), turn("t2")])
    store.append(Opened("none", 3.0, id="o"), [])
    os.utime(store.folder / "one.jsonl", (50, 50))
    os.utime(store.folder / "two.jsonl", (40, 40))
    found = store.listed()
    assert [(one.session, one.turns, one.updated) for one in found] == [
        ("one", 1, 50),
        ("two", 2, 40),
    ]
    assert found[0].first is not None and found[0].first.request == "First\nsecond line"


def test_the_conversation_of_a_proposal_is_found(store: Store) -> None:
    store.append(Opened("one", 1.0, id="o"), [turn("t1", proposal="p3-ab12")])
    assert store.holding("p3-ab12") == "one"
    assert store.holding("p3-ab1") is None


def test_deleted_and_pruned(store: Store) -> None:
    for name in ("one", "two", "three"):
        store.append(Opened(name, 1.0, id="o"), [turn("t1")])
    os.utime(store.folder / "two.jsonl", (40, 40))
    assert store.prune(50.0) == 1
    assert store.delete("one") and not store.delete("one")
    assert [one.session for one in store.listed()] == ["three"]


_WRITE = """
import sys
from pathlib import Path
from pairwright.memory.chat import Exchange, Opened
from pairwright.memory.store import Store

store = Store(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    text = sys.argv[2] * 3000
    store.append(Opened("talk", 5.0, id="o1"), [Exchange("q", text, id=f"{sys.argv[2]}{number}")])
print("done", flush=True)
sys.stdin.readline()
"""


def _writer(store: Store, name: str, many: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _WRITE, str(store.folder), name, str(many)]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdout is not None and started.stdout.readline() == b"ready\n"
    return started


def _go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"go\n")
    process.stdin.flush()


def test_two_processes_share_a_conversation(store: Store) -> None:
    both = [_writer(store, name, 60) for name in "ab"]
    for process in both:
        _go(process)
    for process in both:
        process.communicate(b"\n", timeout=60)
    read = store.read("talk")
    assert read.damaged == 0
    for name in "ab":
        own = [r.id for r in read.records if r.id.startswith(name)]
        assert own == [f"{name}{number}" for number in range(60)], "each in its order, none lost"
    assert [r.id for r in read.records].count("o1") == 1


def test_a_kill_costs_no_record_that_was_written(store: Store) -> None:
    process = _writer(store, "a", 20)
    _go(process)
    assert process.stdout is not None and process.stdout.readline() == b"done\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    store.append(OPENED, [turn("t1")])
    assert ids(store) == ["o1", *(f"a{number}" for number in range(20)), "t1"]
