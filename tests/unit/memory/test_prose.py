"""Answers without their edits, in every format."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.formats.registry import PARSERS
from pairwright.memory.prose import family, prose, written_in
from pairwright.prompts.build import template

NAMES = ("pages.py", "slugs.py", "text/slug.py")
BEHIND = "\n\nThat is all. Run it:\n\n```sh\npytest\n```"
MARKS = ("<<<<", "====", ">>>>", "***", "@@", "--- ", "+++ ", "```python", "```diff")


def example(format: str) -> str:
    """The reply that the prompt teaches, with a command behind it."""
    name = f"examples_{'udiff' if format == 'udiff-simple' else format}"
    return template(name).replace("{fence}", "```").partition("\n\n")[2] + BEHIND


def check(answer: str, format: str, expected: str) -> None:
    assert prose(answer, format, NAMES) == expected


FORMATS = [f for f in sorted(PARSERS) if not f.startswith("editor-")]


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_of_the_format_is_left_and_every_word_is(format: str) -> None:
    answer = example(format)
    assert written_in(answer, format, NAMES) == format
    found = prose(answer, format, NAMES, lambda path: "accepted")
    assert not [mark for mark in MARKS if mark in found]
    assert found.startswith(answer.partition("\n")[0])
    assert found.endswith(BEHIND.strip())
    assert "(edit of " in found and ", accepted)" in found
    assert written_in(found, format, NAMES) == ""


def test_what_an_answer_is_written_in_is_what_it_holds() -> None:
    assert written_in(example("udiff"), "diff") == "udiff"
    assert written_in(example("diff"), "udiff") == "diff"
    assert written_in("No edit at all.\n\n```python\nx = 1\n```", "diff") == ""


def test_an_answer_without_edits_stays() -> None:
    text = "Look:\n\n```python\nx = 1\n```\n\n\n\nDone."
    check(text, "", text)


def test_several_edits_in_one_fence_are_one_note() -> None:
    one = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
    check(
        f"First.\n\npages.py\n```python\n{one}\n{one}```\nLast.",
        "diff",
        "First.\n\n(edit of pages.py)\nLast.",
    )


def test_a_command_before_an_edit_keeps_its_fence() -> None:
    one = "pages.py\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```"
    check(f"```sh\nls\n```\n\n{one}", "diff", "```sh\nls\n```\n\n(edit of pages.py)")


def test_a_block_that_never_ended_leaves_no_marker() -> None:
    found = prose("So:\n\npages.py\n<<<<<<< SEARCH\na\n=======\nb\n", "diff", NAMES)
    assert not [mark for mark in MARKS if mark in found]


def test_formats_that_look_alike_are_one() -> None:
    assert family("editor-diff") == family("diff") != family("diff-fenced")
    assert family("udiff-simple") == family("udiff")


_lines = st.sampled_from(
    (
        *("pages.py", "```", "```python", "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", ""),
        *("--- pages.py", "+++ pages.py", "@@ @@", "-a", "+b", "*** Begin Patch", "*** End Patch"),
        *("*** Update File: pages.py", "<<<<<<< DEFINITION slug", "words", " a"),
    )
)


@given(st.lists(_lines, max_size=14), st.sampled_from(FORMATS))
def test_any_answer_can_be_told_and_only_lines_of_it_remain(lines: list[str], format: str) -> None:
    found = prose("\n".join(lines), format, NAMES).split("\n")
    assert {line for line in found if not line.startswith("(")} <= {*lines, ""}
