"""Definitions in a damaged part of a text, told line by line.

An open bracket or a dialect the grammar does not know takes the rest of a file with it: the definitions
behind it are in pieces, or read as something else. Their key words are still at the start of their lines
(`tags.line_rules`). Knows no tree beyond the one question whether a place is inside a comment or a string;
extents are those of the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter

from pairwright.tags.spans import Span

_TEXT = re.compile(r"comment|marginalia|string|\Aliteral\Z|heredoc|\Apod\Z|\Atext\Z", re.I)
_PIECE = re.compile(r"_(?:content|fragment|text|chars?)\Z")
_STEPS = 4
# Bytes of a line behind a name that are taken for its definition.
_REACH = 400
_LINE_END = re.compile(rb"\r?\n|\r|\Z")


class Lost(NamedTuple):
    """A definition or, of kind `reference`, a name used. `start:end`: its line from the key word on."""

    kind: str
    name_start: int
    name_end: int
    start: int
    end: int


def lost(
    rule: re.Pattern[bytes], root: tree_sitter.Node | None, source: bytes, span: Span
) -> Iterator[Lost]:
    """What `rule` finds in the lines of `span`, outside what the tree knows as comments and strings.
    `root`: None where there is no tree."""
    low, high = span
    for match in rule.finditer(source, source.rfind(b"\n", 0, low) + 1, high):
        kind = match.lastgroup
        if kind is None or (root is not None and _is_text(root, match.span(kind))):
            continue
        line_end = _LINE_END.search(source, match.end(kind), match.end(kind) + _REACH)
        yield Lost(
            kind.rstrip("_"),
            *match.span(kind),
            match.end() - len(match[0].lstrip()),
            line_end.start() if line_end else match.end(kind),
        )


def _is_text(root: tree_sitter.Node, name: Span) -> bool:
    """Whether a name stands in a comment or a string. What an error holds of a string may be code behind a
    quote too many."""
    place = root.descendant_for_byte_range(*name)
    # Each step up costs the depth of the tree, and a string is not far above its text.
    for _ in range(_STEPS):
        if place is None:
            break
        above = place.parent
        if _TEXT.search(place.type) and not (
            above is not None and above.type == "ERROR" and _PIECE.search(place.type)
        ):
            return True
        place = above
    return False
