"""Questions about tags: counts for the graph, the identifier at a place, the definition around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from unicodedata import category

from pairwright.tags.types import Definition, Tags

_WORD = re.compile(r"\w+")
# Far longer than any identifier; bounds the work on a line of one million word characters.
_REACH = 512
_BLANKS = re.compile(r"\s+")


def row(tags: Tags) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """How often each name is defined and referred to, both sorted by name."""
    defs = Counter(item.name for item in tags.defs)
    refs = Counter(tags.ref_names)
    return dict(sorted(defs.items())), dict(sorted(refs.items()))


def identifier_at(data: bytes, offset: int) -> tuple[str, int, int] | None:
    """The identifier that holds or ends at byte `offset`: name and byte range; None where there is none.

    A word of Unicode letters, digits, combining marks and underscores that does not begin with a digit,
    with Ruby's `@` and JavaScript's `$` and `#` left outside.
    """
    offset = max(0, min(offset, len(data)))
    low = _boundary(data, max(0, offset - _REACH))
    high = _boundary(data, min(len(data), offset + _REACH))
    text = data[low:high].decode("utf-8", "surrogatepass")
    at = len(data[low : _boundary(data, offset)].decode("utf-8", "surrogatepass"))
    for match in _WORD.finditer(_joined(text)):
        if match.start() <= at <= match.end():
            name = text[match.start() : match.end()]
            start = low + len(text[: match.start()].encode("utf-8", "surrogatepass"))
            end = start + len(name.encode("utf-8", "surrogatepass"))
            return None if name[0].isdigit() else (name, start, end)
    return None


def enclosing(tags: Tags, offset: int) -> Definition | None:
    """The innermost definition around byte `offset`; its end still counts as inside."""
    found = None
    for item in tags.defs:
        if item.start > offset:
            break
        if offset <= item.end and (found is None or item.end <= found.end):
            found = item
    return found


def signature(definition: Definition, data: bytes) -> str:
    """The definition's text up to its body on one line, blanks collapsed; at most 400 characters.

    A definition without a body gives its first line.
    """
    raw = data[definition.start : definition.body]
    if definition.body >= definition.end:
        at = definition.name_start - definition.start
        ends = [end for end in (raw.find(b"\n", at), raw.find(b"\r", at)) if end >= 0]
        raw = raw[: min(ends)] if ends else raw
    text = _BLANKS.sub(" ", raw[:4096].decode("utf-8", "replace")).strip()
    return text if len(text) <= 400 else text[:399] + "…"


def _joined(text: str) -> str:
    """`text` with combining marks as word characters (`\\w` leaves them out), length kept."""
    if text.isascii():
        return text
    return "".join("a" if _is_mark(char) else char for char in text)


def _is_mark(char: str) -> bool:
    return char > "\x7f" and category(char) in ("Mn", "Mc")


def _boundary(data: bytes, at: int) -> int:
    """`at`, moved down to the start of a character."""
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at
