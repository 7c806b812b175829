"""Tags of a tree, from scratch.

Queries (see `queries`) are the method, not a walk: for 5.5 MB of Python a query finds every match in 0.31 s,
while a walk that only looks at each node's type takes 0.27 s before anything is decided, and a language
stays data. What a query decides must depend on the text and structure of the node it captures only; then
`renew`, which asks again only around the edits, gives what `extract` gives.
Works on byte offsets and never on rows, so line ends are no concern here.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from sys import intern

import tree_sitter

from pairwright.tags.inline import code_names, component, words
from pairwright.tags.lost import lost
from pairwright.tags.parse import Parsed
from pairwright.tags.queries import Captures, Match, Rules, rules, run, run_by_node
from pairwright.tags.spans import Span, merged
from pairwright.tags.table import LANGUAGES
from pairwright.tags.types import EMPTY, Definition, Tags, parents

# Texts up to this many bytes are asked in one go (about 5 ms).
SLICE = 64 * 1024
# Bytes of the longest name; what is longer is data that looks like one.
_MAX_NAME = 512

# What is behind the last separator of a qualified name.
_LAST = re.compile(rb"[^.:/\\$]+\Z")
_WORD = re.compile(rb"[^\s,()=]+")
# What a name may be quoted by, with what ends it.
_QUOTES = {b"`": b"`", b'"': b'"', b"'": b"'", b"[": b"]"}
_OPENING = frozenset({b":", *_QUOTES})
_ENDS_LEAD = re.compile(rb"[\w)\].}\x80-\xff][ \t\r\n]*\Z")
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
class Found:
    """What matches said, before it is sorted. `defs` by name offset with the rank of the pattern that
    decided; `refs`: offset of a name to its end."""

    defs: dict[int, tuple[tuple[int, int], Definition]] = field(default_factory=dict)
    refs: dict[int, int] = field(default_factory=dict)
    ignored: list[int] = field(default_factory=list)
    globals: list[tuple[int, str, Captures]] = field(default_factory=list)
    scopes: list[Span] = field(default_factory=list)
    quoted: list[Span] = field(default_factory=list)
    damaged: list[Span] = field(default_factory=list)


def extract(parsed: Parsed, data: bytes) -> Tags:
    """All tags of `data`, whose tree is `parsed`."""
    return _drained(extract_sliced(parsed, data))


def whole(parsed: Parsed, data: bytes) -> Tags:
    """The tags of this tree alone, from scratch."""
    return _drained(_extract(parsed, data))


def _drained(steps: Generator[None, None, Tags]) -> Tags:
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]


def extract_sliced(parsed: Parsed, data: bytes) -> Generator[None, None, Tags]:
    """`extract` as a generator: it yields about every 5 ms of work and returns the tags."""
    parts: list[Tags] = []
    for part in (parsed, *parsed.inner):
        parts.append((yield from _extract(part, data)))
    return joined(parts, parsed.damaged)


def _extract(parsed: Parsed, data: bytes) -> Generator[None, None, Tags]:
    """The tags of this tree alone."""
    rule = rules(parsed.language)
    if rule is None:
        return replace(EMPTY, language=parsed.language)
    found = Found()
    root, source = parsed.tree.root_node, parsed.source
    for node in _parts(root, len(source)):
        matches = run(rule, node, source)
        if matches is None:
            for some in run_by_node(rule, node, source):
                read(rule, some, source, found)
                yield
        else:
            read(rule, matches, source, found)
            yield
    found.damaged = _damaged(root)
    settle(rule, root, source, data, found)
    starts = sorted(found.refs)
    names = names_of(found.refs, starts, data)
    return made(parsed, (item for _, item in found.defs.values()), names, starts)


def joined(parts: Sequence[Tags], damaged: bool) -> Tags:
    """The tags of a text and of its regions as one."""
    host = parts[0]
    if len(parts) == 1:
        return host
    defs = sorted(
        (item for tags in parts for item in tags.defs),
        key=lambda item: (item.start, -item.end, item.name_start),
    )
    refs = sorted(
        pair for tags in parts for pair in zip(tags.ref_starts, tags.ref_names, strict=True)
    )
    return replace(
        host,
        defs=tuple(defs),
        ref_names=tuple(name for _, name in refs),
        ref_starts=tuple(start for start, _ in refs),
        damaged=damaged,
        deferred=any(tags.deferred for tags in parts),
    )


def _parts(root: tree_sitter.Node, size: int) -> list[tree_sitter.Node]:
    """What to ask one after another: the whole of a small text, the top-level nodes of a large one."""
    return [root] if size <= SLICE else root.children


def _damaged(root: tree_sitter.Node) -> list[Span]:
    """From the first top-level node with an error to the last: what is between was read from the wrong start."""
    if root.type == "ERROR":
        return [root.byte_range]
    bad = [node for node in root.children if node.has_error] if root.has_error else []
    return [(bad[0].start_byte, bad[-1].end_byte)] if bad else []


def settle(rule: Rules, root: tree_sitter.Node, source: bytes, data: bytes, found: Found) -> None:
    """Keep of the global names those outside functions; add what is lost in damaged parts; drop references
    that are something else, and names that the parser saw and the text does not hold."""
    _recover(rule, root, source, found)
    inside = [
        (item.start, item.end)
        for _, item in found.defs.values()
        if item.kind in ("function", "method")
    ]
    scopes = merged([*inside, *found.scopes])
    for pattern, key, captures in found.globals:
        if not _within(captures[key][0].start_byte, scopes):
            _define(rule, pattern, key, captures, source, found)
    quoted = merged(found.quoted)
    for start in [start for start in found.defs if _within(start, quoted)]:
        del found.defs[start]
    for start in (*found.defs, *found.ignored):
        found.refs.pop(start, None)
    for start, end in tuple(found.refs.items()):
        if not 0 < end - start <= _MAX_NAME or source[start:end] != data[start:end]:
            del found.refs[start]
    if source is not data:
        for start, (_, item) in tuple(found.defs.items()):
            end = start + len(item.name.encode())
            if source[start:end] != data[start:end]:
                del found.defs[start]


def _recover(rule: Rules, root: tree_sitter.Node, source: bytes, found: Found) -> None:
    """Take up what the damaged parts hold that no pattern told."""
    if rule.lost is None:
        return
    for span in merged(found.damaged):
        for item in lost(rule.lost, root, source, span):
            name_start, name_end = bare(item.name_start, item.name_end, source)
            if item.kind == "reference":
                found.refs.setdefault(name_start, name_end)
            elif name_start not in found.defs:
                name = intern(source[name_start:name_end].decode("utf-8", "replace"))
                found.defs[name_start] = (
                    (sys.maxsize, 0),
                    Definition(name, item.kind, name_start, item.start, item.end, item.end),
                )


def _within(start: int, spans: Sequence[Span]) -> bool:
    """Whether `start` is inside one of the sorted, disjoint `spans`."""
    index = bisect_right(spans, start, key=itemgetter(0)) - 1
    return index >= 0 and start < spans[index][1]


def read(rule: Rules, matches: Iterable[Match], source: bytes, found: Found) -> None:
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
                if source[start : start + 1] in _OPENING:
                    start, end = bare(start, end, source)
                refs[start] = end
        elif nodes := captures.get("reference.last"):
            refs.update((_last(node, source), node.end_byte) for node in nodes)
        elif nodes := captures.get("reference.first"):
            refs.update(_first(node, source) for node in nodes)
        elif nodes := captures.get("reference.code"):
            for node in nodes:
                refs.update(code_names(source, *node.byte_range))
        elif nodes := captures.get("reference.words"):
            for node in nodes:
                refs.update(words(source, *node.byte_range))
        elif nodes := captures.get("reference.component"):
            refs.update(filter(None, (component(source, *node.byte_range) for node in nodes)))
        elif nodes := captures.get("ignore"):
            found.ignored += (node.start_byte for node in nodes)
        elif nodes := captures.get("reference.declarator"):
            refs.update(map(_declared, nodes))
        elif nodes := captures.get("scope"):
            found.scopes += (node.byte_range for node in nodes)
        elif nodes := captures.get("quoted"):
            found.quoted += (node.byte_range for node in nodes)
        else:
            for key in captures:
                if key.startswith("definition."):
                    _define(rule, pattern, key, captures, source, found)
                elif key.startswith("global."):
                    found.globals.append((pattern, key, captures))


def _is_capital(source: bytes, start: int) -> bool:
    # Empty for a missing name at the very end.
    first = source[start : start + 1]
    return b"A" <= first <= b"Z" or (
        first > b"\x7f" and source[start : start + 4].decode("utf-8", "ignore")[:1].isupper()
    )


def _define(
    rule: Rules, pattern: int, key: str, captures: Captures, source: bytes, found: Found
) -> None:
    root = captures[key][0]
    name_start, name_end = _named(captures, source)
    if not 0 < name_end - name_start <= _MAX_NAME:
        return
    text = source[name_start:name_end].decode("utf-8", "replace").strip()
    # Grammars take U+2028 and U+0085 for letters.
    if not text:
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
        kind = key.partition(".")[2]
        if kind == "variable" and text.isupper():
            kind = "constant"
        found.defs[name_start] = rank, Definition(intern(text), kind, name_start, start, end, body)


def _named(captures: Captures, source: bytes) -> Span:
    """The bytes of a definition's name. A title keeps its quotes: no name refers to it."""
    if named := captures.get("title"):
        return named[0].byte_range
    if named := captures.get("name"):
        start, end = named[0].byte_range
    elif named := captures.get("name.last"):
        start, end = _last(named[0], source), named[0].end_byte
    elif named := captures.get("name.first"):
        start, end = _first(named[0], source)
    else:
        start, end = _declared(captures["declarator"][0])
    return bare(start, end, source)


