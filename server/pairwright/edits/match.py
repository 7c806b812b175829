"""Where the lines of a SEARCH stand in a text: a ladder of ever looser readings, each only if
unique.

The ladder is data: a rung is one entry of LADDER. A rung that finds more than one place ends the
climb, since a looser one could only hide the ambiguity. Knows no formats and no paths.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from pairwright.edits.alike import carried, plain
from pairwright.edits.elide import joined, paired
from pairwright.edits.lines import BLANKS, body, is_blank, offsets, split
from pairwright.edits.narrow import narrowed
from pairwright.edits.types import ANYWHERE, Where

# Places listed in a refusal.
MOST_PLACES = 10
# Places that fit without indentation and are looked at line by line.
_MOST_CANDIDATES = 1000

Reduce = Callable[[bytes], bytes]
"""A line, its end included or not, to what is compared of it."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text as lines with their ends, and what the rungs look at, derived once for each rung."""

    lines: tuple[bytes, ...]
    starts: tuple[int, ...]
    _views: dict[Reduce, bytes] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, data: bytes) -> Text:
        """The lines of `data`."""
        return cls.of_lines(split(data))

    @classmethod
    def of_lines(cls, lines: Sequence[bytes]) -> Text:
        """A text put together from whole `lines`."""
        return cls(tuple(lines), tuple(offsets(lines)))

    def view(self, reduce: Reduce) -> bytes:
        """All lines under `reduce`, each between two LFs."""
        if reduce not in self._views:
            whole = self._whole() if reduce is body else self.view(body)
            if _CHANGES.get(reduce, bool)(whole):
                whole = b"\n".join((b"", *map(reduce, self.lines), b""))
            self._views[reduce] = whole
        return self._views[reduce]

    def _whole(self) -> bytes:
        whole = b"".join((b"\n", *self.lines))
        if b"\r" in whole:
            return b"\n".join((b"", *map(body, self.lines), b""))
        # The LF behind a last line without one is added.
        return whole if whole.endswith(b"\n") else whole + b"\n"


def _ends_in_blanks(whole: bytes) -> bool:
    return b" \n" in whole or b"\t\n" in whole


@dataclass(frozen=True, slots=True)
class Fit:
    """Lines `start:stop` of the text are what SEARCH means. `replace`: the REPLACE lines fit for
    the place. `search`: the SEARCH lines that pair with `start:stop`, written as in `replace`.
    `rung`: how it was found."""

    start: int
    stop: int
    search: tuple[bytes, ...]
    replace: tuple[bytes, ...]
    rung: str


@dataclass(frozen=True, slots=True)
class Miss:
    """No single place. `places`: first lines (from 0) where it fits equally well, empty if
    nowhere."""

    places: tuple[int, ...]
    rung: str = ""


Pair = tuple[tuple[bytes, ...], tuple[bytes, ...]]


@dataclass(frozen=True, slots=True)
class Rung:
    """One reading: lines compared under `reduce`; `adapt(file lines, search, replace)` gives SEARCH
    and REPLACE as they must read at a place, or None where the place does not fit after all."""

    name: str
    reduce: Reduce
    adapt: Callable[[Sequence[bytes], Pair], Pair | None]
    trims: bool = False


def find(
    text: Text,
    search: Sequence[bytes],
    replace: Sequence[bytes],
    within: tuple[int, int] | None = None,
    where: Where = ANYWHERE,
    below: int = 0,
) -> Fit | Miss:
    """The one place of `search` in `text`, lines without ends. Where several fit, those win that
    lie in the lines of the bytes `within`, then those that agree with `where`; `below`: the line
    behind the block before."""
    whole: Pair = (tuple(search), tuple(replace))
    bare = without_outer_blanks(whole)

    def narrow(fits: list[Fit]) -> list[Fit]:
        if len(fits) > 1 and within is not None:
            inside = [fit for fit in fits if _is_inside(text, fit, within)]
            fits = inside if len(inside) == 1 else fits
        if len(fits) > 1 and where is not ANYWHERE:
            fits = narrowed(text.lines, fits, where, below)
        return fits

    most = MOST_PLACES if where is ANYWHERE else _MOST_CANDIDATES
    for rung in LADDER:
        pair = bare if rung.trims else whole
        if not pair[0] or (rung.trims and bare == whole):
            continue
        fits = narrow(_fits(text, rung, pair, most))
        if len(fits) == 1:
            return fits[0]
        if fits:
            return Miss(tuple(fit.start for fit in fits[:MOST_PLACES]), rung.name)
    return _elided(text, whole) or Miss(())


def _elided(text: Text, pair: Pair) -> Fit | Miss | None:
    """The place of a SEARCH with lines left out; each of its pieces must stand in one place."""
    both = paired(*pair)
    if both is None:
        return None
    found: list[tuple[int, int, tuple[bytes, ...]]] = []
    for search, replace in both:
        fit = find(text, search, replace)
        if isinstance(fit, Miss):
            return Miss(fit.places, "elision") if fit.places else None
        found.append((fit.start, fit.stop, fit.replace))
    whole = joined(text.lines, found)
    return None if whole is None else Fit(*whole, "elision")


