"""The tag queries: loading, compiling, and running them in bounded time.

Queries are the `.scm` files beside this module. Captures: `@definition.<kind>` on the whole node, `@name`
or `@declarator` (followed down to the name it declares) or `@title` (a string that serves as one, kept with
its quotes), `@body`; `@reference` on a name,
`@reference.capital` kept only when it begins with a capital, `@reference.declarator` followed down,
`@reference.last` and `@name.last` without what qualifies the name, `.first` likewise the first word,
`@reference.component` the name in a tag if it is a component's, `@reference.code` the names in an unread
expression, `@reference.words` each word of an unread list; `@ignore` on a name that is neither,
`@quoted` on code that is data and defines nothing.
The first pattern in file order that names a definition decides.

Bounded: a pattern that waits for something behind a deep subtree (a method's name behind its receiver)
stays open once per level, and the cursor looks at every open state at every node, so 20,000 chained calls
cost 20 s. `match_limit` bounds only states that hold a capture; therefore such patterns capture their root
(`@_outer`). Where the limit was hit, every node is asked for the matches that begin at it: about 1 µs a
node, however deep. Text predicates are evaluated here, on our bytes (nodes of an edited tree have no text),
and on the finished matches: each call of a predicate callback leaks its arguments (tree-sitter 0.26).
A progress callback must never reach QueryCursor (it crashes the process).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

import tree_sitter

from pairwright.tags.generic import query_text
from pairwright.tags.grammars import grammar
from pairwright.tags.line_rules import rule_of
from pairwright.tags.spans import Span
from pairwright.tags.table import ALL

Captures = dict[str, list[tree_sitter.Node]]
Match = tuple[int, Captures]

# States the cursor may hold open. Ordinary code needs a few dozen; at 256 a node costs about 1 µs.
_OPEN_STATES = 256

_TOKEN = re.compile(r';[^\n]*|"(?:\\.|[^"\\])*"|\(#[^()]*\)|[()]|@[\w.]+')
# Comments and strings come first, so that nothing in them is taken for a predicate.
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')
_PREDICATE = re.compile(
    r';[^\n]*|\(#([\w-]+\?)\s*@([\w.]+)((?:\s*"(?:\\.|[^"\\])*")*)\s*\)|"(?:\\.|[^"\\])*"'
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
MAX_NODES = 1_000_000
"""Nodes asked one by one after the limit was hit, about 1 µs each."""


class Asked(NamedTuple):
    """`#one-of? @c "a" …`: the text of @c is one of these, `#none-of?`: it is not. `#prefix?`: it begins
    with one of these, `#not-prefix?`: it does not. `#lacks?`: none of these is in it."""

    name: str
    capture: str
    words: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """A language's compiled query. `asked`: its predicates by pattern. `every`: all named nodes.
    `leads`: node types of attributes in front of a definition, `lead_query` finds them (None where there are
    none). `tails`: of bodies behind one. `reach`: how many levels above a word it may decide about other
    names, 0 if none does. `lost`: what tells definitions where the grammar fails."""

    query: tree_sitter.Query
    asked: Mapping[int, tuple[Asked, ...]]
    every: tree_sitter.Query
    leads: frozenset[str]
    lead_query: tree_sitter.Query | None
    tails: frozenset[str]
    reach: int
    lost: re.Pattern[bytes] | None


def text_of(language: str) -> str:
    """The query text of `language`: its files joined in order, else what the generic rule gives."""
    folder = resources.files(__package__) / "queries"
    names = ALL[language].queries
    if not names:
        found = grammar(ALL[language].grammar)
        return query_text(found) if found else ""
    files = [(folder / f"{name}.scm").read_text(encoding="utf-8") for name in names]
    return "\n".join(files)


@cache
def rules(language: str) -> Rules | None:
    """The compiled query of `language`; None without grammar. Raises QueryError on a broken query file."""
    row = ALL.get(language)
    found = grammar(row.grammar) if row else None
    if row is None or found is None:
        return None
    text = text_of(language)
    query = tree_sitter.Query(found, text)
    return Rules(
        query,
        _asked(query, text.encode()),
        tree_sitter.Query(found, "(_) @node"),
        frozenset(row.leads),
        tree_sitter.Query(found, "\n".join(f"({lead}) @lead" for lead in row.leads))
        if row.leads
        else None,
        frozenset(row.tails),
        _reach(query, text.encode()),
        rule_of(language),
    )


def _reach(query: tree_sitter.Query, text: bytes) -> int:
    """How deep below a pattern's root a word stands whose text decides about another capture.

    Where the head of a list says what the list is (`defn`, `attr_reader`), an edit of that word changes
    names on lines it does not touch.
    """
    found = 0
    for index in range(query.pattern_count):
        raw = text[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
        asked = set(re.findall(r"\(#[\w-]+\?\s*@([\w.]+)", raw))
        levels = _levels(raw)
        if len(levels) > 1 and asked & {name for name in levels if name.startswith("_")}:
            top = min(level for _, level in levels.items())
            found = max(found, *(levels.get(name, top) - top for name in asked))
    return found


def _levels(pattern: str) -> dict[str, int]:
    """How many nodes stand around each capture of a pattern."""
    found: dict[str, int] = {}
    depth = 0
    for token in _TOKEN.findall(pattern):
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
        elif token.startswith("@"):
            found[token[1:]] = max(depth, found.get(token[1:], 0))
    return found


def run(
    rule: Rules, root: tree_sitter.Node, source: bytes, span: Span | None = None
) -> list[Match] | None:
    """The matches that touch bytes `span` (all without it); None when it held too many open states."""
    cursor = _cursor(rule.query, span)
    matches = cursor.matches(root)
    return None if cursor.did_exceed_match_limit else _kept(rule, matches, source)


def run_by_node(
    rule: Rules, root: tree_sitter.Node, source: bytes, span: Span | None = None
) -> Iterator[list[Match]]:
    """The same in time linear in the number of nodes however deep they lie, a thousand nodes a turn.

    Ends early, with part of the matches, above `MAX_NODES` nodes.
    """
    nodes = _cursor(rule.every, span).captures(root).get("node", [])[:MAX_NODES]
    single = tree_sitter.QueryCursor(rule.query)
    single.set_max_start_depth(0)
    for at in range(0, len(nodes), 1000):
        found: list[Match] = []
        for node in nodes[at : at + 1000]:
            found += _kept(rule, single.matches(node), source)
        yield found


def lead_nodes(rule: Rules, node: tree_sitter.Node, span: Span) -> list[tree_sitter.Node]:
    """The attributes at or below `node` that touch `span`."""
    if rule.lead_query is None:
        return []
    return _cursor(rule.lead_query, span).captures(node).get("lead", [])


def _cursor(query: tree_sitter.Query, span: Span | None) -> tree_sitter.QueryCursor:
    cursor = tree_sitter.QueryCursor(query, match_limit=_OPEN_STATES)
    if span is not None:
        # The range is half open and a node that only touches it counts here.
        cursor.set_byte_range(max(span[0] - 1, 0), span[1] + 1)
    return cursor


def _kept(rule: Rules, matches: list[Match], source: bytes) -> list[Match]:
    """The matches whose text meets the predicates of their pattern."""
    asked = rule.asked
    return [
        match
        for match in matches
        if match[0] not in asked or all(_holds(one, match[1], source) for one in asked[match[0]])
    ]


def _holds(asked: Asked, captures: Captures, source: bytes) -> bool:
    name, capture, words = asked
    for node in captures.get(capture, ()):
        text = source[node.start_byte : node.end_byte]
        if name == "one-of?" and text not in words:
            return False
        if name == "none-of?" and text in words:
            return False
        if name == "not-prefix?" and text.startswith(words):
            return False
        if name == "lacks?" and any(word in text for word in words):
            return False
        if name == "prefix?" and not text.startswith(words):
            return False
    return True


def _asked(query: tree_sitter.Query, text: bytes) -> Mapping[int, tuple[Asked, ...]]:
    """The predicates of each pattern that has any."""
    found: dict[int, tuple[Asked, ...]] = {}
    for index in range(query.pattern_count):
        raw = text[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
        asked = tuple(
            Asked(name, capture, tuple(_unquoted(word) for word in _QUOTED.findall(words)))
            for name, capture, words in _PREDICATE.findall(raw)
            if name
        )
        if asked:
            found[index] = asked
    return found


def _unquoted(word: str) -> bytes:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), word).encode()
