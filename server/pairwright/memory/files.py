"""The record of a file: what it defines, imports and is used by, and what a model said it is for.

What is static is made from the text and its tags, so a record works without any model; of the model's words only
what `memory.claims` bears out is in it. A record belongs to one content: it may be shown only while the file has that
digest. Values only; who makes them is the engine's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Trust = Literal["whole", "partial"]
"""`partial`: the text has errors, no grammar, or was only read in part, so that definitions may be missing."""


@dataclass(frozen=True, slots=True)
class Export:
    """A definition that others can use. `name`: with what is around it, as `Cart.total`. `signature`: one line.
    `first`, `last`: its lines, from 1. `doc`: the first sentence or line of its documentation."""

    name: str
    kind: str
    signature: str
    first: int
    last: int
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Uses:
    """An import. `module`: as written. `names`: what is taken from it. `resolved`: the files of the workspace that
    are meant, sorted; none for what lies outside of it."""

    module: str
    names: tuple[str, ...] = ()
    resolved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What the text alone says. `digest`: of the text. `extractor`: which code read it. `about`: the first line of
    its own documentation. `names`: every name that prose about it may use, sorted. `loc`: lines."""

    digest: str
    language: str
    extractor: str
    exports: tuple[Export, ...]
    imports: tuple[Uses, ...]
    loc: int
    about: str
    names: tuple[str, ...]
    trust: Trust = "whole"


@dataclass(frozen=True, slots=True)
class Prose:
    """What a model said of a content. `digest`: of that text. `model`: who said it. `prompt`: the version of what it
    was asked."""

    digest: str
    purpose: str
    notes: tuple[str, ...]
    model: str
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    """How many names the prose claimed and how many of them the file bears out. `dropped`: the others."""

    claimed: int
    confirmed: int
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """Everything known of the file at `path` with one content. `used_by`: (path, references) of the files that refer
    to it by static references, most first. `purpose`, `notes`: what is confirmed of a model's words; `model`: whose
    they are, empty where there are none."""

    path: str
    facts: Facts
    imports: tuple[Uses, ...]
    used_by: tuple[tuple[str, int], ...]
    purpose: str = ""
    notes: tuple[str, ...] = ()
    model: str = ""
    verification: Verification | None = None

    @property
    def digest(self) -> str:
        return self.facts.digest

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The files of the workspace that it imports, in the order of its imports."""
        return tuple(dict.fromkeys(path for item in self.imports for path in item.resolved))
