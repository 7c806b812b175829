"""Where a text breaks the syntax of its language, and which of these places an edit brought in.

Grammars are lenient and sometimes wrong, so what stood in the text before is never held against an edit: a flaw
counts as old if its line was flawed before, or if it lies where the text before was flawed. Pure.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import tree_sitter

from pairwright.tags.files import is_isolated, unfit
from pairwright.tags.grammars import grammar
from pairwright.tags.languages import language_of
from pairwright.tags.parse import Parsed, parse

MOST = 20
"""Flaws of one text that are named; behind the first few, a grammar only says that it is lost."""

_DATA = {"json": "json", "jsonc": "json", "toml": "toml", "yaml": "yaml", "yml": "yaml"}
"""Grammars of files that have no tags, by the end of their names."""

_LOST = 3
"""A text with so many flaws is one that its grammar does not understand, and what it says of an edit there is noise.
Of 2,149 changes in real histories, all of them right, 2% had new flaws, most of them in such texts; of 1,058 others,
three had with this bound."""

_WIDEST = 200
"""Bytes of a flaw that say what it is; a parser that lost its way calls all that follows flawed."""


class Flaw(NamedTuple):
    """Bytes `start:end` that no rule of the grammar fits. `missing`: what the parser had to make up there; empty:
    the text itself is what does not fit. `note`: words for it, where there are better ones than the parser's."""

    start: int
    end: int
    missing: str = ""
    note: str = ""


class Swap(NamedTuple):
    """Bytes `start:end` of the text before became `size` bytes."""

    start: int
    end: int
    size: int


def checked_as(path: str, data: bytes) -> str | None:
    """The language whose syntax a text is held to; None if there is none."""
    return language_of(path, data) or _DATA.get(path.rpartition(".")[2].casefold())


def is_tame(language: str) -> bool:
    """Whether texts in `language` may be checked in a process that must live."""
    return not is_isolated(language) and language not in _DATA.values()


def flaws_of(path: str, data: bytes, language: str | None = None) -> tuple[Flaw, ...]:
    """The first flaws of `data`, the text of the file at `path`, by position; none where nothing can be said: no
    grammar, no text, minified, above 2 MB. Takes as long as its tags; in a language that is `isolated` it may never
    return, see `tags.files.tags_of`."""
    language = language or checked_as(path, data)
    if language is None or not data or unfit(data):
        return ()
    if language in _DATA.values():
        found = grammar(language)
        tree = tree_sitter.Parser(found).parse(data) if found is not None else None
        return _first(_in_tree(tree)) if tree is not None else ()
    parsed = parse(data, language)
    if parsed is None:
        return ()
    flaws = _first(_in_all(parsed))
    return flaws if flaws or language != "python" else _indentation(data)


def introduced(
    before: Sequence[Flaw], after: Sequence[Flaw], old: bytes, new: bytes, swaps: Sequence[Swap]
) -> tuple[Flaw, ...]:
    """The flaws of `after`, a text's that `swaps` (ascending, in `old`) made of `old`, which are not old ones; none
    where the old text was not understood."""
    if len(before) >= _LOST:
        return ()
    known = Counter(_line(old, flaw.start) for flaw in before)
    found = []
    for flaw in after:
        text = _line(new, flaw.start)
        if known[text] > 0:
            known[text] -= 1
        elif not _lies_in(before, *_origin(flaw.start, swaps)):
            found.append(flaw)
    return tuple(found)


# --- of one text


def _in_all(parsed: Parsed) -> Iterator[Flaw]:
    for one in (parsed, *parsed.inner):
        if one.damaged:
            yield from _in_tree(one.tree)


def _in_tree(tree: tree_sitter.Tree) -> Iterator[Flaw]:
    """Every error but one that is the whole text, which says nothing of where; places only, no nesting."""
    root = tree.root_node
    todo = [root]
    while todo:
        node = todo.pop()
        if node.is_missing:
            yield Flaw(node.start_byte, node.end_byte, node.type)
        elif node.is_error and node != root:
            yield Flaw(node.start_byte, node.end_byte)
        todo += [child for child in node.children if child.has_error or child.is_missing]
    if root.is_error and not any(child.has_error for child in root.children):
        yield Flaw(root.start_byte, root.end_byte)


def _first(flaws: Iterator[Flaw]) -> tuple[Flaw, ...]:
    return tuple(sorted(flaws)[:MOST])


def _indentation(data: bytes) -> tuple[Flaw, ...]:
    """What tree-sitter's Python lets pass and Python does not: a body that is not there, an indent for no reason.
    The rest is the grammar's to say, since Python's own parser knows its own version only."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except IndentationError as error:
        rows = data.splitlines(keepends=True)
        line = min(max((error.lineno or 1) - 1, 0), max(len(rows) - 1, 0))
        start = sum(map(len, rows[:line]))
        return (Flaw(start, start + len(rows[line]), note=error.msg),)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return ()


# --- of two texts


def _line(data: bytes, at: int) -> bytes:
    """The line that holds byte `at`, without blanks around it."""
    start = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at)
    return data[start : end if end >= 0 else len(data)].strip()


def _origin(at: int, swaps: Sequence[Swap]) -> tuple[int, int]:
    """Where byte `at` of the new text comes from: a byte of the old one, or all that became what it stands in."""
    shift = 0
    for swap in swaps:
        start = swap.start + shift
        if at < start:
            break
        if at < start + swap.size:
            return swap.start, swap.end
        shift += swap.size - (swap.end - swap.start)
    return at - shift, at - shift


def _lies_in(flaws: Sequence[Flaw], start: int, end: int) -> bool:
    """Whether `start:end` touches one of `flaws`, which are sorted by where they begin."""
    last = bisect_right(flaws, end, key=lambda flaw: flaw.start)
    return any(start <= min(flaw.end, flaw.start + _WIDEST) for flaw in flaws[:last])
