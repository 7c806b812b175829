"""Syntax errors: where they are, and which of them an edit brought in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.tags.flaws import Flaw, Swap, checked_as, flaws_of, introduced

CLEAN = {
    "a.py": "class A:\n    def f(self):\n        return [1, 2]\n\n\ndef g():\n    return 3\n",
    "a.js": "function f() {\n  return [1, 2];\n}\nfunction g() { return 3; }\n",
    "a.ts": "function f(a: number): number[] {\n  return [1, 2];\n}\n",
    "a.go": "package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int { return 2 }\n",
    "a.rs": "fn f() -> i32 {\n    1\n}\n\nfn g() -> i32 { 2 }\n",
    "a.c": "int f(void) {\n  return 1;\n}\nint g(void) { return 2; }\n",
    "a.java": "class A {\n  int f() { return 1; }\n  int g() { return 2; }\n}\n",
    "a.rb": "def f\n  1\nend\n\ndef g\n  2\nend\n",
    "a.css": "a { color: red }\nb { color: blue }\n",
    "a.html": "<p>a</p>\n<script>let x = (1);</script>\n",
    "a.json": '{"a": [1, 2]}\n',
    "a.toml": "[a]\nb = 1\n",
    "a.yaml": "a:\n  - b: 1\n",
}
BROKEN = {
    "a.py": ("[1, 2]", "[1, 2", 3),
    "a.js": ("[1, 2]", "[1, 2", 2),
    "a.ts": ("a: number)", "a: number", 1),
    "a.go": ("return 1\n}", "return 1\n", 7),
    "a.rs": ("f()", "f(", 1),
    "a.c": ("return 1;", "return 1", 2),
    "a.java": ("return 1;", "return 1", 2),
    "a.rb": ("def f", "def f(", 1),
    "a.css": ("red }", "red", 1),
    "a.html": ("(1)", "(1", 2),
    "a.json": ("1, 2", "1 2", 1),
    "a.toml": ("b = 1", "b =", 2),
    "a.yaml": ("- b: 1", "- [b: 1", 2),
}


def lines(path: str, text: str) -> list[int]:
    """The lines of the flaws, from 1."""
    data = text.encode()
    return [data.count(b"\n", 0, flaw.start) + 1 for flaw in flaws_of(path, data)]


def new(path: str, before: str, old: str, put: str) -> list[int]:
    """The lines of the flaws that replacing `old` by `put` brings in, from 1."""
    at = before.encode().index(old.encode())
    data = before.encode()
    after = data[:at] + put.encode() + data[at + len(old.encode()) :]
    swaps = (Swap(at, at + len(old.encode()), len(put.encode())),)
    found = introduced(flaws_of(path, data), flaws_of(path, after), data, after, swaps)
    return [after.count(b"\n", 0, flaw.start) + 1 for flaw in found]


@pytest.mark.parametrize("path", CLEAN)
def test_a_right_text_has_no_flaw(path: str) -> None:
    assert flaws_of(path, CLEAN[path].encode()) == ()


@pytest.mark.parametrize("path", BROKEN)
def test_an_edit_that_breaks_a_text_is_found_where_it_is(path: str) -> None:
    old, put, line = BROKEN[path]
    found = new(path, CLEAN[path], old, put)
    assert found and abs(found[0] - line) <= 1, found


@pytest.mark.parametrize(
    ("text", "line", "note"),
    [
        ("def f():\n\nx = 1\n", 3, "expected an indented block"),
        ("if x:\nreturn_ = 1\n", 2, "expected an indented block"),
        ("def f():\n    x = 1\n      y = 2\n", 3, "unexpected indent"),
    ],
)
def test_python_is_held_to_its_indentation(text: str, line: int, note: str) -> None:
    (flaw,) = flaws_of("a.py", text.encode())
    assert lines("a.py", text) == [line] and note in flaw.note


def test_what_a_newer_or_an_older_python_means_is_no_flaw() -> None:
    assert lines("a.py", "print 'a'\n") == []
    assert lines("a.py", "type A[T] = list[T]\ndef f[T](x: T) -> T: return x\n") == []


def test_what_has_no_syntax_has_no_flaw() -> None:
    assert flaws_of("notes.txt", b"def f(:\n") == ()
    assert flaws_of("a.py", b"") == () and flaws_of("a.py", b"\0\0def f(:") == ()
    assert checked_as("notes.txt", b"") is None and checked_as("a.JSON", b"") == "json"


def test_flaws_that_stood_there_are_not_held_against_an_edit() -> None:
    broken = "x = (1,\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert lines("a.py", broken) != []
    assert new("a.py", broken, "return 2", "return 3") == []
    assert new("a.py", broken, "return 1", "a = 1\n    return a") == []


def test_a_flaw_beside_an_old_one_is_new() -> None:
    broken = "def a(:\n    pass\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert new("a.py", broken, "return 2", "return (2") == [10]


def test_an_old_flaw_that_is_only_moved_is_not_new() -> None:
    broken = "def f():\n    return 1\n\n\ndef a(:\n    pass\n"
    assert new("a.py", broken, "return 1", "x = 1\n    y = 2\n    return x + y") == []


def test_a_line_that_was_flawed_may_be_written_again() -> None:
    broken = "def f():\n    return 1\n\n\ndef a(:\n    pass\n"
    assert new("a.py", broken, "def a(:\n    pass", "def a(:\n    return 3") == []


@given(
    st.lists(st.sampled_from(["a = 1", "b = (1", "def f(:", "", "c = [", "    x"]), max_size=8),
    st.integers(0, 8),
    st.lists(st.sampled_from(["", "# a comment", "y = 2"]), max_size=3),
)
def test_the_law_of_old_flaws(rows: list[str], at: int, more: list[str]) -> None:
    """A text is never held to the flaws it had: what is new after an edit was not there before, line for line."""
    old = "".join(f"{row}\n" for row in rows).encode()
    cut = sum(len(row) + 1 for row in rows[:at])
    put = "".join(f"{row}\n" for row in more).encode()
    data = old[:cut] + put + old[cut:]
    before, after = flaws_of("a.py", old), flaws_of("a.py", data)
    found = introduced(before, after, old, data, (Swap(cut, cut, len(put)),))
    assert introduced(before, before, old, old, ()) == ()
    assert set(found) <= set(after)
    assert introduced((), after, old, data, (Swap(cut, cut, len(put)),)) == after


def test_a_swap_moves_what_is_behind_it() -> None:
    old, data = b"aa\nbb(\ncc\n", b"aa\nx\ny\nbb (\ncc\n"
    before, after = (Flaw(5, 6),), (Flaw(10, 11),)
    assert introduced(before, after, old, data, (Swap(3, 6, 8),)) == ()
    assert introduced((Flaw(0, 1),), after, old, data, (Swap(3, 6, 8),)) == after
