"""Records survive the way to a line and back; anything else is told from them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.memory.chat import Exchange, Fact, Files, Opened, Record, Summary
from pairwright.memory.records import Newer, decode, encode

# Lone surrogates included: a pasted text may hold anything.
words = st.text(st.characters(exclude_categories=()), max_size=20)
some = st.lists(words, max_size=3).map(tuple)
pairs = st.lists(st.tuples(words, words), max_size=2).map(tuple)
at = st.floats(0, 4e9)
records = st.one_of(
    st.builds(Opened, words, at, words, st.integers(0, 99), id=words),
    st.builds(
        Exchange,
        words,
        words,
        some,
        words,
        words,
        words,
        words,
        some,
        some,
        pairs,
        at,
        words,
    ),
    st.builds(Fact, words, words, words, words, st.none() | words, at, words),
    st.builds(Summary, words, words, words, at, words),
    st.builds(Files, some, some, at, words),
)


@given(records)
def test_there_and_back(record: Record) -> None:
    line = encode(record)
    assert b"\n" not in line and b"\r" not in line
    assert decode(line) == record


@given(records, st.data())
def test_a_cut_line_is_no_record(record: Record, data: st.DataObject) -> None:
    line = encode(record)
    with pytest.raises(ValueError):
        decode(line[: data.draw(st.integers(0, len(line) - 1))])


@given(st.binary(max_size=60))
def test_any_bytes_are_told_from_a_record(line: bytes) -> None:
    with contextlib.suppress(ValueError):
        assert decode(line) is None or line.startswith(b"{")


@pytest.mark.parametrize(
    "line",
    [
        b"[1]",
        b'{"kind":7}',
        b'{"kind":"turn","request":"x"}',
        b'{"kind":"turn","request":"x","answer":7}',
        b'{"kind":"turn","request":"x","answer":"y","told":"z"}',
        b'{"kind":"turn","request":"x","answer":"y","seen":[["a"]]}',
        b"[" * 100_000,
    ],
)
def test_no_record(line: bytes) -> None:
    with pytest.raises(ValueError):
        decode(line)


def test_fields_of_later_versions_are_passed_over() -> None:
    assert decode(b'{"kind":"mood","text":"good"}') is None
    assert decode(b'{"kind":"fact","what":"kept","colour":"red"}') == Fact("kept")


def test_a_later_schema_is_left_alone() -> None:
    with pytest.raises(Newer, match="schema 99"):
        decode(b'{"kind":"open","session":"s","at":1,"schema":99}')
