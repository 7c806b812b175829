"""LineIndex: line ends of LSP and no others; a splice equals an index from scratch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.text.lines import LineIndex

# Line ends, what str.splitlines wrongly takes for one, and characters of every UTF-8 width.
PIECES = ["\n", "\r", "\r\n", "\f", "\v", "\x1c", "\x85", "\u2028", "a", "é", "e\u0301", "日", "💩"]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
long_texts = st.integers(0, 5).flatmap(
    lambda n: texts.map(lambda text: "line\n" * (200 * n) + text + "\r\nx" * (150 * n))
)


def lines_of(data: bytes) -> list[bytes]:
    """The lines of `data` without their ends, byte by byte as LSP 3.17 has it."""
    lines, start, at = [], 0, 0
    while at < len(data):
        if data[at] in b"\r\n":
            lines.append(data[start:at])
            at += 2 if data[at : at + 2] == b"\r\n" else 1
            start = at
        else:
            at += 1
    return [*lines, data[start:]]


def check(data: bytes, index: LineIndex) -> None:
    expected = lines_of(data)
    assert index.count == len(expected)
    assert index.size == len(data)
    rows = [data[index.start(line) : index.end(line, data)] for line in range(index.count)]
    assert rows == expected
    assert list(index.starts()) == [index.start(line) for line in range(index.count)]


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\r", "\r\n", "\n\r", "a\x0cb\u2028c\x85d\x1ce", "a\r\rb\r\n\nc", "a\nb", "a\nb\n"],
)
def test_lines_end_with_lf_crlf_and_cr_only(text: str) -> None:
    data = text.encode()
    check(data, LineIndex.of(data))


@given(long_texts)
def test_every_offset_belongs_to_its_line(text: str) -> None:
    data = text.encode()
    index = LineIndex.of(data)
    check(data, index)
    for offset in {0, 1, len(data) // 2, max(len(data) - 1, 0), len(data), len(data) + 5}:
        line = index.line_at(offset)
        assert index.start(line) <= min(offset, len(data))
        assert line + 1 == index.count or min(offset, len(data)) < index.start(line + 1)


@given(long_texts, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), texts), max_size=8))
def test_splices_equal_an_index_from_scratch(
    text: str, edits: list[tuple[float, int, str]]
) -> None:
    data = text.encode()
    index = LineIndex.of(data)
    for place, removed, inserted in edits:
        start = int(place * len(data))
        old_end = min(start + removed, len(data))
        data = data[:start] + inserted.encode() + data[old_end:]
        index = index.splice(start, old_end, data)
        assert index == LineIndex.of(data)
        check(data, index)


@pytest.mark.parametrize("at", [0, 1, 2, 255, 256, 257, 511, 512])
def test_cr_and_lf_that_meet_across_blocks_become_one_end(at: int) -> None:
    data = b"\r" * 600
    index = LineIndex.of(data)
    data = data[:at] + b"\n" + data[at:]
    assert index.splice(at, at, data) == LineIndex.of(data)
    back = data[:at] + data[at + 1 :]
    assert LineIndex.of(data).splice(at, at + 1, back) == LineIndex.of(back)


def test_lines_past_the_end_start_at_the_end() -> None:
    index = LineIndex.of(b"a\nb")
    assert (index.start(2), index.start(99), index.line_at(99)) == (3, 3, 1)
