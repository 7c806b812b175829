"""Columns in three units: round trips, clamping, and agreement with Python's own encoders."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.text.columns import Unit, to_column, to_offset
from pairwright.text.document import Document

UNITS: tuple[Unit, ...] = get_args(Unit)
characters = st.sampled_from(
    ["a", "é", "日", "💩", "👩‍🚀", "e\u0301", "\t", "\f", "\u2028", "\ud800"]
)
rows = st.lists(characters, max_size=12).map("".join)
texts = st.lists(st.tuples(rows, st.sampled_from(["\n", "\r\n", "\r"])), max_size=6).map(
    lambda pairs: "".join(row + end for row, end in pairs)
)


def document(text: str) -> Document:
    return Document.of("x", text.encode("utf-8", "surrogatepass"))


def width(text: str, unit: Unit) -> int:
    if unit == "utf-32":
        return len(text)
    size = len(text.encode(unit + "-le" if unit == "utf-16" else unit, "surrogatepass"))
    return size // 2 if unit == "utf-16" else size


@pytest.mark.parametrize("unit", UNITS)
@given(text=texts)
def test_every_character_goes_there_and_back(unit: Unit, text: str) -> None:
    doc = document(text)
    for index in range(len(text) + 1):
        offset = len(text[:index].encode("utf-8", "surrogatepass"))
        line, column = to_column(doc, offset, unit)
        start = doc.lines.start(line)
        row = doc.data[start:offset].decode("utf-8", "surrogatepass")
        assert column == width(row, unit)
        # A column between CR and LF lies past the line's end and is clamped to it.
        expected = min(offset, doc.lines.end(line, doc.data))
        assert to_offset(doc, line, column, unit) == expected


@pytest.mark.parametrize(
    ("unit", "line", "column", "expected"),
    [
        ("utf-16", 0, 0, 0),
        ("utf-16", 0, 2, 1),  # inside the surrogate pair: rounds down to its start
        ("utf-16", 0, 3, 5),
        ("utf-8", 0, 3, 1),  # inside the four bytes
        ("utf-8", 0, 5, 5),
        ("utf-32", 0, 2, 5),
        ("utf-16", 0, 99, 6),  # past the line's end: before its CR LF
        ("utf-32", 1, 99, 9),
        ("utf-8", 5, 0, 9),  # past the last line: the end of the text
        ("utf-16", -1, 3, 0),
        ("utf-16", 1, -3, 8),
    ],
)
def test_columns_are_clamped(unit: Unit, line: int, column: int, expected: int) -> None:
    assert to_offset(document("a💩b\r\nc"), line, column, unit) == expected


@pytest.mark.parametrize("unit", UNITS)
def test_offsets_are_clamped(unit: Unit) -> None:
    doc = document("a\nbc")
    assert to_column(doc, -4, unit) == (0, 0)
    assert to_column(doc, 99, unit) == (1, 2)
