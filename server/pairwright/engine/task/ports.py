"""What a step of a task knows beside its target, as protocols: records of files and snippets of references.

Whoever implements them reads texts and chooses; a step only fits what comes into its budget. An empty answer is an
answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

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
    """What is known of the files around a target."""

    def about(self, target: str, near: Sequence[str], budget: int) -> Sequence[Piece]:
        """Pieces for a step that changes `target`, the most useful first, at most one a path and `target` not among
        them; their `tokens` together are at most `budget`. `near`: paths that matter most, in order: what the target
        depends on. Reads texts: call it from a thread. The same texts give the same answer."""
        ...


@dataclass(frozen=True, slots=True)
class Snippet:
    """Lines of a repository outside the workspace. `source`: its name, path, lines and licence, as shown. They are
    untrusted data."""

    source: str
    text: str
    tokens: int


class References(Protocol):
    """Code elsewhere that may serve as an example."""

    def like(self, target: str, words: str, budget: int) -> Sequence[Snippet]:
        """Snippets for a step about `target`, described by `words`; together at most `budget` tokens, empty where
        nothing matches or references are off. Call it from a thread."""
        ...


class NoKnowledge:
    """Knows nothing."""

    def about(self, target: str, near: Sequence[str], budget: int) -> Sequence[Piece]:
        return ()


class NoReferences:
    """Has none."""

    def like(self, target: str, words: str, budget: int) -> Sequence[Snippet]:
        return ()
