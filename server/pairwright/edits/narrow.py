"""Which of several places a block means, by what it says beside the lines it quotes.

Only settles: a SEARCH that stands in one place needs no word about it, and of several the ones that
disagree are left out. What is left may still be more than one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol, TypeVar

from pairwright.edits.lines import BLANKS, body
from pairwright.edits.types import Where


class Place(Protocol):
    """Lines `start:stop` of a text."""

    @property
    def start(self) -> int: ...

    @property
    def stop(self) -> int: ...


_P = TypeVar("_P", bound=Place)


def narrowed(
    lines: Sequence[bytes], places: Sequence[_P], where: Where, below: int = 0
) -> list[_P]:
    """Those of `places` (ascending) in `lines` that agree with `where`; all of them if none does.
    `below`: the line behind the block before."""
    left = list(places)
    if len(left) > 1 and where.at_end:
        left = [place for place in left if place.stop == len(lines)] or left
    if len(left) > 1 and where.scopes:
        left = _below_scopes(lines, left, where.scopes) or left
    if len(left) > 1 and where.below:
        left = [place for place in left if place.start >= below] or left
    return left


def anchors(lines: Sequence[bytes], scopes: Sequence[str]) -> list[int]:
    """The lines that the last of `scopes` means, each found below the ones before it; ascending.

    A scope is a line without its outer blanks, or, where there is no such line, its beginning.
    """
    bare = [body(line).strip(BLANKS) for line in lines]
    found: list[int] | None = None
    for scope in scopes:
        sought = scope.strip().encode("utf-8", "surrogatepass")
        at = [number for number, line in enumerate(bare) if line == sought]
        at = at or [number for number, line in enumerate(bare) if line.startswith(sought)]
        if found is not None:
            # The first one below each place found so far.
            behind = (bisect_right(at, above) for above in found)
            at = sorted({at[next_] for next_ in behind if next_ < len(at)})
        found = at
    return found or []


def _below_scopes(lines: Sequence[bytes], places: list[_P], scopes: Sequence[str]) -> list[_P]:
    """The first of `places` below each anchor."""
    starts = [place.start for place in places]
    firsts = {bisect_left(starts, anchor) for anchor in anchors(lines, scopes)}
    return [places[at] for at in sorted(firsts) if at < len(places)]
