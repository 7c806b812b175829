"""What a search may find in one text: its definitions, each with the words of its name, its signature and its body.

Pure: a text and its tags in, packed columns out, the same for the same text wherever it lies. Paths, files and
other texts come in when an index is put together.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from zlib import crc32

import msgpack

from pairwright.reference.stems import RECIPE as STEMS
from pairwright.reference.stems import all_keys, keys
from pairwright.tags.types import Definition, Tags, parents
from pairwright.tags.words import RECIPE as WORDS
from pairwright.tags.words import words_in

RECIPE = f"content2-{STEMS}-{WORDS}"
"""Changes whenever this code would give other units for the same text and tags."""

UNITS = frozenset(
    ("function", "method", "macro", "class", "interface", "struct", "enum", "trait", "module")
).union(("type", "union", "namespace"))
"""Kinds of definitions that can be found; a constant or a field is found in what holds it."""

FUNCTIONS = frozenset(("function", "method", "macro"))
"""Kinds whose inner definitions are part of them."""

_MOST = 255
_KEPT = 1 << 16


@dataclass(frozen=True, slots=True)
class Unit:
    """One definition. `index`: among the text's definitions. `parent`: the unit around it, -1 for none.
    `name`, `head`, `body`: the keys of its words; `head` is what is written up to the body beside the name, `body`
    the rest, without the bodies of units inside a class. `counts`: how often each of `body` occurs, 255 at most.
    `refs`: of a function, keys of whole names that it refers to."""

    index: int
    kind: str
    label: str
    parent: int
    name: tuple[int, ...]
    head: tuple[int, ...]
    body: tuple[int, ...]
    counts: bytes
    refs: tuple[int, ...]


def units_of(data: bytes, tags: Tags) -> tuple[Unit, ...]:
    """The units of a text, in the order of its definitions."""
    chosen = [at for at, item in enumerate(tags.defs) if item.kind in UNITS]
    above = parents(tags.defs)
    number = {at: place for place, at in enumerate(chosen)}
    children: dict[int, list[int]] = {}
    outer: list[int] = []
    for at in chosen:
        up = above[at]
        while up >= 0 and up not in number:
            up = above[up]
        outer.append(number.get(up, -1))
        children.setdefault(up, []).append(at)
    return tuple(
        _unit(data, tags, at, outer[place], children.get(at, ())) for place, at in enumerate(chosen)
    )


def _unit(data: bytes, tags: Tags, at: int, parent: int, inside: Sequence[int]) -> Unit:
    item = tags.defs[at]
    name = item.name.encode("utf-8", "surrogatepass")
    body = max(item.body, item.name_start + len(name))
    head = data[item.start : item.name_start] + b" " + data[item.name_start + len(name) : body]
    # A repository has a million words: nothing here may take a step of its own for each.
    words = words_in(_body(data, tags, item, body, inside))
    counted = Counter(chain.from_iterable(map(keys, words)))
    ordered = sorted(counted)
    counts = [counted[number] for number in ordered]
    if counts and max(counts) > _MOST:
        counts = [min(count, _MOST) for count in counts]
    refs = _refs(tags, item) if item.kind in FUNCTIONS else ()
    return Unit(
        at,
        item.kind,
        item.name,
        parent,
        tuple(all_keys([name])),
        tuple(all_keys(words_in(head))),
        tuple(ordered),
        bytes(counts),
        refs,
    )


@lru_cache(maxsize=_KEPT)
def name_key(name: str) -> int:
    """The 32-bit number that stands for a whole name."""
    return crc32(name.encode("utf-8", "surrogatepass"))


def _refs(tags: Tags, item: Definition) -> tuple[int, ...]:
    low = bisect_left(tags.ref_starts, item.start)
    high = bisect_left(tags.ref_starts, item.end)
    names = set(tags.ref_names[low:high])
    return tuple(sorted(set(map(name_key, names))))


def _body(data: bytes, tags: Tags, item: Definition, start: int, inside: Sequence[int]) -> bytes:
    """What of `item` is its own: all of a function, and of a container what is around its units, with their names."""
    if item.kind in FUNCTIONS:
        return data[start : item.end]
    pieces, last = [], start
    for child in inside:
        inner = tags.defs[child]
        pieces.append(data[last : max(last, inner.start)])
        pieces.append(inner.name.encode("utf-8", "surrogatepass"))
        last = max(last, inner.end)
    pieces.append(data[last : item.end])
    return b"\n".join(pieces)


def packed(data: bytes, tags: Tags) -> bytes:
    """The units of a text as bytes for the store."""
    return pack(units_of(data, tags))


def pack(units: tuple[Unit, ...]) -> bytes:
    """`units` as bytes for the store."""
    rows = [
        (
            *(unit.index, unit.kind, unit.label, unit.parent),
            *(_packed(unit.name), _packed(unit.head), _packed(unit.body)),
            *(unit.counts, _packed(unit.refs)),
        )
        for unit in units
    ]
    packed: bytes = msgpack.packb(rows, unicode_errors="surrogatepass")
    return packed


def unpack(blob: bytes) -> tuple[Unit, ...] | None:
    """What `pack` packed; None for damage."""
    try:
        return tuple(
            Unit(
                at, kind, label, parent, _seen(name), _seen(head), _seen(body), counts, _seen(refs)
            )
            for at, kind, label, parent, name, head, body, counts, refs in msgpack.unpackb(
                blob, unicode_errors="surrogatepass"
            )
        )
    except (ValueError, TypeError, msgpack.UnpackException):
        return None


def _packed(numbers: tuple[int, ...]) -> bytes:
    return array("I", numbers).tobytes()


def _seen(blob: bytes) -> tuple[int, ...]:
    return tuple(memoryview(blob).cast("I"))
