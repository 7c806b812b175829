"""Limits on what requests may cost: by request, session and day, in US dollars, or in tokens where no price is known.

What a request costs at most is reserved before it leaves, so that turns side by side stay within a limit together;
near a limit the answer is made shorter before anything is refused. What it did cost is settled behind it. Requests to
models on this machine are counted and never limited.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pairwright.config.schema import Budget
from pairwright.engine.budget import price
from pairwright.llm.types import Delta, ModelInfo, Reasoning, Text, Usage
from pairwright.memory.ledger import Amount, Entry, Ledger, Pricing, Spent
from pairwright.text.estimate import estimate
from pairwright.text.hashing import digest

FILE = "spending.db"
"""The ledger, below the user's data folder."""

LEAST_ANSWER = 1_024
"""Tokens of an answer that is worth its prompt: where a limit leaves less, nothing is sent."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request as it would leave. `prompt`: tokens counted; `output`: most tokens of the answer."""

    info: ModelInfo
    prompt: int
    output: int

    @property
    def pricing(self) -> Pricing:
        if self.info.local and not self.info.price_in and not self.info.price_out:
            return "local"
        return "unpriced" if self.costs is None else "priced"

    @property
    def costs(self) -> tuple[float, float] | None:
        """US dollars with an answer of usual length, and the most it can cost; None = unknown."""
        return price(self.info, self.prompt, self.output)

    @property
    def usual(self) -> float | None:
        """The first of `costs`."""
        return self.costs[0] if self.costs else None

    @property
    def amount(self) -> Amount:
        """All it can come to."""
        return Amount(self.prompt + self.output, self.costs[1] if self.costs else 0.0)

    def said(self) -> str:
        """What it costs in a few words."""
        tokens = f"{self.prompt:,} tokens to read"
        if self.costs is None:
            return f"about {tokens}, price unknown"
        usual, most = map(money, self.costs)
        return f"about {usual}, {most} at most ({tokens})"


@dataclass(frozen=True, slots=True)
class Reserved:
    """A request that may leave, with the answer it can pay for. `number`: in the ledger."""

    number: int
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class _Bound:
    """One limit. `output`: tokens of the answer it pays for, negative
    where not even the prompt is paid for; `text`: the refusal."""

    output: int
    text: str


class Meter:
    """What one request comes to while it is answered. One writer: the reader of the stream."""

    def __init__(self, reserved: Reserved) -> None:
        self._reserved = reserved
        self._usage: Usage | None = None
        self._pieces: list[str] = []
        self._failed = False

    def take(self, delta: Delta) -> None:
        """See what arrived."""
        if isinstance(delta, Text | Reasoning):
            self._pieces.append(delta.text)
        elif isinstance(delta, Usage):
            self._usage = delta

    def failed(self) -> None:
        """The model gave an error."""
        self._failed = True

    async def close(self, spending: Spending) -> None:
        """Settle: by the provider's figures, else by what was counted and what arrived. An error before the
        first piece costs nothing; a cancel costs the prompt."""
        if self._failed and not self._pieces and self._usage is None:
            await spending.release(self._reserved)
        else:
            usage: Usage | None = self._usage
            if usage is None:
                usage = await asyncio.to_thread(self._guessed)
            await spending.settle(self._reserved, usage)

    def _guessed(self) -> Usage:
        return Usage(self._reserved.wanted.prompt, estimate("".join(self._pieces)))


async def _done(job: Callable[[], None]) -> None:
    """Run `job` in a thread, to its end though the caller is cancelled."""
    await asyncio.shield(asyncio.ensure_future(asyncio.to_thread(job)))


class Spending:
    """The spending of one folder. `limits`: the settings of this moment; `scope`: what makes its sessions' keys
    unique; `now`: seconds since 1970."""

    def __init__(
        self,
        ledger: Ledger,
        limits: Callable[[], Budget],
        scope: str,
        now: Callable[[], float],
    ) -> None:
        self.ledger = ledger
        self.limits = limits
        self._scope = scope
        self._now = now
        # A chat without a name ends with the server, and its limit with it.
        self._unnamed = secrets.token_hex(4)

    async def reserve(self, session: str, wanted: Wanted) -> Reserved | str:
        """Enter what `wanted` can cost at most, with as long an answer as the limits pay for; or why it is not
        sent. Settle what was reserved."""
        limits, found = self.limits(), [wanted]
        refusal = ""

        def decide(spent: Spent) -> Amount | None:
            nonlocal refusal
            affordable = within(limits, spent, wanted)
            if isinstance(affordable, str):
                refusal = affordable
                return None
            found[0] = affordable
            return affordable.amount

        entry = Entry(self._today(), self._key(session), wanted.info.name, wanted.pricing)
        task = asyncio.ensure_future(asyncio.to_thread(self.ledger.reserve, entry, decide))
        try:
            number, _ = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._unwanted)
            raise
        return refusal if number is None else Reserved(number, found[0])

    async def settle(self, reserved: Reserved, usage: Usage) -> None:
        """What it came to. Goes on though the caller is cancelled."""
        amount = settled(reserved.wanted.info, usage)
        await _done(lambda: self.ledger.settle(reserved.number, amount))

    async def release(self, reserved: Reserved) -> None:
        """It cost nothing. Goes on though the caller is cancelled."""
        await _done(lambda: self.ledger.drop(reserved.number))

    async def spent(self, session: str) -> Spent:
        """What is spent or reserved in `session` and today."""
        return await asyncio.to_thread(self.ledger.spent, self._key(session), self._today())

    def _unwanted(self, task: asyncio.Task[tuple[int | None, Spent]]) -> None:
        """Take back a reservation whose turn was cancelled meanwhile."""
        number = None if task.cancelled() else task.result()[0]
        if number is not None:
            self.ledger.drop(number)

    def _key(self, session: str) -> str:
        return f"{self._scope}/{session or self._unnamed}"

    def _today(self) -> str:
        return datetime.fromtimestamp(self._now()).date().isoformat()


