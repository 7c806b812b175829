"""The run of a task: one step after another in the order of the plan, each written down before the next begins.

A file counts as done when its text is verified, never because a reply came. What failed is tried again in a
conversation that begins with nothing but the reason, a bounded number of times and never once the model repeats
itself; then the policy decides, and what needs a lost file is left out by name. A run can be stopped or killed at any
moment: the journal and the workspace say together where to go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pairwright.engine.events import Status, Stop
from pairwright.engine.overlay import Overlay
from pairwright.engine.task import review
from pairwright.engine.task.crew import Crew
from pairwright.engine.task.plan import blocked, order
from pairwright.engine.task.resume import reconciled
from pairwright.engine.task.state import (
    LOST,
    Event,
    Made,
    Moved,
    Review,
    State,
    Text,
    Tried,
    Turned,
    grown,
)
from pairwright.engine.task.step import Missed, attempt
from pairwright.engine.task.verify import Consent
from pairwright.llm.types import Model, ModelError

AGAIN, LEAVE, END = "Try again", "Leave it out", "Stop"


async def run(crew: Crew, state: State, mode: Review | None = None) -> State:
    """Carry `state` out from where it is; the state it ends in. The caller holds the task. Raises CancelledError when
    it is stopped, with everything that was done kept, and OSError where the journal cannot be written."""
    return await _Run(crew, state).go(mode)


class Recorder:
    """The one writer of a task's state while it is worked at."""

    def __init__(self, crew: Crew, state: State) -> None:
        self.crew = crew
        self.state = state

    async def add(self, event: Event) -> None:
        """`event` happened: on disk first, then in memory. Raises OSError."""
        await asyncio.shield(asyncio.to_thread(self.crew.journal.append, self.state.id, event))
        self.state = grown(self.state, event)
        self.crew.changed(self.state)


