"""What is known of the files around a target, chosen for a budget: what it depends on as records, what those depend
on as signatures, who uses it as a line each.

Chosen by imports and by order alone, so the same texts give the same answer; the budget is never exceeded. Implements
`engine.task.ports.Knowledge`. Knows no plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairwright.engine.records import Notebook, Records
from pairwright.engine.serve import ANYTHING, Form, Served, serve, shorter
from pairwright.engine.task.ports import Piece
from pairwright.workspace.types import Snapshot

MOST_DIRECT = 24
MOST_FURTHER = 40
MOST_USERS = 20
"""Files of each kind that are looked at."""

_DIRECT = 0.7
_FURTHER = 0.2
"""Shares of the budget; what one kind leaves the next may use."""


class Known:
    """What the records of a workspace tell. `snapshot`: its texts, those of a task over them."""

    def __init__(self, notebook: Notebook, snapshot: Snapshot) -> None:
        self._notebook = notebook
        self._snapshot = snapshot

    def about(self, target: str, near: Sequence[str], budget: int) -> Sequence[Piece]:
        """Pieces for a step that changes `target`; see `ports.Knowledge`."""
        records = self._notebook.at(self._snapshot)
        direct = _without((*near, *records.depends_on(target)), (target,))[:MOST_DIRECT]
        deeper = (path for one in direct for path in records.depends_on(one))
        further = _without(deeper, (target, *direct))[:MOST_FURTHER]
        record = records.of(target)
        users = tuple(path for path, _ in record.used_by) if record is not None else ()
        rest = _without(users, (target, *direct, *further))[:MOST_USERS]
        pieces = _served(records, direct, "record", int(budget * _DIRECT))
        left = budget - _tokens(pieces)
        pieces += _served(
            records, further, "signatures", left - int(budget * (1 - _DIRECT - _FURTHER))
        )
        pieces += _served(records, rest, "line", budget - _tokens(pieces))
        return tuple(pieces)

    def alone(self, path: str, budget: int) -> Piece | None:
        """The file at `path` by itself; see `ports.Knowledge`."""
        found = _one(self._notebook.at(self._snapshot), path, "record", budget)
        return None if found is None else _piece(found)


def _without(paths: Iterable[str], gone: Sequence[str]) -> tuple[str, ...]:
    held = frozenset(gone)
    return tuple(path for path in dict.fromkeys(paths) if path not in held)


def _served(records: Records, paths: Sequence[str], form: Form, room: int) -> list[Piece]:
    """The files at `paths` in `form` at most, in `room` tokens together: each as wanted if all fit, else each in its
    share of what is left, and the first in what that leaves."""
    wanted = [one for path in paths if (one := _one(records, path, form, room)) is not None]
    if sum(one.tokens for one in wanted) <= room:
        return [_piece(one) for one in wanted]
    found: dict[str, Served] = {}
    for at, one in enumerate(wanted):
        share = max(0, room) // (len(wanted) - at)
        fitted = one if one.tokens <= share else _one(records, one.path, form, share)
        if fitted is not None:
            room -= fitted.tokens
            found[one.path] = fitted
    # What an even share was too small for may have what the others left.
    for one in wanted:
        held = found.get(one.path)
        free = room + (held.tokens if held is not None else 0)
        if held is None or held.form == "line":
            better = _one(records, one.path, form, free)
            if better is not None:
                found[one.path], room = better, free - better.tokens
    return [_piece(found[one.path]) for one in wanted if one.path in found]


def _one(records: Records, path: str, form: Form, room: int) -> Served | None:
    if form == "record":
        return serve(records, path, ANYTHING, room)
    record = records.of(path)
    return shorter(record, form, room) if record is not None else None


def _piece(one: Served) -> Piece:
    # Bodies are only shown where they are asked for.
    form = "full" if one.form == "bodies" else one.form
    return Piece(one.path, form, one.text, one.tokens)


def _tokens(pieces: Sequence[Piece]) -> int:
    return sum(piece.tokens for piece in pieces)
