"""Mode help: questions about Pairwright, answered from its own pages, which come with it. Nothing is fetched.

The sections that share most with the question go to the model, with the names of their pages; the answer names the
pages it is from. Nothing of the workspace is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from pairwright.engine.answer import Cut
from pairwright.engine.continuation import answered
from pairwright.engine.door import Parcel
from pairwright.engine.events import Done, Outcome, Said, Stop
from pairwright.engine.work import Work
from pairwright.prompts.build import Chunks
from pairwright.prompts.manual import Section, found, sections
from pairwright.text.estimate import estimate

ROOM = 3_000
SMALL_ROOM = 350
"""Tokens of the pages that are sent."""
_MOST = 8
"""Sections, however short."""
_LEFT_OUT = ("benchmarks.md",)


async def explained(work: Work) -> Outcome:
    """The answer, with the pages it is from. Raises ModelError."""
    chosen = await asyncio.to_thread(chosen_for, work)
    if not chosen:
        return Done(nothing())
    parcel = asking(work, chosen)
    # What a small model has not said by its limit is not worth another half minute.
    sent = await (work.send(parcel) if work.model.info.small else answered(work, parcel))
    if isinstance(sent, Stop):
        return sent
    answer = sent[0].text if isinstance(sent[0], Cut) else sent[0]
    from_ = _from(answer, chosen)
    if from_:
        work.tools.emit(Said(from_))
    return Done(answer + from_)


def nothing() -> str:
    """What is said where no section has to do with a question."""
    return f"The manual says nothing of that. Its pages: {', '.join(sorted(pages()))}."


def chosen_for(work: Work) -> tuple[Section, ...]:
    """The sections that the request of `work` is answered from. Reads the pages: run it in a thread."""
    info = work.model.info
    room = SMALL_ROOM if info.small else min(ROOM, info.window // 4)
    return relevant(work.turn.instruction, room)


def asking(work: Work, chosen: Sequence[Section]) -> Parcel:
    """The request: the question and the sections, nothing of the workspace."""
    info, turn = work.model.info, work.turn
    chunks = Chunks(
        mode="help",
        request=turn.instruction,
        manual="\n\n".join(section.shown for section in chosen),
        brief=info.small,
        reminder="none",
        prefix=info.prefix,
    )
    return Parcel(chunks, chunks, {}, {"request": ()}, {}, (), turn.session)


def relevant(question: str, room: int) -> tuple[Section, ...]:
    """The sections that a question is answered from, the best first, in at most `room` tokens; one at least, if any
    has to do with it."""
    chosen: list[Section] = []
    for section in found(all_sections(), question)[:_MOST]:
        room -= estimate(section.shown)
        if room < 0 and chosen:
            break
        chosen.append(section)
    return tuple(chosen)


@cache
def all_sections() -> tuple[Section, ...]:
    """The sections of all pages."""
    return sections(pages())


@cache
def pages() -> dict[str, str]:
    """The pages by name: those of the package, in a checkout those that it is built from."""
    packed = files("pairwright").joinpath("manual")
    root = Path(__file__).parents[3]
    places = (
        [*packed.iterdir()] if packed.is_dir() else [*(root / "docs").iterdir(), root / "README.md"]
    )
    kept = {place.name: place for place in places if place.name.endswith(".md")}
    return {
        name: kept[name].read_text(encoding="utf-8")
        for name in sorted(kept)
        if name not in _LEFT_OUT
    }


def _from(answer: str, chosen: tuple[Section, ...]) -> str:
    """The pages behind an answer that names none itself."""
    names = tuple(dict.fromkeys(section.page for section in chosen))
    if any(name in answer for name in names):
        return ""
    return f"\n\n(From {', '.join(names)}.)"
