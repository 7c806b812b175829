"""AI comments: what is one, what it says, and how an edit takes it out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.diff import diff
from pairwright.edits.types import FileChange
from pairwright.lsp.ai_comments import Comment, find, near, request, taken_out
from pairwright.lsp.marks import Marks
from pairwright.text.document import Document


def check(path: str, text: str, *expected: str) -> None:
    """`expected`: each comment as its mark, `|` and its words."""
    found = find(Document.of(path, text.encode()))
    assert [f"{c.mark}|{' '.join(c.text.split())}" for c in found] == list(expected)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", "# AI! rename x", ["!|rename x"]),
        ("a.py", "#ai! lower case and no blank", ["!|lower case and no blank"]),
        ("a.py", "x = 1  # why is it one? AI?", ["?|why is it one?"]),
        ("a.py", "# AI: a remark", [":|a remark"]),
        ("a.py", "# AI: a remark that asks AI!", ["!|a remark that asks"]),
        ("a.py", "# AI bare", ["|bare"]),
        ("a.py", "# AI!", ["!|"]),
        ("a.py", "# AIR quality", []),
        ("a.py", "# do it AI! now", []),
        ("a.py", "# written by an AI", []),
        ("a.py", "# see http://example.org/ai?x=1", []),
        ("a.py", "# mail me at foo.ai!", []),
        ("a.py", 'url = "http://x/#ai!"; s = "# AI! no"', []),
        ("a.py", '"""AI! no comment but a text"""', []),
        ("a.py", "def f(:\n    # AI! in a broken text\n", ["!|in a broken text"]),
        ("a.js", "f(/* ai? inner */ 3) // outer AI!", ["?|inner", "!|outer"]),
        ("a.js", "const u = 'http://h/ // AI! no'", []),
        ("a.c", "/* AI!\n * over\n * lines */", ["!|over lines"]),
        ("a.rs", "/// AI! of a doc comment\n/// more\nfn f() {}", ["!|of a doc comment"]),
        ("a.sql", "-- AI! one\n/* two AI? */", ["!|one", "?|two"]),
        ("a.lua", "--[[ AI! long ]]\n-- short AI!", ["!|long", "!|short"]),
        ("a.hs", "-- AI! one\n-- two\n{- three AI? -}", ["!|one", "?|three"]),
        ("a.ml", "(* AI! caml *)", ["!|caml"]),
        ("a.el", ";; AI! lisp", ["!|lisp"]),
        ("a.erl", "%% AI! erlang", ["!|erlang"]),
        ("a.vim", '" AI! vim', ["!|vim"]),
        ("a.f90", "! AI! fortran", ["!|fortran"]),
        ("a.html", "<!--AI! markup-->\n<p>AI! text</p>", ["!|markup"]),
        ("a.vue", "<script>\n// AI! script\n</script>\n<!-- markup AI? -->", ["!|script", "?|markup"]),
        ("a.erb", "<!-- AI! template -->", ["!|template"]),
        ("a.kt", "// AI! a grammar that only runs apart\nval s = 1 // AI! no", ["!|a grammar that only runs apart"]),
        ("a.yaml", "# AI! a line\nx: 1 # AI! not at its start", ["!|a line"]),
        ("a.txt", "AI! no sign\n; AI? a sign\nit is # AI! late", ["?|a sign"]),
        ("a.md", "# AI? a heading\n<!-- AI! a comment -->", ["!|a comment"]),
        ("a.json", '{"a": "// AI! text"}', []),
    ],
)  # fmt: skip
def test_what_counts(path: str, text: str, expected: list[str]) -> None:
    check(path, text, *expected)


@given(st.text(alphabet="aAiI!?:#/ \n\t\"'x*<->;é\r"))
def test_any_text_is_read_and_what_goes_is_what_stands_there(text: str) -> None:
    for path in ("a.py", "a.js", "a.txt"):
        data = text.encode()
        for comment in find(Document.of(path, data)):
            assert data[comment.start : comment.end] == comment.raw
            assert b"ai" in comment.raw.lower()


def run_of(source: str, path: str = "a.py") -> str | None:
    start = source.index("<S>")
    source = source.replace("<S>", "", 1)
    end = source.index("<E>")
    document = Document.of(path, source.replace("<E>", "", 1).encode())
    run = near(find(document), document, start, end)
    return " ".join(comment.text for comment in run) if run else None


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.py", "# AI rename x to y\n<S>x = 1\n<E>", "rename x to y"),
        ("a.py", "<S>def f():\n    # AI! add a docstring\n    pass\n<E>", "add a docstring"),
        ("a.js", "// AI: use a map\n// AI and sort it\n<S>let x;\n<E>", "use a map and sort it"),
        ("a.c", "/* AI make it fast */\n<S>int x;\n<E>", "make it fast"),
        ("a.html", "<!-- AI? what is this -->\n<S><p>\n<E>", "what is this"),
        ("a.py", "# AIR quality\n<S>x\n<E>", None),
        ("a.py", "# AI far above\n\n<S>x\n<E>", None),
        ("a.py", "s = '# AI no comment'\n<S>x\n<E>", None),
        ("a.py", "\t# AI with\ttab\r\n<S>x\r\n<E>", "with\ttab"),
        ("a.py", "# AI one\nx = 1\n# AI two\n<S>y\n<E>", "two"),
    ],
)
def test_the_run_at_a_selection(path: str, source: str, expected: str | None) -> None:
    assert run_of(source, path) == expected


def edited(before: str, after: str, path: str = "a.py") -> str:
    """`after`, a model's edit of `before`, without the comments that asked."""
    document = Document.of(path, before.encode())
    change = FileChange(path, document.data, after.encode(), diff(document.data, after.encode()))
    made = taken_out(change, [c for c in find(document) if c.mark])
    assert made.after is not None
    assert made.hunks == diff(document.data, made.after)
    return made.after.decode()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("# AI! do\nx = 1\n", "# AI! do\nx = 2\n", "x = 2\n"),
        ("# AI! do\nx = 1\n", "x = 2\n", "x = 2\n"),
        ("x = 1  # two AI!\n", "x = 2  # two AI!\n", "x = 2\n"),
        ("x = 1  # two AI!\n", "x = 2\n", "x = 2\n"),
        ("x = 1  # two AI!\ny\n", "x = 1  # two AI!\nz\n", "x = 1\nz\n"),
        ("# AI! a\nx\n# AI! a\ny\n", "# AI! a\nz\n# AI! a\ny\n", "z\ny\n"),
        ("# AI: why\nx\n# AI! do\n", "# AI: why\nx = 1\n# AI! do\n", "x = 1\n"),
        ("# AI! do\r\nx\r\n", "# AI! do\r\ny\r\n", "y\r\n"),
        ("x\n# AI! do", "y\n# AI! do", "y\n"),
        ("# AI! do\n", "# done\n", "# done\n"),
    ],
)
def test_an_edit_takes_the_comment_out(before: str, after: str, expected: str) -> None:
    assert edited(before, after) == expected


