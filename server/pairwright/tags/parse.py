"""Syntax trees of open documents: from scratch, in slices, or by edits on the tree before.

A `Parsed` is never changed once made. `reparse` edits a copy of the old tree (copies share all nodes and
cost microseconds), so whoever still reads the old one is safe. The parser is given the text `masks` makes:
same length, so all offsets hold, and every LSP line is a row (tree-sitter itself ends rows with LF only, so
in a file of lone CRs a `//` comment would swallow the rest).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import tree_sitter

from pairwright.tags.embedded import Region, regions
from pairwright.tags.grammars import grammar
from pairwright.tags.masks import masked
from pairwright.tags.spans import Span, moved
from pairwright.tags.table import ALL
from pairwright.text.document import Edit, point

_CHUNK = 32 * 1024


@dataclass(frozen=True, slots=True)
class Parsed:
    """A tree and the text it belongs to. `source`: what the parser saw. `plain`: that is the text itself.
    `damaged`: the text has syntax errors, so after edits the tree may differ from one parsed from scratch.
    `inner`: the regions in other languages, in order; `span`: what of the text this is, if not all."""

    language: str
    tree: tree_sitter.Tree
    source: bytes
    plain: bool
    damaged: bool
    inner: tuple[Parsed, ...] = ()
    span: Span | None = None


def parse(data: bytes, language: str) -> Parsed | None:
    """Parse from scratch; None when the language or its grammar is unknown here."""
    parsing = parse_sliced(data, language, None)
    try:
        while True:
            next(parsing)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


def parse_sliced(
    data: bytes, language: str, expired: Callable[[], bool] | None
) -> Generator[None, None, Parsed | None]:
    """Parse from scratch in slices: a generator that yields whenever `expired()` turns true and returns
    the result. `expired` is asked every few thousand parser steps (well under a millisecond); the caller
    restarts its clock before it resumes. Without it there is one slice."""
    parser = _parser(language)
    if parser is None:
        return None
    source = masked(data, language)
    tree = yield from _sliced(parser, source, expired)
    inner: list[Parsed] = []
    for region in regions(language, tree.root_node, source):
        inside = _parser(region.language, region, source)
        if inside is not None:
            part = yield from _sliced(inside, source, expired)
            inner.append(_parsed(region.language, part, source, data, (), region[:2]))
    return _parsed(language, tree, source, data, inner)


def _sliced(
    parser: tree_sitter.Parser, source: bytes, expired: Callable[[], bool] | None
) -> Generator[None, None, tree_sitter.Tree]:
    # What `read` returns is never given back (tree-sitter 0.26): slices cost a copy of the text.
    if expired is None:
        return parser.parse(source)
    is_over = expired

    def read(offset: int, _: object) -> bytes:
        return source[offset : offset + _CHUNK]

    def stop(_offset: int, _has_error: bool) -> bool:
        return is_over()

    while True:
        try:
            return parser.parse(read, progress_callback=stop)
        except ValueError:
            # The parser keeps its place: the same call goes on from there.
            yield


def reparse(parsed: Parsed, edits: Sequence[Edit], data: bytes) -> Parsed:
    """The tree of `data`, which is `parsed`'s text after `edits`, one applied after another."""
    parser = _parser(parsed.language)
    if parser is None:
        return parsed
    source = masked(data, parsed.language)
    tree = parser.parse(source, edited(parsed, edits, data, source))
    inner: list[Parsed] = []
    for region in regions(parsed.language, tree.root_node, source):
        inside = _parser(region.language, region, source)
        if inside is None:
            continue
        before = partner(parsed, edits, region.start, region.language)
        part = (
            inside.parse(source, edited(before, edits, data, source))
            if before
            else inside.parse(source)
        )
        inner.append(_parsed(region.language, part, source, data, (), region[:2]))
    return _parsed(parsed.language, tree, source, data, inner)


def partner(parsed: Parsed, edits: Sequence[Edit], start: int, language: str) -> Parsed | None:
    """The region of `parsed` that `edits` brought to byte `start`, if it is in `language`."""
    for item in parsed.inner:
        if item.span and item.language == language and moved(item.span[0], edits) == start:
            return item
    return None


def edited(
    parsed: Parsed, edits: Sequence[Edit], data: bytes, source: bytes | None = None
) -> tree_sitter.Tree:
    """A copy of `parsed`'s tree moved by `edits` to the offsets of `data`."""
    source = masked(data, parsed.language) if source is None else source
    tree = parsed.tree.copy()
    # Points count LF only. Where lone CRs became LF the edits' points are not the parser's; one edit
    # between the two texts the parser saw has points of its own.
    is_plain = parsed.plain and source is data
    for edit in edits if is_plain else _difference(parsed.source, source):
        tree.edit(
            edit.start,
            edit.old_end,
            edit.new_end,
            edit.start_point,
            edit.old_end_point,
            edit.new_end_point,
        )
    return tree


def _difference(old: bytes, new: bytes) -> tuple[Edit, ...]:
    """The one replacement between `old` and `new`; none when they are equal."""
    if old == new:
        return ()
    start = _common_prefix(old, new)
    limit = min(len(old), len(new)) - start
    tail = min(_common_prefix(old[::-1], new[::-1]), limit)
    old_end, new_end = len(old) - tail, len(new) - tail
    return (
        Edit(
            start,
            old_end,
            new_end,
            point(old, start),
            point(old, old_end),
            point(new, new_end),
        ),
    )


def _common_prefix(one: bytes, other: bytes) -> int:
    """By blocks, each copied once; then by halves within the first that differs."""
    most = min(len(one), len(other))
    low = 0
    while low < most and one[low : low + _CHUNK] == other[low : low + _CHUNK]:
        low += _CHUNK
    low, high = min(low, most), min(low + _CHUNK, most)
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _parser(
    language: str, region: Region | None = None, source: bytes = b""
) -> tree_sitter.Parser | None:
    """A parser of `language`, for `region` of `source` alone where there is one."""
    row = ALL.get(language)
    found = grammar(row.grammar) if row else None
    if found is None:
        return None
    parser = tree_sitter.Parser(found)
    if region is not None:
        low, high = region[:2]
        parser.included_ranges = [
            tree_sitter.Range(point(source, low), point(source, high), low, high)
        ]
    return parser


def _parsed(
    language: str,
    tree: tree_sitter.Tree,
    source: bytes,
    data: bytes,
    inner: Sequence[Parsed],
    span: Span | None = None,
) -> Parsed:
    damaged = tree.root_node.has_error or any(item.damaged for item in inner)
    return Parsed(language, tree, source, source is data, damaged, tuple(inner), span)