class _Run(Recorder):
    def __init__(self, crew: Crew, state: State) -> None:
        super().__init__(crew, state)
        commands = [check for entry in state.plan.entries for check in entry.checks]
        self._consent = Consent(crew.tools, commands)
        self._spent = state.tokens

    async def go(self, mode: Review | None) -> State:
        first = self.crew.tools.settings.task.review
        await self.add(Turned("running", review=mode or reviewed(self.state, first)))
        try:
            reason = await self._steps()
        except ModelError as error:
            reason = error.message
        except asyncio.CancelledError:
            await self.add(Turned("stopped", "stopped by you"))
            raise
        if reason:
            await self.add(Turned("stopped", reason))
        elif self.state.paths("proposed"):
            await self.add(Turned("waiting", "what was written waits for your choice"))
        else:
            await self.add(Turned("done", summary(self.state)))
        return self.state

    async def _steps(self) -> str:
        """Do what is left; why it stopped before the end, empty if it did not. Raises ModelError."""
        for event in await reconciled(self.crew.desk, self.state):
            await self.add(event)
        groups = await asyncio.to_thread(order, self.state.plan)
        for index, group in enumerate(groups):
            if reason := await self._group(group, 100 * index // len(groups)):
                return reason
        return await self._handed_over()

    async def _group(self, group: Sequence[str], percent: int) -> str:
        """See one group through; why the run has to stop, empty if it goes on."""
        open_ = [path for path in group if self.state.file(path).phase == "pending"]
        if not open_:
            return ""
        lost = self.state.paths(*LOST)
        if need := next(
            (need for path in open_ if (need := blocked(self.state.plan, path, lost))), ""
        ):
            await self.add(
                Moved(tuple(open_), "skipped", f"it needs {need}, which was not written")
            )
            return ""
        self.crew.tools.emit(Status(f"{', '.join(open_)}", percent))
        while True:
            reason, is_over = await self._tried(open_)
            if reason or is_over:
                return reason
            tries = self.state.file(open_[0]).tries
            if not _is_lost(tries, self.crew.tools.settings.task.retries):
                continue
            answer = await self._policy(open_, tries[-1])
            if answer != AGAIN:
                told = tries[-1].told.strip().partition("\n")[0]
                await self.add(Moved(tuple(open_), "failed", f"{tries[-1].reason}: {told}"))
                return f"{open_[0]} failed: {told}" if answer == END else ""
            await self.add(Moved(tuple(open_), "pending"))

    async def _tried(self, group: Sequence[str]) -> tuple[str, bool]:
        """One try; why the run has to stop, and whether the group is through."""
        if reason := self._over_budget():
            return reason, False
        model: Model = await self.crew.tools.models.get("main")
        outcome = await attempt(self.crew, self.state, group, model, self._consent)
        if isinstance(outcome, Stop):
            return outcome.message, False
        if isinstance(outcome, Missed):
            missed = Tried(
                tuple(group), outcome.reason, outcome.told, outcome.output, outcome.tokens
            )
            await self.add(missed)
            self.crew.tools.emit(
                Status(f"{', '.join(group)}: {outcome.told.partition(chr(10))[0]}")
            )
            return "", False
        await self.add(outcome)
        await asyncio.to_thread(self._learned, outcome)
        if self.state.review != "end":
            return await self._landed(outcome.texts), True
        return "", True

    def _learned(self, outcome: Made) -> None:
        """What the reply said of its file goes where such things are kept."""
        view = Overlay(self.crew.desk.snapshot(), self.state.overlay())
        is_one = len(outcome.texts) == 1
        for text in outcome.texts:
            document = view.document(text.path)
            if document is not None:
                self.crew.learn(document, outcome.purpose if is_one else "", outcome.notes)

    def _over_budget(self) -> str:
        most = self.crew.tools.settings.task.tokens
        spent = sum(self.state.tokens) - sum(self._spent)
        if not most or spent < most:
            return ""
        return f"{spent:,} tokens were used in this run (pairwright.task.tokens is {most:,}); resume goes on."

    async def _policy(self, group: Sequence[str], last: Tried) -> str:
        policy = self.crew.tools.settings.task.on_failure
        if policy != "ask":
            return END if policy == "stop" else LEAVE
        question = f"{', '.join(group)} failed: {last.told.strip()[:600]}"
        return await self.crew.tools.ask(question, (AGAIN, LEAVE, END)) or END

    # --- into the workspace

    async def _landed(self, texts: Sequence[Text]) -> str:
        """Bring verified texts into the workspace, or before the user; why the run has to stop."""
        paths = tuple(text.path for text in texts)
        if self.state.review == "task":
            end = await review.landed(self.crew.desk, self.state, texts)
            return await self._kept(paths, end)
        proposal = await review.offered(self.crew.desk, self.state, texts)
        await self.add(Moved(paths, "proposed", proposal=proposal.id))
        return await self._decided(proposal.id, texts)

    async def _decided(self, proposal: str, texts: Sequence[Text]) -> str:
        """Wait for the user's choice about a file; why the run has to stop."""
        paths = tuple(text.path for text in texts)
        decision = await self.crew.decided(proposal)
        if decision is None:
            return f"{', '.join(paths)} waits for your choice; resume goes on after it"
        if decision == "rejected":
            await self.add(Moved(paths, "skipped", "you rejected it"))
            return ""
        end = await review.arrived(self.crew.desk, proposal, texts)
        # Part of a proposal, or more typed into it: what stands is the user's own choice.
        return await self._kept(paths, review.Landed("applied", proposal, end.checkpoint))

    async def _kept(self, paths: tuple[str, ...], end: review.Landed) -> str:
        if end.save:
            self.crew.saved(end.save)
        if end.state == "applied":
            await self.add(Moved(paths, "applied", "", end.proposal, end.checkpoint))
            return ""
        if end.state == "stale":
            await self.add(Moved(paths, "stale", end.reason, end.proposal))
            return ""
        return f"{', '.join(paths)} could not be written: {end.reason}"

    async def _handed_over(self) -> str:
        """What is verified and not in the workspace goes there: as one proposal where all is reviewed at the end."""
        paths = [path for path in self.state.made if self.state.file(path).phase == "verified"]
        texts = [text for path in paths if (text := self.state.file(path).text)]
        if self.state.review == "end" and texts:
            proposal = await review.offered(self.crew.desk, self.state, texts)
            await self.add(Moved(tuple(paths), "proposed", proposal=proposal.id))
            return ""
        for text in texts:
            if reason := await self._landed((text,)):
                return reason
        return ""


def reviewed(state: State, first: Review) -> Review:
    """How a run of `state` is reviewed where nobody says it: as it was begun, or, in its first run, as `first`."""
    return first if state.status == "planned" else state.review


def _is_lost(tries: Sequence[Tried], retries: int) -> bool:
    """Whether there is no point in another try."""
    if len(tries) > retries:
        return True
    outputs = [one.output for one in tries if one.output]
    return len(outputs) > 1 and outputs[-1] in outputs[:-1]


def summary(state: State) -> str:
    """How a task stands, in a line that names what is not done."""
    done = state.paths("verified", "proposed", "applied")
    parts = [f"{len(done)} of {len(state.plan.entries)} files written"]
    for phase in ("failed", "skipped", "stale"):
        paths = state.paths(phase)
        parts += (f"{path} {phase} ({state.file(path).reason})" for path in paths)
    return "; ".join(parts)
