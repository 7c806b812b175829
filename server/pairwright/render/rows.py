"""One file's rows in a map: which lines show a definition, and how a line looks.

A row is a line of the source, cut to WIDTH characters. In a line so long that a definition would
lie behind the cut (generated or minified code) the row starts at the definition instead, so one
line can give several rows. Knows no ranking and no budget.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, combining

from pairwright.render.members import members
from pairwright.render.types import Place, Shown, Source
from pairwright.tags.types import Definition, parents

WIDTH = 100
"""Characters of a row, indentation and the sign of a cut included."""

SIGNATURE_ROWS = 5
"""A signature that takes more lines is shown up to here."""

TYPE_ROWS = 8
"""A type in which nothing else is defined (a struct of plain fields) is shown with its members, up to
so many rows in all."""

LEADING_ROWS = 2
"""Lines shown above the name's line when the definition starts there (a return type, a
template)."""

SCOPES = 5
"""Enclosing definitions shown, the innermost ones."""

CUT = "…"
"""Stands for the rest of a line. Alone in a row it stands for left-out lines (GAP): with its line
end it is one token for cl100k, o200k, Qwen, Llama 3 and DeepSeek, two for Gemma."""

GAP = CUT

OUTLINES = 256
"""Outlines kept from one map to the next, with their texts: as many files as a large map looks at,
twice."""

# A row is cut further left than this only where there is no place to cut.
_KEPT = 66

_JOINER = "\u200d"
_JOINS = frozenset(_JOINER) | frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_FLAGS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
_ONE_LINE = frozenset({"constant", "variable", "field", "property"})
_TYPES = frozenset({"class", "enum", "interface", "struct", "type", "union"})
_ANNOTATION = (b"@", b"#", b"[")
# Control characters but the tab, and what else an editor or a terminal takes for a line end.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_PATH_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Row(NamedTuple):
    """A row of a file: `line` from 0, `start` the byte its text starts at (a line start,
    mostly)."""

    line: int
    start: int


class Outline:
    """The definitions of one text by name, with the rows that show them. What was asked once is
    remembered."""

    __slots__ = ("_by_name", "_names", "_own", "_parents", "_signatures", "_texts", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self._parents: tuple[int, ...] | None = None
        self._names: list[tuple[int, int]] | None = None
        self._own: dict[int, Row] = {}
        self._signatures: dict[int, list[Row]] = {}
        self._texts: dict[Row, str] = {}
        self._by_name: dict[str, list[int]] = {}
        for index, item in enumerate(source.tags.defs):
            self._by_name.setdefault(item.name, []).append(index)

    def named(self, name: str) -> tuple[int, ...]:
        """Numbers in `tags.defs` of the definitions called `name`, in the order of the text."""
        return tuple(self._by_name.get(name, ()))

    def numbers(self, name: str, nth: int) -> tuple[int, ...]:
        """`nth` alone if definition `nth` is called `name`, else all of that name."""
        defs = self.source.tags.defs
        if 0 <= nth < len(defs) and defs[nth].name == name:
            return (nth,)
        return self.named(name)

    def place(self, path: str, index: int) -> Place:
        """What definition `index` is called when lines move."""
        name = self.source.tags.defs[index].name
        return (path, name, self._by_name[name].index(index))

    def shown(self, path: str, index: int, line: int) -> Shown:
        """Definition `index`, its own row being in a map."""
        name = self.source.tags.defs[index].name
        return Shown(path, name, line, self._by_name[name].index(index))

    def own_row(self, index: int) -> Row:
        """The row that shows the name of definition `index`."""
        found = self._own.get(index)
        if found is None:
            found = self._own[index] = self._own_row(index)
        return found

    def _own_row(self, index: int) -> Row:
        item, document = self.source.tags.defs[index], self.source.document
        line = document.lines.line_at(item.name_start)
        start = document.lines.start(line)
        if _fits(document.data, start, item):
            return Row(line, start)
        if item.start > start and _fits(document.data, item.start, item):
            return Row(line, item.start)
        return Row(line, item.name_start)

    def rows(self, index: int, *, whole: bool = True) -> list[Row]:
        """All rows of definition `index`: headers of its scopes, then its signature (if `whole`) or
        its own row; may repeat."""
        signature = self._signature(index) if whole else [self.own_row(index)]
        return [*map(self.own_row, self._scopes(index)), *signature]

    def is_long(self, index: int) -> bool:
        """Whether the signature of definition `index` takes more than its own row."""
        return len(self._signature(index)) > 1

    def visible(self, rows: list[Row]) -> list[tuple[int, int]]:
        """(number, line) of every definition whose own row is one of `rows` (sorted), in text
        order."""
        document = self.source.document
        if self._names is None:
            defs = enumerate(self.source.tags.defs)
            self._names = sorted((item.name_start, number) for number, item in defs)
        names = self._names
        wanted = frozenset(rows)
        found: list[tuple[int, int]] = []
        for line in sorted({row.line for row in rows}):
            low, high = document.lines.start(line), document.lines.end(line, document.data)
            at = bisect_left(names, (low, -1))
            while at < len(names) and names[at][0] < high:
                number = names[at][1]
                if self.own_row(number) in wanted:
                    found.append((number, line))
                at += 1
        return found

    def _scopes(self, index: int) -> list[int]:
        found: list[int] = []
        outer = self._outer()
        at = outer[index]
        while at >= 0 and len(found) < SCOPES:
            found.append(at)
            at = outer[at]
        return found[::-1]

    def _outer(self) -> tuple[int, ...]:
        """For each definition the number of the one around it, or -1."""
        if self._parents is None:
            self._parents = parents(self.source.tags.defs)
        return self._parents

    def _signature(self, index: int) -> list[Row]:
        found = self._signatures.get(index)
        if found is None:
            found = self._signatures[index] = self._signed(index)
        return found

    def _signed(self, index: int) -> list[Row]:
        item, document = self.source.tags.defs[index], self.source.document
        lines, own = document.lines, self.own_row(index)
        if item.kind in _ONE_LINE or own.start != lines.start(own.line):
            return [own]
        first = lines.line_at(item.start)
        if (
            own.line - first > LEADING_ROWS
            or document.data[item.start : item.start + 1] in _ANNOTATION
        ):
            first = own.line
        end = item.start + len(document.data[item.start : item.body].rstrip())
        last = max(lines.line_at(max(end - 1, 0)), own.line)
        last = min(last, own.line + SIGNATURE_ROWS - 1)
        shown = [*range(first, last + 1), *self._members(index, last + 1, last + 1 - first)]
        return [own if at == own.line else Row(at, lines.start(at)) for at in shown]

    def _members(self, index: int, first: int, taken: int) -> list[int]:
        """The lines from `first` on that show what the type `index` holds; none for anything else,
        and for a type whose members are definitions themselves."""
        defs, document = self.source.tags.defs, self.source.document
        item = defs[index]
        # What is in a definition follows it, so the next one tells.
        is_around = index + 1 < len(defs) and self._outer()[index + 1] == index
        if item.kind not in _TYPES or is_around:
            return []
        last = document.lines.line_at(max(item.end - 1, 0))
        return members(document.data, document.lines, first, last, TYPE_ROWS - taken)

    def text(self, row: Row) -> str:
        """The row as shown: no line end, no control character but tabs, at most WIDTH
        characters."""
        found = self._texts.get(row)
        if found is None:
            found = self._texts[row] = self._cut(row)
        return found

    def _cut(self, row: Row) -> str:
        data, lines = self.source.document.data, self.source.document.lines
        end = lines.end(row.line, data)
        lead = CUT if row.start > lines.start(row.line) else ""
        # Four bytes a character at most, and one character more shows whether there is a rest.
        piece = data[row.start : min(end, row.start + 4 * (WIDTH + 1))].decode("utf-8", "replace")
        text = lead + _CONTROL.sub("\ufffd", piece.rstrip())
        return text if len(text) <= WIDTH else text[: _cut_at(text)].rstrip() + CUT


class _Same:
    """A source, equal to another of the very same document and tags, which costs no comparison."""

    __slots__ = ("source",)

    def __init__(self, source: Source) -> None:
        self.source = source

    def __hash__(self) -> int:
        return hash((self.source.document.path, id(self.source.tags)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Same):
            return NotImplemented
        mine, theirs = self.source, other.source
        return mine.document is theirs.document and mine.tags is theirs.tags


def outline_of(source: Source) -> Outline:
    """The outline of `source`, made once while its document and tags are the same objects."""
    return _outline(_Same(source))


@lru_cache(maxsize=OUTLINES)
def _outline(key: _Same) -> Outline:
    return Outline(key.source)


def shown_path(path: str) -> str:
    """`path` on one line: control characters, line ends and lone surrogates as escapes."""
    return _PATH_CONTROL.sub(lambda match: _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}", path)


def _cut_at(text: str) -> int:
    """Where to cut `text` for CUT to follow: between words, else between characters as they are
    seen."""
    most = WIDTH - len(CUT)
    for joins in (_in_word, _in_character):
        at = most
        while at > _KEPT and joins(text[at - 1], text[at]):
            at -= 1
        if at > _KEPT:
            return at
    return most


def _in_word(before: str, after: str) -> bool:
    starts = before.isalnum() or before == "_" or combining(before) != 0
    return (starts and (after.isalnum() or after == "_")) or _in_character(before, after)


def _in_character(before: str, after: str) -> bool:
    """Whether both belong to one character as it is seen: accents, joiners, skin tones, flags."""
    return (
        combining(after) != 0
        or category(after).startswith("M")
        or after in _JOINS
        or before == _JOINER
        or (after in _FLAGS and before in _FLAGS)
    )


def _fits(data: bytes, start: int, item: Definition) -> bool:
    """Whether the name of `item` lies whole in the row that starts at byte `start`."""
    end = item.name_start + len(item.name.encode("utf-8", "surrogatepass"))
    if end - start < WIDTH - 1:
        return True
    if end - start > 4 * WIDTH:
        return False
    return len(data[start:end].decode("utf-8", "replace")) < WIDTH - 1
