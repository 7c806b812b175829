"""What a step is told of other files, within one budget: records of what is there, promises of what is to come.

A task that begins with nothing has nothing to show of other files, and much that is planned; later it is the other
way round. So both share the budget, and a step early in a task is told as much as a late one. Pure but for the
knowledge port.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pairwright.engine.pieces import language
from pairwright.engine.task.plan import Plan, needed, users
from pairwright.engine.task.ports import Knowledge, Piece
from pairwright.engine.task.state import State
from pairwright.prompts.build import FileText
from pairwright.text.estimate import estimate
from pairwright.workspace.types import Snapshot

_LEAST = 60
"""Tokens below which nothing more is looked for."""
_MOST_ASKED = 24
"""Files that are asked for one by one to use the budget up."""
_NOTE: Mapping[str, str] = {
    "line": "in a line; the text is not shown",
    "signatures": "signatures only; the text is not shown",
    "record": "a record; the text is not shown",
}


def served(
    state: State,
    group: Sequence[str],
    snapshot: Snapshot,
    knowledge: Knowledge,
    most: int,
    *,
    needed_only: bool = False,
) -> tuple[Piece, ...]:
    """What is known of the files that are there, in `most` tokens with the lines above them: first what the step
    depends on, then what that needs, then, unless `needed_only`, what was written last and the rest of the plan."""
    direct = [path for one in group if (entry := state.plan.entry(one)) for path in entry.depends]
    held: dict[str, Piece] = {}
    left = most
    for piece in knowledge.about(group[0], _without(direct, group), most):
        if (cost := tokens(piece)) > left:
            break
        if _may_be_shown(piece.path, group, snapshot):
            held[piece.path] = piece
            left -= cost
    others = (*reversed(state.made), *(entry.path for entry in state.plan.entries))
    rest = (*direct, *needed(state.plan, group), *(() if needed_only else others))
    for path in _without(rest, group)[:_MOST_ASKED]:
        if left < _LEAST:
            break
        old = held.get(path)
        if (old is not None and old.form != "line") or not _may_be_shown(path, group, snapshot):
            continue
        room = left + (tokens(old) if old is not None else 0)
        better = knowledge.alone(path, room - _around(path, "signatures"))
        if better is not None and tokens(better) <= room and (old is None or better.form != "line"):
            held[path] = better
            left = room - tokens(better)
    return tuple(held.values())


def to_come(state: State, group: Sequence[str], room: int) -> str:
    """What files that are not written yet are to define, in `room` tokens: those first that will use the step's own,
    then as planned."""
    waiting = frozenset(state.paths("pending"))
    paths = (*users(state.plan, group), *(entry.path for entry in state.plan.entries))
    found: list[str] = []
    for path in _without(paths, group):
        if path not in waiting or not (rows := promise(state.plan, path)):
            continue
        room -= estimate(rows) + 1
        if room < 0:
            break
        found.append(rows)
    return "\n".join(found)


def promise(plan: Plan, path: str) -> str:
    """The contract of a file of the plan, a line each below its path; empty if it has none."""
    entry = plan.entry(path)
    if entry is None or not entry.contract:
        return ""
    return "\n".join((path, *(f"    {line}" for line in entry.contract)))


def shown(piece: Piece) -> FileText:
    """`piece` as a request has it."""
    note = _NOTE.get(piece.form, "")
    return FileText(piece.path, piece.text, language(piece.path), bool(note), (), note)


def tokens(piece: Piece) -> int:
    """Of a piece and what stands around it in a request."""
    return estimate(piece.text) + _around(piece.path, piece.form)


def _around(path: str, form: str) -> int:
    note = _NOTE.get(form, "")
    return estimate(f"{path} ({note})\n```{language(path)}\n\n```\n\n")


def _without(paths: Iterable[str], group: Sequence[str]) -> tuple[str, ...]:
    return tuple(path for path in dict.fromkeys(paths) if path not in group)


def _may_be_shown(path: str, group: Sequence[str], snapshot: Snapshot) -> bool:
    if path in group or snapshot.ignored(path):
        return False
    return snapshot.document(path) is not None
