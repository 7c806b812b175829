"""The store of derived values: what it keeps, and that nothing which happens to it costs more than speed."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from logging.handlers import BufferingHandler
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.nobody import as_nobody

from pairwright.tags.types import Definition, Tags
from pairwright.tags.words import bag_of
from pairwright.workspace.cache import FILE_NAME, Cache, Seen, key_of
from pairwright.workspace.codec import (
    pack_row,
    pack_tags,
    pack_words,
    unpack_row,
    unpack_tags,
    unpack_words,
)

KEY = key_of("d" * 64, "recipe-1", "row python")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    made = Cache(tmp_path / "cache")
    yield made
    made.close()


def give_and_take(cache: Cache) -> None:
    """The cache takes and gives values."""
    cache.put_many({KEY: b"value"})
    cache.record("/r", "recipe-1", {"a.py": Seen(1, 2, 3, "d", "python")})
    assert cache.get(KEY) == b"value"
    cache.put_many({b"k2": b"v2"})
    assert cache.get_many([KEY, b"k2", b"none"]) == {KEY: b"value", b"k2": b"v2"}


def check(cache: Cache, caplog: pytest.LogCaptureFixture, warnings: int) -> None:
    """The cache takes and gives values, and has logged so many lines."""
    with caplog.at_level(logging.WARNING):
        give_and_take(cache)
    assert len(caplog.records) == warnings, caplog.text


def test_values_survive_a_restart(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = Cache(tmp_path / "deep" / "cache")
    assert not first.knows_anything()
    check(first, caplog, 0)
    first.close()
    second = Cache(tmp_path / "deep" / "cache")
    assert second.knows_anything()
    assert second.get(KEY) == b"value"
    second.close()


def test_what_was_seen_is_kept_by_root_and_recipe(cache: Cache) -> None:
    seen = {
        "a.py": Seen(1_700_000_000_123_456_789, 10, 2**64 - 1, "d1", "python", ""),
        "caf\udce9.py": Seen(1, 2, 3, "d2", None, "not text"),
    }
    cache.record("/r", "one", seen)
    assert cache.seen("/r", "one") == seen
    assert cache.seen("/r", "two") == {} and cache.seen("/other", "one") == {}
    cache.record("/r", "one", {}, gone=["a.py"])
    assert set(cache.seen("/r", "one")) == {"caf\udce9.py"}


def test_keys_tell_content_recipe_and_kind_apart() -> None:
    keys = {key_of(d, r, k) for d in ("a", "b") for r in ("x", "y") for k in ("tags", "row")}
    assert len(keys) == 8


def test_many_values_are_fetched_in_one_go(cache: Cache) -> None:
    values = {bytes([i % 256, i // 256]): b"%d" % i for i in range(3000)}
    cache.put_many(values)
    assert cache.get_many(list(values)) == values


@pytest.mark.parametrize("damage", ["short", "noise", "empty page"])
def test_a_damaged_file_is_set_aside_and_built_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    first = Cache(tmp_path)
    first.put_many({b"%d" % i: os.urandom(500) for i in range(500)})
    first.close()
    file = tmp_path / FILE_NAME
    raw = file.read_bytes()
    if damage == "short":
        file.write_bytes(raw[:100])
    elif damage == "noise":
        file.write_bytes(os.urandom(5000))
    else:
        file.write_bytes(raw[:4096] + bytes(len(raw) - 4096))
    again = Cache(tmp_path)
    check(again, caplog, 1)
    again.close()
    assert (tmp_path / "derived.damaged").exists()
    caplog.clear()
    last = Cache(tmp_path)
    assert last.get(KEY) == b"value"
    last.close()


def test_damage_that_shows_only_while_reading(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = Cache(tmp_path)
    first.put_many({b"%d" % i: os.urandom(500) for i in range(2000)})
    first.close()
    file = tmp_path / FILE_NAME
    raw = file.read_bytes()
    half = len(raw) // 2 // 4096 * 4096
    file.write_bytes(raw[:half] + b"\xff" * (len(raw) - half))
    again = Cache(tmp_path)
    found = again.get_many([b"%d" % i for i in range(2000)])
    assert len(found) < 2000
    with caplog.at_level(logging.WARNING):
        again.put_many({KEY: b"value"})
        assert again.get(KEY) == b"value"
    again.close()


def test_a_folder_in_the_file_s_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FILE_NAME).mkdir()
    check(Cache(tmp_path), caplog, 1)


def test_a_file_in_the_folder_s_place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cache").write_text("x")
    check(Cache(tmp_path / "cache"), caplog, 1)


def use_a_folder_that_cannot_be_written(folder: Path) -> None:
    folder.chmod(0o555)
    assert not os.access(folder, os.W_OK)
    log = BufferingHandler(100)
    logging.getLogger().addHandler(log)
    cache = Cache(folder)
    give_and_take(cache)
    assert cache.seen("/r", "recipe-1") == {}
    cache.close()
    lines = [record.getMessage() for record in log.buffer]
    assert len(lines) == 1 and "cannot be used" in lines[0], lines
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written() -> None:
    as_nobody(use_a_folder_that_cannot_be_written)


def test_a_full_disk(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache(tmp_path)
    cache.put_many({b"before": b"full"})
    # The file may not grow any more: what sqlite then says is what it says on a full disk.
    connection = cache._connection()
    assert connection is not None
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with caplog.at_level(logging.WARNING):
        cache.put_many({b"%d" % i: bytes(5000) for i in range(100)})
        cache.put_many({b"more": b"values"})
    assert len(caplog.records) == 1
    assert cache.get(b"before") == b"full" and cache.get(b"more") == b"values"
    cache.close()


def test_without_a_folder_values_stay_in_bounded_memory() -> None:
    cache = Cache(None)
    for i in range(100):
        cache.put_many({b"%d" % i: bytes(1_000_000)})
    assert cache.get(b"0") is None and cache.get(b"99") is not None
    assert cache.seen("/r", "x") == {}


def test_another_version_s_file_is_emptied(tmp_path: Path, cache: Cache) -> None:
    cache.put_many({KEY: b"value"})
    cache.close()
    with sqlite3.connect(tmp_path / "cache" / FILE_NAME) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    again = Cache(tmp_path / "cache")
    assert again.get(KEY) is None
    again.put_many({KEY: b"new"})
    assert again.get(KEY) == b"new"
    again.close()


WRITER = """
import sys
sys.path[:] = {path!r}
from pathlib import Path
from pairwright.workspace.cache import Cache
cache = Cache(Path(sys.argv[1]))
print("go", flush=True)
i = 0
while True:
    cache.put_many({{b"%s-%d" % (sys.argv[2].encode(), i): bytes(2000)}})
    i += 1
