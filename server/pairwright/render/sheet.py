"""A map in the making: the units chosen so far and the text they give. Knows no budget."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from pairwright.render.rows import GAP, Outline, Row, outline_of, shown_path
from pairwright.render.types import Shown, Source


class Unit(NamedTuple):
    """What is chosen or not: definition `number` of `path`, or (None) the bare path. `whole`: with
    all rows of its signature, not only the one with its name."""

    path: str
    number: int | None
    whole: bool = True


class Definer:
    """Outlines of files, each read at first need."""

    __slots__ = ("_outlines", "_source")

    def __init__(self, source: Callable[[str], Source | None]) -> None:
        self._source = source
        self._outlines: dict[str, Outline | None] = {}

    def outline(self, path: str) -> Outline | None:
        """The outline of `path`, None if it has no text now."""
        if path not in self._outlines:
            source = self._source(path)
            self._outlines[path] = None if source is None else outline_of(source)
        return self._outlines[path]

    def rows(self, unit: Unit) -> list[Row]:
        """The rows that show `unit`; none for a bare path."""
        outline = self._outlines.get(unit.path)
        if outline is None or unit.number is None:
            return []
        return outline.rows(unit.number, whole=unit.whole)

    def text(self, path: str, row: Row) -> str:
        """The text of a row of a file whose outline was read."""
        outline = self._outlines[path]
        return "" if outline is None else outline.text(row)


class Sheet:
    """Units in the order they were chosen, and the rows of each file, sorted."""

    __slots__ = ("_bare", "_blocks", "_definer", "_rows", "units")

    def __init__(self, definer: Definer) -> None:
        self._definer = definer
        # A list is never changed, only replaced: copies of a sheet share them.
        self._rows: dict[str, list[Row]] = {}
        self._blocks: dict[str, str] = {}
        self._bare: dict[str, None] = {}
        self.units: list[Unit] = []

    def copy(self) -> Sheet:
        """The same sheet, to be extended apart; costs less than to choose its units again."""
        made = Sheet(self._definer)
        made._rows = dict(self._rows)
        made._blocks = dict(self._blocks)
        made._bare = dict(self._bare)
        made.units = self.units[:]
        return made

    def add(self, unit: Unit) -> list[str]:
        """Choose `unit`; the lines that come into the text by it (gap rows that go are not
        told)."""
        self.units.append(unit)
        if unit.number is None:
            return self._list(unit.path)
        lines: list[str] = []
        rows = self._rows.get(unit.path)
        if rows is None:
            lines += ["", f"{shown_path(unit.path)}:"]
        rows = self._rows[unit.path] = list(rows or ())
        self._blocks.pop(unit.path, None)
        for row in self._definer.rows(unit):
            lines += self._put(unit.path, rows, row)
        return lines

    def text(self) -> str:
        """The whole map; empty or ending with a line end."""
        for path in self._rows:
            if path not in self._blocks:
                self._blocks[path] = "\n".join(self._block(path))
        blocks = [self._blocks[path] for path in self._rows]
        bare = [shown_path(path) for path in self._bare if path not in self._rows]
        if bare:
            blocks.append("\n".join(bare))
        return "\n\n".join(blocks) + "\n" if blocks else ""

    def shown(self) -> tuple[Shown, ...]:
        """Every definition whose own row is in the text, in the order of the text."""
        found: list[Shown] = []
        for path, rows in self._rows.items():
            outline = self._definer.outline(path)
            if outline is not None:
                found += [
                    outline.shown(path, number, line) for number, line in outline.visible(rows)
                ]
        return tuple(found)

    def _list(self, path: str) -> list[str]:
        if path in self._rows or path in self._bare:
            return []
        lines = [shown_path(path)] if self._bare else ["", shown_path(path)]
        self._bare[path] = None
        return lines

    def _put(self, path: str, rows: list[Row], row: Row) -> list[str]:
        at = bisect_left(rows, row)
        if at < len(rows) and rows[at] == row:
            return []
        above = at > 0 and row.line - rows[at - 1].line > 1
        below = at < len(rows) and rows[at].line - row.line > 1
        split = 0 < at < len(rows) and rows[at].line - rows[at - 1].line > 1
        rows.insert(at, row)
        gaps = max(above + below - split, 0)
        return [self._definer.text(path, row), *[GAP] * gaps]

    def _block(self, path: str) -> list[str]:
        lines = [f"{shown_path(path)}:"]
        last: Row | None = None
        for row in self._rows[path]:
            if last is not None and row.line - last.line > 1:
                lines.append(GAP)
            lines.append(self._definer.text(path, row))
            last = row
        return lines
