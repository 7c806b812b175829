"""Values of the renderer."""

from __future__ import annotations

from dataclasses import dataclass, field

from pairwright.tags.types import Tags
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the tags of exactly that text."""

    document: Document
    tags: Tags


Place = tuple[str, str, int]
"""Path, name, and number among the definitions of that name in the file."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A definition whose own line is in the map; `line` from 0. `nth`: its number among the
    definitions of that name in the file, which an edit above it does not change."""

    path: str
    name: str
    line: int
    nth: int = field(default=0, compare=False)

    @property
    def place(self) -> Place:
        """What stays the same when lines move."""
        return (self.path, self.name, self.nth)


@dataclass(frozen=True, slots=True)
class RepoMap:
    """`tokens` <= `budget` always, by the `count` it was rendered with. `reason`: why it is empty,
    off or short, in words for the user; empty when there is nothing to say."""

    text: str
    tokens: int
    budget: int
    shown: tuple[Shown, ...]
    reason: str = ""
