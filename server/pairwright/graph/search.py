"""Names found by a few of their letters: fuzzy search over all names of a repository.

A query matches a name that has its letters in order. All names are looked at at once, as columns of
bytes, for a coarse order; the best of it are scored one by one. Pure: names in, names out, the same
for the same names whatever their order. numpy is imported at the first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.engine import Graph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

CLOSE_LOOK = 400
"""Names that are scored one by one; of more matches the coarse order chooses."""

MATCH = 1
RUN = 4
WORD_START = 3
NAME_START = 3
SAME_CASE = 1
GAP = -1
"""Points of a matched letter: for itself, for following the one before, for beginning a word of the
name (`_x`, `xY`, `x1`), for beginning the name; for the case, if the query has capitals; and for a
gap before it."""

_LONGEST_QUERY = 64
_SEPARATOR = 10


class Found(NamedTuple):
    """A name and its points; the order of results is (-points, length, name)."""

    name: str
    points: int


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Names as columns. `text`: lower-cased UTF-8 of all names, a line feed behind each; `starts[i]`
    and `ends[i]` bound name `i`. `word`: where a word begins. `letters[i]`: one bit for each kind of
    byte in name `i`."""

    names: Sequence[str]
    text: NDArray[np.uint8]
    word: Flags
    starts: Ints
    ends: Ints
    letters: NDArray[np.uint64]

    @classmethod
    def of(cls, names: Iterable[str]) -> Names:
        """The columns of `names`, each once. Costs about a microsecond a name."""
        import numpy as np

        wanted = sorted({name for name in names if name and "\n" not in name})
        raw = [_encoded(name) for name in wanted]
        text = np.frombuffer(b"\n".join((*raw, b"")), np.uint8)
        lower = [_encoded(_lowered(name)) for name in wanted]
        small = np.frombuffer(b"\n".join((*lower, b"")), np.uint8)
        ends = np.flatnonzero(text == _SEPARATOR)
        starts = np.concatenate((np.zeros(min(1, len(ends)), np.int64), ends[:-1] + 1))
        bits = _bit_of_byte()[small]
        letters = np.bitwise_or.reduceat(bits, starts) if len(starts) else bits
        return cls(wanted, small, _word_starts(text), starts, ends, letters)

    def search(self, query: str, limit: int) -> tuple[Found, ...]:
        """The best `limit` names that have the letters of `query` in order, best first; none for an
        empty query."""
        wanted = _encoded(query.lower())[:_LONGEST_QUERY]
        if not wanted or not len(self.starts) or b"\n" in wanted:
            return ()
        chosen = self._coarse(wanted)
        found = [Found(self.names[at], points(query, self.names[at])) for at in chosen.tolist()]
        found.sort(key=lambda item: (-item.points, len(item.name), item.name))
        return tuple(found[:limit])

    def _coarse(self, wanted: bytes) -> Ints:
        """Numbers of at most CLOSE_LOOK matching names, likely the best."""
        import numpy as np

        bits = np.bitwise_or.reduce(_bit_of_byte()[np.frombuffer(wanted, np.uint8)])
        near = np.flatnonzero((self.letters & bits) == bits)
        some = self if len(near) * 2 > len(self.starts) else self._only(near)
        numbers, gaps = some._spread(wanted)
        tier = some._tiers(wanted)[numbers]
        length = (some.ends - some.starts)[numbers]
        order = np.lexsort((numbers, length, gaps, -tier))[:CLOSE_LOOK]
        best = numbers[order]
        return best if some is self else near[best]

    def _only(self, near: Ints) -> Names:
        """The columns of the names `near` alone; their names stay behind."""
        import numpy as np

        sizes = self.ends[near] - self.starts[near] + 1
        ends = np.cumsum(sizes) - 1
        starts = ends + 1 - sizes
        at = np.arange(int(sizes.sum())) + np.repeat(self.starts[near] - starts, sizes)
        return Names((), self.text[at], self.word[at], starts, ends, self.letters[near])

    def _spread(self, wanted: bytes, only: Flags | None = None) -> tuple[Ints, Ints]:
        """Numbers of the names that have the letters in order, taken as early as possible, and how
        many other letters lie between. `only`: letters count at these places alone."""
        import numpy as np

        numbers = np.arange(len(self.starts))
        at, ends = self.starts.copy(), self.ends
        first = at
        for index, letter in enumerate(wanted):
            is_there = self.text == letter
            places = np.append(
                np.flatnonzero(is_there if only is None else is_there & only), 1 << 62
            )
            at = places[np.searchsorted(places, at)]
            inside = at < ends
            numbers, at, ends, first = numbers[inside], at[inside], ends[inside], first[inside]
            if index == 0:
                first = at
            at = at + 1
        return numbers, at - first - len(wanted)

    def _tiers(self, wanted: bytes) -> Ints:
        """By name: 5 is it, 4 begins with it, 3 has it at the start of a word, 2 has its letters at
        starts of words, 1 has it somewhere, 0 else."""
        import numpy as np

        size = len(self.text) - len(wanted) + 1
        hit = np.ones(max(size, 0), np.bool_)
        for index, letter in enumerate(wanted):
            hit &= self.text[index : index + len(hit)] == letter
        places = np.flatnonzero(hit)
        owner = np.searchsorted(self.starts, places, side="right") - 1
        tier = np.zeros(len(self.starts), np.int64)
        tier[owner] = 1
        tier[self._spread(wanted, self.word)[0]] = 2
        at_word = self.word[places]
        tier[owner[at_word]] = 3
        begins = places == self.starts[owner]
        tier[owner[begins]] = 4
        whole = begins & (places + len(wanted) == self.ends[owner])
        tier[owner[whole]] = 5
        return tier


