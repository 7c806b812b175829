"""The definition that a request names, as if it had been selected.

A small model rewrites the lines that the host gives it, so it needs a place. Where nothing is selected and the words
of the request name one definition of the files in the chat, and no other, that is the place. Guesses nothing: two
definitions, or two of one name, are no place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pairwright.engine.context import Turn
from pairwright.engine.selection import enclosing, region
from pairwright.tags.types import Definition, Tags, parents
from pairwright.workspace.types import Snapshot

_QUOTED = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*")
_MARKED = re.compile(
    r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*(?=\(\))|\w*[a-z0-9][A-Z]\w*|\w+_\w*|\w+\.\w+"
)
_PLACES = frozenset(
    {"function", "method", "class", "interface", "struct", "enum", "trait", "macro"}
)


def placed(turn: Turn, snapshot: Snapshot) -> Turn:
    """`turn` with the definition it names as its selection; itself if it has one already or names none. Reads files:
    run it in a thread."""
    if turn.mode != "edit" or turn.selection is not None:
        return turn
    files = dict.fromkeys(path for path in (turn.path, *turn.chat) if path)
    found: list[tuple[str, Definition]] = []
    spoken = names(turn.instruction)
    for path in files:
        if path in turn.read_only or snapshot.document(path) is None:
            continue
        found += [(path, item) for item in named(spoken, snapshot.tags(path))]
    if len(found) != 1:
        return turn
    path, item = found[0]
    document = snapshot.document(path)
    # Part of a definition that is too long to be rewritten is no selection of the user's.
    if document is None or region(document, snapshot.tags(path), item.start, item.end) is None:
        return turn
    around = enclosing(document, snapshot.tags(path), item.start, item.end)
    if not around or around[-1].name_start != item.name_start:
        return turn
    return replace(turn, path=path, selection=(item.start, item.end))


def names(text: str) -> tuple[str, ...]:
    """What `text` spells as a name of code, in order: in backquotes, called, dotted, or of a form that no word of
    prose has."""
    quoted = [m for part in _QUOTED.findall(text) for m in _NAME.findall(part)[:1]]
    bare = _MARKED.findall(_QUOTED.sub(" ", text))
    return tuple(dict.fromkeys((*quoted, *bare)))


def named(spoken: Sequence[str], tags: Tags) -> list[Definition]:
    """The definitions of `tags` that one of the names `spoken` means. Of a definition and those inside it that are
    named too, the outer one: the change is somewhere in it."""
    outer = parents(tags.defs)
    found = []
    for at, item in enumerate(tags.defs):
        if item.kind in _PLACES and any(_means(name, at, tags, outer) for name in spoken):
            found.append(item)
    return [one for one in found if not any(_holds(other, one) for other in found)]


def _means(name: str, at: int, tags: Tags, outer: Sequence[int]) -> bool:
    """Whether `name`, dotted or not, is that of the definition `at`: its own and those around it, from the inside."""
    for part in reversed(re.split(r"\.|::|#", name)):
        if at < 0 or tags.defs[at].name != part:
            return False
        at = outer[at]
    return True


def _holds(other: Definition, one: Definition) -> bool:
    return other is not one and other.start <= one.start and one.end <= other.end
