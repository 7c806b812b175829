"""The reference graph of one workspace folder: rows in, rankings out.

Owns when arrays are made and what is remembered; the arithmetic is in `walk`, the arrays in
`table`. A Graph never changes: the few memos it keeps are functions of its rows, so any thread may
read it and two threads that fill a memo at once fill in the same. numpy is imported at the first
ranking, not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pairwright.graph.focus import Uses, by_part, restart
from pairwright.graph.table import Table, build, splice
from pairwright.graph.types import FileRow, Focus, Ranked, Ranking
from pairwright.graph.walk import Flow, Matrices, matrices, walk
from pairwright.graph.words import Words
from pairwright.tags.words import Bag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIMIT = 5_000
"""Definitions in a ranking unless asked otherwise: a map of 4,096 tokens shows about 300."""

TOLERANCE = 1e-6
"""A step of the walk that moves less than this share of the rank in all is the last one."""

DIGITS = 12
FOLD_AT = 256
"""Rows an overlay may hold before folding it in the background pays."""


class Graph:
    """Who refers to whom: an immutable base and the rows replaced since (the overlay). `words`: the
    terms of the same files."""

    __slots__ = ("_base", "_folded", "_overlay", "_parts", "_paths", "_ready", "words")

    def __init__(
        self, base: Table | None, overlay: Mapping[str, FileRow | None], words: Words
    ) -> None:
        self._base = base
        self._overlay = overlay
        self.words = words
        self._folded: Table | None = None if overlay else base
        self._ready: Matrices | None = None
        self._paths: tuple[str, ...] | None = None
        self._parts: tuple[tuple[str, ...], Mapping[str, tuple[int, ...]]] | None = None

    @classmethod
    def build(cls, rows: Iterable[FileRow] = ()) -> Graph:
        """The graph of `rows`, read once and not kept. Of two rows for one path the later
        counts."""
        rows = iter(rows)
        first = next(rows, None)
        bags: dict[str, Bag] = {}
        words = Words.of(bags)
        if first is None:
            return cls(None, {}, words)
        return cls(build(_chain(first, rows, bags)), {}, words)

    def replace(self, rows: Mapping[str, FileRow | None]) -> Graph:
        """This graph with each path of `rows` replaced, added or (None) removed. Costs a copy of
        the overlay; the arrays follow at the next ranking or in `folded()`."""
        if not rows:
            return self
        table, overlay = self._view()
        bags = {path: row.words if row is not None else None for path, row in rows.items()}
        made = Graph(table, {**overlay, **rows}, self.words.replace(bags))
        made._parts = self._parts
        return made

    def folded(self) -> Graph:
        """The same graph without an overlay. Costs a pass over the arrays: a background job's
        work."""
        table, words = self._table(), self.words.folded()
        if table is self._base and words is self.words:
            return self
        made = Graph(table, {}, words)
        made._parts = self._parts
        made._ready = self._ready
        return made

    @property
    def overlaid(self) -> int:
        """Rows the next ranking has to put into the arrays; from FOLD_AT on, fold in the
        background."""
        return max(len(self._view()[1]), self.words.overlaid)

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file, sorted."""
        table, overlay = self._view()
        if table is not None and not overlay:
            return table.paths
        if self._paths is None:
            known = set(table.paths if table else ())
            known.update(path for path, row in overlay.items() if row is not None)
            known.difference_update(path for path, row in overlay.items() if row is None)
            self._paths = tuple(sorted(known))
        return self._paths

    def layers(self) -> tuple[Table | None, Mapping[str, FileRow | None]]:
        """The arrays, and the rows that replace theirs (None: removed), for readers of whole
        columns."""
        return self._view()

    def row(self, path: str) -> FileRow | None:
        """The contribution of `path`, None if it is not in the graph."""
        table, overlay = self._view()
        if path in overlay:
            return overlay[path]
        file = table.file(path) if table else -1
        if table is None or file < 0:
            return None
        return replace(table.row(file), words=self.words.bag(path))

    def referrers(self, name: str) -> tuple[tuple[str, int], ...]:
        """(path, references) of every file that refers to `name`, most first, then by path."""
        table, overlay = self._view()
        users = table.users(table.refs, name) if table else {}
        found = {path: round(value * value) for path, value in users.items()}
        for path, row in overlay.items():
            found.pop(path, None)
            if row is not None and row.refs.get(name, 0) > 0:
                found[path] = row.refs[name]
        return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def definers(self, name: str) -> tuple[str, ...]:
        """The files that define `name`, sorted."""
        table, overlay = self._view()
        found = set(table.users(table.defs, name) if table else ())
        for path, row in overlay.items():
            found.discard(path)
            if row is not None and row.defs.get(name, 0) > 0:
                found.add(path)
        return tuple(sorted(found))

    def rank(self, focus: Focus, *, limit: int = LIMIT, tolerance: float = TOLERANCE) -> Ranking:
        """The ranking for `focus`: every file, and the best `limit` definitions outside the chat.

        A function of the rows and `focus` alone: neither the order in which rows came nor the hash
        seed nor earlier rankings show. Costs a pass over the arrays after a change, then two
        sparse products a step; holds no lock and may run in any thread.
        """
        table = self._table()
        if table is None or not table.paths:
            return Ranking((), ())
        if self._ready is None:
            self._ready = matrices(table)
        named = {*focus.chat, *focus.open_, *focus.paths}
        number = {path: file for path in named if (file := table.file(path)) >= 0}
        mentioned = _numbers(table.name(name) for name in focus.names)
        uses = [
            Uses(table.holders(table.defs, name), table.holders(table.refs, name))
            for name in mentioned.tolist()
        ]
        parts = self._by_part(table) if focus.names else {}
        start = restart(focus, number, parts, uses, len(table.paths))
        chat = _numbers(number.get(path, -1) for path in focus.chat)
        flow = walk(self._ready, chat, mentioned, start, tolerance)
        return Ranking(_definitions(table, flow, chat, limit), _files(table, flow))

    def _view(self) -> tuple[Table | None, Mapping[str, FileRow | None]]:
        """Arrays and what lies over them, read together: another thread may fold meanwhile."""
        folded = self._folded
        return (self._base, self._overlay) if folded is None else (folded, {})

    def _table(self) -> Table | None:
        if self._folded is None and self._overlay:
            rows = (row for _, row in sorted(self._overlay.items()) if row is not None)
            self._folded = splice(self._base, self._overlay) if self._base else build(rows)
        return self._folded

    def _by_part(self, table: Table) -> Mapping[str, tuple[int, ...]]:
        if self._parts is None or self._parts[0] is not table.paths:
            self._parts = (table.paths, by_part(table.paths))
        return self._parts[1]


