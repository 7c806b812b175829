"""What a turn says while it runs. `lsp.stream` puts them on the wire, and docs/protocol.md lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pairwright.llm.types import Usage


@dataclass(frozen=True, slots=True)
class Started:
    """The request leaves: `tokens` counted per part, in cache order; `cost`: US dollars with a usual answer, None =
    unknown."""

    model: str
    tokens: tuple[tuple[str, int], ...]
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """One line for the progress display; `percent` 0-100 or None."""

    text: str
    percent: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the answer, in order. `reasoning`: the model's thinking, not part of the answer."""

    text: str
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Drafted:
    """A block of the answer, complete before the answer is: to look at, nothing is planned yet. `line`: where in
    the text shown the old lines stand, from 0; None if they stand nowhere exactly. `operation`: see
    edits.types.Block. `grows`: the new lines are the pieces of the answer that follow."""

    path: str
    line: int | None
    old: str
    new: str
    operation: str = "replace"
    grows: bool = False


@dataclass(frozen=True, slots=True)
class Reflected:
    """The reply is sent back. `reason`: the tag of design 6; `detail`: what was wrong, for the user."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Looked:
    """The model looked something up. `wishes`: what it asked for and what it got, in a few words. `round`: which
    look-up of the turn this was, from 1, of `rounds`."""

    wishes: tuple[tuple[str, str], ...]
    round: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Offered:
    """Files that the request names and that are not in the chat: to be added or not."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """Mode architect: the plan is whole, and the user is to say what becomes of it."""

    text: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal is ready for review."""

    proposal: str


@dataclass(frozen=True, slots=True)
class Used:
    """Tokens and money of one answered request."""

    usage: Usage


Event = Started | Status | Said | Drafted | Reflected | Looked | Offered | Planned | Proposed | Used
Emit = Callable[[Event], None]
"""Called on the loop; must not block."""


@dataclass(frozen=True, slots=True)
class Done:
    """The turn ended well. `proposal`: id, None when the reply held no edit. `missing`: what the reply held
    beyond the proposal and fitted nowhere, a line each. `findings`: what checks have against the proposal.
    `refine`: the text is a plan, and the user wants to say what is to be different."""

    text: str
    proposal: str | None = None
    shell: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    refine: bool = False


@dataclass(frozen=True, slots=True)
class Retry:
    """There is to be another pass: this one failed in a way the model can mend, or it asked for more.
    `signature`: equal twice in a row stops early."""

    reason: Literal[
        "edit-format",
        "edit-match",
        "edit-path",
        "file-requested",
        "looked-up",
        "lint",
        "test",
        "truncated",
    ]
    feedback: str
    signature: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The turn ended without a result. `reason`: cancelled, budget, model, repeated, exhausted or stale."""

    reason: str
    message: str
    text: str = ""


Outcome = Done | Stop
