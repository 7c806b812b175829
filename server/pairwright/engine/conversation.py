"""The loop of a turn: a reply is read, judged, and sent back with words until it stands or no try is left.

The reply is planned against the texts that stood in the prompt; what fails goes back with the real lines, and the
same failure twice in a row ends it. Failures of ours are never shown to the model.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from pairwright.edits.looks import Wishes, wishes
from pairwright.edits.types import Block
from pairwright.engine import selection
from pairwright.engine.answer import Cut
from pairwright.engine.checks import Examiner
from pairwright.engine.continuation import answered
from pairwright.engine.events import Done, Outcome, Reflected, Retry, Status, Stop
from pairwright.engine.findings import Finding, retry
from pairwright.engine.reply import Judged, Scope, judge, salvaged
from pairwright.engine.requested import Requests
from pairwright.engine.work import Work
from pairwright.llm.types import Message, ModelError
from pairwright.prompts.build import merged


async def converse(work: Work) -> Outcome:
    """Chat and free edits. Raises ModelError."""
    return await _Conversation(work).run()


class _Conversation:
    """`feedback`: the corrections so far; `kept`: blocks that need not be sent again; `missing`: what of the reply
    before fitted nowhere; `last`: why it was sent back."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._feedback: tuple[Message, ...] = ()
        self._kept: tuple[Block, ...] = ()
        self._missing: tuple[str, ...] = ()
        self._last: Retry | None = None
        self._scope: Scope | None = None
        self._requests = Requests(work)
        self._examiner = Examiner(work.tools.checks, work.tools.ask, work.tools.emit)

    async def run(self) -> Outcome:
        left = self._work.tools.settings.turn.reflections
        while True:
            try:
                step = await self._pass(left)
            except ModelError as error:
                if not self._kept:
                    raise
                step = Stop("model", error.message)
            if isinstance(step, Stop):
                return await self._rescued(step)
            if not isinstance(step, Retry):
                return step
            # Look-ups have a bound of their own.
            left -= step.reason != "looked-up"
            await self._requests.settle()

    async def _pass(self, left: int) -> Outcome | Retry:
        """One request and its reply; a Retry where another is to follow. `left`: how many may."""
        work = self._work
        sent = await answered(work, work.asking(self._feedback))
        if isinstance(sent, Stop):
            return sent
        answer, manifest = sent
        if isinstance(answer, Cut):
            return Stop("truncated", answer.message, answer.text)
        wished = await asyncio.to_thread(wishes, answer)
        if work.turn.mode != "edit":
            if more := await self._requests.more(wished, None, None, left):
                return self._again(more, answer)
            return _said(wished)
        return await self._judged(answer, wished, work.scope(manifest), left)

    async def _judged(
        self, answer: str, wished: Wishes, scope: Scope, left: int
    ) -> Outcome | Retry:
        """What the edits of a reply come to."""
        text = wished.rest
        judged = await asyncio.to_thread(judge, text, self._kept, scope)
        if opened := await self._requests.allowed(text, scope):
            scope = opened
            judged = await asyncio.to_thread(judge, text, self._kept, scope)
        self._scope = scope
        if more := await self._requests.more(wished, judged, scope, left):
            self._kept = judged.kept if judged.retry else judged.blocks
            self._missing = judged.missing
            return self._again(more, answer)
        if judged.retry is None:
            return await self._checked(answer, wished, judged, left)
        if stopped := _ended(judged.retry, self._last, left, text):
            # A corrected reply that still misses may be shown as a guess.
            scope = replace(scope, approximate=self._last is not None)
            rest = await asyncio.to_thread(salvaged, text, self._kept, scope)
            if rest.retry:
                return stopped
            return self._finished(wished, rest, await self._examined(rest))
        self._kept, self._missing = judged.kept, judged.missing
        return self._again(judged.retry, answer)

    async def _checked(
        self, answer: str, wished: Wishes, judged: Judged, left: int
    ) -> Outcome | Retry:
        """A reply whose edits all have their place: checks may send it back, but never refuse it."""
        findings = await self._examined(judged)
        # Prose behind an edit means that it is to stay as it is.
        if findings and judged.blocks != self._kept:
            again = retry(findings)
            if _ended(again, self._last, left, answer) is None:
                self._kept, self._missing = judged.blocks, ()
                return self._again(again, answer)
        return self._finished(wished, judged, findings)

    async def _examined(self, judged: Judged) -> tuple[Finding, ...]:
        return await self._examiner.examine(judged.changes, self._work.snapshot)

    async def _rescued(self, stop: Stop) -> Outcome:
        """What fitted before the turn was stopped is proposed, and said to be uncorrected."""
        if stop.reason not in _OUTSIDE or not self._kept or self._scope is None:
            return stop
        scope = self._work.scope(self._scope.manifest)
        judged = await asyncio.to_thread(judge, "", self._kept, scope)
        if not judged.changes:
            return stop
        self._work.tools.emit(Status(stop.message))
        missing = (*self._missing, _UNCORRECTED.format(stop.message.partition("\n")[0]))
        judged = replace(judged, missing=missing)
        return self._finished(Wishes((), (), stop.text), judged, await self._examined(judged))

    def _again(self, why: Retry, answer: str) -> Retry:
        """Send `answer` back for the reason of `why`."""
        self._last = why
        if why.reason != "looked-up":
            self._work.tools.emit(Reflected(why.reason, why.feedback))
        said = (Message("assistant", answer), Message("user", why.feedback))
        self._feedback = merged((*self._feedback, *said))
        return why

    def _finished(
        self, wished: Wishes, judged: Judged, findings: tuple[Finding, ...] = ()
    ) -> Outcome:
        """The end of an edit. After reflections the history keeps all blocks, not the last reply's only."""
        if not judged.changes:
            done = _said(wished)
            return replace(done, shell=judged.shell) if isinstance(done, Done) else done
        if self._kept:
            self._work.answer = "\n\n".join(map(selection.shown, judged.blocks))
        # A reply of prose leaves unsaid what did not fit before.
        missing = judged.missing or (self._missing if judged.blocks == self._kept else ())
        told = tuple(finding.told for finding in findings)
        done = self._work.proposed(judged.changes, wished.rest, judged.shell, missing)
        return replace(done, findings=told)


_OUTSIDE = ("model", "budget", "truncated", "empty")
"""Why a turn stopped, where that says nothing about the edits that fitted before."""
_UNCORRECTED = "It was not corrected: {}"


def _said(wished: Wishes) -> Outcome:
    """The end of a turn with words alone."""
    if wished.rest.strip() or not wished.looks:
        return Done(wished.rest)
    return Stop("exhausted", _LOOKED_ENOUGH)


_LOOKED_ENOUGH = (
    "The model asked to see more than pairwright.turn.look_ups allows and did not answer. Name the files it "
    "needs, or ask for less."
)


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
