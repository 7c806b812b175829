"""Line differences of two texts, and their application. Whole lines, ends included.

Small gaps are diffed exactly. In large ones the lines that are unique on both sides are fixed
points (patience diff, Cohen 2003) and part them; a large gap without any becomes one hunk. So the
cost stays near linear.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from pairwright.edits.lines import offsets, split
from pairwright.edits.types import Hunk

# Lines times lines up to which a gap is diffed exactly.
_EXACT = 60_000

Change = tuple[int, int, int, int]
"""Lines `a0:a1` of the text before became lines `b0:b1`."""


def diff(before: bytes, after: bytes) -> tuple[Hunk, ...]:
    """Hunks that turn `before` into `after`: ascending, disjoint, never adjacent, none without
    effect."""
    if before == after:
        return ()
    old, new = split(before), split(after)
    old_at, new_at = offsets(old), offsets(new)
    return tuple(
        Hunk(old_at[a0], old_at[a1], after[new_at[b0] : new_at[b1]])
        for a0, a1, b0, b1 in changes(old, new)
    )


def apply(before: bytes, hunks: Sequence[Hunk]) -> bytes:
    """`before` with all `hunks` done. Raises ValueError if they are not ascending, disjoint and
    inside."""
    pieces: list[bytes] = []
    at = 0
    for hunk in hunks:
        if not at <= hunk.start <= hunk.end <= len(before):
            raise ValueError(
                f"hunk {hunk.start}:{hunk.end} overlaps another or lies outside the text"
            )
        pieces += (before[at : hunk.start], hunk.new)
        at = hunk.end
    return b"".join((*pieces, before[at:]))


def select(before: bytes, hunks: Sequence[Hunk], chosen: Collection[int]) -> bytes:
    """`before` with the hunks of the indexes `chosen` done. Raises IndexError on an unknown
    index."""
    return apply(before, [hunks[index] for index in sorted(set(chosen))])


def changes(old: Sequence[bytes], new: Sequence[bytes]) -> list[Change]:
    """The changed line ranges, ascending, joined where they touch."""
    merged: list[Change] = []
    for a0, a1, b0, b1 in sorted(_gaps(old, new)):
        if merged and merged[-1][1] == a0 and merged[-1][3] == b0:
            a0, _, b0, _ = merged.pop()
        merged.append((a0, a1, b0, b1))
    return merged


def _gaps(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Change]:
    pending = [(0, len(old), 0, len(new))]
    while pending:
        a0, a1, b0, b1 = _trim(old, new, *pending.pop())
        if a0 == a1 and b0 == b1:
            continue
        if a0 == a1 or b0 == b1:
            yield a0, a1, b0, b1
            continue
        if (a1 - a0) * (b1 - b0) <= _EXACT:
            for i0, i1, j0, j1 in _shortest(old[a0:a1], new[b0:b1]):
                yield a0 + i0, a0 + i1, b0 + j0, b0 + j1
            continue
        fixed = _fixed_points(old, new, a0, a1, b0, b1)
        if not fixed:
            yield a0, a1, b0, b1
            continue
        for a, b in fixed:
            pending.append((a0, a, b0, b))
            a0, b0 = a + 1, b + 1
        pending.append((a0, a1, b0, b1))


def _shortest(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[Change]:
    """The fewest single-line steps from `old` to `new` (Myers 1986, the greedy algorithm), last
    first."""
    size, offset = len(old) + len(new), len(old) + len(new) + 1
    reach = [0] * (2 * size + 3)
    trace: list[list[int]] = []
    for depth in range(size + 1):
        trace.append(reach[offset - depth - 1 : offset + depth + 2])
        for k in range(-depth, depth + 1, 2):
            down = k == -depth or (k != depth and reach[offset + k - 1] < reach[offset + k + 1])
            a = reach[offset + k + 1] if down else reach[offset + k - 1] + 1
            while a < len(old) and a - k < len(new) and old[a] == new[a - k]:
                a += 1
            reach[offset + k] = a
            if a >= len(old) and a - k >= len(new):
                yield from _steps(trace, len(old), len(new))
                return


def _steps(trace: Sequence[Sequence[int]], a: int, b: int) -> Iterator[Change]:
    """The way back through `trace`, whose row d holds the reach on diagonals -d-1 to d+1."""
    for depth in range(len(trace) - 1, 0, -1):
        row, k = trace[depth], a - b
        at = k + depth + 1
        down = k == -depth or (k != depth and row[at - 1] < row[at + 1])
        before = row[at + 1] if down else row[at - 1]
        if down:
            yield before, before, before - k - 1, before - k
            a, b = before, before - k - 1
        else:
            yield before, before + 1, before - k + 1, before - k + 1
            a, b = before, before - k + 1


def _trim(
    old: Sequence[bytes], new: Sequence[bytes], a0: int, a1: int, b0: int, b1: int
) -> tuple[int, int, int, int]:
    while a0 < a1 and b0 < b1 and old[a0] == new[b0]:
        a0, b0 = a0 + 1, b0 + 1
    while a0 < a1 and b0 < b1 and old[a1 - 1] == new[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
    return a0, a1, b0, b1


def _fixed_points(
    old: Sequence[bytes], new: Sequence[bytes], a0: int, a1: int, b0: int, b1: int
) -> list[tuple[int, int]]:
    """The longest ascending run of lines that occur exactly once on both sides."""
    ours = _unique(old, a0, a1)
    theirs = _unique(new, b0, b1)
    pairs = [(at, theirs[line]) for line, at in ours.items() if line in theirs]
    tails: list[int] = []
    ends: list[int] = []
    links: list[int] = []
    for index, (_, b) in enumerate(pairs):
        place = bisect_left(tails, b)
        links.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [b]
        ends[place : place + 1] = [index]
    run: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        run.append(pairs[index])
        index = links[index]
    return run[::-1]


def _unique(lines: Sequence[bytes], start: int, stop: int) -> dict[bytes, int]:
    """Line -> index of those that occur once in `start:stop`, ascending."""
    at: dict[bytes, int] = {}
    for index in range(start, stop):
        line = lines[index]
        at[line] = -1 if line in at else index
    return {line: index for line, index in at.items() if index >= 0}
