"""The loop of a turn: a reply is read, judged, and sent back with words until it stands or no try is left.

The reply is planned against the texts that stood in the prompt; what fails goes back with the real lines, and the
same failure twice in a row ends it. Failures of ours are never shown to the model.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pairwright.edits.types import Block
from pairwright.engine import selection
from pairwright.engine.answer import Cut
from pairwright.engine.continuation import answered
from pairwright.engine.events import Done, Outcome, Reflected, Retry, Stop
from pairwright.engine.reply import Judged, judge, salvaged
from pairwright.engine.work import Work
from pairwright.llm.types import Message
from pairwright.prompts.build import merged


async def converse(work: Work) -> Outcome:
    """Chat and free edits. Raises ModelError."""
    return await _Conversation(work).run()


class _Conversation:
    """`feedback`: the corrections so far; `kept`: blocks that need not be sent again; `last`: why the reply before
    was sent back."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._feedback: tuple[Message, ...] = ()
        self._kept: tuple[Block, ...] = ()
        self._last: Retry | None = None

    async def run(self) -> Outcome:
        work = self._work
        for left in range(work.tools.settings.turn.reflections, -1, -1):
            step = await self._pass(left)
            if not isinstance(step, Retry):
                return step
            await work.refresh()
        raise AssertionError("the last pass always returns")

    async def _pass(self, left: int) -> Outcome | Retry:
        """One request and its reply; a Retry where another is to follow. `left`: how many may."""
        work = self._work
        sent = await answered(work, work.asking(self._feedback))
        if isinstance(sent, Stop):
            return sent
        answer, manifest = sent
        if isinstance(answer, Cut):
            return Stop("truncated", answer.message, answer.text)
        if work.turn.mode == "ask":
            return Done(answer)
        scope = work.scope(manifest)
        judged = await asyncio.to_thread(judge, answer, self._kept, scope)
        if judged.retry is None:
            return self._finished(answer, judged)
        if stopped := _ended(judged.retry, self._last, left, answer):
            # A corrected reply that still misses may be shown as a guess.
            scope = replace(scope, approximate=self._last is not None)
            rest = await asyncio.to_thread(salvaged, answer, self._kept, scope)
            return stopped if rest.retry else self._finished(answer, rest)
        self._kept = judged.kept
        return self._again(judged.retry, answer)

    def _again(self, retry: Retry, answer: str) -> Retry:
        """Send `answer` back for the reason of `retry`."""
        self._last = retry
        self._work.tools.emit(Reflected(retry.reason, retry.feedback))
        said = (Message("assistant", answer), Message("user", retry.feedback))
        self._feedback = merged((*self._feedback, *said))
        return retry

    def _finished(self, answer: str, judged: Judged) -> Done:
        """The end of an edit. After reflections the history keeps all blocks, not the last reply's only."""
        if not judged.changes:
            return Done(answer, shell=judged.shell)
        if self._kept:
            self._work.answer = "\n\n".join(map(selection.shown, judged.blocks))
        return self._work.proposed(judged.changes, answer, judged.shell, judged.missing)


def _ended(retry: Retry, last: Retry | None, left: int, answer: str) -> Stop | None:
    """Why there is no further try."""
    if last is not None and (last.reason, last.signature) == (retry.reason, retry.signature):
        lead = (
            "The model made the same mistake twice, so it was not asked again. Nothing was changed."
        )
        return Stop("repeated", f"{lead}\n{retry.feedback}", answer)
    if left == 0:
        lead = "No usable edit after the last correction. Nothing was changed."
        return Stop("exhausted", f"{lead}\n{retry.feedback}", answer)
    return None
