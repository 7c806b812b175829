"""What a request would send and cost if it left now, part by part, and what is spent so far. Sends nothing and
reserves nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pairwright.config.schema import Budget
from pairwright.engine import manual, narrow
from pairwright.engine.budget import Counter
from pairwright.engine.door import Parcel, Weighed
from pairwright.engine.events import Stop
from pairwright.engine.sent import table
from pairwright.engine.spend import money
from pairwright.engine.tools import Tools
from pairwright.engine.turn import Turn, work_of
from pairwright.engine.work import Work
from pairwright.llm.types import ModelError, ModelInfo
from pairwright.memory.ledger import Spent, Total
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Row:
    """A part of the prompt, or a file in it. `cost`: US dollars to read it, None = unknown."""

    name: str
    tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Shown(Row):
    """A file. `partial`: not all of it."""

    editable: bool
    partial: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """`parts` in cache order; `files` are inside them. `costs`: US dollars with a usual answer, and the most; None =
    unknown. `left`: tokens of the window that are free beside prompt and answer. `left_out`: what does not fit.
    `hidden`: how many secrets stay here. `more`: which requests may follow this one, empty if only corrections do."""

    info: ModelInfo
    parts: tuple[Row, ...]
    files: tuple[Shown, ...]
    total: int
    costs: tuple[float, float] | None
    left: int
    left_out: tuple[str, ...]
    hidden: int
    spent: Spent
    limits: Budget
    more: str = ""


async def outlook(turn: Turn, snapshot: Callable[[], Snapshot], tools: Tools) -> Outlook | Stop:
    """The outlook of the first request of `turn`, or why nothing of it would be sent."""
    try:
        model = await tools.models.get("main")
        work = work_of(replace(turn, urls=()), snapshot, model, tools)
        parcel = await _first(work)
        if isinstance(parcel, Stop):
            return parcel
        weighed = await tools.door.weigh(
            model, parcel, work.snapshot, max_output=tools.settings.model.max_output
        )
        more = await _more(work)
    except ModelError as error:
        return Stop("model", error.message)
    if isinstance(weighed, Stop):
        return weighed
    files = await _files(Counter(model, tools.door.counts), model.info, weighed)
    fitted, wanted = weighed.fitted, weighed.wanted
    return Outlook(
        info=model.info,
        parts=tuple(Row(name, n, _cost(model.info, n)) for name, n in fitted.tokens.items()),
        files=files,
        total=fitted.total,
        costs=wanted.costs,
        left=weighed.room - fitted.total,
        left_out=fitted.left_out,
        hidden=len(weighed.hidden),
        spent=await tools.door.spending.spent(work.turn.session),
        limits=tools.door.spending.limits(),
        more=more,
    )


async def _first(work: Work) -> Parcel | Stop:
    if work.turn.mode == "help":
        chosen = await asyncio.to_thread(manual.chosen_for, work)
        return manual.asking(work, chosen) if chosen else Stop("refused", manual.nothing())
    work.peek()
    await work.gather()
    return work.asking(())


async def _more(work: Work) -> str:
    match work.turn.mode:
        case "architect":
            editor = await work.tools.models.get("editor")
            return f"The plan goes to {editor.info.name} in a request of its own, with the files."
        case "context":
            return f"Up to {narrow.ROUNDS - 1} more requests follow, with the files named so far."
        case _:
            return ""


async def _files(counter: Counter, info: ModelInfo, weighed: Weighed) -> tuple[Shown, ...]:
    chunks = weighed.fitted.chunks
    shown = [
        *((file, True) for file in chunks.files),
        *((file, False) for file in chunks.read_only),
    ]
    tokens = await asyncio.gather(*(counter.one(file.text) for file, _ in shown))
    return tuple(
        Shown(file.path, n, _cost(info, n), editable, file.partial)
        for (file, editable), n in zip(shown, tokens, strict=True)
    )


def _cost(info: ModelInfo, tokens: int) -> float | None:
    return None if info.price_in is None else tokens * info.price_in


# --- for the user


def document(found: Outlook) -> str:
    """Markdown: the table, the files, what is left of the window and of the limits."""
    rows = [
        *_rows(found.parts),
        ("**all**", f"{found.total:,}", _price(_cost(found.info, found.total))),
    ]
    parts = [
        f"# What would be sent to {found.info.name}",
        table(("part", "tokens", "to read"), rows),
        _summary(found),
    ]
    if found.files:
        files = [
            (*row, _how(file)) for row, file in zip(_rows(found.files), found.files, strict=True)
        ]
        parts += ["## Files", table(("file", "tokens", "to read", "for"), files)]
    parts += ["## Spent", table(("", "tokens", "price", "limit"), _spent(found))]
    return "\n\n".join(parts) + "\n"


def _summary(found: Outlook) -> str:
    lines = [f"{found.left:,} tokens of the window are left."]
    if found.costs:
        usual, most = map(money, found.costs)
        lines.insert(0, f"With its answer about {usual}, {most} at most.")
    if found.more:
        lines.append(found.more)
    if found.left_out:
        lines.append(f"Left out to fit: {', '.join(found.left_out)}.")
    if found.hidden:
        lines.append(f"Secrets that would not leave: {found.hidden}.")
    return " ".join(lines)


def _rows(rows: Iterable[Row]) -> list[tuple[str, str, str]]:
    return [(row.name, f"{row.tokens:,}", _price(row.cost)) for row in rows]


def _how(file: Shown) -> str:
    for_ = "editing" if file.editable else "reading"
    return f"{for_}, a part of it" if file.partial else for_


def _spent(found: Outlook) -> Sequence[tuple[str, str, str, str]]:
    limits = found.limits

    def row(name: str, total: Total, dollars: float, tokens: int) -> tuple[str, str, str, str]:
        said = [money(dollars)] if dollars else []
        said += [f"{tokens:,} tokens without a price"] if tokens else []
        return name, f"{total.tokens:,}", money(total.dollars), ", ".join(said) or "none"

    return (
        row("this session", found.spent.session, limits.session_cost, limits.session_tokens),
        row("today", found.spent.day, limits.day_cost, limits.day_tokens),
    )


def _price(dollars: float | None) -> str:
    return "unknown" if dollars is None else f"${dollars:.4f}"
