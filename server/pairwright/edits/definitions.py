"""Which lines a named definition takes up in a text, and how new text is fitted to its place.

Names are dotted paths (`Order.total`), as far as needed; an argument list or a line behind the name
tells overloads apart. A name that fits no definition, or several, is a reason and never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from textwrap import dedent

from pairwright.edits.lines import BLANKS, body, is_blank
from pairwright.edits.match import Fit, Text
from pairwright.edits.types import Where
from pairwright.tags.names import signature
from pairwright.tags.types import Definition, Tags, parents

_SPLIT = re.compile(r"\.|::|#|/|:")
_HINT = re.compile(r"(.*?)(\(.*\))?(?:[ \t]*(?::|@|#L|,? line )[ \t]*(\d+))?")
_COMMENT = (b"#", b"//", b"--", b";", b"*", b"/*", b"%", b'"""')
_MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why a name means no lines. `reason`: a sentence for the user and the model."""

    reason: str


def find(text: Text, data: bytes, tags: Tags, where: Where, new: Sequence[bytes]) -> Fit | Unknown:
    """The place of the definition `where.symbol`, with `new` fitted to it; `data` is the text, of which
    `tags` are."""
    if tags.problem is not None:
        return Unknown(
            f"the file {tags.problem}, so {where.symbol} has no known end; give the lines as they are and as "
            "they should be instead."
        )
    found = _named(text, data, tags, where.symbol, new)
    if isinstance(found, Unknown):
        return found
    lines = text.lines
    start, stop = _line(text, found.start), _line(text, max(found.end - 1, found.start)) + 1
    head, tail = data[text.starts[start] : found.start], data[found.end : text.starts[stop]]
    if head.strip() or tail.strip(b" \t\r\n;,"):
        return Unknown(
            f"{where.symbol} shares line {start + 1} with other code; give that line as it is and as it "
            "should be instead."
        )
    here = tuple(map(body, lines[start:stop]))
    if where.side != "at":
        return _beside(lines, start, stop, where.side, _fitted(here, new))
    if not new:
        return _removed(lines, start, stop)
    return Fit(start, stop, here, _fitted(here, new), "symbol")


def dedented(lines: Sequence[bytes]) -> bytes:
    """`lines` as a text of its own, without the blanks that all of them begin with."""
    return dedent("".join(f"{line.decode('utf-8', 'replace')}\n" for line in lines)).encode()


def only(data: bytes, tags: Tags) -> str | None:
    """The name of the one definition that the whole text `data` is; None if it is not just one. Decorators and
    comments may stand above it."""
    if tags.problem is not None or tags.damaged:
        return None
    outer = parents(tags.defs)
    top = [item for index, item in enumerate(tags.defs) if outer[index] < 0]
    if len(top) != 1:
        return None
    above, below = data[: top[0].start], data[top[0].end :]
    if below.strip(b" \t\r\n;,") or any(
        line.strip() and not line.lstrip().startswith((*_COMMENT, b"@"))
        for line in above.splitlines()
    ):
        return None
    return top[0].name


def _named(
    text: Text, data: bytes, tags: Tags, symbol: str, new: Sequence[bytes]
) -> Definition | Unknown:
    """The one definition that `symbol` names."""
    hint = _HINT.fullmatch(symbol.strip())
    name, arguments, line = (hint[1], hint[2], hint[3]) if hint else (symbol, None, None)
    wanted = tuple(part for part in _SPLIT.split(name.strip()) if part)
    outer = parents(tags.defs)
    found = [
        item
        for index, item in enumerate(tags.defs)
        if wanted and _path(tags, outer, index)[-len(wanted) :] == wanted
    ]
    if len(found) > 1 and line:
        found = [item for item in found if _line(text, item.name_start) + 1 == int(line)] or found
    if len(found) > 1 and arguments:
        found = [
            item for item in found if _squeeze(arguments) in _squeeze(signature(item, data))
        ] or found
    if len(found) > 1:
        first = _squeeze(next((one for one in new if one.strip()), b"").decode("utf-8", "replace"))
        same = [item for item in found if first.startswith(_squeeze(signature(item, data)))]
        found = same if len(same) == 1 else found
    if len(found) == 1:
        return found[0]
    return _none(tags, outer, name) if not found else _several(text, found, symbol)


def _none(tags: Tags, outer: Sequence[int], name: str) -> Unknown:
    known = sorted({".".join(_path(tags, outer, index)) for index in range(len(tags.defs))})
    close = get_close_matches(name, known, 3, 0.5)
    close += [one for one in known if one.rpartition(".")[2] == name.rpartition(".")[2]]
    listed = ", ".join(dict.fromkeys(close)) or ", ".join(known[:_MOST_LISTED]) or "none"
    what = "The closest are" if close else "Its definitions are"
    return Unknown(f"there is no definition {name}. {what}: {listed}.")


def _several(text: Text, found: Sequence[Definition], symbol: str) -> Unknown:
    at = [_line(text, item.name_start) + 1 for item in found]
    listed = ", ".join(map(str, at[:_MOST_LISTED]))
    return Unknown(
        f"{symbol} is ambiguous: {len(found)} definitions have that name, lines {listed}. Name the one "
        f"around it too, or put the line behind it: {symbol}:{at[0]}."
    )


def _path(tags: Tags, outer: Sequence[int], index: int) -> tuple[str, ...]:
    """The names of the definitions around number `index`, and its own."""
    parts: list[str] = []
    while index >= 0:
        parts = [*(p for p in _SPLIT.split(tags.defs[index].name) if p), *parts]
        index = outer[index]
    return tuple(parts)


def _line(text: Text, offset: int) -> int:
    low, high = 0, len(text.lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text.starts[middle] <= offset else (low, middle - 1)
    return low


def _squeeze(text: str) -> str:
    return "".join(text.split())


# --- new text at its place


def _fitted(here: Sequence[bytes], new: Sequence[bytes]) -> tuple[bytes, ...]:
    """`new` without outer blank lines, moved by the blanks by which its first line is off."""
    lines = list(new)
    while lines and is_blank(lines[0]):
        del lines[0]
    while lines and is_blank(lines[-1]):
        lines.pop()
    there, now = _indent(here[0]), _indent(lines[0]) if lines else b""
    if there == now:
        return tuple(lines)
    kept = frozenset(here)
    return tuple(_moved(line, now, there, kept) for line in lines)


def _moved(line: bytes, now: bytes, there: bytes, kept: frozenset[bytes]) -> bytes:
    if is_blank(line) or not line.startswith(now):
        return line
    moved = there + line[len(now) :]
    # A line inside a string stands where it stood.
    return line if line in kept and moved not in kept else moved


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip(BLANKS))]


def _beside(
    lines: Sequence[bytes], start: int, stop: int, side: str, new: tuple[bytes, ...]
) -> Fit:
    """`new` before or behind lines `start:stop`, with as many blank lines between as stand around
    them."""
    first = start
    while first > 0 and body(lines[first - 1]).lstrip(BLANKS).startswith(_COMMENT):
        first -= 1
    gap = (b"",) * _gap(lines, first, start, stop)
    if side == "before":
        return Fit(first, first, (), (*new, *gap), "symbol")
    return Fit(stop, stop, (), (*gap, *new), "symbol")


def _gap(lines: Sequence[bytes], first: int, start: int, stop: int) -> int:
    """How many blank lines part the definition in `start:stop` (from its comment in `first` on) from
    others like it; 1 if there are none."""
    above, below = _blanks(lines[:first][::-1]), _blanks(lines[stop:])
    beside = lines[stop + below : stop + below + 1]
    alike = bool(beside) and _indent(beside[0]) == _indent(lines[start])
    return (above if 0 < above < first else 0) or (below if alike else 0) or 1


def _removed(lines: Sequence[bytes], start: int, stop: int) -> Fit:
    """Without lines `start:stop` and without the blank lines that only parted them from the next."""
    if start == 0 or is_blank(lines[start - 1]):
        stop += _blanks(lines[stop:])
        if stop == len(lines):
            start -= _blanks(lines[:start][::-1])
    return Fit(start, stop, tuple(map(body, lines[start:stop])), (), "symbol")


def _blanks(lines: Sequence[bytes]) -> int:
    return next((at for at, line in enumerate(lines) if not is_blank(line)), len(lines))
