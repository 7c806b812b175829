"""Text of a repository stays text in a hover."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.lsp.markup import code, escape, fenced


@pytest.mark.parametrize(
    "text",
    [
        "[click](command:workbench.action.reload)",
        "![x](https://example.org/pixel.png)",
        "<img src=x onerror=alert(1)>",
        "```\n<script>",
        "# heading",
        "https://example.org www.example.org me@example.org",
    ],
)
def test_nothing_live_survives(text: str) -> None:
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", escape(text))
    assert not re.search(r"[\[\]<>`#!*_@]|://|www\.", bare)


@pytest.mark.parametrize("text", ["- a", "+ a", "1. a", "12) a", "===", "    x = 1", "x\n    - y"])
def test_no_block_starts(text: str) -> None:
    for line in escape(text).split("\n"):
        assert not re.match(r"\s{4}|[-+=]|\d+[.)]", line)


def test_plain_words_stay_as_they_are() -> None:
    assert escape("Reads a-b (see x.py:12), 3.5 times.") == "Reads a-b (see x.py:12), 3.5 times."


def test_a_fence_is_longer_than_any_inside() -> None:
    text = fenced("x = '````'\n```\n", "python")
    assert text.startswith("`````python\n")
    assert text.endswith("\n`````")


def test_a_language_name_cannot_break_the_fence() -> None:
    assert fenced("x", "py`\nthon<b>").splitlines()[0] == "```pythonb"


@given(st.text(st.sampled_from("`a \n"), min_size=1))
def test_code_spans_hold_any_ticks(text: str) -> None:
    span = code(text)
    if not text.strip():
        assert span == ""
        return
    ticks = re.match(r"`+", span)
    assert ticks
    inner = span[len(ticks[0]) : -len(ticks[0])]
    assert ticks[0] not in re.findall(r"`+", inner)
    assert "\n" not in span