def _chain(first: FileRow, rest: Iterable[FileRow], bags: dict[str, Bag]) -> Iterable[FileRow]:
    """The rows one after another; their words go into `bags`."""
    for rows in ((first,), rest):
        for row in rows:
            bags[row.path] = row.words
            yield row


def _numbers(found: Iterable[int]) -> NDArray[np.int64]:
    import numpy as np

    return np.array(sorted({number for number in found if number >= 0}), np.int64)


def _files(table: Table, flow: Flow) -> tuple[tuple[str, float], ...]:
    import numpy as np

    scores = np.round(flow.files, DIGITS)
    order = np.argsort(-scores, kind="stable")
    paths = table.paths
    ranked = zip(order.tolist(), scores[order].tolist(), strict=True)
    return tuple((paths[file], score) for file, score in ranked)


def _definitions(
    table: Table, flow: Flow, chat: NDArray[np.int64], limit: int
) -> tuple[Ranked, ...]:
    import numpy as np

    scores = np.round(flow.entries, DIGITS)
    shown = np.ones(len(table.paths), np.bool_)
    shown[chat] = False
    entries = np.flatnonzero(shown[table.defs.files])
    if len(entries) > limit:
        entries = _best(table, scores, entries, limit)
    names = np.searchsorted(table.defs.ends, entries, side="right") - 1
    files = table.defs.files[entries]
    order = np.lexsort((names, files, -scores[entries]))
    columns = (files[order], names[order], scores[entries[order]])
    return tuple(
        Ranked(table.paths[file], table.names[name], score)
        for file, name, score in zip(*(column.tolist() for column in columns), strict=True)
    )


def _best(
    table: Table, scores: NDArray[np.float64], entries: NDArray[np.int64], limit: int
) -> NDArray[np.int64]:
    """The best `limit` of `entries`; at the last score those first by path and name."""
    import numpy as np

    if limit <= 0:
        return entries[:0]
    mine = scores[entries]
    last = np.partition(mine, len(mine) - limit)[len(mine) - limit]
    sure, tied = entries[mine > last], entries[mine == last]
    order = np.argsort(table.defs.files[tied], kind="stable")
    return np.concatenate((sure, tied[order[: limit - len(sure)]]))
