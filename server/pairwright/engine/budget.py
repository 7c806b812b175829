"""Tokens counted before anything is sent; what is too much is left out in a stated order, or refused.

The order: references, map, history, whole files (to signatures and the region asked about). It fails closed: what
still does not fit is a refusal with the numbers. A counter that fails is replaced by the over-estimate, never by
zero.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pairwright.engine.images import with_images
from pairwright.llm.types import Model, ModelError, ModelInfo
from pairwright.prompts.build import Chunks, parts
from pairwright.text.estimate import estimate, estimates
from pairwright.workspace.manifest import ESTIMATE

_REMEMBERED = 4_000_000
"""Characters of the texts whose counts are remembered."""
COUNT_SECONDS = 2.0
"""How long a model's own count is waited for."""
SMALL_PROMPT = 1_500
"""Tokens of a prompt that a small model reads in half a minute on two cores: the aim, not the limit."""
USUAL_ANSWER = 4_096
"""Tokens of a long answer, for the price told beforehand; the most it can cost is told with it."""
_PER_PART = 8
"""Tokens a chat template and the blank lines between parts add, rounded up."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is sent: `chunks`, their tokens by part, and what was left out, in words for the user."""

    chunks: Chunks
    tokens: Mapping[str, int]
    left_out: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.tokens.values())


@dataclass(frozen=True, slots=True)
class TooLong:
    """A prompt of `tokens` by our count that the provider refused. `told`: its own words."""

    tokens: int
    told: str = ""

    @classmethod
    def of(cls, tokens: int, error: ModelError) -> TooLong:
        """What `error` says of a prompt of `tokens`."""
        return cls(tokens, error.message.partition("(It said: ")[2].removesuffix(")").rstrip("."))


@dataclass(frozen=True, slots=True)
class TooMuch:
    """Nothing fits. `message`: the numbers and what to do."""

    message: str


