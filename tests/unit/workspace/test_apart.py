"""Texts that hang or crash a grammar: they cost nothing but their own tags, live and in a scan alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pairwright.config.schema import Index
from pairwright.tags.files import (
    STUCK,
    is_apart,
    is_monotonous,
    tags_by_line,
    tags_here,
    tags_of,
)
from pairwright.tags.line_rules import RULES
from pairwright.workspace import live
from pairwright.workspace.apart import Apart
from pairwright.workspace.cache import Cache
from pairwright.workspace.codec import unpack_tags
from pairwright.workspace.derive import Derived
from pairwright.workspace.host import Host
from pairwright.workspace.workers import Pool, Standby, Worker, WorkerDied

GOOD = b"use strict;\nsub first { second(1) }\nsub second { return 1 }\n"
# A comment behind a bare word at the very end: the scanner looks for a line end for ever.
HANGS = GOOD + b"b #"
SAME = b"x = 1\n" * 2000


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    root = tmp_path / "work"
    root.mkdir()
    (root / "good.pl").write_bytes(GOOD)
    (root / "app.py").write_text("def app():\n    return first()\n")
    made = Host(str(root), Index(workers=1), Cache(None))
    yield made
    made.stop()


def check(host: Host, path: str, expected: list[str], problem: str | None = None) -> None:
    """The tags of `path`, in its text and in the graph."""
    snapshot = host.snapshot()
    tags = snapshot.tags(path)
    assert ([item.name for item in tags.defs], tags.problem) == (expected, problem)
    row = snapshot.graph().row(path)
    assert row is not None and list(row.defs) == sorted(expected)


def type_(host: Host, path: str, start: int, end: int, new: bytes) -> None:
    held = host.snapshot().buffers[path].document
    document, edit = held.splice(start, end, new, (held.version or 0) + 1)
    host.change(path, document, [edit])


def test_a_buffer_that_hangs_its_grammar_is_told_by_lines_and_heals(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.scan()
    host.open("good.pl", "file:///good.pl", 1, "perl", GOOD)
    host.settle_fresh().result()
    check(host, "good.pl", ["first", "second"])
    assert host.snapshot().tags("good.pl").ref_names
    type_(host, "good.pl", len(GOOD), len(GOOD), b"b #")
    check(host, "good.pl", ["first", "second"], STUCK)
    host.settle_fresh().result()
    check(host, "good.pl", ["first", "second"], STUCK)
    # Nobody waits for the parser again while somebody types.
    with monkeypatch.context() as patch:
        patch.setattr(host.snapshot()._disk, "tags_soon", None)
        type_(host, "good.pl", 0, 0, b"sub third { }\n")
        check(host, "good.pl", ["third", "first", "second"], STUCK)
    size = len(HANGS) + len(b"sub third { }\n")
    type_(host, "good.pl", size, size, b"\n")
    check(host, "good.pl", ["third", "first", "second"], STUCK)
    host.settle_fresh().result()
    check(host, "good.pl", ["third", "first", "second"])
    assert host.snapshot().tags("good.pl").trust == "query"
    check(host, "app.py", ["app"])


def test_a_scan_and_a_buffer_say_the_same_of_a_stuck_text(host: Host) -> None:
    root = Path(host.snapshot().root)
    (root / "bad.pl").write_bytes(HANGS)
    scanned = host.scan()
    assert host.snapshot().graph().row("bad.pl") == scanned.graph().row("bad.pl")
    check(host, "bad.pl", ["first", "second"], STUCK)
    check(host, "good.pl", ["first", "second"])
    closed = scanned.tags("bad.pl")
    host.open("bad.pl", "file:///bad.pl", 1, "perl", HANGS)
    assert host.snapshot().tags("bad.pl") == closed
    host.settle_fresh().result()
    assert host.snapshot().tags("bad.pl") == closed == tags_by_line(HANGS, "perl")


def test_a_process_that_must_live_does_not_parse_an_isolated_language() -> None:
    assert tags_here("a.pl", HANGS) == tags_by_line(HANGS, "perl")
    assert tags_here("a.py", b"def f(): g()\n") == tags_of("a.py", b"def f(): g()\n")


def test_a_keystroke_that_took_too_long_is_the_last_one_parsed_here(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    host.scan()
    host.open("app.py", "file:///app.py", 1, "python", b"def app(): pass\n")
    type_(host, "app.py", 0, 0, b"def one(): app()\n")
    check(host, "app.py", ["one", "app"])
    type_(host, "app.py", 0, 0, b"\n")
    check(host, "app.py", ["one", "app"])
    monkeypatch.setattr(live, "_TOO_SLOW", -1.0)
    type_(host, "app.py", 0, 0, b"def two(): app()\n")
    check(host, "app.py", ["two", "one", "app"])

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(live, "reparse", never)
    type_(host, "app.py", 0, 0, b"def three(): app()\n")
    host.settle_fresh().result()
    check(host, "app.py", ["three", "two", "one", "app"])
    document = host.snapshot().document("app.py")
    assert document is not None
    assert host.snapshot().tags("app.py") == tags_of("app.py", document.data)


@pytest.mark.parametrize("token", ["(", "f(", "a ", "case ", "x = 1\n", "<<"])
def test_ten_thousand_times_the_same_is_parsed_elsewhere(token: str) -> None:
    assert is_monotonous(token.encode() * 10_000)
    assert is_apart("python", token.encode() * 10_000)
    assert not is_monotonous(token.encode() * 500)


def test_what_people_write_is_not_the_same_again_and_again() -> None:
    folder = Path(__file__).parents[3] / "server"
    texts = [path.read_bytes() for path in sorted(folder.rglob("*.py"))]
    texts.append("".join(f"name_{at} = {at}\n" for at in range(5000)).encode())
    assert not any(map(is_monotonous, texts))


@pytest.mark.parametrize(("opened", "pasted"), [(SAME, b"z = 1\n"), (b"x = 1\n", SAME)])
def test_a_buffer_that_is_opened_or_pasted_full_of_the_same_is_parsed_elsewhere(
    host: Host, monkeypatch: pytest.MonkeyPatch, opened: bytes, pasted: bytes
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    host.scan()
    host.open("app.py", "file:///app.py", 1, "python", opened)
    type_(host, "app.py", 0, 0, b"y = 1\n")
    host.snapshot().tags("app.py")
    monkeypatch.setattr(live, "reparse", never)
    monkeypatch.setattr(live, "parsed_in_slices", never)
    type_(host, "app.py", 0, 0, pasted)
    host.settle_fresh().result()
    document = host.snapshot().document("app.py")
    assert document is not None
    assert host.snapshot().tags("app.py") == tags_of("app.py", document.data)


def test_a_worker_that_is_ended_from_outside_says_nothing_about_the_text() -> None:
    standby = Standby()
    assert standby.tags("a.pl", GOOD, "perl")
    standby.kill()
    with pytest.raises(WorkerDied):
        standby.tags("a.pl", GOOD, "perl")
    assert standby.tags("a.pl", GOOD, "perl")
    standby.stop()


def test_a_worker_takes_no_longer_than_its_share() -> None:
    worker = Worker()
    with pytest.raises(WorkerDied) as caught:
        worker.ask(("text", "a.pl", HANGS, "perl"))
    assert caught.value.is_late and not caught.value.is_forced
    worker.stop()


@pytest.mark.parametrize("language", sorted(RULES))
def test_lines_alone_tell_of_a_text_without_a_parse(language: str) -> None:
    """Every name lies in the text, within its definition."""
    folder = Path(__file__).parents[1] / "tags" / "samples"
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        for item in tags_by_line(data, language).defs:
            assert data[item.name_start :].startswith(item.name.encode())
            assert item.start <= item.name_start < item.end <= len(data)


def test_what_lies_in_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scanner of CMake's grammar begins with whatever it finds there."""
    data = b"FLA\nGS)\ne[ndbloc[k()\n"
    said = []
    for fill in ("255", "85"):
        tunables = f"glibc.malloc.perturb={fill}:glibc.malloc.tcache_count=0"
        monkeypatch.setenv("GLIBC_TUNABLES", tunables)
        with Apart() as apart:
            said.append(apart.tags("a.cmake", data))
    assert said[0] == said[1] and said[0].trust == "query"


def test_a_scan_reads_such_a_text_the_same_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"FLA\nGS)\ne[ndbloc[k()\n"
    (tmp_path / "a.cmake").write_bytes(data)
    (tmp_path / "b.py").write_bytes(b"def b(): pass\n")
    found: list[Derived] = []
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.perturb=85:glibc.malloc.tcache_count=0")
    Pool(1).run(str(tmp_path), 1000, [("a.cmake", len(data)), ("b.py", 14)], found.extend)
    with Apart() as apart:
        want = {"a.cmake": apart.tags("a.cmake", data), "b.py": tags_of("b.py", b"def b(): pass\n")}
    assert {item.path: unpack_tags(item.tags) for item in found} == want