def places(text: Text, needle: Sequence[bytes], reduce: Reduce) -> Iterator[int]:
    """First lines (from 0) where `needle` stands in `text`, both under `reduce`; overlaps count."""
    haystack = text.view(reduce)
    sought = b"\n" + b"\n".join(reduce(line) for line in needle) + b"\n"
    line, seen = 0, 0
    found = haystack.find(sought)
    while found >= 0:
        line += haystack.count(b"\n", seen, found)
        seen = found
        yield line
        found = haystack.find(sought, found + 1)


def _fits(text: Text, rung: Rung, pair: Pair, most: int) -> list[Fit]:
    """The places of `pair` under `rung`, at most `most`."""
    fits: list[Fit] = []
    size = len(pair[0])
    for seen, start in enumerate(places(text, pair[0], rung.reduce)):
        adapted = rung.adapt(text.lines[start : start + size], pair)
        if adapted is not None:
            fits.append(Fit(start, start + size, *adapted, rung.name))
        if len(fits) == most or seen == _MOST_CANDIDATES:
            break
    return fits


def _is_inside(text: Text, fit: Fit, within: tuple[int, int]) -> bool:
    """Whether the place lies in the lines that `within` touches."""
    start, stop = text.starts[fit.start], text.starts[fit.stop]
    first = bisect_left(text.starts, within[0] + 1) - 1
    last = bisect_left(text.starts, max(within[1], within[0] + 1))
    return text.starts[max(first, 0)] <= start and stop <= text.starts[min(last, len(text.lines))]


def without_outer_blanks(pair: Pair) -> Pair:
    """SEARCH without its leading and trailing blank lines, and REPLACE without their twins."""
    search, replace = pair
    if all(map(is_blank, search)):
        return (), replace
    lead = _blank_run(search)
    trail = _blank_run(search[::-1])
    twins = min(lead, _blank_run(replace))
    rest = replace[twins:]
    twins = min(trail, _blank_run(rest[::-1]))
    return search[lead : len(search) - trail], rest[: len(rest) - twins]


def _blank_run(lines: Sequence[bytes]) -> int:
    """How many blank lines `lines` begins with."""
    return next((at for at, line in enumerate(lines) if not is_blank(line)), len(lines))


def _bare(line: bytes) -> bytes:
    return line.rstrip(b"\r\n").rstrip(BLANKS)


def flush(line: bytes) -> bytes:
    """`line` without its end and outer blanks."""
    return line.rstrip(b"\r\n").strip(BLANKS)


def _as_is(_: Sequence[bytes], pair: Pair) -> Pair:
    return pair


def shifted(found: Sequence[bytes], pair: Pair) -> Pair | None:
    """`pair` moved by the one run of blanks by which every line of SEARCH differs from the
    file's."""
    shift: tuple[bool, bytes] | None = None
    for line, sought in zip(found, pair[0], strict=True):
        if is_blank(line):
            continue
        there, here = _indent(line), _indent(sought)
        if there.endswith(here):
            step = (True, there[: len(there) - len(here)])
        elif here.endswith(there):
            step = (False, here[: len(here) - len(there)])
        else:
            return None
        if shift is not None and shift != step:
            return None
        shift = step
    if shift is None or len(set(shift[1])) > 1:
        return None
    moved = tuple(_move(lines, *shift) for lines in pair)
    known = {_indent(line) for line in found}
    if any(line is None for lines in moved for line in lines):
        return None
    search, replace = (tuple(line for line in lines if line is not None) for lines in moved)
    mixed = (line for line in replace if len(set(_indent(line))) > 1 and _indent(line) not in known)
    return None if any(mixed) else (search, replace)


def _move(lines: Sequence[bytes], deeper: bool, blanks: bytes) -> list[bytes | None]:
    """`lines` with `blanks` put before or taken from each; None for a line that lacks them."""
    moved: list[bytes | None] = []
    for line in lines:
        if is_blank(line):
            moved.append(line)
        elif deeper:
            moved.append(blanks + line)
        else:
            moved.append(line[len(blanks) :] if line.startswith(blanks) else None)
    return moved


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip(BLANKS))]


def _own(found: Sequence[bytes], pair: Pair) -> Pair:
    """`pair` with the characters that the file has in place of those that look like them."""
    return tuple(map(body, found)), carried(found, *pair)


# Whether a reduction could change any line of a whole text; those not listed always could.
_CHANGES: dict[Reduce, Callable[[bytes], bool]] = {
    body: lambda _: False,
    _bare: _ends_in_blanks,
    plain: lambda whole: not whole.isascii() or _ends_in_blanks(whole),
}
LADDER: tuple[Rung, ...] = (
    Rung("exact", body, _as_is),
    Rung("trailing blanks", _bare, _as_is),
    Rung("indentation", flush, shifted),
    Rung("exact", body, _as_is, trims=True),
    Rung("trailing blanks", _bare, _as_is, trims=True),
    Rung("indentation", flush, shifted, trims=True),
    Rung("look-alikes", plain, _own),
    Rung("look-alikes", plain, _own, trims=True),
)
"""From strict to loose; those that trim forgive blank lines around SEARCH."""