def kept(data: Path, root: str, limits: Callable[[], Budget]) -> Spending:
    """The spending of the folder `root`, kept below the user's data folder `data`."""
    return Spending(Ledger(data / FILE), limits, scope(root), time.time)


def scope(root: str) -> str:
    """What the keys of the sessions of `root` begin with in the ledger, a slash behind it; it holds no path."""
    return digest(os.fsencode(root))[:16]


def within(limits: Budget, spent: Spent, wanted: Wanted) -> Wanted | str:
    """`wanted` with an answer short enough for every limit, or the refusal of the narrowest one."""
    bounds = _bounds(limits, spent, wanted)
    if not bounds:
        return wanted
    narrowest = min(bounds, key=lambda bound: bound.output)
    if narrowest.output < min(wanted.output, LEAST_ANSWER):
        return narrowest.text
    return Wanted(wanted.info, wanted.prompt, min(narrowest.output, wanted.output))


def settled(info: ModelInfo, usage: Usage) -> Amount:
    """What a finished request came to: the provider's own price, else by the known one."""
    tokens = usage.prompt + usage.completion
    if usage.cost is not None:
        return Amount(tokens, usage.cost)
    if info.price_in is None or info.price_out is None:
        return Amount(tokens)
    return Amount(tokens, usage.prompt * info.price_in + usage.completion * info.price_out)


def money(dollars: float) -> str:
    """US dollars in words, never rounded down to nothing."""
    if 0 < dollars < 0.01:
        return "less than $0.01"
    return f"${dollars:.2f}"


def _bounds(limits: Budget, spent: Spent, wanted: Wanted) -> tuple[_Bound, ...]:
    if wanted.pricing == "local":
        return ()
    in_money = _in_money(limits, spent, wanted) if wanted.pricing == "priced" else ()
    if wanted.pricing == "priced" and limits.count_tokens == "unpriced":
        return in_money
    return (*in_money, *_in_tokens(limits, spent, wanted))


def _in_money(limits: Budget, spent: Spent, wanted: Wanted) -> tuple[_Bound, ...]:
    price_in, price_out = wanted.info.price_in or 0.0, wanted.info.price_out or 0.0
    cost = f"about {money(wanted.usual or 0.0)}"
    bounds = []
    for limit, used, name in (
        (limits.request_cost, 0.0, "request_cost"),
        (limits.session_cost, spent.session.dollars, "session_cost"),
        (limits.day_cost, spent.day.dollars, "day_cost"),
    ):
        if limit > 0:
            rest = limit - used - wanted.prompt * price_in
            output = _bought(rest, price_out, wanted.output)
            bounds.append(_Bound(output, _refusal(name, cost, money(used), money(limit))))
    return tuple(bounds)


def _in_tokens(limits: Budget, spent: Spent, wanted: Wanted) -> tuple[_Bound, ...]:
    need = f"{wanted.prompt:,} tokens to read"
    bounds = []
    for limit, total, name in (
        (limits.session_tokens, spent.session, "session_tokens"),
        (limits.day_tokens, spent.day, "day_tokens"),
    ):
        if limit > 0:
            used = total.tokens if limits.count_tokens == "all" else total.unpriced
            text = _refusal(name, need, f"{used:,}", f"{limit:,} tokens")
            bounds.append(_Bound(limit - used - wanted.prompt, text))
    return tuple(bounds)


def _bought(dollars: float, price_out: float, most: int) -> int:
    """Tokens of an answer that `dollars` pay for, at most `most`; -1 where they are less than nothing."""
    if dollars < 0:
        return -1
    return min(most, int(dollars / price_out)) if price_out else most


_ENDS = {
    "request": "Send fewer files, or",
    "session": "Go on in another session, or",
    "day": "It starts anew at midnight; or",
}
_SPENT = {
    "session": "of this session's {limit} are spent",
    "day": "of today's {limit} are spent",
}


def _refusal(name: str, cost: str, used: str, limit: str) -> str:
    unit = name.partition("_")[0]
    said = (
        f"{limit} is the most a request may cost"
        if unit == "request"
        else f"{used} {_SPENT[unit].format(limit=limit)}"
    )
    return f"Not sent: this request needs {cost}, and {said}. {_ENDS[unit]} change pairwright.budget.{name}."
