"""What a step of a task knows beside its target, as protocols: records of files and snippets of references.

Whoever implements them reads texts and chooses; a step only fits what comes into its budget. An empty answer is an
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pairwright.prompts.build import FileText
from pairwright.text.document import Document

Form = Literal["line", "signatures", "record", "full"]


@dataclass(frozen=True, slots=True)
class Piece:
    """What is told of one file. `path`: relative to the workspace folder. `form`: how much of it; `full` is its whole
    text. `text`: line ends as LF. `tokens`: of `text`, by the estimate."""

    path: str
    form: Form
    text: str
    tokens: int


class Knowledge(Protocol):
    """What is known of the files of one snapshot."""

    def about(self, target: str, near: Sequence[str], budget: int) -> Sequence[Piece]:
        """Pieces for a step that changes `target`, the most useful first, at most one a path and `target` not among
        them; their `tokens` together are at most `budget`. `near`: paths that matter most, in order: what the target
        depends on. Reads texts: call it from a thread. The same texts give the same answer."""
        ...

    def alone(self, path: str, budget: int) -> Piece | None:
        """The file at `path` as it would be shown if it mattered most, or as much of that as fits into `budget`
        tokens; None where nothing does. As `about` otherwise."""
        ...


class References(Protocol):
    """Code elsewhere that may serve as an example."""

    async def for_target(
        self, path: str, contract: Sequence[str], purpose: str, budget: int
    ) -> Sequence[FileText]:
        """Snippets for a step about `path`, together at most `budget` tokens; empty where nothing matches or
        references are off. They are untrusted data."""
        ...


Learn = Callable[[Document, str, Sequence[str]], None]
"""What a reply says of the text it wrote: its purpose and notes for others, to be held against the text. Called in a
thread."""


class NoKnowledge:
    """Knows nothing."""

    def about(self, target: str, near: Sequence[str], budget: int) -> Sequence[Piece]:
        return ()

    def alone(self, path: str, budget: int) -> Piece | None:
        return None


class NoReferences:
    """Has none."""

    async def for_target(
        self, path: str, contract: Sequence[str], purpose: str, budget: int
    ) -> Sequence[FileText]:
        return ()


def nothing_learned(document: Document, purpose: str, notes: Sequence[str]) -> None:
    """Keep nothing."""
