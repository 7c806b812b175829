"""The coordinate door against a plain model: strings, and columns counted by hand."""

from __future__ import annotations

import copy
import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from pairwright.lsp import convert
from pairwright.text.columns import Unit
from pairwright.text.document import Document

UNITS: tuple[Unit, ...] = get_args(Unit)
_BREAK = re.compile(r"\r\n|\r|\n")


def width(char: str, unit: Unit) -> int:
    if unit == "utf-8":
        return len(char.encode("utf-8", "surrogatepass"))
    return 2 if unit == "utf-16" and char > "\uffff" else 1


def position(text: str, at: int, unit: Unit) -> types.Position:
    """The position of character `at`, counted by hand."""
    ends = [m.end() for m in _BREAK.finditer(text) if m.end() <= at]
    start = ends[-1] if ends else 0
    return types.Position(len(ends), sum(width(c, unit) for c in text[start:at]))


def document(text: str) -> Document:
    return Document.of("a.py", convert.encode(text), 1)


def check(text: str, start: int, end: int, new: str, unit: Unit) -> None:
    change = types.TextDocumentContentChangePartial(
        range=types.Range(position(text, start, unit), position(text, end, unit)), text=new
    )
    after, edits = convert.changed(document(text), [change], 2, unit)
    expected = text[:start] + new + text[end:]
    assert after.text == expected
    assert after.lines == document(expected).lines
    assert after.version == 2
    assert len(edits) == 1


_TEXT = st.text(st.sampled_from("ab \t\n\r\f\u2028\u0085é日😀\u0301"), max_size=30)


@given(_TEXT, st.data(), st.sampled_from(UNITS))
def test_an_edit_lands_where_the_client_made_it(text: str, data: st.DataObject, unit: Unit) -> None:
    # A client never puts a position inside \r\n.
    spots = [at for at in range(len(text) + 1) if text[at - 1 : at + 1] != "\r\n"]
    start = data.draw(st.sampled_from(spots))
    end = data.draw(st.sampled_from([at for at in spots if at >= start]))
    check(text, start, end, data.draw(_TEXT), unit)


@given(_TEXT, st.sampled_from(UNITS))
def test_positions_come_back(text: str, unit: Unit) -> None:
    doc = document(text)
    for at in range(len(text) + 1):
        if text[at - 1 : at + 1] == "\r\n":
            continue
        offset = len(convert.encode(text[:at]))
        found = convert.position(doc, offset, unit)
        assert found == position(text, at, unit)
        assert convert.offset(doc, found, unit) == offset


@pytest.mark.parametrize("unit", UNITS)
def test_form_feed_and_line_separators_are_content(unit: Unit) -> None:
    check("a\fb\u2028c\x0bd\u0085e\nx = 1\n", 10, 11, "y", unit)


def test_conversion_leaves_its_argument_alone() -> None:
    asked = types.Position(0, 99)
    before = copy.deepcopy(asked)
    assert convert.offset(document("abc"), asked, "utf-16") == 3
    assert asked == before


def test_changes_apply_one_after_another() -> None:
    def put(line: int, column: int, text: str) -> types.TextDocumentContentChangePartial:
        at = types.Position(line, column)
        return types.TextDocumentContentChangePartial(range=types.Range(at, at), text=text)

    after, edits = convert.changed(document("a"), [put(0, 1, "\nb"), put(1, 1, "c")], 2, "utf-16")
    assert after.text == "a\nbc"
    assert len(edits) == 2


def test_a_whole_text_replaces_everything() -> None:
    change = types.TextDocumentContentChangeWholeDocument("new\r\n")
    after, _ = convert.changed(document("old\n"), [change], 2, "utf-16")
    assert after.text == "new\r\n"
    assert after.lines == document("new\r\n").lines


def test_no_change_is_a_new_version_of_the_same_text() -> None:
    after, edits = convert.changed(document("x"), [], 7, "utf-16")
    assert (after.text, after.version, edits) == ("x", 7, ())


def test_a_reversed_range_is_turned_round() -> None:
    doc = document("abcdef")
    back = types.Range(types.Position(0, 4), types.Position(0, 1))
    assert convert.span(doc, back, "utf-16") == (1, 4)


def test_lone_surrogates_are_kept() -> None:
    check("a\ud800b", 2, 2, "\udfff", "utf-8")
    assert convert.decode(convert.encode("\ud800")) == "\ud800"
