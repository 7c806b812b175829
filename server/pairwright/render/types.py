"""Values of the renderer."""

from __future__ import annotations

from dataclasses import dataclass

from pairwright.tags.types import Tags
from pairwright.text.document import Document


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the tags of exactly that text."""

    document: Document
    tags: Tags


@dataclass(frozen=True, slots=True)
class Shown:
    """A definition whose own line is in the map; `line` from 0."""

    path: str
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class RepoMap:
    """`tokens` <= `budget` always, by the `count` it was rendered with. `reason`: why it is empty,
    off or short, in words for the user; empty when there is nothing to say."""

    text: str
    tokens: int
    budget: int
    shown: tuple[Shown, ...]
    reason: str = ""
