"""What models said of files, on disk: by path and content, shared, never in the way."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from pairwright.memory.files import Prose
from pairwright.memory.shelf import CONTENTS, Shelf


def said(digest: str, purpose: str = "Adds up.", *notes: str) -> Prose:
    return Prose(digest, purpose, notes, "m", "1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records" / "x.sqlite"


def check(shelf: Shelf, path: str, digest: str, purpose: str | None) -> None:
    found = shelf.get(path, digest)
    assert (found.purpose if found else None) == purpose


def test_by_path_and_content(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put("a/utils.py", said("1", "One.", "x", "y"))
    shelf.put("b/utils.py", said("1", "Two."))
    assert shelf.get("a/utils.py", "1") == said("1", "One.", "x", "y")
    check(shelf, "b/utils.py", "1", "Two.")
    check(shelf, "a/utils.py", "2", None)
    check(shelf, "A/utils.py", "1", None)
    check(shelf, "utils.py", "1", None)
    assert shelf.paths() == ("a/utils.py", "b/utils.py")
    assert [where for where, _ in shelf.elsewhere("1")] == ["b/utils.py", "a/utils.py"]


def test_saying_it_again_replaces(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put("a.py", said("1", "Old."))
    shelf.put("a.py", said("1", "New."))
    check(shelf, "a.py", "1", "New.")
    assert len(shelf.elsewhere("1")) == 1


def test_a_branch_finds_its_own_again(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put("a.py", said("main", "Main."))
    shelf.put("a.py", said("topic", "Topic."))
    check(shelf, "a.py", "main", "Main.")
    check(shelf, "a.py", "topic", "Topic.")


def test_of_a_path_the_newest_few_are_kept(path: Path) -> None:
    shelf = Shelf(path)
    for number in range(CONTENTS + 3):
        shelf.put("a.py", said(str(number)))
    shelf.put("b.py", said("0"))
    kept = [number for number in range(CONTENTS + 3) if shelf.get("a.py", str(number))]
    assert kept == list(range(3, CONTENTS + 3))
    check(shelf, "b.py", "0", "Adds up.")


def test_two_servers_share_the_file_and_it_outlives_them(path: Path) -> None:
    one, other = Shelf(path), Shelf(path)
    one.put("a.py", said("1", "One."))
    check(other, "a.py", "1", "One.")
    one.close()
    other.close()
    check(Shelf(path), "a.py", "1", "One.")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_name_that_is_no_unicode(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put("a\udcff.py", said("1"))
    assert shelf.paths() == ("a\udcff.py",)


def test_damage_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, and long enough to be looked at" * 40)
    shelf = Shelf(path)
    shelf.put("a.py", said("1"))
    check(shelf, "a.py", "1", "Adds up.")
    assert path.with_name("x.sqlite.damaged").read_bytes().startswith(b"no database")
    check(Shelf(path), "a.py", "1", "Adds up.")


def test_what_a_later_version_wrote_is_begun_anew(path: Path) -> None:
    Shelf(path).put("a.py", said("1"))
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    check(Shelf(path), "a.py", "1", None)


def test_a_row_that_is_not_read_costs_its_notes(path: Path) -> None:
    shelf = Shelf(path)
    shelf.put("a.py", said("1", "One.", "x"))
    db = sqlite3.connect(path)
    db.execute("UPDATE said SET notes = '{broken'")
    db.commit()
    db.close()
    assert shelf.get("a.py", "1") == said("1", "One.")


def test_without_a_place_to_write_it_stays_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    shelf = Shelf(tmp_path / "file" / "x.sqlite")
    shelf.put("a.py", said("1"))
    check(shelf, "a.py", "1", "Adds up.")
    check(Shelf(None), "a.py", "1", None)