def _start(root: tree_sitter.Node, leads: frozenset[str], source: bytes) -> int:
    """Where a definition begins: at its first attribute, if those stand in front of it."""
    first = root.start_byte
    # The look back costs the depth of the tree, so only behind what can end an attribute.
    if not leads or root.type in leads or not _ENDS_LEAD.search(source, max(0, first - 200), first):
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


def bare(start: int, end: int, source: bytes) -> Span:
    """A name without its quotes; a Ruby symbol names what stands behind its colon, `:*:` is an operator."""
    if source[start : start + 1] == b":":
        return start + (source[end - 1 : end] != b":"), end
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


def names_of(refs: dict[int, int], starts: Sequence[int], data: bytes) -> list[str]:
    known: dict[bytes, str] = {}
    names: list[str] = []
    for start in starts:
        raw = data[start : refs[start]]
        name = known.get(raw)
        if name is None:
            name = known[raw] = intern(raw.decode("utf-8", "replace"))
        names.append(name)
    return names


def made(
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
        if parent < 0:
            found.append(item)
            continue
        outer = defs[parent]
        if outer.name == item.name and _repeats(item, outer, source):
            continue
        if outer.kind in _HOLDS_METHODS:
            if item.kind == "function":
                item = item._replace(kind="method")
            elif not item.name[0].isupper() and (
                item.kind == "variable" or (item.kind == "constant" and outer.kind != "enum")
            ):
                continue
        found.append(item)
    return tuple(found)


def _repeats(item: Definition, outer: Definition, source: bytes) -> bool:
    """Whether `item`, which has the name of what it stands in, is on the same line."""
    if item.name_start < outer.name_start:
        return False
    return source.find(b"\n", outer.name_start, item.name_start) < 0
