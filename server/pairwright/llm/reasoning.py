"""Thinking that stands in the text of an answer, taken out of it while it streams.

Some models think in a tag (`<think>`) in front of the answer; of some the template opens the tag, so that their
answer begins inside it. Only the front of an answer is looked at: a tag in the middle is text like any other,
and may be what a file holds.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

from pairwright.llm.types import Delta, Finish, ModelError, Reasoning, Text

USED_UP = (
    "The model used up its output limit by thinking, without an answer. Raise "
    "pairwright.model.max_output."
)
ONLY_THOUGHT = "The model thought and gave no answer. Ask again, or word the request differently."


@dataclass(slots=True)
class Thinking:
    """The pieces of one answer, parted. `tag`: without brackets. `opened`: it begins inside the tag."""

    tag: str
    opened: bool = False
    _held: str = ""
    _thought: str = ""
    _state: str = field(default="start")

    def feed(self, text: str) -> list[Delta]:
        """What is known for sure once `text` has come too."""
        if self._state == "answer":
            return [Text(text)]
        self._held += text
        if self._state == "start":
            self._begin()
        if self._state == "thinking":
            return self._think()
        if self._state == "gap":
            return self._skip()
        return self._flush() if self._state == "answer" else []

    def reasoned(self) -> list[Delta]:
        """Thinking comes beside the text: there is no tag in it."""
        self._state = "answer"
        return self._flush()

    def end(self, is_cut: bool) -> list[Delta]:
        """What is left at the end. A tag that was only supposed and is never closed means that all of it was the
        answer. Raises ModelError where there is no answer."""
        if self._state in ("thinking", "gap") and is_cut:
            raise ModelError("refused", USED_UP, retryable=False)
        if self._state == "gap" or (self._state == "thinking" and not self.opened):
            raise ModelError("refused", ONLY_THOUGHT, retryable=False)
        return [Text(self._thought + self._held)] if self._state == "thinking" else self._flush()

    def _begin(self) -> None:
        mark, said = f"<{self.tag}>", self._held.lstrip()
        if said.startswith(mark):
            self._held = said[len(mark) :]
            self._state, self.opened = "thinking", False
        elif said and not mark.startswith(said):
            self._state = "thinking" if self.opened else "answer"

    def _think(self) -> list[Delta]:
        mark = f"</{self.tag}>"
        before, found, after = self._held.partition(mark)
        if found:
            self._state, self._held = "gap", after
            return [*([Reasoning(before)] if before else []), *self._skip()]
        keep = max((n for n in range(1, len(mark)) if before.endswith(mark[:n])), default=0)
        sure, self._held = before[: len(before) - keep], before[len(before) - keep :]
        self._thought += sure
        return [Reasoning(sure)] if sure else []

    def _skip(self) -> list[Delta]:
        """Blank lines behind the thinking belong to neither."""
        self._held = self._held.lstrip()
        if not self._held:
            return []
        self._state = "answer"
        return self._flush()

    def _flush(self) -> list[Delta]:
        text, self._held = self._held, ""
        return [Text(text)] if text else []


async def parted(
    stream: AsyncGenerator[Delta, None], tag: str, opened: bool
) -> AsyncGenerator[Delta, None]:
    """The deltas of `stream` with thinking in `tag` told apart. Raises ModelError as it does, and for an answer
    that is nothing but thinking."""
    thinking = Thinking(tag, opened)
    async with aclosing(stream) as deltas:
        async for delta in deltas:
            if isinstance(delta, Text):
                found = thinking.feed(delta.text)
            elif isinstance(delta, Reasoning):
                found = [*thinking.reasoned(), delta]
            elif isinstance(delta, Finish):
                found = [*thinking.end(delta.reason == "length"), delta]
            else:
                found = [delta]
            for one in found:
                yield one
