"""SEARCH with `...` lines that stand for lines left out: each piece has its one place, in order.

Both halves must have the same `...` lines; what they stand for stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pairwright.edits.lines import body

_DOTS = re.compile(rb"[ \t]*(?:(?://|#|--|;|/\*)[ \t]*)?(?:\.{3}|\xe2\x80\xa6)[ \t]*(?:\*/)?[ \t]*")

Lines = tuple[bytes, ...]


def pieces(lines: Sequence[bytes]) -> list[Lines]:
    """The runs of `lines` between `...` lines; one run if there are none."""
    found: list[list[bytes]] = [[]]
    for line in lines:
        if _DOTS.fullmatch(line):
            found.append([])
        else:
            found[-1].append(line)
    return [tuple(run) for run in found]


def paired(search: Sequence[bytes], replace: Sequence[bytes]) -> list[tuple[Lines, Lines]] | None:
    """The pieces of both halves side by side, outer empty ones left out; None without any `...`, or
    where the halves do not have the same."""
    old, new = pieces(search), pieces(replace)
    if len(old) < 2 or len(old) != len(new):
        return None
    both = list(zip(old, new, strict=True))
    while both and both[0] == ((), ()):
        del both[0]
    while both and both[-1] == ((), ()):
        both.pop()
    return both if both and all(any(map(bytes.strip, run)) for run, _ in both) else None


def joined(
    lines: Sequence[bytes], found: Sequence[tuple[int, int, Lines]]
) -> tuple[int, int, Lines, Lines] | None:
    """One place out of the places (start, stop, new lines) of all pieces: start, stop, the lines
    that stand there, and what they become; None if the pieces are not in order."""
    if any(one[1] > two[0] for one, two in pairwise(found)):
        return None
    start, stop = found[0][0], found[-1][1]
    new: list[bytes] = []
    at = start
    for first, behind, replace in found:
        new += (*map(body, lines[at:first]), *replace)
        at = behind
    return start, stop, tuple(map(body, lines[start:stop])), tuple(new)
