"""Tags, graph rows and words as bytes and back: columns of small numbers in msgpack. Knows no
store.

Offsets are differences to the one before, so that most fit in one or two bytes. Decoding is strict:
bytes that another version wrote, or that are damaged, give None and are derived again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

import msgpack

from pairwright.tags.types import Definition, Tags
from pairwright.tags.words import Bag

Row = tuple[Mapping[str, int], Mapping[str, int]]
"""How often a file defines and refers to each name."""


def pack_tags(tags: Tags) -> bytes:
    names = sorted({item.name for item in tags.defs} | set(tags.ref_names))
    kinds = sorted({item.kind for item in tags.defs})
    name_of = {name: index for index, name in enumerate(names)}
    kind_of = {kind: index for index, kind in enumerate(kinds)}
    defs = tags.defs
    return _pack(
        (
            names,
            kinds,
            [name_of[item.name] for item in defs],
            [kind_of[item.kind] for item in defs],
            _differences(item.start for item in defs),
            [item.name_start - item.start for item in defs],
            [item.end - item.start for item in defs],
            [item.end - item.body for item in defs],
            [name_of[name] for name in tags.ref_names],
            _differences(tags.ref_starts),
            tags.language,
            tags.trust,
            tags.problem,
            tags.damaged,
        )
    )


def unpack_tags(blob: bytes) -> Tags | None:
    try:
        names, kinds, *columns, language, trust, problem, damaged = _unpack(blob)
        named, kinded, starts, heads, sizes, bodies, ref_names, ref_starts = columns
        defs = tuple(
            Definition(names[n], kinds[k], start + head, start, start + size, start + size - body)
            for n, k, start, head, size, body in zip(
                named, kinded, accumulate(starts), heads, sizes, bodies, strict=True
            )
        )
        refs = tuple(names[index] for index in ref_names)
        offsets = tuple(accumulate(ref_starts))
    except (ValueError, TypeError, IndexError, msgpack.UnpackException):
        return None
    if len(refs) != len(offsets):
        return None
    return Tags(defs, refs, offsets, language, trust, problem, damaged)


def pack_row(row: Row) -> bytes:
    return _pack((dict(row[0]), dict(row[1])))


def unpack_row(blob: bytes) -> Row | None:
    try:
        defs, refs = _unpack(blob)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None
    return (defs, refs) if isinstance(defs, dict) and isinstance(refs, dict) else None


def pack_words(bag: Bag) -> bytes:
    return _pack((bag.total, bag.keys, bag.counts))


def unpack_words(blob: bytes) -> Bag | None:
    try:
        total, keys, counts = _unpack(blob)
        fits = total >= 0 and len(keys) == 4 * len(counts)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None
    return Bag(keys, counts, total) if fits and isinstance(keys, bytes) else None


def _differences(values: Iterable[int]) -> list[int]:
    found = []
    before = 0
    for value in values:
        found.append(value - before)
        before = value
    return found


def _pack(value: Any) -> bytes:
    packed: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    return packed


def _unpack(blob: bytes) -> Any:
    return msgpack.unpackb(blob, unicode_errors="surrogatepass")
