"""Code of references for a step of a task: the files most like its target, as snippets for a prompt.

Chooses by stated scores and, where the setting says so, lets the model judge the best few once a target; whatever
goes wrong with that leaves the scores' order. What comes out is untrusted data and leaves by the door like any other
text.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pairwright.config.schema import Reference as Settings
from pairwright.engine.pieces import language, lf
from pairwright.engine.task.contract import symbol
from pairwright.prompts.build import FileText
from pairwright.reference.build import Built, build, recalled
from pairwright.reference.library import Root
from pairwright.reference.licence import is_permissive
from pairwright.reference.relations import Relation, Target, relations
from pairwright.reference.search import snippet_of
from pairwright.text.estimate import estimate
from pairwright.workspace.cache import Cache

_log = logging.getLogger(__name__)

_TYPE = re.compile(r"\b(class|enum|interface|record|struct|trait|type|union)\b")
_PER_FILE = 2
_AROUND = 40
"""Tokens of the line above a snippet and of its fence."""

Shelved = Sequence[tuple[Root, Built]]


class Shelf(Protocol):
    """The references at hand."""

    async def ready(self) -> Shelved:
        """All of them that can be had, their indexes up to date; raises nothing but CancelledError."""
        ...


class OwnShelf:
    """A shelf for a command line, which waits anyway: indexes are made in this process. `roots`: the references of
    this moment; `progress`: told how far one is that has to be made."""

    def __init__(
        self,
        roots: Callable[[], Sequence[Root]],
        cache: Cache,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._roots = roots
        self._cache = cache
        self._progress = progress
        self._built: dict[Root, Built] = {}

    async def ready(self) -> Shelved:
        """All that can be read."""
        return await asyncio.to_thread(self._ready)

    def _ready(self) -> Shelved:
        found: list[tuple[Root, Built]] = []
        for root in self._roots():
            try:
                found.append((root, self._of(root)))
            except OSError as error:
                _log.warning("the reference %s is left out: %s", root.name, error)
        self._built = dict(found)
        return found

    def _of(self, root: Root) -> Built:
        before = self._built.get(root)
        found = recalled(root.path, self._cache, root.subtree, before)
        return found or build(root.path, self._cache, root.subtree, self._progress)


class Judge(Protocol):
    """Judges relations once more."""

    async def judged(
        self, target: Target, found: Sequence[Relation], shown: Mapping[str, FileText]
    ) -> tuple[Relation, ...]:
        """`found` in an order of its own, or as it is where it has none. `shown`: a snippet by `reference/path`."""
        ...


@dataclass(frozen=True, slots=True)
class Examples:
    """Implements `task.ports.References`. `cache`: keeps what was judged of a text."""

    shelf: Shelf
    settings: Settings
    cache: Cache
    judge: Judge | None = None

    async def for_target(
        self, path: str, contract: Sequence[str], purpose: str, budget: int
    ) -> tuple[FileText, ...]:
        """Snippets for a step about `path`; none where nothing matches, or where there are no references."""
        if budget <= _AROUND:
            return ()
        built = await self.shelf.ready()
        target = target_of(path, contract, purpose)
        found = await self.related(target, built)
        return await asyncio.to_thread(self.shown, found, built, budget)

    async def related(self, target: Target, built: Shelved) -> tuple[Relation, ...]:
        """The files most like `target`, best first."""
        found = await asyncio.to_thread(relations, target, built, self.cache)
        if self.judge is None or not found:
            return found
        texts = await asyncio.to_thread(self._each, found, built)
        return await self.judge.judged(target, found, texts)

    def shown(self, found: Sequence[Relation], built: Shelved, budget: int) -> tuple[FileText, ...]:
        """The best definition of each of `found`, then their second ones, in `budget` tokens. Reads texts."""
        texts: list[FileText] = []
        for at in range(_PER_FILE):
            for one in found:
                if at < len(one.hits) and budget > _AROUND:
                    text = self._text(one, at, built, budget - _AROUND)
                    if text is not None:
                        budget -= estimate(text.text) + _AROUND
                        texts.append(text)
        return tuple(texts)

    def _each(self, found: Sequence[Relation], built: Shelved) -> dict[str, FileText]:
        texts = ((one, self._text(one, 0, built, self.settings.tokens // 5)) for one in found)
        return {f"{one.reference}/{one.path}": text for one, text in texts if text is not None}

    def _text(self, one: Relation, at: int, built: Shelved, left: int) -> FileText | None:
        """A definition of `one`, or what may be said of it."""
        root, index = next(pair for pair in built if pair[0].name == one.reference)
        may_show = self.settings.licences == "all" or is_permissive(root.licence)
        found = snippet_of(root, index, one.hits[at], left if may_show else None, estimate)
        if found is None or (may_show and not found.text):
            return None
        place = f"{root.name}/{one.path}:{found.first}-{found.last}"
        said = [one.kind.replace("_", " "), f"revision {root.revision}", f"licence {root.licence}"]
        text = lf(found.text)
        if not may_show:
            text = f"{found.kind} {found.name}\n"
            said.append("described only")
        note = "; ".join((*said, *((found.why,) if may_show and found.why else ()), one.suggestion))
        return FileText(place, text, language(one.path) if may_show else "", note=note)


def target_of(path: str, contract: Sequence[str], purpose: str) -> Target:
    """The target that an entry of a plan describes."""
    named = ((symbol(line), bool(_TYPE.search(line.partition("(")[0]))) for line in contract)
    names = tuple(dict.fromkeys((name, is_type) for name, is_type in named if name))
    return Target(path, purpose, tuple(contract), names)
