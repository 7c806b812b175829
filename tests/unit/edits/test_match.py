"""The ladder: what each rung finds, what it refuses, and what REPLACE becomes there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.match import Fit, Miss, Text, find
from pairwright.edits.types import Where


def check(
    text: str, search: str, replace: str, expected: tuple[int, int, str, str] | list[int]
) -> None:
    """SEARCH (lines by |) in `text`: (first line, behind last, REPLACE there, rung), or the
    places."""
    found = find(Text.of(text.encode()), _lines(search), _lines(replace))
    if isinstance(expected, list):
        assert isinstance(found, Miss), found
        assert list(found.places) == expected
    else:
        assert isinstance(found, Fit), found
        there = b"|".join(found.replace).decode()
        assert (found.start, found.stop, there, found.rung) == expected
        assert len(found.search) == found.stop - found.start


def _lines(text: str) -> tuple[bytes, ...]:
    return tuple(line.encode() for line in text.split("|"))


def test_exact() -> None:
    check("a\nb\nc\n", "b|c", "x", (1, 3, "x", "exact"))
    check("a\r\nb\rc", "b|c", "x", (1, 3, "x", "exact"))
    check("a\nb\na\n", "a", "x", [0, 2])
    check("a\na\na\n", "a|a", "x", [0, 1])
    check("ab\n", "a", "x", [])
    check("", "a", "x", [])


def test_only_line_ends_end_lines() -> None:
    check("a\x0cb\n\u2028c\x85\nd\n", "d", "x", (2, 3, "x", "exact"))
    check("a\x0cb\n", "b", "x", [])


def test_trailing_blanks() -> None:
    check("f(){  \n  x;\t\n}\n", "f(){|  x;", "y", (0, 2, "y", "trailing blanks"))
    check("a\nb\n", "a  |b", "y", (0, 2, "y", "trailing blanks"))
    check("a \na  \n", "a", "x", [0, 1])
    # The exact place wins over one that needs forgiving.
    check("a \na\n", "a", "x", (1, 2, "x", "exact"))


@pytest.mark.parametrize(
    ("text", "search", "replace", "there"),
    [
        ("  if a:\n    b\n", "if a:|  b", "if c:||  d", "  if c:||    d"),
        ("if a:\n  b\n", "    if a:|      b", "    if c:|      d", "if c:|  d"),
        ("\tif a:\n\t\tb\n", "if a:|\tb", "if c:|\td|\t\te", "\tif c:|\t\td|\t\t\te"),
        ("  a\n\n  b \n", "a||b", "c||d", "  c||  d"),
        ("    a\n", "a", "c", "    c"),
    ],
)
def test_one_uniform_shift(text: str, search: str, replace: str, there: str) -> None:
    check(text, search, replace, (0, len(search.split("|")), there, "indentation"))


@pytest.mark.parametrize(
    ("text", "search", "replace"),
    [
        # Not the same shift on every line.
        ("        a\n        b\n", "a|        b", "c|        d"),
        ("  a\n      b\n", "a|  b", "c|  d"),
        # SEARCH is deeper, REPLACE has nothing to take away.
        ("a\nb\n", "    a|    b", "c|    d"),
        ("a\n", "    a", "  c"),
        # Tabs on one side, blanks on the other.
        ("\ta\n\t\tb\n", "    a|        b", "    c|        d"),
        ("\ta\n", "a", "a|    b"),
        (" \ta\n", "a", "c"),
    ],
)
def test_other_shifts_are_refused(text: str, search: str, replace: str) -> None:
    check(text, search, replace, [])


def test_without_indentation_two_places_fit() -> None:
    check("def f():\n    if a:\n        return 2\n    return 2\n", "return 2", "return 3", [2, 3])


def test_outer_blank_lines_and_their_twins() -> None:
    check("a\nb\nc\n", "|b|", "|x|", (1, 2, "x", "exact"))
    check("a\nb\nc\n", "||b", "|x", (1, 2, "x", "exact"))
    check("a\nb\nc\n", "b|", "x||", (1, 2, "x|", "exact"))
    check("a\nb\nc\n", "b|", "", (1, 2, "", "exact"))
    check("a\n  b\nc\n", "|b|", "|x", (1, 2, "  x", "indentation"))
    check("a\n\nb\n", "|b", "|x", (1, 3, "|x", "exact"))
    check("a\nb\na\nb\n", "b|", "x|", [1, 3])
    check("a\n\n\nb\n", "|", "x", (1, 3, "x", "exact"))


def test_the_range_asked_about_settles_which_place() -> None:
    text = Text.of(b"x\nf\ny\nf\nz\nf\n")
    assert isinstance(find(text, (b"f",), (b"g",)), Miss)
    for within in ((6, 7), (6, 6), (5, 8), (4, 10)):
        found = find(text, (b"f",), (b"g",), within)
        assert isinstance(found, Fit), within
        assert found.start == 3, within
    for unsettled in ((0, 8), (4, 6), (0, 1)):
        missed = find(text, (b"f",), (b"g",), unsettled)
        assert isinstance(missed, Miss) and missed.places == (1, 3, 5), unsettled
    only = find(text, (b"y",), (b"g",), (0, 1))
    assert isinstance(only, Fit), "a single place needs no settling"


@given(
    st.lists(st.sampled_from([b"a", b"", b" a", b"\ta ", b"b", b"  b"]), max_size=12),
    st.lists(st.sampled_from([b"a", b"", b" a", b"b", b"    b"]), min_size=1, max_size=4),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_a_fit_is_the_only_one_and_equal_but_for_blanks(
    lines: list[bytes], search: list[bytes], end: bytes
) -> None:
    text = Text.of(end.join(lines))
    found = find(text, search, (b"new",))
    windows = [
        start
        for start in range(len(text.lines) - len(search) + 1)
        if [line.rstrip(b"\r\n") for line in text.lines[start : start + len(search)]] == search
    ]
    if isinstance(found, Fit):
        assert [line.strip() for line in found.search] == [
            line.strip() for line in text.lines[found.start : found.stop]
        ]
    if len(windows) == 1:
        assert isinstance(found, Fit) and found.start == windows[0]
    if len(windows) > 1:
        assert isinstance(found, Miss) and list(found.places) == windows[:10]


@pytest.mark.parametrize(
    ("line", "last"), [(b"a", b"b"), (b"", b"b"), (b" ", b"  a"), (b"a a", b"a")]
)
def test_the_cost_is_linear_in_repetitive_texts(line: bytes, last: bytes) -> None:
    text = Text.of(b"\n".join([line] * 200_000 + [last]))
    begun = time.process_time()
    find(text, [line] * 20_000 + [b"not there"], (b"x",))
    find(text, [line] * 20_000 + [last], (b"x",))
    find(text, [b"   " + line] * 20_000 + [last], (b"x",))
    assert time.process_time() - begun < 5


def test_one_block_in_a_megabyte_takes_milliseconds() -> None:
    data = b"".join(b"    line %d of the file\n" % n for n in range(40_000))
    begun = time.process_time()
    found = find(Text.of(data), (b"    line 39999 of the file",), (b"x",))
    assert time.process_time() - begun < 0.5
    assert isinstance(found, Fit)


def test_lines_left_out() -> None:
    text = "def f():\n    a\n    b\n    return 1\n"
    dots = ("def f():|    ...|    return 1", "def g():|    ...|    return 2")
    check(text, *dots, (0, 4, "def g():|    a|    b|    return 2", "elision"))
    check("a\nb\nc\nd\n", "...|b|…|d|...", "...|x|…|y|...", (1, 4, "x|c|y", "elision"))
    # The file's own dots are lines like any other.
    check("a\n...\nb\n", "a|...|b", "c|...|b", (0, 3, "c|...|b", "exact"))
    # Each piece has one place, and they come in this order.
    check("a\nb\na\n", "a|...|b", "a|...|c", [0, 2])
    check("b\na\n", "a|...|b", "x|...|y", [])
    # What the halves leave out must be the same.
    check("a\nb\nc\n", "a|...|c", "x|y", [])
    check("a\nb\nc\n", "...", "x", [])


@pytest.mark.parametrize(
    ("text", "search", "replace", "there"),
    [
        ("say “it’s” now\n", 'say "it\'s" now', 'say "it\'s" then', "say “it’s” then"),
        ("a\u00a0b c\n", "a b c", "a new b c", "a new\u00a0b c"),
        ("one – two…\nnext\n", "one - two...|next", "one - 2...|next|x", "one – 2…|next|x"),
        ("x = 1\n", "x = 1\u200b", "x = 2", "x = 2"),
        # Not only alike: SEARCH says something else.
        ("“a”\n", "'a'", "b", None),
    ],
)
def test_characters_that_look_alike(
    text: str, search: str, replace: str, there: str | None
) -> None:
    stop = len(search.split("|"))
    check(text, search, replace, (0, stop, there, "look-alikes") if there else [])


def test_what_a_block_says_settles_which_place() -> None:
    text = Text.of(
        b"class A:\n    def f(self):\n        n = 1\nclass B(A):\n    def f(self):\n        n = 1\n"
    )
    needle, new = (b"        n = 1",), (b"        n = 2",)

    def start(where: Where, below: int = 0) -> int | tuple[int, ...]:
        found = find(text, needle, new, None, where, below)
        return found.start if isinstance(found, Fit) else found.places

    assert start(Where()) == (2, 5)
    assert start(Where(scopes=("class A:", "def f(self):"))) == 2
    # The beginning of a line names it where no line is the same.
    assert start(Where(scopes=("class B", "def f(self):"))) == 5
    assert start(Where(scopes=("def f(self):",))) == (2, 5)
    assert start(Where(scopes=("nowhere",))) == (2, 5)
    assert start(Where(at_end=True)) == 5
    assert start(Where(below=True), 3) == 5
    assert start(Where(below=True), 0) == (2, 5)
