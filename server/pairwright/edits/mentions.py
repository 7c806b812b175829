"""Which files the prose of a text names, and which of them it asks for.

A name counts when it can mean one file only: the whole path, the end of one path, or a base name that one file has.
Bare words of prose count only with a dot or a slash in them, so `run` and `Makefile` are files in backticks or as
`./run`, and words elsewhere. Brackets, quotes, `./`, backslashes, `:12` and `#L12` are left aside; names with blanks
count in quotes. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pairwright.edits.prose import Piece, pieces

_SPAN = re.compile(
    r"``([^\n]{1,300}?)``|`([^`\n]{1,300})`|\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|(?<!\w)'([^'\n]{1,300})'(?!\w)"
    r"|\]\(([^)\n]{1,300})\)|<([^<>\n]{1,300})>|\*\*([^*\n]{1,300})\*\*"
)
_WORD = re.compile(r"[^\s()\[\]{}<>\"`*,;|=“”«»]+")
_EDGE = "'‘’.,:;!?…()[]{}<>*\"`“”«»、。，：；！？（）"
_POSITION = re.compile(r"(?::\d+(?:[-–]\d+)?)+$|#L\d+(?:-L?\d+)?$|'s$|’s$")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[ \t]+(?=[^a-z])")
# What is longer is no sentence, and would be searched in the square of its length.
_LONGEST = 2_000
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")

_SHOW = r"(?:add|share|show|send|provide|paste|include|attach|give|upload|post|open|supply)"
_SEE = (
    r"(?:see|view|look\s(?:at|into)|read|inspect|know|check|have|access|edit|change|modify|update)"
)
_CHANGE = r"(?:changed?|edit(?:ed)?|updated?|modif(?:y|ied)|adapt(?:ed)?|adjust(?:ed)?)"
_SEES = re.compile(
    rf"\b(?:please|could you|can you|would you|kindly)\b.*\b{_SHOW}\b"
    rf"|\b{_SHOW}\b.*\bto (?:the|this|our) (?:chat|conversation|context)\b"
    r"|\b(?:i|we)(?:'d| would|'ll| will| do)?(?: also| still| first| only)?"
    rf" (?:need|have to|want|like|require)\b.*\b(?:{_SEE}|contents?|text|source|definition)\b"
    r"|\bwithout (?:seeing|having|knowing|access)\b"
    r"|\b(?:can(?:no|')t|do not|don't) (?:see|have|know)\b"
    r"|\b(?:not|n't|never) (?:been )?(?:shown|provided|included|given|in the chat)\b",
    re.I,
)
_CHANGES = re.compile(
    rf"\b(?:(?:has|have|needs?) to|must|should)(?: also)?(?: be)? {_CHANGE}\b"
    r"|\bneeds? (?:an? )?(?:\w+ )?(?:update|change|edit)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A file that is named. `asks`: the sentence asks to see it; `changes`: it says that it has to change."""

    path: str
    asks: bool = False
    changes: bool = False


def mentions(text: str, paths: tuple[str, ...]) -> tuple[Mention, ...]:
    """Those of the sorted `paths` that the prose of `text` names, in order of first mention."""
    index = _index(paths)
    found: dict[str, Mention] = {}
    carried = False
    for piece in pieces(text):
        if not piece.is_prose:
            for path in _listed(piece, index) if carried else ():
                found[path] = Mention(path, asks=True)
            continue
        for line in piece.lines:
            carried = carried and (not line.strip() or bool(_ITEM.match(line)))
            for sentence in _SENTENCE.split(line):
                asks = carried or _SEES.search(sentence[:_LONGEST]) is not None
                changes = _CHANGES.search(sentence[:_LONGEST]) is not None
                for path in _named(sentence, index):
                    last = found.get(path, Mention(path))
                    found[path] = Mention(path, last.asks or asks, last.changes or changes)
            if line.rstrip(" *_").endswith(":"):
                carried = any(_SEES.search(part[:_LONGEST]) for part in _SENTENCE.split(line))
    return tuple(found.values())


def meant(name: str, paths: tuple[str, ...]) -> str | None:
    """The one of the sorted `paths` that `name`, written by itself, can only mean; None if none or several."""
    return _file(name, _index(paths), is_marked=True)


@dataclass(frozen=True, slots=True)
class _Index:
    """`by_base`: paths by base name, `by_small`: by base name in small letters; both sorted."""

    exact: frozenset[str]
    by_base: Mapping[str, tuple[str, ...]]
    by_small: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=2)
def _index(paths: tuple[str, ...]) -> _Index:
    by_base: dict[str, list[str]] = {}
    by_small: dict[str, list[str]] = {}
    for path in paths:
        base = path.rpartition("/")[2]
        by_base.setdefault(base, []).append(path)
        by_small.setdefault(base.casefold(), []).append(path)
    return _Index(
        frozenset(paths),
        {base: tuple(held) for base, held in by_base.items()},
        {base: tuple(held) for base, held in by_small.items()},
    )


def _listed(piece: Piece, index: _Index) -> list[str]:
    """The files of a fence that holds nothing but their names, a line each."""
    lines = [line.strip() for line in piece.lines if line.strip()]
    found = [_file(line, index, is_marked=True) for line in lines]
    return [path for path in found if path] if all(found) else []


def _named(sentence: str, index: _Index) -> Iterator[str]:
    marked = [
        (found.start(), next(group for group in found.groups() if group))
        for found in _SPAN.finditer(sentence)
    ]
    plain = [(found.start(), found[0]) for found in _WORD.finditer(_SPAN.sub(_blank, sentence))]
    whole = [(at, name, True) for at, name in marked] + [(at, name, False) for at, name in plain]
    for _, name, is_marked in sorted(whole):
        path = _file(name, index, is_marked)
        if path is not None:
            yield path
        elif is_marked:
            inner = (_file(word, index, is_marked=False) for word in _WORD.findall(name))
            yield from (path for path in inner if path)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _file(name: str, index: _Index, is_marked: bool) -> str | None:
    for spelled in _spellings(name.strip()):
        is_path = "/" in spelled or "\\" in spelled
        bare = spelled.replace("\\", "/").removeprefix("./").removeprefix("/")
        if not bare or not (is_marked or is_path or "." in bare.rstrip(".")):
            continue
        if bare in index.exact:
            return bare
        base = bare.rpartition("/")[2]
        for held in (index.by_base.get(base, ()), index.by_small.get(base.casefold(), ())):
            ends = [path for path in held if _ends(path, bare)]
            if len(ends) == 1:
                return ends[0]
            if ends:
                break
    return None


def _ends(path: str, name: str) -> bool:
    return f"/{path}".casefold().endswith(f"/{name}".casefold())


def _spellings(name: str) -> Iterator[str]:
    """`name` as written, and without what a sentence puts around it."""
    yield name
    bare = name
    for _ in range(3):
        shorter = _POSITION.sub("", bare).strip()
        shorter = shorter.rstrip(_EDGE).lstrip(_EDGE.replace(".", ""))
        if shorter == bare:
            return
        bare = shorter
        yield bare
