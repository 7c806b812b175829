"""The model's word on which references serve a file best: one request a target, of five candidates at most.

It may order them anew and say what helps; it adds none. An answer is kept by what was shown, so the same candidates
are never judged twice; one that says nothing, or does not come, leaves the order as it was and is not kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import cast

from pairwright.engine.answer import Cut, read_answer
from pairwright.engine.door import Door, Parcel
from pairwright.engine.events import Stop
from pairwright.engine.ports import Models
from pairwright.llm.types import Model, ModelError
from pairwright.prompts import relate
from pairwright.prompts.build import FileText
from pairwright.reference.relations import KINDS, SCORER, Kind, Relation, Target
from pairwright.workspace.cache import Cache, key_of
from pairwright.workspace.types import Snapshot

_log = logging.getLogger(__name__)

MOST = 5
"""Candidates that are judged."""

_OUTPUT = 600
_RECIPE = f"rerank1-{SCORER}"


@dataclass(frozen=True, slots=True)
class Reranker:
    """Implements `references.Judge`. `session`: whose budget it is."""

    models: Models
    door: Door
    snapshot: Callable[[], Snapshot]
    cache: Cache
    session: str = ""

    async def judged(
        self, target: Target, found: Sequence[Relation], shown: Mapping[str, FileText]
    ) -> tuple[Relation, ...]:
        """`found` in the model's order. A small model is not asked: it cannot hold five pieces of code."""
        named = [one for one in found if f"{one.reference}/{one.path}" in shown][:MOST]
        if len(named) < 2:
            return tuple(found)
        try:
            model = await self.models.get("weak")
            if model.info.small:
                return tuple(found)
            key = _key(target, named, model.info.name)
            kept = await asyncio.to_thread(self.cache.get, key)
            answer: str | Stop = kept.decode("utf-8", "replace") if kept is not None else ""
            if kept is None:
                pieces = [shown[f"{one.reference}/{one.path}"] for one in named]
                answer = await self._asked(model, target, pieces)
        except ModelError as error:
            answer = Stop("model", error.message)
        if isinstance(answer, Stop):
            _log.info("references are in the order of their scores: %s", answer.message)
            return tuple(found)
        told = relate.read(answer, KINDS, len(named))
        if told and kept is None:
            value = {key: answer.encode("utf-8", "surrogatepass")}
            await asyncio.to_thread(self.cache.put_many, value)
        return _reordered(found, named, told, model.info.name)

    async def _asked(self, model: Model, target: Target, pieces: Sequence[FileText]) -> str | Stop:
        chunks = relate.chunks(target.path, target.contract, target.purpose, pieces)
        parcel = Parcel(
            chunks, chunks, {}, {"request": ()}, {}, session=self.session, output=_OUTPUT
        )
        ready = await self.door.prepare(model, parcel, self.snapshot(), ask=_refused)
        if isinstance(ready, Stop):
            return ready
        answer = await read_answer(self.door.send(ready), lambda event: None)
        # Lines that came before the cut are whole.
        return answer.text if isinstance(answer, Cut) else answer


async def _refused(question: str, options: Sequence[str]) -> str | None:
    # Nobody asked for this request, so nobody is asked about it.
    return None


def _key(target: Target, named: Sequence[Relation], model: str) -> bytes:
    rows = "\0".join(f"{one.reference}/{one.path} {one.digest}" for one in named)
    return key_of(sha256(rows.encode()).hexdigest(), _RECIPE, f"{target.digest} {model}")


def _reordered(
    found: Sequence[Relation], named: Sequence[Relation], told: Sequence[relate.Said], model: str
) -> tuple[Relation, ...]:
    """What the model named, in its order, then the rest."""
    first = [
        replace(
            named[one.at],
            kind=cast("Kind", one.kind),
            confidence=round(one.sure, 4),
            aspects=one.aspects or named[one.at].aspects,
            suggestion=one.how or named[one.at].suggestion,
            source=model,
        )
        for one in told
    ]
    places = {(one.reference, one.path) for one in first}
    return (*first, *(one for one in found if (one.reference, one.path) not in places))