def points(query: str, name: str) -> int:
    """What `name` is worth for `query`; -1 if it does not have the letters in order.

    Each letter of the query takes, as far as the rest still fits behind it: the place right after
    the one before, else the next start of a word, else the next place.
    """
    small, wanted = _lowered(name), query.lower()
    latest = _latest(wanted, small)
    if latest is None:
        return -1
    has_capitals = query != wanted and len(query) == len(wanted)
    total, last = 0, -1
    for index, letter in enumerate(wanted):
        at = _place(small, name, letter, last, latest[index])
        total += MATCH
        if index and at == last + 1:
            total += RUN
        elif index:
            total += GAP
        if at == 0:
            total += NAME_START
        if _begins_word(name, at):
            total += WORD_START
        if has_capitals and name[at] == query[index]:
            total += SAME_CASE
        last = at
    return total


def defined(graph: Graph) -> list[str]:
    """Every name that some file of `graph` defines, sorted; a few nobody defines any more may be
    among them."""
    table, over = graph.layers()
    names: list[str] = []
    if table is not None:
        import numpy as np

        names = list(compress(table.names, (np.diff(table.defs.ends) > 0).tolist()))
    fresh = {name for row in over.values() if row is not None for name in row.defs}
    return sorted(fresh.union(names)) if fresh else names


def _latest(wanted: str, small: str) -> list[int] | None:
    """For each letter the last place at which it and all behind it still fit."""
    found = [0] * len(wanted)
    end = len(small)
    for index in range(len(wanted) - 1, -1, -1):
        end = small.rfind(wanted[index], 0, end)
        if end < 0:
            return None
        found[index] = end
    return found


def _place(small: str, name: str, letter: str, last: int, latest: int) -> int:
    if last >= 0 and last + 1 <= latest and small[last + 1] == letter:
        return last + 1
    first = at = small.find(letter, last + 1, latest + 1)
    while at >= 0:
        if _begins_word(name, at):
            return at
        at = small.find(letter, at + 1, latest + 1)
    return first


def _begins_word(name: str, at: int) -> bool:
    """Whether a word begins at `at`: a letter or digit behind another kind, or a capital behind a
    small letter or before one."""
    here = name[at]
    if not here.isalnum():
        return False
    if at == 0:
        return True
    before = name[at - 1]
    if not before.isalnum() or here.isdigit() != before.isdigit():
        return True
    if not here.isupper():
        return False
    after = name[at + 1 : at + 2]
    return not before.isupper() or after.islower()


def _word_starts(text: NDArray[np.uint8]) -> Flags:
    """`_begins_word` for every byte of `text`, bytes beyond ASCII counted as small letters."""
    import numpy as np

    digit = (text >= 48) & (text <= 57)
    upper = (text >= 65) & (text <= 90)
    lower = ((text >= 97) & (text <= 122)) | (text >= 128)
    plain = digit | upper | lower
    before = np.zeros(len(text), np.bool_)
    before[1:] = plain[:-1]
    was_digit, was_upper = np.zeros_like(before), np.zeros_like(before)
    was_digit[1:], was_upper[1:] = digit[:-1], upper[:-1]
    then_lower = np.zeros_like(before)
    then_lower[:-1] = lower[1:]
    hump = upper & (~was_upper | then_lower)
    starts: Flags = plain & (~before | (digit != was_digit) | hump)
    return starts


def _lowered(name: str) -> str:
    """`name` in small letters where that keeps its length in characters and in bytes, so that places
    mean the same in both."""
    small = name.lower()
    if name.isascii():
        return small
    same = len(small) == len(name) and len(_encoded(small)) == len(_encoded(name))
    return small if same else name


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _bit_of_byte() -> NDArray[np.uint64]:
    """A bit for each byte: letters and digits have their own, all others share the rest."""
    import numpy as np

    shift = np.arange(256, dtype=np.uint64) % np.uint64(27) + np.uint64(37)
    shift[97:123] = np.arange(26, dtype=np.uint64)
    shift[48:58] = np.arange(26, 36, dtype=np.uint64)
    shift[95] = 36
    bits: NDArray[np.uint64] = np.left_shift(np.uint64(1), shift)
    return bits
