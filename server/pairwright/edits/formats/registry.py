"""Every edit format by name, and which of them a reply is written in.

A model asked for one format may answer in another. What has that format's own markers is read as
what it is; code in a fence alone is never taken for a whole file unless whole files were asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pairwright.edits.formats import patch, search_replace, symbol, unified, whole
from pairwright.edits.types import Block, Parsed, Where

Parser = Callable[[str, Sequence[str]], Parsed]


_DEFINITION = re.compile(
    r"(?:^|\r)[ \t]*<{5,9} ?(?:DEFINITION|BEFORE|AFTER|DELETE)[ \t]+\S", re.M | re.I
)


def _named(reply: str, known: Sequence[str]) -> Parsed:
    """Definitions by name, and SEARCH/REPLACE blocks for what lies outside of any."""
    other = search_replace.parse(reply, known)
    if not _DEFINITION.search(reply):
        if not other.blocks and not other.problems and (bare := _bare(reply, known)):
            return Parsed(bare, (), other.shell, "symbol")
        return replace(other, format="symbol")
    one = symbol.parse(reply, known)
    return Parsed(
        tuple(sorted((*one.blocks, *other.blocks), key=lambda block: block.line)),
        (*one.problems, *other.problems),
        # A fence with an edit of either kind holds no command.
        tuple(command for command in one.shell if command in other.shell),
        "symbol",
    )


def _bare(reply: str, known: Sequence[str]) -> tuple[Block, ...]:
    """Fences under the names of files that exist, without any marker: what weak models write (measured on
    Qwen2.5-Coder 1.5B, 4 replies of 8). Which definition it is its own lines say."""
    found = whole.parse(reply, known)
    blocks = [block for block in found.blocks if block.operation == "whole"]
    if (
        found.problems
        or len(blocks) < len(found.blocks)
        or not {b.path for b in blocks} <= {*known}
    ):
        return ()
    return tuple(replace(block, operation="symbol", where=Where()) for block in blocks)


PARSERS: Mapping[str, Parser] = MappingProxyType(
    {
        "diff": search_replace.parse,
        "diff-fenced": search_replace.parse,
        "editor-diff": search_replace.parse,
        "editor-diff-fenced": search_replace.parse,
        "editor-whole": whole.parse,
        "patch": patch.parse,
        "symbol": _named,
        "udiff": unified.parse,
        "udiff-simple": unified.parse,
        "whole": whole.parse,
    }
)
"""The reader of each format. Formats that only differ in what the model is told share one."""

# Lines that no prose has, for the formats that have any; asked in this order.
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("diff", re.compile(r"^[ \t]*<{5,9} ?SEARCH\b", re.M | re.I)),
    ("symbol", _DEFINITION),
    ("patch", re.compile(r"^\*{3} ?(?:Begin Patch|(?:Add|Update|Delete) File:)", re.M | re.I)),
    ("udiff", re.compile(r"^(?:diff --git |\+\+\+[ \t]+\S|@@ )", re.M)),
)


def read(reply: str, format: str, known: Sequence[str] = ()) -> Parsed:
    """The edits of `reply`, asked for in `format`; `Parsed.format` says what it was read as.
    `known`: paths that exist. Raises KeyError on an unknown format."""
    parsed = replace(PARSERS[format](reply, known), format=format)
    if parsed.blocks:
        return parsed
    is_whole = PARSERS[format] is whole.parse
    for name, sign in _SIGNS:
        parser = PARSERS[name]
        # A diff in place of a whole file is told to the model: what it leaves out would be lost.
        if parser is PARSERS[format] or (is_whole and name == "udiff"):
            continue
        if sign.search(reply) and (other := parser(reply, known)).blocks:
            return other
    return parsed
