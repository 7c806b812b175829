"""What a file says about names: definitions and references, as byte spans into one text.

Lines are not stored: they follow from the text's `LineIndex`, so an edit above a definition moves nothing
but an offset. Spans are never used on a text with another digest.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal, NamedTuple

Trust = Literal["query", "rule", "none"]
"""`query`: an own tag query. `rule`: a generic rule. `none`: no grammar, too large, or not text."""


class Definition(NamedTuple):
    """One definition. A NamedTuple, not a dataclass: an edit shifts hundreds within a frame.

    `name_start`: byte offset of the name. `start:end`: the whole definition, decorators and leading
    attributes included. `body`: where the body begins (`end` if there is none), so `start:body` is the
    signature. `kind`: class, function, method, interface, struct, enum, trait, module, type, constant,
    variable, field, macro, property, namespace or union.
    """

    name: str
    kind: str
    name_start: int
    start: int
    end: int
    body: int


@dataclass(frozen=True, slots=True)
class Tags:
    """`defs` sorted by (start, -end, name_start); references as two columns sorted by offset.

    `ref_names[i]` stands at byte `ref_starts[i]`. `problem`: why tags are partial or absent, for the user.
    `damaged`: the tree had errors, so an incremental result may differ from a fresh one until the idle
    re-parse. `deferred`: tags away from the edits were left as they were until that re-parse; then `damaged` is
    set too.
    """

    defs: tuple[Definition, ...]
    ref_names: tuple[str, ...]
    ref_starts: tuple[int, ...]
    language: str | None
    trust: Trust
    problem: str | None = None
    damaged: bool = False
    deferred: bool = False


EMPTY = Tags((), (), (), None, "none")


def parents(defs: tuple[Definition, ...]) -> tuple[int, ...]:
    """For each definition the index of the innermost one around it, -1 at the top level."""
    found: list[int] = []
    # Of each definition around the next one its index and its end; below them a text without an end.
    open_, ends = [-1], [sys.maxsize]
    for index, (_, _, _, start, end, _) in enumerate(defs):
        while ends[-1] < end or ends[-1] <= start:
            open_.pop()
            ends.pop()
        found.append(open_[-1])
        open_.append(index)
        ends.append(end)
    return tuple(found)
