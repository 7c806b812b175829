"""Request documents."""

from __future__ import annotations

import pytest

from pairwright.lsp.instructions import (
    About,
    answer,
    compose,
    is_request_document,
    read,
)


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
