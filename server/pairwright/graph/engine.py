"""The reference graph of one workspace folder: rows in, rankings out.

Owns when arrays are made and what is remembered; the arithmetic is in `walk`, the arrays in
`table`. A Graph never changes: the few memos it keeps are functions of its rows, so any thread may
read it and two threads that fill a memo at once fill in the same. numpy is imported at the first
ranking, not before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pairwright.graph.choose import Chosen, Describe, best, choose, weigh_files
from pairwright.graph.focus import Uses, restart
from pairwright.graph.listed import Listed
from pairwright.graph.paths import PathIndex
from pairwright.graph.profile import Profile
from pairwright.graph.table import Table, build, splice
from pairwright.graph.types import FileRow, Focus, History, Ranked, Ranking
from pairwright.graph.walk import Flow, Matrices, matrices, walk
from pairwright.graph.weights import COMMON_ABOVE, CONSIDERED, DIGITS, REACHED, is_identifier
from pairwright.graph.words import Words
from pairwright.tags.words import Bag

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_TINY = 1e-300

LIMIT = 5_000
"""Definitions in a ranking unless asked otherwise: a map of 4,096 tokens shows about 300."""

TOLERANCE = 1e-5
"""A step of the walk that moves less than this share of the rank in all is the last one."""

FOLD_AT = 256
"""Rows an overlay may hold before folding it in the background pays."""


class Graph:
    """Who refers to whom: an immutable base and the rows replaced since (the overlay). `words`: the
    terms of the same files."""

    __slots__ = ("_base", "_folded", "_index", "_overlay", "_paths", "_ready", "words")

    def __init__(
        self, base: Table | None, overlay: Mapping[str, FileRow | None], words: Words
    ) -> None:
        self._base = base
        self._overlay = overlay
        self.words = words
        self._folded: Table | None = None if overlay else base
        self._ready: Matrices | None = None
        self._paths: tuple[str, ...] | None = None
        self._index: PathIndex | None = None

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
        made._index = self._index
        return made

    def folded(self) -> Graph:
        """The same graph without an overlay. Costs a pass over the arrays: a background job's
        work."""
        table, words = self._table(), self.words.folded()
        if table is self._base and words is self.words:
            return self
        made = Graph(table, {}, words)
        made._index = self._index
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

    def rank(
        self,
        focus: Focus,
        describe: Describe | None = None,
        history: History = History(),  # noqa: B008  a frozen value
        *,
        limit: int = LIMIT,
        tolerance: float = TOLERANCE,
    ) -> Ranking:
        """The ranking for `focus`: every file, and the best `limit` definitions outside the chat.

        With `describe` the request's words, the chat's words and the `history` choose too, and
        definitions of the best files are ranked one by one; without it the graph alone decides.
        `describe` is asked for the chat's and at most CONSIDERED other files.

        A function of the arguments and the rows alone: neither the order in which rows came nor the
        hash seed nor earlier rankings show. Costs a pass over the arrays after a change, then two
        sparse products a step; holds no lock and may run in any thread.
        """
        table = self._table()
        if table is None or not table.paths:
            return Ranking((), ())
        flow, chat = self._walk(table, focus, tolerance)
        index = self._said(table)
        if describe is None or not (focus.words or focus.chat):
            rest = _by_name(table, flow, chat, limit)
            found = _definitions(table, rest, limit)
            return Ranking(found, _files(table, flow.files), index.tops)
        named = _named(table, focus.names)
        files = weigh_files(focus, self.words, history, flow.files, index, named)
        allowed = _outside(table, chat) & ~_outside(table, table.defs.files)
        numbers = best(files.score, allowed, CONSIDERED)
        known = [(n, made) for n in numbers if (made := describe(table.paths[n])) is not None]
        own = [made for n in chat.tolist() if (made := describe(table.paths[n])) is not None]
        chosen = choose(files, known, _reached(table, flow, known), own)
        hidden = _numbers([*chat.tolist(), *(number for number, _ in known)])
        rest = _by_name(table, flow, hidden, limit, REACHED)
        found = _definitions(table, rest, limit, chosen)
        return Ranking(found, _files(table, files.score), index.tops)

    def _walk(self, table: Table, focus: Focus, tolerance: float) -> tuple[Flow, NDArray[np.int64]]:
        """Where the walk for `focus` ends up, and the numbers of the files in the chat."""
        if self._ready is None:
            self._ready = matrices(table)
        named = {*focus.chat, *focus.open_, *focus.paths}
        number = {path: file for path in named if (file := table.file(path)) >= 0}
        mentioned = _numbers(table.name(name) for name in focus.names)
        uses = [
            Uses(table.holders(table.defs, name), table.holders(table.refs, name))
            for name in mentioned.tolist()
        ]
        parts = self._said(table).parts if focus.names else {}
        start = restart(focus, number, parts, uses, len(table.paths))
        chat = _numbers(number.get(path, -1) for path in focus.chat)
        return walk(self._ready, chat, mentioned, start, tolerance), chat

    def _view(self) -> tuple[Table | None, Mapping[str, FileRow | None]]:
        """Arrays and what lies over them, read together: another thread may fold meanwhile."""
        folded = self._folded
        return (self._base, self._overlay) if folded is None else (folded, {})

    def _table(self) -> Table | None:
        if self._folded is None and self._overlay:
            rows = (row for _, row in sorted(self._overlay.items()) if row is not None)
            self._folded = splice(self._base, self._overlay) if self._base else build(rows)
        return self._folded

    def _said(self, table: Table) -> PathIndex:
        if self._index is None or self._index.paths is not table.paths:
            self._index = PathIndex(table.paths)
        return self._index


def _chain(first: FileRow, rest: Iterable[FileRow], bags: dict[str, Bag]) -> Iterable[FileRow]:
    """The rows one after another; their words go into `bags`."""
    for rows in ((first,), rest):
        for row in rows:
            bags[row.path] = row.words
            yield row


def _named(table: Table, names: Iterable[str]) -> dict[str, list[int]]:
    """Which of `names` can only be meant as names, and the few files that define each."""
    found = {}
    for name in names:
        number = table.name(name) if is_identifier(name) else -1
        files = table.holders(table.defs, number).tolist() if number >= 0 else []
        if 0 < len(files) <= COMMON_ABOVE:
            found[name] = files
    return found


def _numbers(found: Iterable[int]) -> NDArray[np.int64]:
    import numpy as np

    return np.array(sorted({number for number in found if number >= 0}), np.int64)


def _files(table: Table, scores: Floats) -> Listed[tuple[str, float]]:
    import numpy as np

    @cache
    def order() -> tuple[NDArray[np.int64], Floats]:
        rounded = np.round(scores, DIGITS)
        return np.argsort(-rounded, kind="stable"), rounded

    def make(low: int, high: int) -> list[tuple[str, float]]:
        numbers, rounded = order()
        part = numbers[low:high]
        paths = map(table.paths.__getitem__, part.tolist())
        return list(zip(paths, rounded[part].tolist(), strict=True))

    return Listed(len(scores), make)


def _outside(table: Table, hidden: NDArray[np.integer]) -> NDArray[np.bool_]:
    """True for every file that is not `hidden`."""
    import numpy as np

    found = np.ones(len(table.paths), np.bool_)
    found[hidden] = False
    return found


def _by_name(
    table: Table, flow: Flow, hidden: NDArray[np.int64], limit: int, most: float = 0.0
) -> Chosen:
    """The best `limit` names in files that are not `hidden`, by flow. `most`: what the largest flow
    is worth; 0.0 leaves flows as they are."""
    import numpy as np

    scores = flow.entries
    if most:
        scores = scores * (most / max(float(scores.max(initial=0.0)), _TINY))
    scores = np.round(scores, DIGITS)
    entries = np.flatnonzero(_outside(table, hidden)[table.defs.files])
    if len(entries) > limit:
        entries = _best(table, scores, entries, limit)
    names = np.searchsorted(table.defs.ends, entries, side="right") - 1
    numbers = names.tolist()

    return Chosen(
        table.defs.files[entries].astype(np.int64),
        np.full(len(entries), -1),
        names,
        lambda at: table.names[numbers[at]],
        scores[entries],
    )


def _definitions(
    table: Table, rest: Chosen, limit: int, chosen: Chosen | None = None
) -> Listed[Ranked]:
    import numpy as np

    groups = [rest] if chosen is None else [chosen, rest]
    files, nths, ties = (
        np.concatenate([np.asarray(column, np.int64) for column in columns])
        for columns in zip(*((g.files, g.nths, g.ties) for g in groups), strict=True)
    )
    scores = np.round(np.concatenate([group.scores for group in groups]), DIGITS)
    order = np.lexsort((ties, files, -scores))[: max(limit, 0)]
    split = len(groups[0].files)

    def name(at: int) -> str:
        return groups[0].name(at) if at < split else groups[1].name(at - split)

    def make(low: int, high: int) -> list[Ranked]:
        part = order[low:high]
        paths = map(table.paths.__getitem__, files[part].tolist())
        names = map(name, part.tolist())
        columns = zip(paths, names, scores[part].tolist(), nths[part].tolist(), strict=True)
        return list(map(Ranked._make, columns))

    return Listed(len(order), make)


def _reached(
    table: Table, flow: Flow, found: Sequence[tuple[int, Profile]]
) -> list[NDArray[np.float64]]:
    """What reaches each definition of the files `found` through its name, the largest of all being
    1.0; definitions of one name share."""
    import numpy as np

    wanted = ~_outside(table, _numbers(number for number, _ in found))
    entries = np.flatnonzero(wanted[table.defs.files])
    names = np.searchsorted(table.defs.ends, entries, side="right") - 1
    scale = max(float(flow.entries.max(initial=0.0)), _TINY)
    by_file: dict[int, dict[str, float]] = {number: {} for number, _ in found}
    columns = (table.defs.files[entries], names, flow.entries[entries] / scale)
    for file, name, value in zip(*(column.tolist() for column in columns), strict=True):
        by_file[file][table.names[name]] = value
    reached = []
    for number, made in found:
        flows, times = by_file[number], Counter(made.names)
        reached.append(np.array([flows.get(n, 0.0) / times[n] for n in made.names], np.float64))
    return reached


def _best(
    table: Table, scores: Floats, entries: NDArray[np.int64], limit: int
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
