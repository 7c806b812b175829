"""Where a text holds another language: script and style in markup. Knows trees, not tags.

A region is parsed as a tree of its own over the whole text with only its bytes included, so that every offset
is one of the text and an edit moves both trees alike.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import NamedTuple

import tree_sitter

from pairwright.tags.grammars import grammar
from pairwright.tags.table import ALL

_LANG = re.compile(rb"""\blang\s*=\s*["']?([\w/+.-]+)""", re.I)
_TYPE = re.compile(rb"""\btype\s*=\s*["']?([\w/+.-]+)""", re.I)
# What a tag may say of its text; the empty word stands for no attribute at all.
_SCRIPTS = {
    "": "javascript",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "module": "javascript",
    "babel": "javascript",
    "javascript": "javascript",
    "x-javascript": "javascript",
    "ecmascript": "javascript",
    "ts": "typescript",
    "typescript": "typescript",
    "tsx": "tsx",
}
_STYLES = {"": "css", "css": "css", "postcss": "css", "scss": "scss", "less": "less"}


class Region(NamedTuple):
    """The bytes `start:end` are in `language`."""

    start: int
    end: int
    language: str


def regions(language: str, root: tree_sitter.Node, source: bytes) -> tuple[Region, ...]:
    """What of other languages stands in `source`, a text in `language` with the tree of `root`, in order."""
    query = _query(language)
    if query is None:
        return ()
    found: list[Region] = []
    cursor = tree_sitter.QueryCursor(query, match_limit=256)
    for _, captures in cursor.matches(root):
        tag = captures["tag"][0] if "tag" in captures else None
        opening = source[tag.start_byte : tag.end_byte] if tag else b""
        for key, nodes in captures.items():
            inner = _inner(key, opening)
            if inner in ALL:
                found += (
                    Region(*node.byte_range, inner)
                    for node in nodes
                    if node.end_byte > node.start_byte
                )
    return tuple(sorted(set(found)))


def _inner(capture: str, opening: bytes) -> str:
    """The language of a text captured so behind the tag `opening`; empty where it is none of ours."""
    if capture == "script":
        return _SCRIPTS.get(_said(opening), "")
    if capture == "style":
        return _STYLES.get(_said(opening), "")
    return capture if capture in ALL else ""


def _said(opening: bytes) -> str:
    """What the tag says: `ts` of `lang="ts"`, `javascript` of `type="text/javascript"`."""
    match = _LANG.search(opening) or _TYPE.search(opening)
    return match[1].decode("ascii", "replace").lower().rpartition("/")[2] if match else ""


@cache
def _query(language: str) -> tree_sitter.Query | None:
    row = ALL.get(language)
    found = grammar(row.grammar) if row and row.embeds else None
    return tree_sitter.Query(found, embeds_text(language)) if found else None


def embeds_text(language: str) -> str:
    """The text of the query that finds the regions of `language`; empty where it has none."""
    name = ALL[language].embeds
    if not name:
        return ""
    return (resources.files(__package__) / "queries" / f"{name}.scm").read_text(encoding="utf-8")