def output_tokens(info: ModelInfo, asked: int) -> int:
    """Tokens reserved for the answer: the setting, else the model's most, never over half the window."""
    return max(64, min(asked or info.max_output, info.window // 2))


def price(info: ModelInfo, prompt: int, output: int) -> tuple[float, float] | None:
    """US dollars of a request with an answer of usual length, and the most it can cost; None = unknown."""
    if info.price_in is None or info.price_out is None:
        return None
    read = prompt * info.price_in
    return read + min(output, USUAL_ANSWER) * info.price_out, read + output * info.price_out


class Counts:
    """The tokens of texts by model, remembered from request to request: most of a prompt stays the same. Bounded;
    one writer, the event loop."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._size = 0

    def get(self, model: str, text: str) -> int | None:
        """The tokens of `text`, if they are known."""
        found = self._known.get((model, text))
        if found is not None:
            self._known.move_to_end((model, text))
        return found

    def put(self, model: str, text: str, tokens: int) -> None:
        """Remember; the longest unused goes."""
        if (model, text) not in self._known:
            self._size += len(text)
        self._known[model, text] = tokens
        while self._size > _REMEMBERED:
            (_, oldest), _ = self._known.popitem(last=False)
            self._size -= len(oldest)


class Counter:
    """Counts texts with one model, each text once. `counts`: what earlier counters found out."""

    def __init__(self, model: Model, counts: Counts | None = None) -> None:
        self._model = model
        self._counts = counts
        self._known: dict[str, int] = {}
        self._gave_up = False

    async def count(self, texts: Mapping[str, str]) -> dict[str, int]:
        """Tokens by part: the model's own count if it comes quickly, else the over-estimate."""
        await self._learn(texts.values())
        return {name: self._known[text] + _PER_PART for name, text in texts.items()}

    def measure(self) -> Measure:
        """This counter as a plain function, to be called in a thread while the loop runs."""
        return Measure(self, asyncio.get_running_loop())

    @property
    def name(self) -> str:
        """Whose count it is."""
        return ESTIMATE if self._gave_up else self._model.info.name

    async def one(self, text: str) -> int:
        """Tokens of a bare text."""
        await self._learn((text,))
        return self._known[text]

    async def _learn(self, texts: Iterable[str]) -> None:
        fresh = [
            text
            for text in dict.fromkeys(texts)
            if text not in self._known and not self._remembered(text)
        ]
        if not fresh:
            return
        numbers = None if self._gave_up else await self._numbers(fresh)
        if numbers is None:
            # Once is enough: every further try could take as long again.
            self._gave_up = True
            numbers = await asyncio.to_thread(estimates, fresh)
        elif self._counts is not None:
            for text, number in zip(fresh, numbers, strict=True):
                self._counts.put(self._model.info.name, text, number)
        self._known.update(zip(fresh, numbers, strict=True))

    def _remembered(self, text: str) -> bool:
        found = self._counts.get(self._model.info.name, text) if self._counts else None
        if found is not None:
            self._known[text] = found
        return found is not None

    async def _numbers(self, texts: Sequence[str]) -> list[int] | None:
        """The model's own counts; None if they do not come."""
        # Not cancelled at the time limit: a count may be what loads a local model, which goes on being needed.
        task = asyncio.ensure_future(self._model.count(texts))
        done, _ = await asyncio.wait((task,), timeout=COUNT_SECONDS)
        task.add_done_callback(_looked_at)
        if not done or task.cancelled():
            return None
        error = task.exception()
        if error is not None:
            if isinstance(error, ModelError):
                return None
            raise error
        numbers = task.result()
        if len(numbers) != len(texts):
            return None
        pairs = zip(texts, numbers, strict=True)
        return [n if n > 0 or not text else estimate(text) for text, n in pairs]


class Measure:
    """A counter for the renderer, which knows no event loop. `name`: whose count it is."""

    def __init__(self, counter: Counter, loop: asyncio.AbstractEventLoop) -> None:
        self._counter = counter
        self._loop = loop

    @property
    def name(self) -> str:
        return self._counter.name

    def __call__(self, text: str) -> int:
        """Tokens of `text`; the over-estimate when the loop is too busy to answer."""
        asked = asyncio.run_coroutine_threadsafe(self._counter.one(text), self._loop)
        try:
            return asked.result(2 * COUNT_SECONDS)
        except TimeoutError:
            asked.cancel()
            return estimate(text)


async def fit(
    counter: Counter,
    chunks: Chunks,
    shorter: Chunks,
    room: int,
    aim: int | None = None,
    below: TooLong | None = None,
) -> Fitted | TooMuch:
    """`chunks` within `room` tokens, degraded step by step. `shorter`: the same request with files cut to
    signatures and the region asked about. `aim`: tokens below which nothing is left out; what cannot reach it
    may still fill `room`. `below`: a prompt that was too long for the provider; the next step is less."""
    first: dict[str, int] = {}
    best: Fitted | None = None
    for step, left_out in _steps(chunks, shorter):
        tokens = with_images(await counter.count(parts(step)), step.images)
        first = first or tokens
        total = sum(tokens.values())
        if total <= room and (below is None or total < below.tokens):
            best = Fitted(step, tokens, left_out)
            if aim is None or total <= aim:
                return best
    if best is not None:
        return best
    if below is not None:
        return TooMuch(too_long(below))
    listed = ", ".join(f"{name} {n:,}" for name, n in first.items())
    return TooMuch(
        f"This request needs {sum(first.values()):,} tokens ({listed}) and there is room for {room:,} "
        "beside the answer. Select the part in question, take files out of the chat, or choose a "
        "model with a larger window."
    )


def too_long(first: TooLong, second: TooLong | None = None) -> str:
    """The end of a request that the provider found too long, once or, with one step left out, twice."""
    tried = (
        f"a prompt of {first.tokens:,} tokens by our count, and nothing of it can be left out"
        if second is None
        else f"prompts of {first.tokens:,} and of {second.tokens:,} tokens by our count"
    )
    told = f" It said: {first.told}." if first.told else ""
    return (
        f"The model refused {tried}: its window is smaller than thought.{told} Set pairwright.model.window to its "
        "size, select the part in question, or take files out of the chat."
    )


def _steps(chunks: Chunks, shorter: Chunks) -> Iterator[tuple[Chunks, tuple[str, ...]]]:
    yield chunks, ()
    left_out: tuple[str, ...] = ()
    if chunks.references:
        chunks = replace(chunks, references=())
        left_out = ("references",)
        yield chunks, left_out
    if chunks.map or chunks.second_map:
        chunks = replace(chunks, map="", second_map="")
        left_out = (*left_out, "map")
        yield chunks, left_out
    if chunks.history:
        chunks = replace(chunks, history=())
        left_out = (*left_out, "history")
        yield chunks, left_out
    if shorter.files != chunks.files or shorter.read_only != chunks.read_only:
        cut = replace(chunks, files=shorter.files, read_only=shorter.read_only)
        yield cut, (*left_out, "whole files")


def _looked_at(task: asyncio.Task[list[int]]) -> None:
    """Take the end of a count that nobody waits for any more."""
    if not task.cancelled():
        task.exception()