def test_a_text_that_moved_under_a_comment_loses_nothing_else() -> None:
    asked = Document.of("a.py", b"# AI! do\nx\n")
    now = b"import os\nimport re\n"
    change = FileChange("a.py", now, now + b"y\n", diff(now, now + b"y\n"))
    assert taken_out(change, find(asked)) == change
    typed = b"import os\n# AI! do\nx\n"
    change = FileChange("a.py", typed, typed + b"y\n", diff(typed, typed + b"y\n"))
    assert taken_out(change, find(asked)).after == b"import os\nx\ny\n"


def test_remarks_are_told_with_their_lines() -> None:
    one = Comment("do it", "!", 0, 1, b"", 4)
    assert request("a.py", [one]) == "do it"
    words = request("a.py", [Comment("so\nit is", ":", 0, 1, b"", 0), one])
    assert words.endswith("in a.py ask for:\n- line 1: so it is\n- line 5: do it")


def test_a_save_brings_what_was_not_there_before() -> None:
    marks = Marks()
    marks.opened("u", b"# AI! old\n")
    assert marks.saved("u", b"# AI! old\n  # AI? new\n# AI: remark\n") == {b"# AI? new"}
    assert marks.saved("u", b"# AI! old\n# AI? new\n") == frozenset()
    assert marks.saved("u", b"") == frozenset()
    assert marks.saved("u", b"# AI! old\n") == {b"# AI! old"}
    marks.closed("u")
    assert marks.saved("u", b"# AI! x\n") == {b"# AI! x"}
