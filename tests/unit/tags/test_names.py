"""Identifiers, enclosing definitions, signatures and graph rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fixture import cursor

from pairwright.tags.files import tags_of
from pairwright.tags.names import enclosing, identifier_at, row, signature

SOURCE = """\
@deco
class Shop(Base):
    LIMIT = 1

    async def add(
        self, item: Item,
    ) -> int:
        def inner(): return item
        return inner()

other = 2
"""


def check(fixture: str, expected: str | None) -> None:
    text, at = cursor(fixture)
    found = identifier_at(text.encode(), len(text[:at].encode()))
    assert (found[0] if found else None) == expected
    if found:
        assert text.encode()[found[1] : found[2]].decode() == found[0]


@pytest.mark.parametrize(
    ("fixture", "expected"),
    [
        ("foo.<CURSOR>bar()", "bar"),
        ("foo.b<CURSOR>ar()", "bar"),
        ("foo.bar<CURSOR>()", "bar"),
        ("<CURSOR>foo", "foo"),
        ("foo<CURSOR>", "foo"),
        ("a + <CURSOR> b", None),
        ("(<CURSOR>)", None),
        ("x = 1<CURSOR>23", None),
        ("<CURSOR>", None),
        ("计算<CURSOR>总额(x)", "计算总额"),
        ("💩 na<CURSOR>ïve 💩", "naïve"),
        ("cafe\u0301<CURSOR>_x = 1", "cafe\u0301_x"),
        ("a\nbc<CURSOR>d\ne", "bcd"),
        ("@na<CURSOR>me", "name"),
        ("a💩<CURSOR>b", "b"),
    ],
)
def test_the_identifier_at_a_place(fixture: str, expected: str | None) -> None:
    check(fixture, expected)


@given(st.text(st.sampled_from("ab1 _é💩\n.\u0301"), max_size=20), st.integers(-2, 90))
def test_any_offset_is_fine(text: str, offset: int) -> None:
    data = text.encode()
    found = identifier_at(data, offset)
    if found is not None:
        name, start, end = found
        assert data[start:end].decode() == name
        assert start <= min(max(offset, 0), len(data)) <= end + 3


def test_a_very_long_line_is_not_read_whole() -> None:
    data = b"x" * 2_000_000
    found = identifier_at(data, 1_000_000)
    assert found is not None
    assert len(found[0]) <= 1024


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("@deco", "Shop"),
        ("LIMIT", "LIMIT"),
        ("item: Item", "add"),
        ("return item", "inner"),
        ("return inner", "add"),
        ("other", "other"),
    ],
)
def test_the_innermost_definition(mark: str, expected: str) -> None:
    data = SOURCE.encode()
    found = enclosing(tags_of("a.py", data), data.index(mark.encode()) + 1)
    assert found is not None
    assert found.name == expected


def test_nothing_encloses_a_blank_line_between_definitions() -> None:
    data = SOURCE.encode() + b"\n\n\n"
    assert enclosing(tags_of("a.py", data), len(data) - 1) is None


def test_signatures() -> None:
    data = SOURCE.encode()
    shown = {item.name: signature(item, data) for item in tags_of("a.py", data).defs}
    assert shown == {
        "Shop": "@deco class Shop(Base):",
        "LIMIT": "LIMIT = 1",
        "add": "async def add( self, item: Item, ) -> int:",
        "inner": "def inner():",
        "other": "other = 2",
    }
    long = f"def f({', '.join(f'argument{i}' for i in range(200))}): pass\n".encode()
    (item,) = tags_of("a.py", long).defs
    assert len(signature(item, long)) == 400


def test_rows_count_and_are_sorted() -> None:
    defs, refs = row(tags_of("a.py", b"def b(): a(); a(); c()\ndef a(): b()\n"))
    assert list(defs.items()) == [("a", 1), ("b", 1)]
    assert list(refs.items()) == [("a", 2), ("b", 1), ("c", 1)]