"""


def writer(folder: Path, name: str) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER.format(path=sys.path), str(folder), name],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "go\n"
    return child


def test_two_servers_at_once_and_one_killed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    children = [writer(tmp_path, "a"), writer(tmp_path, "b")]
    mine = Cache(tmp_path)
    for i in range(50):
        mine.put_many({b"mine-%d" % i: b"v"})
    time.sleep(0.3)
    for child in children:
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert child.stdout is not None
        child.stdout.close()
    assert mine.get_many([b"mine-%d" % i for i in range(50)]).keys() == {
        b"mine-%d" % i for i in range(50)
    }
    assert mine.get(b"a-0") is not None and mine.get(b"b-0") is not None
    mine.close()
    check(Cache(tmp_path), caplog, 0)
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


NAME = st.text(min_size=1, max_size=8)
OFFSET = st.integers(0, 2**31)
TAGS = st.builds(
    lambda defs, refs, problem, damaged: Tags(
        tuple(sorted(defs, key=lambda d: (d.start, -d.end, d.name_start))),
        tuple(name for name, _ in refs),
        tuple(sorted(start for _, start in refs)),
        "python",
        "query",
        problem,
        damaged,
    ),
    st.lists(st.builds(Definition, NAME, NAME, OFFSET, OFFSET, OFFSET, OFFSET), max_size=6),
    st.lists(st.tuples(NAME, OFFSET), max_size=6),
    st.none() | st.text(max_size=5),
    st.booleans(),
)


@given(TAGS)
def test_tags_come_back_as_they_were(tags: Tags) -> None:
    assert unpack_tags(pack_tags(tags)) == tags


@given(st.dictionaries(NAME, st.integers(1, 10**6)), st.dictionaries(NAME, st.integers(1, 9)))
def test_rows_come_back_as_they_were(defs: dict[str, int], refs: dict[str, int]) -> None:
    assert unpack_row(pack_row((defs, refs))) == (defs, refs)


@given(st.text(max_size=60))
def test_words_come_back_as_they_were(text: str) -> None:
    bag = bag_of(text.encode("utf-8", "surrogatepass"))
    assert unpack_words(pack_words(bag)) == bag


@given(st.binary(max_size=200))
def test_damaged_bytes_give_nothing_and_no_error(blob: bytes) -> None:
    unpack_tags(blob)
    unpack_row(blob)
    unpack_words(blob)


def test_a_lone_surrogate_in_a_name_survives() -> None:
    tags = Tags((Definition("a\ud83e", "function", 0, 0, 1, 1),), ("b\udc00",), (1,), "c", "query")
    assert unpack_tags(pack_tags(tags)) == tags
    assert unpack_row(pack_row(({"a\ud83e": 1}, {}))) == ({"a\ud83e": 1}, {})
