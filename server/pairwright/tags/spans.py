"""Byte ranges and what edits do to them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from pairwright.tags.types import Definition, Tags
from pairwright.text.document import Edit

Span = tuple[int, int]
"""First and last offset of a range; both ends count as touching it."""

# A query per span: beyond this many one query over all of them is cheaper.
_MANY = 16
_ABOVE = 1 << 62


def merged(spans: Iterable[Span]) -> list[Span]:
    """`spans` sorted, those that touch made one."""
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def few(spans: Iterable[Span]) -> list[Span]:
    """`spans` merged; what lies between them included when they are many."""
    found = merged(spans)
    return found if len(found) <= _MANY else [(found[0][0], found[-1][1])]


def meets(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Whether `start:end` touches one of `spans`, which are merged."""
    # The last span that begins at or before `end`; sentinel above any offset.
    index = bisect_right(spans, (end, _ABOVE)) - 1
    return index >= 0 and spans[index][1] >= start


def parted(
    defs: Iterable[Definition], spans: Sequence[Span]
) -> tuple[list[Definition], list[Definition]]:
    """Those of `defs` that touch one of the merged `spans`, and the others."""
    met: list[Definition] = []
    rest: list[Definition] = []
    if len(spans) == 1:
        # As while typing: asked of every definition at every keystroke.
        low, high = spans[0]
        for item in defs:
            (rest if item[4] < low or item[3] > high else met).append(item)
    else:
        for item in defs:
            (met if meets(item.start, item.end, spans) else rest).append(item)
    return met, rest


def whole_lines(low: int, high: int, source: bytes) -> Span:
    """The lines of `low:high`; also the line before when `low` begins a line, for what was joined to it."""
    first = source.rfind(b"\n", 0, max(low - 1, 0)) + 1
    last = source.find(b"\n", high)
    return first, len(source) if last < 0 else last


def touched(edits: Sequence[Edit]) -> list[Span]:
    """What each edit wrote, in offsets of the text behind the last one."""
    found: list[Span] = []
    for edit in edits:
        found = [(_low(low, edit), _high(high, edit)) for low, high in found]
        found.append((edit.start, edit.new_end))
    return found


def moved(at: int, edits: Sequence[Edit]) -> int:
    """Where `edits` bring the offset `at`; the start of what was written over it if it is gone."""
    for edit in edits:
        at = _low(at, edit)
    return at


def shifted(tags: Tags, edits: Sequence[Edit]) -> tuple[Sequence[Definition], Sequence[int]]:
    """Definitions and reference offsets of `tags` moved by `edits`; what lay inside one is moved to its
    ends, so that it touches what the edit wrote."""
    defs: Sequence[Definition] = tags.defs
    refs: Sequence[int] = tags.ref_starts
    for edit in edits:
        delta = edit.new_end - edit.old_end
        start, old_end = edit.start, edit.old_end
        defs = [
            item
            if item[4] < start
            else _moved(item, edit)
            if item[3] <= start or item[3] < old_end
            else Definition(
                item[0],
                item[1],
                item[2] + delta,
                item[3] + delta,
                item[4] + delta,
                item[5] + delta,
            )
            for item in defs
        ]
        refs = [at if at <= start else at + delta if at >= old_end else start for at in refs]
    return defs, refs


def _moved(item: Definition, edit: Edit) -> Definition:
    name, kind, name_start, start, end, body = item
    return Definition(
        name,
        kind,
        _low(name_start, edit),
        _low(start, edit),
        _high(end, edit),
        _low(body, edit),
    )


def _low(at: int, edit: Edit) -> int:
    if at <= edit.start:
        return at
    return at + edit.new_end - edit.old_end if at >= edit.old_end else edit.start


def _high(at: int, edit: Edit) -> int:
    if at < edit.start:
        return at
    return at + edit.new_end - edit.old_end if at >= edit.old_end else edit.new_end
