"""Tags of a tree: from scratch, or renewed where an edit touched them.

Queries (see `queries`) are the method, not a walk: for 5.5 MB of Python a query finds every match in 0.31 s,
while a walk that only looks at each node's type takes 0.27 s before anything is decided, and a language
stays data. What a query decides must depend on the text and structure of the node it captures only; then
`retag`, which asks again only around the edits, gives what `extract` gives.
Works on byte offsets and never on rows, so line ends are no concern here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from sys import intern

import tree_sitter

from pairwright.tags.parse import Parsed, edited
from pairwright.tags.queries import Captures, Match, Rules, lead_nodes, rules, run, run_by_node
from pairwright.tags.spans import Span, few, meets, merged, shifted, touched, whole_lines
from pairwright.tags.table import LANGUAGES
from pairwright.tags.types import EMPTY, Definition, Tags, parents
from pairwright.text.document import Edit

# Texts up to this many bytes are asked in one go (about 5 ms).
_SLICE = 64 * 1024
# Bytes that an edit in damaged text may make us ask again at once. A bracket that is still open turns the rest
# of a file into one error: its definitions are still there, so they are kept until the idle re-parse.
_AT_ONCE = 16 * 1024
# Bytes of the longest name; what is longer is data that looks like one.
_MAX_NAME = 512

# What is behind the last separator of a qualified name.
_LAST = re.compile(rb"[^.:/\\$]+\Z")
_WORD = re.compile(rb"[^\s,()]+")
# What a name may be quoted by, with what ends it.
_QUOTES = {b"`": b"`", b'"': b'"', b"'": b"'", b"[": b"]"}
_ENDS_LEAD = re.compile(rb"[\w)\]][ \t\r\n]*\Z")
_HOLDS_METHODS = frozenset({"class", "struct", "interface", "trait", "enum", "union"})
_NAMELESS_STEPS = frozenset(
    {
        "reference_declarator",
        "parenthesized_declarator",
        "attributed_declarator",
        "structured_binding",
    }
)


@dataclass(slots=True)
class _Found:
    """What matches said, before it is sorted. `defs` by name offset with the rank of the pattern that
    decided; `refs`: offset of a name to its end."""

    defs: dict[int, tuple[tuple[int, int], Definition]] = field(default_factory=dict)
    refs: dict[int, int] = field(default_factory=dict)
    ignored: list[int] = field(default_factory=list)
    globals: list[tuple[int, str, Captures]] = field(default_factory=list)
    scopes: list[Span] = field(default_factory=list)


def extract(parsed: Parsed, data: bytes) -> Tags:
    """All tags of `data`, whose tree is `parsed`."""
    steps = extract_sliced(parsed, data)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]


def extract_sliced(parsed: Parsed, data: bytes) -> Generator[None, None, Tags]:
    """`extract` as a generator: it yields about every 5 ms of work and returns the tags."""
    rule = rules(parsed.language)
    if rule is None:
        return replace(EMPTY, language=parsed.language)
    found = _Found()
    root, source = parsed.tree.root_node, parsed.source
    for node in _parts(root, len(source)):
        matches = run(rule, node, source)
        if matches is None:
            for some in run_by_node(rule, node, source):
                _read(rule, some, source, found)
                yield
        else:
            _read(rule, matches, source, found)
            yield
    _settle(rule, source, found)
    starts = sorted(found.refs)
    names = _names(found.refs, starts, data)
    return _tags(parsed, (item for _, item in found.defs.values()), names, starts)


def _parts(root: tree_sitter.Node, size: int) -> list[tree_sitter.Node]:
    """What to ask one after another: the whole of a small text, the top-level nodes of a large one."""
    return [root] if size <= _SLICE else root.children


def retag(
    old: Tags, parsed_old: Parsed, parsed_new: Parsed, edits: Sequence[Edit], data: bytes
) -> Tags:
    """`extract(parsed_new, data)` at the price of the changed region.

    `old` are the tags of `parsed_old`'s text, which became `data` by `edits`, one applied after another.
    Equal to `extract` of the same tree; equal to a fresh parse's tags unless `damaged`.
    """
    rule = rules(parsed_new.language)
    if rule is None or old.language != parsed_new.language or old.problem is not None:
        return extract(parsed_new, data)
    source = parsed_new.source
    tree = edited(parsed_old, edits, data, source)
    seeds = [*touched(edits), *_changed(tree, parsed_new.tree, len(source))]
    deferred = (parsed_new.damaged or old.damaged) and sum(b - a for a, b in seeds) > _AT_ONCE
    if deferred:
        seeds = touched(edits)
    defs, ref_starts = shifted(old, edits)
    spans = few(whole_lines(low, high, source) for low, high in seeds)
    while True:
        if sum(high - low for low, high in spans) * 2 > len(source) > _SLICE:
            return extract(parsed_new, data)
        found = _collect(rule, parsed_new, spans)
        dropped = [item for item in defs if meets(item.start, item.end, spans)]
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
    kept = [item for item in defs if not meets(item.start, item.end, spans)]
    fresh = [item for _, item in found.defs.values() if meets(item.start, item.end, spans)]
    names, starts = _spliced_refs(old, ref_starts, found, spans, data)
    made = _tags(parsed_new, [*kept, *fresh], names, starts)
    if deferred or old.deferred:
        return replace(made, damaged=True, deferred=True)
    return made


def _spliced_refs(
    old: Tags, old_starts: Sequence[int], found: _Found, spans: Sequence[Span], data: bytes
) -> tuple[list[str], list[int]]:
    """The references outside `spans` as they were, those inside as found."""
    fresh = sorted(found.refs)
    fresh_names = _names(found.refs, fresh, data)
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


def _collect(rule: Rules, parsed: Parsed, spans: Iterable[Span]) -> _Found:
    """What the query says about `spans`."""
    found = _Found()
    source = parsed.source
    for span in spans:
        for part in _touching(parsed.tree.root_node, span):
            matches = run(rule, part, source, span)
            for some in run_by_node(rule, part, source, span) if matches is None else (matches,):
                _read(rule, some, source, found)
    _settle(rule, source, found)
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


def _settle(rule: Rules, source: bytes, found: _Found) -> None:
    """Keep of the global names those outside functions; drop references that are something else."""
    inside = [
        (item.start, item.end)
        for _, item in found.defs.values()
        if item.kind in ("function", "method")
    ]
    scopes = merged([*inside, *found.scopes])
    lows = [low for low, _ in scopes]
    for pattern, key, captures in found.globals:
        start = captures[key][0].start_byte
        index = bisect_right(lows, start) - 1
        if index < 0 or start >= scopes[index][1]:
            _define(rule, pattern, key, captures, source, found)
    for start in (*found.defs, *found.ignored):
        found.refs.pop(start, None)
    for start, end in tuple(found.refs.items()):
        if not 0 < end - start <= _MAX_NAME:
            del found.refs[start]


def _read(rule: Rules, matches: Iterable[Match], source: bytes, found: _Found) -> None:
    refs = found.refs
    for pattern, captures in matches:
        if nodes := captures.get("reference.capital"):
            for node in nodes:
                start = node.start_byte
                if _is_capital(source, start):
                    refs[start] = node.end_byte
        elif nodes := captures.get("reference"):
            for node in nodes:
                start, end = node.byte_range
                if source[start] in b":`\"'[":
                    start, end = _bare(start, end, source)
                refs[start] = end
        elif nodes := captures.get("reference.last"):
            refs.update((_last(node, source), node.end_byte) for node in nodes)
        elif nodes := captures.get("reference.first"):
            refs.update(_first(node, source) for node in nodes)
        elif nodes := captures.get("ignore"):
            found.ignored += (node.start_byte for node in nodes)
        elif nodes := captures.get("reference.declarator"):
            refs.update(map(_declared, nodes))
        elif nodes := captures.get("scope"):
            found.scopes += (node.byte_range for node in nodes)
        else:
            for key in captures:
                if key.startswith("definition."):
                    _define(rule, pattern, key, captures, source, found)
                elif key.startswith("global."):
                    found.globals.append((pattern, key, captures))


def _is_capital(source: bytes, start: int) -> bool:
    first = source[start]
    return 64 < first < 91 or (
        first > 127 and source[start : start + 4].decode("utf-8", "ignore")[:1].isupper()
    )


def _define(
    rule: Rules, pattern: int, key: str, captures: Captures, source: bytes, found: _Found
) -> None:
    root = captures[key][0]
    if named := captures.get("name"):
        name_start, name_end = named[0].byte_range
    elif named := captures.get("name.last"):
        name_start, name_end = _last(named[0], source), named[0].end_byte
    else:
        name_start, name_end = _declared(captures["declarator"][0])
    name_start, name_end = _bare(name_start, name_end, source)
    if not 0 < name_end - name_start <= _MAX_NAME:
        return
    bodies = captures.get("body") or _tail(root, rule.tails)
    start, end = _start(root, rule.leads, source), root.end_byte
    end = max(end, bodies[0].end_byte) if bodies else end
    while source[end - 1 : end] in (b"\n", b"\r"):
        end -= 1
    body = bodies[0].start_byte if bodies else end
    rank = (pattern, start - end)
    known = found.defs.get(name_start)
    if known is None or rank < known[0]:
        text = source[name_start:name_end].decode("utf-8", "replace").strip()
        kind = key.partition(".")[2]
        if kind == "variable" and text.isupper():
            kind = "constant"
        found.defs[name_start] = rank, Definition(intern(text), kind, name_start, start, end, body)


def _start(root: tree_sitter.Node, leads: frozenset[str], source: bytes) -> int:
    """Where a definition begins: at its first attribute, if those stand in front of it."""
    first = root.start_byte
    # The look back costs the depth of the tree, so only behind what can end an attribute.
    if not leads or not _ENDS_LEAD.search(source, max(0, first - 200), first):
        return first
    before = root.prev_named_sibling
    while before is not None and before.type in leads:
        first = before.start_byte
        before = before.prev_named_sibling
    return first


def _tail(root: tree_sitter.Node, tails: frozenset[str]) -> list[tree_sitter.Node]:
    """The body that stands behind a definition instead of in it."""
    after = root.next_named_sibling if tails else None
    return [after] if after is not None and after.type in tails else []


def _declared(node: tree_sitter.Node) -> Span:
    """The bytes of the name that a (C) declarator or qualified name ends in."""
    while True:
        inner = node.child_by_field_name("declarator") or node.child_by_field_name("name")
        if inner is not None and node.type == "operator_cast":
            return node.start_byte, inner.start_byte
        if inner is None and node.type in _NAMELESS_STEPS:
            inner = node.named_child(node.named_child_count - 1)
        if inner is None:
            return node.byte_range
        node = inner


def _bare(start: int, end: int, source: bytes) -> Span:
    """A name without its quotes; a Ruby symbol names what stands behind its colon."""
    if source[start : start + 1] == b":":
        return start + 1, end
    while end - start > 2 and _QUOTES.get(source[start : start + 1]) == source[end - 1 : end]:
        start, end = start + 1, end - 1
    return start, end


def _last(node: tree_sitter.Node, source: bytes) -> int:
    """Where the last part of a qualified name begins; a name without one is kept whole."""
    start, end = node.byte_range
    found = _LAST.search(source, start, end)
    return found.start() if found else start


def _first(node: tree_sitter.Node, source: bytes) -> Span:
    """The first word of a text that the grammar leaves whole."""
    found = _WORD.search(source, *node.byte_range)
    return found.span() if found else (node.start_byte, node.start_byte)


def _names(refs: dict[int, int], starts: Sequence[int], data: bytes) -> list[str]:
    known: dict[bytes, str] = {}
    names: list[str] = []
    for start in starts:
        raw = data[start : refs[start]]
        name = known.get(raw)
        if name is None:
            name = known[raw] = intern(raw.decode("utf-8", "replace"))
        names.append(name)
    return names


def _tags(
    parsed: Parsed,
    defs: Iterable[Definition],
    names: Sequence[str],
    starts: Sequence[int],
) -> Tags:
    ordered = sorted(defs, key=lambda item: (item.start, -item.end, item.name_start))
    return Tags(
        _placed(tuple(ordered), parsed.source),
        tuple(names),
        tuple(starts),
        parsed.language,
        "query" if parsed.language in LANGUAGES else "rule",
        damaged=parsed.damaged,
    )


def _placed(defs: tuple[Definition, ...], source: bytes) -> tuple[Definition, ...]:
    """`defs` by their place: a function directly in a class is a method, a variable there is kept only as
    a constant with a capital (the rest is the class's own business and would drown the map). What an
    enumeration lists is kept. A constructor on the line of its type says nothing new."""
    found: list[Definition] = []
    for item, parent in zip(defs, parents(defs), strict=True):
        if parent >= 0 and _repeats(item, defs[parent], source):
            continue
        if parent >= 0 and defs[parent].kind in _HOLDS_METHODS:
            if item.kind == "function":
                item = item._replace(kind="method")
            elif not item.name[0].isupper() and (
                item.kind == "variable" or (item.kind == "constant" and defs[parent].kind != "enum")
            ):
                continue
        found.append(item)
    return tuple(found)


def _repeats(item: Definition, outer: Definition, source: bytes) -> bool:
    """Whether `item` has the name of what it stands in, on the same line."""
    if item.name != outer.name or item.name_start < outer.name_start:
        return False
    return source.find(b"\n", outer.name_start, item.name_start) < 0
