"""AI comments and request documents."""

from __future__ import annotations

import pytest

from pairwright.lsp.instructions import (
    About,
    answer,
    comment_near,
    compose,
    is_request_document,
    read,
)
from pairwright.text.document import Document


def check(source: str, expected: str | None) -> None:
    """`<S>` and `<E>` mark the selection; `expected` is the request found."""
    start = source.index("<S>")
    source = source.replace("<S>", "", 1)
    end = source.index("<E>")
    source = source.replace("<E>", "", 1)
    document = Document.of("a.py", source.encode())
    found = comment_near(document, start, end)
    assert (found.text if found else None) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# AI rename x to y\n<S>x = 1\n<E>", "rename x to y"),
        ("<S>def f():\n    # AI! add a docstring\n    pass\n<E>", "add a docstring"),
        ("// AI: use a map\n// AI and sort it\n<S>let x;\n<E>", "use a map and sort it"),
        ("/* AI make it fast */\n<S>int x;\n<E>", "make it fast"),
        ("<!-- AI? what is this -->\n<S><p>\n<E>", "what is this"),
        ("# AIR quality\n<S>x\n<E>", None),
        ("# not AI here\n<S>x\n<E>", None),
        ("# AI\n<S>x\n<E>", None),
        ("# AI far above\n\n<S>x\n<E>", None),
        ("s = '# AI no comment'\n<S>x\n<E>", None),
        ("\t# AI with\ttab\r\n<S>x\r\n<E>", "with\ttab"),
    ],
)
def test_comments(source: str, expected: str | None) -> None:
    check(source, expected)


def test_the_span_of_a_comment_is_its_whole_lines() -> None:
    document = Document.of("a.py", b"a\n  # AI one\n  # AI two\nb\n")
    found = comment_near(document, document.data.index(b"b\n"), len(document.data))
    assert found
    assert document.data[found.start : found.end] == b"  # AI one\n  # AI two\n"


def test_a_request_document_round_trips() -> None:
    about = About("edit", "/w", "file:///w/a-->b.py", "a-->b.py", 3, 9, "d" * 64, "s1")
    text = compose(about, "has ``` inside\n````\n")
    assert is_request_document(text)
    assert read(text) == (about, "")
    written = text + "Make it faster.\n\nAnd safer.\n"
    assert read(written) == (about, "Make it faster.\n\nAnd safer.")
    answered = written + answer(written, "Done.")
    assert read(answered) == (about, "")
    assert read(answered + "Again.\n") == (about, "Again.")


def test_a_prefilled_request_is_read_back() -> None:
    about = About("ask", "/w")
    assert read(compose(about, "", "What does this do?")) == (about, "What does this do?")


@pytest.mark.parametrize(
    "text", ["", "# Notes\n", "<!-- pairwright {bad} -->", "<!-- pairwright {} -->"]
)
def test_other_markdown_is_no_request(text: str) -> None:
    assert read(text) is None
