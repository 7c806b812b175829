"""A ranking as map text inside a hard token budget.

Definitions are chosen one by one, best first, and shown file by file:

    path/of/file.py:
    class Enclosing:
    …
        def chosen(self, argument):

Lines not shown between two rows of a file leave one gap row; what lies above the first and below
the last needs none. Bare paths follow where there is room: the files that tell most about the
repository, then those without a chosen definition.
Knows no models: counting comes in as a function, which need not be additive. The same input gives
the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from heapq import heappop, heappush

from pairwright.graph.types import Ranking
from pairwright.render.fit import fit
from pairwright.render.important import important
from pairwright.render.sheet import Definer, Sheet, Unit
from pairwright.render.types import Place, RepoMap, Source

OFF = "The repo map is off: its budget is 0 tokens."
NO_FILES = "The repo map is empty: no files are indexed yet."
NO_DEFINITIONS = "The repo map lists files only: no definitions found yet outside the chat."
TOO_SMALL = (
    "The repo map is empty: its budget of {budget} tokens is too small for one definition. "
    "Raise the budget; 1,024 is usual."
)

SIGNATURE_SHARE = 0.5
"""Further rows of a signature compete for room as a definition of this share of the score would: the
best definitions are shown with all parameters, and of the others more fit in."""


def render(
    ranking: Ranking,
    source: Callable[[str], Source | None],
    budget: int,
    count: Callable[[str], int],
    *,
    chat: tuple[str, ...] = (),
    skip: Collection[Place] = (),
    paths: bool = True,
    guess: Callable[[str], int] | None = None,
) -> RepoMap:
    """The map of `ranking` in at most `budget` tokens, as `count` measures its whole text.

    `source` is asked only for files whose definitions are considered; None leaves a file without
    definitions. `chat`: files sent whole, left out altogether. `skip`: definitions shown elsewhere
    in the same prompt, left out unless they enclose a chosen one. `paths`: list files in the
    room that is left. `count` is called some dozens of times at most, on whole texts; `guess`
    once on each distinct row (None: `count` does that as well).
    """
    if budget <= 0:
        return RepoMap("", 0, max(budget, 0), (), OFF)
    if not ranking.files:
        return RepoMap("", 0, budget, (), NO_FILES)
    definer = Definer(source)
    hidden = frozenset(chat)
    sheet = Sheet(definer)
    definitions = _definitions(ranking, definer, hidden, frozenset(skip))
    sheet, tokens, seen = fit(sheet, 0, definitions, budget, count, guess or count)
    bare = (Unit(path, None) for path in _listed(ranking, hidden, paths))
    sheet, tokens, listed = fit(sheet, tokens, bare, budget, count, guess or count)
    reason = ""
    if not seen and listed:
        reason = NO_DEFINITIONS
    if not sheet.units and (seen or listed):
        reason = TOO_SMALL.format(budget=budget)
    return RepoMap(sheet.text(), tokens, budget, sheet.shown(), reason)


def _listed(ranking: Ranking, hidden: frozenset[str], paths: bool) -> Iterator[str]:
    """What the room that definitions leave is used for: the root's telling files, then the others
    best first."""
    if not paths:
        return
    tops = ranking.tops if ranking.tops is not None else [path for path, _ in ranking.files]
    told = important(path for path in tops if path not in hidden)
    yield from told
    seen = hidden.union(told)
    yield from (path for path, _ in ranking.files if path not in seen)


def _definitions(
    ranking: Ranking, definer: Definer, hidden: frozenset[str], skip: frozenset[Place]
) -> Iterator[Unit]:
    """Definitions best first, each by its own row, and further rows of its signature where their
    part of the score puts them; where all of a name are ranked as one, each gets its part of the
    score."""
    waiting: list[tuple[float, str, int, bool]] = []
    for ranked in ranking.definitions:
        while waiting and waiting[0][:2] < (-ranked.score, ranked.path):
            yield Unit(*heappop(waiting)[1:])
        outline = None if ranked.path in hidden else definer.outline(ranked.path)
        if outline is None:
            continue
        numbers = outline.numbers(ranked.name, ranked.nth)
        for number in numbers:
            if not skip or outline.place(ranked.path, number) not in skip:
                score = ranked.score / len(numbers)
                heappush(waiting, (-score, ranked.path, number, False))
                if outline.is_long(number):
                    heappush(waiting, (-score * SIGNATURE_SHARE, ranked.path, number, True))
    while waiting:
        yield Unit(*heappop(waiting)[1:])
