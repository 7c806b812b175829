"""The turn: one request to a model and what follows from its answer.

A loop with a cap: the answer is parsed and planned against the texts that stood in the prompt; what fails goes back
with the real lines, and the same failure twice in a row ends it. Blocks that fitted are kept, so only failed ones
are sent again. The outcome is returned; a cancelled task closes the stream at once. Failures of ours are never
shown to the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from pairwright.config.schema import Settings
from pairwright.edits.feedback import feedback
from pairwright.edits.formats.search_replace import parse
from pairwright.edits.plan import plan
from pairwright.edits.types import Block, FileChange, Parsed, Plan, Problem
from pairwright.engine import selection
from pairwright.engine.answer import Cut, read_answer
from pairwright.engine.budget import Fitted, TooMuch, count, fit, output_tokens
from pairwright.engine.context import Context, Turn, gather, lf, targets
from pairwright.engine.door import Door, manifest
from pairwright.engine.events import Done, Emit, Outcome, Proposed, Reflected, Retry, Started, Stop
from pairwright.engine.ports import Models
from pairwright.engine.session import Sessions
from pairwright.llm.types import Message, Model, ModelError, Request
from pairwright.memory.history import Exchange, cap, recent
from pairwright.prompts.build import Chunks, FileText, build, merged
from pairwright.render.estimate import estimate
from pairwright.workspace.types import Snapshot

Ask = Callable[[str, Sequence[str]], Awaitable[str | None]]
Propose = Callable[[Sequence[FileChange], Snapshot], str]


@dataclass(frozen=True, slots=True)
class Tools:
    """What a turn works with. `propose` stores a proposal of changes planned on a snapshot; its id."""

    settings: Settings
    models: Models
    door: Door
    sessions: Sessions
    emit: Emit
    ask: Ask
    propose: Propose


async def run(turn: Turn, snapshot: Callable[[], Snapshot], tools: Tools) -> Outcome:
    """Carry out `turn`. Raises only what is our own fault, and CancelledError."""
    try:
        model = await tools.models.get("main")
        taken = snapshot()
        history = recent(tools.sessions.exchanges(turn.session), cap(model.info.window), estimate)
        context = await asyncio.to_thread(
            gather, turn, taken, model.info, tools.settings.map.tokens, history
        )
        work = _Work(turn, taken, model, context, tools)
        outcome = await work.run()
    except ModelError as error:
        return Stop("model", error.message)
    if isinstance(outcome, Done):
        tools.sessions.add(turn.session, Exchange(turn.instruction, outcome.text))
    return outcome


class _Work:
    """One turn under way: what does not change between its requests."""

    def __init__(
        self, turn: Turn, snapshot: Snapshot, model: Model, context: Context, tools: Tools
    ) -> None:
        self.turn = turn
        self.snapshot = snapshot
        self.model = model
        self.context = context
        self.tools = tools
        self.output = output_tokens(model.info, tools.settings.model.max_output)

    async def run(self) -> Outcome:
        turn, context = self.turn, self.context
        if turn.path and turn.path not in context.documents and context.refused:
            return Stop("refused", "; ".join(context.refused))
        if self.model.info.small:
            if turn.mode == "edit" and turn.selection is not None:
                return await self._selection()
            self.context = context = replace(context, chunks=self._small(context.chunks))
        return await self._conversation()

    # --- a request

    async def _fitted(self, chunks: Chunks, excerpted: Chunks) -> Fitted | TooMuch:
        return await fit(self.model, chunks, excerpted, self.model.info.window - self.output)

    async def _send(
        self,
        messages: tuple[Message, ...],
        tokens: dict[str, int],
        left_out: Sequence[str] = (),
        grammar: str | None = None,
        output: int | None = None,
    ) -> str | Cut | Stop:
        """The whole answer. Asks before a request above the price that needs a yes."""
        info = self.model.info
        limit = output or self.output
        if info.price_in is not None:
            price = sum(tokens.values()) * info.price_in + limit * (info.price_out or 0.0)
            if price > self.tools.settings.turn.confirm_cost:
                question = f"This request may cost ${price:.2f} with {info.name}. Send it?"
                if await self.tools.ask(question, ("Send", "Cancel")) != "Send":
                    return Stop("budget", f"Not sent: it may have cost ${price:.2f}.")
        self.tools.emit(Started(info.name, tuple(tokens.items())))
        sent = manifest(
            self.model,
            tokens,
            self.context.documents,
            self.context.editable,
            left_out,
            self.context.refused,
        )
        request = Request(messages, limit, self.tools.settings.model.temperature, grammar=grammar)
        return await read_answer(self.tools.door.send(self.model, request, sent), self.tools.emit)

    # --- chat and free edits

    async def _conversation(self) -> Outcome:
        chunks, excerpted = self.context.chunks, self.context.excerpted
        kept: tuple[Block, ...] = ()
        last: Retry | None = None
        text = ""
        for attempt in range(self.tools.settings.turn.reflections + 1):
            fitted = await self._fitted(chunks, excerpted)
            if isinstance(fitted, TooMuch):
                return Stop("budget", fitted.message, text)
            answer = await self._send(build(fitted.chunks), dict(fitted.tokens), fitted.left_out)
            if isinstance(answer, Stop):
                return answer
            if isinstance(answer, Cut):
                return Stop("truncated", answer.message, answer.text)
            text = answer
            if self.turn.mode == "ask":
                return Done(text)
            outcome, kept = self._judged(text, kept, "whole files" in fitted.left_out)
            if not isinstance(outcome, Retry):
                return outcome
            if last is not None and last.signature == outcome.signature:
                return Stop("repeated", f"The same failure twice:\n{outcome.feedback}", text)
            if attempt == self.tools.settings.turn.reflections:
                return Stop("exhausted", outcome.feedback, text)
            last = outcome
            self.tools.emit(Reflected(outcome.reason, outcome.feedback))
            said = (Message("assistant", text), Message("user", outcome.feedback))
            chunks = replace(chunks, feedback=merged((*chunks.feedback, *said)))
            excerpted = replace(excerpted, feedback=chunks.feedback)
        return Stop("exhausted", "No correction was allowed (turn.reflections is 0).", text)

    def _judged(
        self, text: str, kept: tuple[Block, ...], excerpted: bool
    ) -> tuple[Outcome | Retry, tuple[Block, ...]]:
        """What an answer in edit mode comes to, and the blocks to keep for the next try."""
        parsed = parse(text, tuple(self.context.documents))
        fresh = {(block.path, block.search) for block in parsed.blocks}
        blocks = (*(b for b in kept if (b.path, b.search) not in fresh), *parsed.blocks)
        if not blocks and not parsed.problems:
            if "```" not in text:
                return Done(text, shell=parsed.shell), kept
            missing = Problem("edit-format", _NO_BLOCKS)
            parsed = Parsed((), (missing,), parsed.shell)
        together = replace(parsed, blocks=blocks)
        planned = self._planned(blocks, excerpted)
        problems = (*parsed.problems, *planned.problems)
        if not problems:
            return self._proposed(planned, text, parsed.shell), ()
        signature = "\n".join(f"{p.kind} {p.path} {p.message}" for p in problems)
        retry = Retry(problems[0].kind, feedback(together, planned), signature)
        return retry, tuple(blocks[index] for index in planned.passed)

    def _planned(self, blocks: Sequence[Block], excerpted: bool) -> Plan:
        within = {}
        if self.turn.path and self.turn.selection:
            within[self.turn.path] = self.turn.selection
        planned = plan(
            blocks,
            targets(self.context, self.snapshot),
            within=within,
            allowed=self.snapshot.allowed,
            chat=tuple(self.context.documents),
        )
        outside = self._outside(planned) if excerpted else None
        return planned if outside is None else Plan((), (outside,))

    def _outside(self, planned: Plan) -> Problem | None:
        """A change of lines that did not stand in the prompt, when only an excerpt did."""
        low, high = self.context.excerpt or (0, 0)
        for change in planned.changes:
            for hunk in change.hunks:
                if change.path != self.turn.path or hunk.start < low or hunk.end > high:
                    message = f"{change.path}: only the lines of the excerpt may be changed."
                    return Problem("edit-path", message, change.path)
        return None

    def _proposed(self, planned: Plan, text: str, shell: tuple[str, ...]) -> Done:
        proposal = self.tools.propose(planned.changes, self.snapshot)
        self.tools.emit(Proposed(proposal))
        return Done(text, proposal, shell)

    # --- the small model

    def _small(self, chunks: Chunks) -> Chunks:
        """The request cut to what a small model reads in seconds: the region asked about and the map."""
        context, path = self.context, self.turn.path
        if context.region is None or path is None:
            return chunks
        code = FileText(path, lf("\n".join(context.region.lines)), partial=True)
        return replace(chunks, files=(code,), read_only=(), focus="", history=(), brief=True)

    async def _selection(self) -> Outcome:
        """The selected lines rewritten: SEARCH is ours, the model writes the new lines."""
        turn, chosen = self.turn, self.context.region
        if chosen is None or turn.path is None or turn.path not in self.context.editable:
            return Stop(
                "refused",
                f"{self.model.info.name} rewrites at most {selection.MOST_LINES} lines at once: "
                "select fewer, or choose a larger model.",
            )
        messages = selection.messages(turn.path, chosen, turn.instruction, self.context.map.text)
        names = ("system", "request", "begun answer")
        texts = {n: m.content for n, m in zip(names, messages, strict=True)}
        tokens = await count(self.model, texts)
        output = min(self.output, 2 * estimate("\n".join(chosen.lines)) + 128)
        room = self.model.info.window - output
        if sum(tokens.values()) > room:
            return Stop(
                "budget",
                f"This selection needs {sum(tokens.values()):,} tokens and {self.model.info.name} "
                f"has room for {room:,}. Select fewer lines.",
            )
        answer = await self._send(messages, tokens, (), selection.grammar(chosen), output)
        if isinstance(answer, Stop):
            return answer
        text = answer.text if isinstance(answer, Cut) else answer
        block = selection.block(turn.path, chosen, text)
        if isinstance(answer, Cut) or block is None:
            return Stop("truncated", "The answer was cut off before its end; try again.", text)
        planned = plan(
            (block,),
            targets(self.context, self.snapshot),
            within={turn.path: (chosen.start, chosen.end)},
            allowed=self.snapshot.allowed,
        )
        if planned.problems:
            reasons = "\n".join(problem.message for problem in planned.problems)
            return Stop("refused", reasons, text)
        return self._proposed(planned, text, ())


_NO_BLOCKS = (
    "The reply holds code but no SEARCH/REPLACE block, so nothing could be applied. Send the change as "
    "blocks: the path alone on a line, a fence, <<<<<<< SEARCH, the current lines, =======, the new lines, "
    ">>>>>>> REPLACE."
)
