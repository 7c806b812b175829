"""The last rung: the one stretch of a text that is almost what SEARCH says.

Only where both its first and its last line stand, in between nearly all does, and no other stretch comes
close. What REPLACE keeps of SEARCH stays as the file has it. A guess all the same: the planner asks for it only
when it is told to, and marks what comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, pairwise

from pairwright.edits.alike import folded
from pairwright.edits.diff import Change, changes
from pairwright.edits.lines import body
from pairwright.edits.match import Fit, Pair, Text, places, shifted, without_outer_blanks

RUNG = "similarity"
# Of the characters of both, the part that stands in both.
_LEAST = 0.8
# By which the best stretch leads.
_MARGIN = 0.05
_LEAST_LINES = 3
_MOST_LINES = 400
# Beginnings that are looked at; more of them say nothing.
_MOST_ANCHORS = 30
_LONGEST = 300
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]")


def similar(text: Text, search: Sequence[bytes], replace: Sequence[bytes]) -> Fit | None:
    """The place of `search` in `text` if one alone is similar enough, lines without ends."""
    pair = without_outer_blanks((tuple(search), tuple(replace)))
    sought = [folded(line) for line in pair[0]]
    if sum(map(bool, sought)) < _LEAST_LINES or len(sought) > _MOST_LINES:
        return None
    if not _WORD.search(sought[0]):
        return None
    scored = sorted(
        (
            (_score(sought, keys), start, start + len(keys))
            for start, keys in _stretches(text, sought)
        ),
        key=lambda one: (-one[0], one[1:]),
    )
    if not scored or scored[0][0] < _LEAST:
        return None
    if len(scored) > 1 and scored[0][0] - scored[1][0] < _MARGIN:
        return None
    _, start, stop = scored[0]
    return _merged(text, start, stop, pair)


def _stretches(text: Text, sought: Sequence[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """The first line and the keys of what begins and ends like `sought` and has about as many lines."""
    size, slack = len(sought), max(1, len(sought) // 5)
    firsts = list(islice(places(text, sought[:1], folded), _MOST_ANCHORS + 1))
    if len(firsts) > _MOST_ANCHORS:
        return
    for first in firsts:
        keys = [folded(line) for line in text.lines[first : first + size + slack]]
        lasts = range(max(size - slack, 2), len(keys) + 1)
        yield from ((first, keys[:end]) for end in lasts if keys[end - 1] == sought[-1])


def _score(sought: Sequence[bytes], there: Sequence[bytes]) -> float:
    """From 0 to 1: how much of both is the same, lines that only resemble each other by their part."""
    whole = sum(map(len, sought)) + sum(map(len, there)) + len(sought) + len(there)
    same = float(whole)
    for i0, i1, j0, j1 in changes(sought, there):
        old, new = sought[i0:i1], there[j0:j1]
        same -= sum(map(len, old)) + sum(map(len, new)) + len(old) + len(new)
        if len(old) == len(new):
            pairs = zip(old, new, strict=True)
            same += sum(_alike(one, two) * (len(one) + len(two) + 2) for one, two in pairs)
    return same / whole


def _alike(one: bytes, two: bytes) -> float:
    if max(len(one), len(two)) > _LONGEST:
        return 0.0
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def _merged(text: Text, start: int, stop: int, pair: Pair) -> Fit | None:
    """What REPLACE changes of SEARCH, done to lines `start:stop`; None where it changes lines that have no
    counterpart there."""
    there = text.lines[start:stop]
    regions = changes([folded(line) for line in pair[0]], [folded(line) for line in there])
    at = _counterparts(len(pair[0]), len(there), regions)
    differ = {index for i0, i1, _, _ in regions for index in range(i0, i1)}
    same = [
        (index, line) for index, line in enumerate(at) if line is not None and index not in differ
    ]
    moved = shifted(
        [there[line] for _, line in same], (tuple(pair[0][index] for index, _ in same), pair[1])
    )
    if moved is None:
        return None
    new = [body(line) for line in there]
    for a0, a1, b0, b1 in reversed(changes(*pair)):
        span = _span(at, a0, a1, len(there))
        if span is None:
            return None
        new[span[0] : span[1]] = moved[1][b0:b1]
    here = tuple(map(body, there))
    return None if tuple(new) == here else Fit(start, stop, here, tuple(new), RUNG)


def _counterparts(size: int, there: int, regions: Sequence[Change]) -> list[int | None]:
    """For each of `size` lines the line that it stands for, if one does."""
    at: list[int | None] = []
    for (_, i0, _, j0), (i1, i2, j1, j2) in pairwise(
        [(0, 0, 0, 0), *regions, (size, size, there, there)]
    ):
        at += range(j0, j1)
        assert i1 - i0 == j1 - j0
        at += range(j1, j2) if i2 - i1 == j2 - j1 else [None] * (i2 - i1)
    return at


def _span(at: Sequence[int | None], a0: int, a1: int, size: int) -> tuple[int, int] | None:
    """The lines that stand for lines `a0:a1` of SEARCH; None if the file has lines of its own among them or
    beside them."""
    above = at[a0 - 1] if a0 else -1
    below = at[a1] if a1 < len(at) else size
    if above is None or below is None or None in at[a0:a1] or below - above - 1 != a1 - a0:
        return None
    return above + 1, below
