"""The sources of a ranking made one: flow of the graph, words, history and names of files.

Two stages, so that it scales: every file gets a score from arrays, and in the best CONSIDERED files
every definition gets its own from its profile. Each source is divided by its largest value and the
weighted sum decides; what no source but the graph knows comes after that. Knows no text: profiles
come in as a function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairwright.graph import weights
from pairwright.graph.lexical import (
    Question,
    definitions_said,
    definitions_shared,
    files_said,
    files_shared,
    said,
    shared,
)
from pairwright.graph.paths import PathIndex
from pairwright.graph.profile import Profile
from pairwright.graph.together import changed_together
from pairwright.graph.types import Focus, History
from pairwright.graph.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Describe = Callable[[str], Profile | None]
"""The profile of a file's text as it is now; None where it has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """What is known of every file, by its number. `words`, `context`: the questions of the request
    and of the chat. `named`: names that the request means. `bonus`: what a file's words, history and
    name give to each of its definitions; `score`: what decides between files."""

    words: Question
    context: Question
    named: frozenset[str]
    bonus: Floats
    score: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Definitions in columns: file number, index in the tags (-1: all of that name), what decides
    between equal scores in one file, name, and score."""

    files: Ints
    nths: Ints
    ties: Ints
    names: Sequence[str]
    scores: Floats


def weigh_files(
    focus: Focus,
    words: Words,
    history: History,
    ranks: Floats,
    index: PathIndex,
    named: Mapping[str, Sequence[int]],
) -> Files:
    """The score of every file for `focus`. `ranks`: where the walk ends up. `index`: of the same
    paths. `named`: the numbers of the files that define each name that the request means."""
    import numpy as np

    asked, context = said(words, index, focus.words), shared(words, dict.fromkeys(focus.chat, 1.0))
    together = np.zeros(len(ranks))
    near = {**dict.fromkeys(focus.open_, weights.OPEN_SHARE), **dict.fromkeys(focus.chat, 1.0)}
    for path, value in changed_together(history, near).items():
        if path not in near and (file := _number(index.paths, path)) >= 0:
            together[file] = value
    paired = np.zeros(len(ranks))
    for file, value in index.twins(focus.chat).items():
        paired[file] = value
    own = [file for path in focus.chat if (file := _number(index.paths, path)) >= 0]
    paired[own] = 0.0
    by_words, by_context = files_said(words, asked), files_shared(words, context)
    by_context[own] = 0.0
    by_words, by_context = _level(by_words), _level(by_context)
    bonus = weights.TOGETHER * _level(together) + weights.TWIN * paired
    score = bonus + weights.REACHED * _level(ranks)
    score += weights.SAID * by_words + weights.SHARED * by_context
    bonus += weights.FILE_SAID * by_words
    score[sorted({file for files in named.values() for file in files})] += weights.NAMED
    return Files(asked, context, frozenset(named), bonus, score)


def choose(
    files: Files, candidates: Iterable[tuple[int, Profile]], flows: Sequence[Floats]
) -> Chosen:
    """The score of every definition of the `candidates` (file number, profile). `flows`: for each
    candidate what reaches each definition through its name, from 0 to 1."""
    import numpy as np

    owners: list[int] = []
    nths: list[int] = []
    names: list[str] = []
    widths: list[Ints] = []
    parts: list[tuple[Floats, Floats, Floats]] = []
    for (file, profile), flow in zip(candidates, flows, strict=True):
        count = len(profile.names)
        owners += [file] * count
        nths += range(count)
        names += profile.names
        rest = files.bonus[file] + weights.REACHED * flow
        rest[-1:] += weights.LAST
        if not files.named.isdisjoint(profile.names):
            rest += weights.NAMED * np.array([name in files.named for name in profile.names])
        by_words = definitions_said(profile, files.words)
        widths.append(profile.widths)
        parts.append((by_words, definitions_shared(profile, files.context), rest))
    if not parts:
        return Chosen(
            np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), (), np.zeros(0)
        )
    by_words, by_context, rest = (np.concatenate(part) for part in zip(*parts, strict=True))
    scores = weights.SAID * _level(by_words) + weights.SHARED * _level(by_context) + rest
    scores *= (weights.USUAL_WIDTH / np.concatenate(widths)) ** weights.CHEAPER
    places = np.array(nths, np.int64)
    return Chosen(np.array(owners, np.int64), places, places, names, scores)


def best(scores: Floats, allowed: NDArray[np.bool_], most: int) -> list[int]:
    """Numbers of the best `most` of the `allowed` files, best first; ties by number."""
    import numpy as np

    numbers = np.flatnonzero(allowed)
    order = np.argsort(-np.round(scores[numbers], weights.DIGITS), kind="stable")
    return [int(file) for file in numbers[order[:most]]]


def _number(paths: Sequence[str], path: str) -> int:
    at = bisect_left(paths, path)
    return at if at < len(paths) and paths[at] == path else -1


def _level(values: Floats) -> Floats:
    """`values` divided by the largest, all zero if that is."""
    most = values.max(initial=0.0)
    return values / most if most > 0.0 else values
