"""Thinking in the text of an answer: told apart however the pieces are cut, and never at the cost of the answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.llm.reasoning import parted
from pairwright.llm.types import Delta, Finish, ModelError, Reasoning, Text


async def check(
    pieces: Sequence[str | Delta],
    text: str,
    thought: str,
    *,
    opened: bool = False,
    finish: Finish = Finish("stop"),  # noqa: B008  a frozen value
) -> None:
    """`pieces` become `text` and `thought`, the finish last."""

    async def stream() -> AsyncGenerator[Delta, None]:
        for piece in pieces:
            yield Text(piece) if isinstance(piece, str) else piece
        yield finish

    deltas = [delta async for delta in parted(stream(), "think", opened)]
    assert deltas[-1] == finish
    assert "".join(d.text for d in deltas if isinstance(d, Text)) == text
    assert "".join(d.text for d in deltas if isinstance(d, Reasoning)) == thought


CASES = [
    ("<think>hm</think>\n\nyes", "yes", "hm", False),
    ("\n<think>\nhm\n</think>yes", "yes", "\nhm\n", False),
    ("plain", "plain", "", False),
    ("", "", "", False),
    ("<thin> is no tag", "<thin> is no tag", "", False),
    ("a file says <think>x</think> here", "a file says <think>x</think> here", "", False),
    ("<think>a</thin</think>b</think>c", "b</think>c", "a</thin", False),
    ("hm</think>yes", "yes", "hm", True),
    ("<think>hm</think>yes", "yes", "hm", True),
    ("hm</think>\n", None, "hm", True),
]


@pytest.mark.parametrize(("said", "text", "thought", "opened"), CASES)
@pytest.mark.parametrize("size", [1, 3, 1000])
async def test_however_it_is_cut(
    said: str, text: str | None, thought: str, opened: bool, size: int
) -> None:
    pieces = [said[start : start + size] for start in range(0, len(said), size)]
    if text is None:
        with pytest.raises(ModelError, match="thought and gave no answer"):
            await check(pieces, "", thought, opened=opened)
    else:
        await check(pieces, text, thought, opened=opened)


async def test_a_tag_that_was_only_supposed_costs_nothing() -> None:
    """The model was known for beginning inside the tag, and did not think this time."""
    await check(["the ", "answer"], "the answer", "the answer", opened=True)


async def test_thinking_beside_the_text_needs_no_tag() -> None:
    await check([Reasoning("hm"), "yes </think>"], "yes </think>", "hm", opened=True)


@pytest.mark.parametrize("said", ["<think>on and on", "<think>on and on</think>"])
async def test_an_answer_of_nothing_but_thinking_is_none(said: str) -> None:
    with pytest.raises(ModelError) as caught:
        await check([said], "", "", finish=Finish("length"))
    assert "max_output" in caught.value.message and not caught.value.retryable
    with pytest.raises(ModelError):
        await check([said], "", "")


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "th", "x", "\n", "</th"]), max_size=9))
async def test_nothing_is_lost(pieces: list[str]) -> None:
    async def stream() -> AsyncGenerator[Delta, None]:
        for piece in pieces:
            yield Text(piece)
        yield Finish("stop")

    try:
        deltas = [delta async for delta in parted(stream(), "think", False)]
    except ModelError:
        return
    said = "".join(d.text for d in deltas if isinstance(d, Text | Reasoning))
    whole = "".join(pieces)
    rest = whole.lstrip().removeprefix("<think>").replace("</think>", "", 1)
    assert said == whole or "".join(said.split()) == "".join(rest.split())
