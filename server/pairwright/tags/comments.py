"""Where the comments of a text are: by its syntax tree, so that a string or an address is none.

Only places that are asked about are looked at. Knows no meaning of a comment.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from pairwright.tags.files import is_isolated, unfit
from pairwright.tags.parse import Parsed, parse
from pairwright.tags.spans import Span

# A comment is a leaf, or has its sign, text and end as children of their own.
_MOST_UP = 4
# What a grammar calls a comment without the word.
_ALSO = frozenset({"marginalia"})
# Templates whose comments stand in the markup that the parser of their code does not see.
_READ_AS = {"ejs": "html", "erb": "html"}


def comments_at(
    data: bytes, language: str, places: Sequence[int]
) -> tuple[Span | None, ...] | None:
    """For each of `places`, byte offsets, the bytes of the comment that holds it, None where there is none. None
    altogether for a text that is not parsed here: no grammar, too large, not text, or a language whose grammar
    only runs apart."""
    if is_isolated(language) or unfit(data) is not None:
        return None
    parsed = parse(data, _READ_AS.get(language, language))
    if parsed is None:
        return None
    return tuple(_comment(parsed, at) for at in places)


def _comment(parsed: Parsed, at: int) -> Span | None:
    for part in parsed.inner:
        if part.span and part.span[0] <= at < part.span[1]:
            return _outermost(part.tree.root_node, at)
    return _outermost(parsed.tree.root_node, at)


def _outermost(root: tree_sitter.Node, at: int) -> Span | None:
    node, found = root.descendant_for_byte_range(at, at + 1), None
    for _ in range(_MOST_UP):
        if node is None:
            break
        if "comment" in node.type or node.type in _ALSO:
            found = node.start_byte, node.end_byte
        node = node.parent
    return found
