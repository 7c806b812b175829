"""The symbol format: a block names a definition and gives its whole new text, so no old line has to
be copied.

    path/of/the/file.py
    <<<<<<< DEFINITION Order.total
    def total(self):
        return sum(self.rows)
    >>>>>>> REPLACE

`BEFORE` and `AFTER` put lines beside a definition, `DELETE` removes one. Which lines a name means
is for `definitions`. Knows the form only. The idea: FuncDiff, arXiv 2604.27296.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import Literal

from pairwright.edits.formats import names
from pairwright.edits.formats.markers import END
from pairwright.edits.formats.names import Names
from pairwright.edits.formats.stream import Fences, Reader, quoted
from pairwright.edits.types import Block, Parsed, Where

HEAD = re.compile(
    r"([ \t]*)<{5,9} ?(DEFINITION|BEFORE|AFTER|DELETE)[ \t]+(\S.*?)[ \t]*(?:[<>]+)?", re.I
)
_SIDES: dict[str, Literal["at", "before", "after"]] = {
    "definition": "at",
    "before": "before",
    "after": "after",
    "delete": "at",
}
_LOOK_BACK = 3
_LONGEST_MARKER = 300
_QUOTED = 6


def parse(reply: str, known: Sequence[str] = ()) -> Parsed:
    """The blocks of a whole `reply`. `known`: paths that exist."""
    stream = Stream(known)
    stream.feed(reply)
    return stream.close()


class Stream(Reader):
    """A reply that arrives in pieces. A block counts once its end marker's line has ended."""

    format = "symbol"

    def __init__(self, known: Sequence[str] = ()) -> None:
        super().__init__()
        self._names = Names.of(known)
        self._fences = Fences(self._shell)
        self._above: deque[str] = deque(maxlen=_LOOK_BACK)
        self._path: str | None = None
        self._open: _Open | None = None

    def _read(self, line: str) -> None:
        is_short = len(line) <= _LONGEST_MARKER
        head = HEAD.fullmatch(line) if is_short and "<<<<<" in line else None
        opened = self._open
        if opened is None:
            if head is not None:
                self._begin(head)
            else:
                self._outside(line)
        elif (
            is_short
            and ">" in line
            and (end := END.fullmatch(line))
            and end[1] in (opened.indent, "")
        ):
            self._open = None
            self._finish(opened)
        elif head is not None and head[1] in (opened.indent, ""):
            self._malformed(opened, f"another block begins on line {self._line} before its end")
            self._begin(head)
        else:
            opened.lines.append(line.removeprefix(opened.indent) if opened.indent else line)

    def _end(self) -> None:
        if self._open is not None:
            self._malformed(self._open, "the reply ends inside it, cut off")
        self._fences.close(is_edit=self._open is not None)

    def _outside(self, line: str) -> None:
        was_open = self._fences.open is not None
        self._fences.see(line)
        if was_open and self._fences.open is None:
            self._above.clear()
        elif line.strip():
            self._above.append(line)

    def _begin(self, head: re.Match[str]) -> None:
        for read in (names.of_line, names.inside):
            for line in reversed(self._above):
                if found := read(line, self._names):
                    self._path = found
                    break
            else:
                continue
            break
        self._above.clear()
        self._open = _Open(self._line, head[1], head[2].lower(), head[3].strip("`\"'"), self._path)

    def _finish(self, opened: _Open) -> None:
        if self._fences.open is not None:
            # What else stands in the fence of an edit is no command.
            self._fences.holds_edit()
        if opened.word == "delete" and any(line.strip() for line in opened.lines):
            self._malformed(opened, "a DELETE block has no lines of its own")
            return
        if opened.word != "delete" and not any(line.strip() for line in opened.lines):
            self._malformed(opened, "it has no lines; write DELETE to remove a definition")
            return
        where = Where(symbol=opened.symbol, side=_SIDES[opened.word])
        new = () if opened.word == "delete" else tuple(opened.lines)
        self._blocks.append(
            Block(opened.path, (), new, opened.line, operation="symbol", where=where)
        )

    def _malformed(self, opened: _Open, what: str) -> None:
        where = f" for {opened.path}" if opened.path else ""
        shown = quoted(
            [f"<<<<<<< {opened.word.upper()} {opened.symbol}", *opened.lines[-_QUOTED:]], 0
        )
        self._fault(
            f"The block{where} on line {opened.line} of the reply is malformed: {what}.\n{shown}",
            opened.path,
        )


class _Open:
    """A block whose end has not come."""

    __slots__ = ("indent", "line", "lines", "path", "symbol", "word")

    def __init__(self, line: int, indent: str, word: str, symbol: str, path: str | None) -> None:
        self.line, self.indent, self.word = line, indent, word
        self.symbol, self.path = symbol, path
        self.lines: list[str] = []
