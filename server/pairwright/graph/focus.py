"""From what a request says to what it means in the graph: words, paths, and where the walk
restarts.

Pure text and numbers; knows no matrices.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.types import Focus
from pairwright.graph.weights import (
    CHAT_SHARE,
    COMMON_ABOVE,
    NAME_SHARE,
    OPEN_SHARE,
    PATH_SHARE,
    UNIFORM,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD = re.compile(r"(?<!\w)[^\W\d]\w*(?:-\w+)*")
_EDGE = "\"'`()[]{}<>*,;:!?|=“”‘’«»。，、；：（）"
_POSITION = re.compile(r"(?::\d+)+(?:-\d+)?$|#L\d+(?:-L?\d+)?$")
_QUOTED = re.compile(r"\"([^\"\n]+)\"|'([^'\n]+)'|`([^`\n]+)`")


def focus_words(text: str) -> tuple[str, ...]:
    """The words of `text` that can be identifiers, sorted, each once; `a-b` gives `a`, `a-b` and
    `b`."""
    words: set[str] = set()
    for word in _WORD.findall(text):
        words.add(word)
        words.update(part for part in word.split("-") if part and not part[0].isdigit())
    return tuple(sorted(words))


def mentioned_paths(text: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the sorted `paths` that `text` names, sorted: a whole path, or a base name that only one path has
    and that holds one of `.`, `_` and `-` (a plain word is no file name).

    Brackets, quotes, sentence marks, a leading `./` and a trailing `:12` or `#L12` are left aside.
    """
    named = _candidates(text)
    if not named:
        return ()
    spellings = _spelled(paths)
    found = {path for path in spellings.spaced if path in text}
    for name in named:
        at = bisect_left(paths, name)
        if at < len(paths) and paths[at] == name:
            found.add(name)
        if (owner := spellings.owners.get(name)) and any(mark in name for mark in "._-"):
            found.add(owner)
    return tuple(sorted(found))


class _Spellings(NamedTuple):
    """`owners`: base name to the one path that has it, "" where several have. `spaced`: paths with
    a blank in them."""

    owners: Mapping[str, str]
    spaced: tuple[str, ...]


@lru_cache(maxsize=2)
def _spelled(paths: tuple[str, ...]) -> _Spellings:
    owners: dict[str, str] = {}
    for path in paths:
        base = path[path.rfind("/") + 1 :]
        owners[base] = "" if base in owners else path
    return _Spellings(owners, tuple(path for path in paths if " " in path))


class Uses(NamedTuple):
    """Numbers of the files that define and that refer to one mentioned name."""

    definers: NDArray[np.int32]
    referrers: NDArray[np.int32]


def restart(
    focus: Focus,
    number: Mapping[str, int],
    parts: Mapping[str, tuple[int, ...]],
    uses: Sequence[Uses],
    count: int,
) -> NDArray[np.float64]:
    """Where the walk restarts: a vector over `count` files, every entry positive, its sum 1.

    `number`: the focus's own paths that are in the graph. `uses`: one for each mentioned name; a
    name that few files define draws the walk to them and to those who refer to it, a common one
    does not. Without any focus the restart is uniform.
    """
    import numpy as np

    share: dict[int, float] = {}
    for path in focus.open_:
        if path in number:
            share[number[path]] = OPEN_SHARE
    for path in focus.chat:
        if path in number:
            share[number[path]] = CHAT_SHARE
    for path in focus.paths:
        if path in number:
            share[number[path]] = max(share.get(number[path], 0.0), PATH_SHARE)
    for file in sorted({file for name in focus.names for file in parts.get(name, ())}):
        share[file] = share.get(file, 0.0) + PATH_SHARE
    vector = np.zeros(count)
    files = sorted(share)
    vector[files] = [share[file] for file in files]
    for definers, referrers in uses:
        if 0 < len(definers) <= COMMON_ABOVE:
            half = NAME_SHARE / len(definers) / 2
            vector[definers] += half / len(definers)
            heirs = referrers if len(referrers) else definers
            vector[heirs] += half / len(heirs)
    total = vector.sum()
    if not total:
        return np.full(count, 1.0 / count)
    mixed: NDArray[np.float64] = (1.0 - UNIFORM) * vector / total + UNIFORM / count
    return mixed


def _candidates(text: str) -> frozenset[str]:
    found: set[str] = set()
    pieces = text.split()
    pieces.extend(part for groups in _QUOTED.findall(text) for part in groups if part)
    for piece in pieces:
        for part in (piece, *re.split(r"[()\[\]{}<>\"'`,;|=]+", piece)):
            found.update(_spellings(part))
    return frozenset(found)


def _spellings(piece: str) -> Iterable[str]:
    bare = piece.strip(_EDGE)
    yield piece
    yield bare
    for _ in range(3):
        bare = _POSITION.sub("", bare).strip(_EDGE)
        if bare.startswith("./"):
            bare = bare[2:]
        yield bare
        if not bare.endswith("."):
            return
        bare = bare.rstrip(".")
        yield bare
