"""Tags renewed where edits touched the text: what `extract` gives, at the price of the changed region.

What a query decides depends on the text and structure of the node it captures only, so asking again around
the edits, and wherever the new tree differs from the old, is enough. Knows nothing of what a query says.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

import tree_sitter

from pairwright.tags.extract import (
    SLICE,
    Found,
    extract,
    joined,
    made,
    names_of,
    read,
    settle,
    whole,
)
from pairwright.tags.parse import Parsed, edited, partner
from pairwright.tags.queries import Rules, lead_nodes, rules, run, run_by_node
from pairwright.tags.spans import Span, few, parted, shifted, touched, whole_lines
from pairwright.tags.types import EMPTY, Definition, Tags
from pairwright.text.document import Edit

# Bytes that an edit in damaged text may make us ask again at once. A bracket that is still open turns the rest
# of a file into one error: its definitions are still there, so they are kept until the idle re-parse.
_AT_ONCE = 16 * 1024


def retag(
    old: Tags, parsed_old: Parsed, parsed_new: Parsed, edits: Sequence[Edit], data: bytes
) -> Tags:
    """`extract(parsed_new, data)` at the price of the changed region.

    `old` are the tags of `parsed_old`'s text, which became `data` by `edits`, one applied after another.
    Equal to `extract` of the same tree; equal to a fresh parse's tags unless `damaged`.
    """
    if old.language != parsed_new.language or old.problem is not None:
        return extract(parsed_new, data)
    if not parsed_old.inner and not parsed_new.inner:
        return _retag(old, parsed_old, parsed_new, edits, data)
    host, *parts = _split(old, parsed_old)
    renewed = [_retag(host, parsed_old, parsed_new, edits, data)]
    known = dict(zip(map(id, parsed_old.inner), parts, strict=True))
    for part in parsed_new.inner:
        before = partner(parsed_old, edits, (part.span or (0, 0))[0], part.language)
        renewed.append(
            _retag(known[id(before)], before, part, edits, data) if before else extract(part, data)
        )
    return joined(renewed, parsed_new.damaged)


def _retag(
    old: Tags, parsed_old: Parsed, parsed_new: Parsed, edits: Sequence[Edit], data: bytes
) -> Tags:
    """`retag` for this tree alone."""
    rule = rules(parsed_new.language)
    if rule is None:
        return replace(EMPTY, language=parsed_new.language)
    source = parsed_new.source
    # What lines told of a damaged part is no definition once the tree knows better, wherever it stands.
    healed = rule.lost is not None and old.damaged and not parsed_new.damaged
    if healed and len(source) <= SLICE:
        return whole(parsed_new, data)
    tree = edited(parsed_old, edits, data, source)
    seeds = [*touched(edits), *_changed(tree, parsed_new.tree, len(source))]
    deferred = (parsed_new.damaged or old.damaged) and sum(b - a for a, b in seeds) > _AT_ONCE
    if deferred:
        seeds = touched(edits)
    defs, ref_starts = shifted(old, edits)
    spans = few(
        whole_lines(*span, source) for seed in seeds for span in _reached(rule, parsed_new, seed)
    )
    while True:
        if sum(high - low for low, high in spans) * 2 > len(source) > SLICE:
            return whole(parsed_new, data)
        found = _collect(rule, parsed_new, spans, data)
        dropped, kept = parted(defs, spans)
        # A definition that is gone, or whose attributes grew, has more to ask at its name.
        heads = [
            (item.name_start, item.name_start + 1)
            for item in dropped
            if item.name_start not in found.defs
        ]
        wider = few([*spans, *heads, *_led(rule, parsed_new, spans)])
        if wider == spans:
            break
        spans = wider
    fresh, _ = parted((item for _, item in found.defs.values()), spans)
    names, starts = _spliced_refs(old, ref_starts, found, spans, data)
    renewed = made(parsed_new, [*kept, *fresh], names, starts)
    if deferred or old.deferred or healed:
        return replace(renewed, damaged=True, deferred=True)
    return renewed


def _reached(rule: Rules, parsed: Parsed, seed: Span) -> Iterator[Span]:
    """`seed`, and the nodes above it whose names the words in it may decide about."""
    yield seed
    if not rule.reach:
        return
    root = parsed.tree.root_node
    low, high = seed
    # What the edit wrote, and the words it was written against.
    for first, last in ((low, high), (low - 1, low), (high, high + 1)):
        first, last = max(first, root.start_byte), min(last, root.end_byte)
        node = root.descendant_for_byte_range(first, last) if first <= last else None
        if node is None or node.child_count or node == root:
            continue
        for _ in range(rule.reach):
            above = node.parent
            if above is None or above == root:
                break
            node = above
        yield node.byte_range


def _spliced_refs(
    old: Tags, old_starts: Sequence[int], found: Found, spans: Sequence[Span], data: bytes
) -> tuple[list[str], list[int]]:
    """The references outside `spans` as they were, those inside as found."""
    fresh = sorted(found.refs)
    fresh_names = names_of(found.refs, fresh, data)
    names: list[str] = []
    starts: list[int] = []
    at = 0
    for low, high in spans:
        stop = bisect_left(old_starts, low, at)
        names += old.ref_names[at:stop]
        starts += old_starts[at:stop]
        at = bisect_right(old_starts, high, stop)
        first, last = bisect_left(fresh, low), bisect_right(fresh, high)
        names += fresh_names[first:last]
        starts += fresh[first:last]
    names += old.ref_names[at:]
    starts += old_starts[at:]
    # A name that has become a definition was a reference before, perhaps on a line not asked again.
    for name_start in sorted(found.defs):
        index = bisect_left(starts, name_start)
        if index < len(starts) and starts[index] == name_start:
            del starts[index], names[index]
    return names, starts


def _changed(old: tree_sitter.Tree, new: tree_sitter.Tree, size: int) -> list[Span]:
    """Where the structure of two trees differs, in bytes of the new text."""
    return [
        (min(span.start_byte, size), min(span.end_byte, size)) for span in old.changed_ranges(new)
    ]


def _led(rule: Rules, parsed: Parsed, spans: Sequence[Span]) -> list[Span]:
    """Where the definitions begin that the attributes in `spans` stand in front of."""
    found: list[Span] = []
    for span in spans if rule.leads else ():
        for part in _touching(parsed.tree.root_node, span):
            for node in lead_nodes(rule, part, span):
                after = node.next_named_sibling
                while after is not None and after.type in rule.leads:
                    after = after.next_named_sibling
                if after is not None:
                    found.append((after.start_byte, after.start_byte + 1))
    return found


def _collect(rule: Rules, parsed: Parsed, spans: Sequence[Span], data: bytes) -> Found:
    """What the query says about `spans`."""
    found = Found()
    source = parsed.source
    for span in spans:
        for part in _touching(parsed.tree.root_node, span):
            matches = run(rule, part, source, span)
            for some in run_by_node(rule, part, source, span) if matches is None else (matches,):
                read(rule, some, source, found)
    root = parsed.tree.root_node
    if root.has_error:
        found.damaged += spans
    settle(rule, root, source, data, found)
    return found


def _touching(root: tree_sitter.Node, span: Span) -> Iterator[tree_sitter.Node]:
    """The top-level nodes that touch `span`: a query on the root would look at all in front of it.

    By bisection: the binding's `first_child_for_byte` gives a node that crashes the process where there
    is none, the cursor's `goto_first_child_for_byte` misses children behind a hidden node.
    """
    low, high = span
    first, last = 0, root.child_count
    while first < last:
        middle = (first + last) // 2
        node = root.child(middle)
        if node is not None and node.end_byte < low:
            first = middle + 1
        else:
            last = middle
    for index in range(first, root.child_count):
        node = root.child(index)
        if node is None or node.start_byte > high:
            return
        yield node


def _split(tags: Tags, parsed: Parsed) -> list[Tags]:
    """Tags of the host alone and of each region, whose names lie in it."""
    spans = [item.span or (0, 0) for item in parsed.inner]
    defs: list[list[Definition]] = [[] for _ in range(len(spans) + 1)]
    refs: list[list[int]] = [[] for _ in range(len(spans) + 1)]
    lows = [low for low, _ in spans]

    def place(at: int) -> int:
        index = bisect_right(lows, at)
        return index if index and at < spans[index - 1][1] else 0

    for item in tags.defs:
        defs[place(item.name_start)].append(item)
    for index, start in enumerate(tags.ref_starts):
        refs[place(start)].append(index)
    return [
        replace(
            tags,
            language=part.language,
            defs=tuple(defs[number]),
            ref_names=tuple(tags.ref_names[index] for index in refs[number]),
            ref_starts=tuple(tags.ref_starts[index] for index in refs[number]),
        )
        for number, part in enumerate((parsed, *parsed.inner))
    ]
