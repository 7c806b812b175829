"""The record of what requests cost: exact sums, one file for several processes, private, never lost by a kill."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.serving import environment

from pairwright.memory.ledger import Amount, Entry, Ledger, Spent, Total

TODAY = "2026-11-30"
PRICED = Entry(TODAY, "folder/a", "m", "priced")


def enter(ledger: Ledger, entry: Entry, amount: Amount) -> int:
    number, _ = ledger.reserve(entry, lambda spent: amount)
    assert number is not None
    return number


def check(
    ledger: Ledger, session: Total, day: Total, at: tuple[str, str] = ("folder/a", TODAY)
) -> None:
    assert ledger.spent(*at) == Spent(session, day)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "spending.db"


def test_sums_by_session_and_day(path: Path) -> None:
    ledger = Ledger(path)
    enter(ledger, PRICED, Amount(100, 0.5))
    enter(ledger, Entry(TODAY, "folder/b", "m", "unpriced"), Amount(30))
    enter(ledger, Entry(TODAY, "folder/a", "m", "local"), Amount(7))
    enter(ledger, Entry("2026-11-29", "folder/a", "m", "priced"), Amount(10, 0.25))
    check(ledger, Total(0.75, 0, 117, 3), Total(0.5, 30, 137, 3))
    check(ledger, Total(), Total(), ("nobody", "2026-12-01"))


def test_what_is_reserved_is_settled_or_dropped(path: Path) -> None:
    ledger = Ledger(path)
    first, second = enter(ledger, PRICED, Amount(100, 1.0)), enter(ledger, PRICED, Amount(10, 0.5))
    ledger.settle(first, Amount(60, 0.25))
    ledger.drop(second)
    check(ledger, Total(0.25, 0, 60, 1), Total(0.25, 0, 60, 1))
    assert ledger.reserve(PRICED, lambda spent: None) == (None, ledger.spent("folder/a", TODAY))
    check(ledger, Total(0.25, 0, 60, 1), Total(0.25, 0, 60, 1))


def test_only_the_user_can_read_it(path: Path) -> None:
    old = os.umask(0o022)
    try:
        ledger = Ledger(path)
        enter(ledger, PRICED, Amount(1))
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
    finally:
        os.umask(old)
    assert set(modes.values()) == {0o600}, modes
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_forgetting_a_folder_keeps_the_sum_of_the_day(path: Path) -> None:
    ledger = Ledger(path)
    enter(ledger, PRICED, Amount(5, 0.5))
    enter(ledger, Entry(TODAY, "folder2/a", "m", "priced"), Amount(5, 0.5))
    assert ledger.forget("folder/") == 1
    check(ledger, Total(), Total(1.0, 0, 10, 2))
    check(ledger, Total(0.5, 0, 5, 1), Total(1.0, 0, 10, 2), ("folder2/a", TODAY))


def test_old_entries_go(path: Path) -> None:
    first = Ledger(path)
    enter(first, Entry("2026-01-01", "folder/a", "m", "priced"), Amount(5, 0.5))
    enter(first, PRICED, Amount(5, 0.5))
    first.close()
    check(Ledger(path), Total(0.5, 0, 5, 1), Total(0.5, 0, 5, 1))


def test_a_damaged_file_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, " * 500)
    ledger = Ledger(path)
    enter(ledger, PRICED, Amount(5, 0.5))
    assert "damaged" in ledger.problem and path.with_name("spending.db.damaged").exists()
    check(Ledger(path), Total(0.5, 0, 5, 1), Total(0.5, 0, 5, 1))


def test_a_folder_that_cannot_be_written_leaves_limits_for_this_server(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way")
    ledger = Ledger(tmp_path / "data" / "spending.db")
    number = enter(ledger, PRICED, Amount(5, 0.5))
    assert "cannot be kept" in ledger.problem
    ledger.settle(number, Amount(3, 0.25))
    check(ledger, Total(0.25, 0, 3, 1), Total(0.25, 0, 3, 1))


_RACER = """
import sys
from pathlib import Path
from pairwright.memory.ledger import Amount, Entry, Ledger
ledger, won = Ledger(Path(sys.argv[1])), 0
entry = Entry("2026-11-30", "folder/a", "m", "priced")
sys.stdin.readline()
while True:
    number, _ = ledger.reserve(entry, lambda spent: Amount(1, 1.0) if spent.day.dollars < 200 else None)
    if number is None:
        break
    won += 1
print(won, flush=True)
sys.stdin.readline()
"""


def test_two_processes_race_to_a_limit_and_stop_at_it_together(path: Path, tmp_path: Path) -> None:
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", _RACER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(tmp_path),
        )
        for _ in range(2)
    ]
    for racer in racers:
        assert racer.stdin
        racer.stdin.write("go\n")
        racer.stdin.flush()
    won = [int(racer.stdout.readline()) for racer in racers if racer.stdout]
    assert sum(won) == 200, won
    # A kill loses nothing that was reserved.
    for racer in racers:
        racer.kill()
        racer.communicate()
    check(Ledger(path), Total(200.0, 0, 200, 200), Total(200.0, 0, 200, 200))
