"""What a model is asked for notes on a conversation, and what is made of its answer."""

from __future__ import annotations

import pytest
from tests.support.expect import golden

from pairwright.prompts.build import build
from pairwright.prompts.summary import chunks, exchange, notes

TALK = (
    exchange("Round the total up.\n", "I do.\n\n(edit of shop/cart.py, accepted)", ()),
    exchange("And the tax?", "The same way.", ("shop/cart.py: undone (checkpoint c0ffee0)",)),
)


@pytest.mark.parametrize("brief", [False, True], ids=["summary", "small-summary"])
def test_the_whole_request(brief: bool, request: pytest.FixtureRequest) -> None:
    messages = build(chunks("They opened a shop.", TALK, brief=brief))
    text = "".join(f"--- {m.role}\n{m.content}\n" for m in messages)
    golden(f"prompts/{request.node.callspec.id}.txt", text)


def test_without_earlier_notes_none_are_mentioned() -> None:
    (_, asked) = build(chunks("", TALK))
    assert "Notes" not in asked.content and asked.content.endswith("Write the notes.")


def check(answer: str, expected: str) -> None:
    assert notes(answer) == expected


def test_notes_are_plain_text() -> None:
    check("They round.\n", "They round.")
    check("<think>Hm.\nWell.</think>\nThey round.", "They round.")
    check("Here are the notes:\n\nThey round.", "They round.")
    check("**Summary of the conversation:** They round.", "They round.")
    check("They round.\n\n```python\nx = 1\n```\n\n\n\nThey test.", "They round.\n\nThey test.")
    check("```\nx = 1\n```", "")
    check("  \n", "")
