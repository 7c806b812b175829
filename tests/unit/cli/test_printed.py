"""Answers at a terminal: rendered block by block, nothing of the model's steers the terminal, nothing is lost."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from pairwright.cli.printed import Plain, Rendered, complete, harmless, printed, tail

ORDERS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def rendered(text: str, size: int = 7) -> str:
    """What is on the screen in the end, where what was drawn is also erased; without colours."""
    out = io.StringIO()
    answer = Rendered(Console(file=out, force_terminal=True, width=60, height=20))
    for at in range(0, len(text), size):
        answer.add(text[at : at + size])
    answer.end()
    return out.getvalue()


def check(text: str, whole: str) -> None:
    """`whole`: the beginning of `text` that is complete."""
    assert text[: complete(text)] == whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", ""),
        ("one\ntwo\n", ""),
        ("one\n\ntwo", "one\n\n"),
        ("```py\na\n\nb\n", ""),
        ("```py\na\n\nb\n```\nmore", "```py\na\n\nb\n```\n"),
        ("````\n```\n\n```\n", ""),
        ("~~~\n\n```\n~~~\n", "~~~\n\n```\n~~~\n"),
        ("a\n\n```", "a\n\n"),
    ],
)
def test_blocks_end_at_blank_lines_outside_fences(text: str, whole: str) -> None:
    check(text, whole)


@given(st.text(alphabet="a`~\n #"), st.text(alphabet="a`~\n #"))
def test_what_is_complete_stays_so(text: str, more: str) -> None:
    assert complete(text + more) >= complete(text)


def test_an_answer_is_rendered_whole_and_once() -> None:
    text = "# Title\n\nSome *words*.\n\n- one\n- two\n\n```python\nx = 1\n\ny = 2\n```\n\nThe end"
    shown = ORDERS.sub("", rendered(text))
    for word in ("Title", "Some words.", "one", "two", "x = 1", "y = 2", "The end"):
        assert word in shown
    assert "*words*" not in shown and "```" not in shown.rpartition("y = 2")[2]
    assert rendered(text, 1000).count("Title") == 1


def test_nothing_steers_the_terminal() -> None:
    evil = "a\x1b]52;c;aGk=\x07b\x1b[2Jc\rd\x9b31me\x00f\tg\r\nh"
    assert harmless(evil) == "a]52;c;aGk=b[2Jcd31mef\tg\nh"
    assert "\x1b]52" not in rendered(evil) and "\x1b[2J" not in rendered(evil)


def test_a_pipe_gets_the_bare_text() -> None:
    out = io.StringIO()
    answer = printed(out)
    assert isinstance(answer, Plain)
    answer.add("# T\x1b[1m")
    answer.end()
    answer.end()
    assert out.getvalue() == "# T\x1b[1m\n"


def test_only_the_end_of_a_long_block_is_drawn() -> None:
    lines = "".join(f"{n}\n" for n in range(100))
    assert tail(lines, 3) == "97\n98\n99\n"
    assert tail(f"\n```py\n{lines}", 2) == "```py\n98\n99\n"
    assert tail("a\nb", 5) == "a\nb"
