"""The sources of a ranking made one: flow of the graph, words, history and names of files.

Two stages, so that it scales: every file gets a score from arrays, and in the best CONSIDERED files
every definition gets its own from its profile. Each source is divided by its largest value and the
weighted sum decides; what no source but the graph knows comes after that. Knows no text: profiles
come in as a function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pairwright.graph import weights
from pairwright.graph.lexical import (
    Question,
    definitions_said,
    definitions_shared,
    definitions_told,
    files_said,
    files_shared,
    led,
    said,
    shared,
)
from pairwright.graph.mentions import tied
from pairwright.graph.paths import PathIndex, twin_key
from pairwright.graph.profile import Profile
from pairwright.graph.together import changed_for, changed_often, changed_together, last_said
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
    """What is known of every file, by its number. `words`, `context`, `past`: the questions of the
    request, of the chat and, where nothing is asked for, of the chat's newest commits. `named`:
    names that the request means. `bonus`: what a file's words, history and name give to each of its
    definitions; `score`: what decides between files."""

    words: Question
    context: Question
    past: Question
    named: frozenset[str]
    bonus: Floats
    score: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """Definitions in columns: file number, index in the tags (-1: all of that name), what decides
    between equal scores in one file, and score. `name`: that of the definition in a row."""

    files: Ints
    nths: Ints
    ties: Ints
    name: Callable[[int], str]
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

    asked, context = said(words, index, focus.words), shared(words, dict.fromkeys(focus.chat, 1.0))
    own = [file for path in focus.chat if (file := _number(index.paths, path)) >= 0]
    by_words, by_context = files_said(words, asked), files_shared(words, context)
    by_context[own] = 0.0
    by_words, by_context = _level(by_words), _level(by_context)
    bonus = _belongs(focus, history, index, own)
    score = bonus + weights.REACHED * _level(ranks)
    score += weights.SAID * by_words + weights.SHARED * by_context
    bonus += weights.FILE_SAID * by_words + weights.FILE_SHARED * by_context
    score[sorted({file for files in named.values() for file in files})] += weights.NAMED
    # Where nothing is asked for, what the chat's files last changed for tells what is worked on.
    past = said(words, index, () if focus.words else last_said(history, focus.chat))
    begun = led(asked, focus.words[: focus.lead])
    return Files(begun, context, past, frozenset(named), bonus, score)


def _belongs(
    focus: Focus, history: History, index: PathIndex, own: Sequence[int]
) -> NDArray[np.float64]:
    """What history and names give to each file. `own`: the numbers of the chat's."""
    import numpy as np

    count = len(index.paths)
    near = {**dict.fromkeys(focus.open_, weights.OPEN_SHARE), **dict.fromkeys(focus.chat, 1.0)}
    joint = changed_together(history, near)
    together = _spread({path: joint[path] for path in joint if path not in near}, index)
    like = changed_for(history, focus.words)
    alike = _spread({path: like[path] for path in like if path not in near}, index)
    often = np.log1p(_spread(changed_often(history), index))
    paired = np.zeros(count)
    for file, value in index.twins(focus.chat).items():
        paired[file] = value
    paired[own] = 0.0
    bonus = weights.TOGETHER * _level(together) + weights.OFTEN * _level(often)
    bonus += weights.ALIKE * _level(alike) + weights.TWIN * paired
    if focus.chat:
        tests = np.frombuffer(index.tests, np.uint8)
        share = sum(twin_key(path)[1] for path in focus.chat) / len(focus.chat)
        bonus += weights.ACROSS * np.where(tests, 1.0 - share, share)
    return bonus


def choose(
    files: Files,
    candidates: Sequence[tuple[int, Profile]],
    flows: Sequence[Floats],
    chat: Sequence[Profile] = (),
) -> Chosen:
    """The score of every definition of the `candidates` (file number, profile). `flows`: for each
    candidate what reaches each definition through its name, from 0 to 1. `chat`: the profiles of the
    chat's files."""
    import numpy as np

    found = [made for _, made in candidates]
    sizes = [len(made.names) for made in found]
    if not sum(sizes):
        nothing = np.zeros(0, np.int64)
        return Chosen(nothing, nothing, nothing, ().__getitem__, np.zeros(0))
    places = np.concatenate([np.arange(size) for size in sizes])
    names = [name for made in found for name in made.names]
    owners = np.repeat(np.array([file for file, _ in candidates], np.int64), sizes)
    scores = files.bonus[owners] + weights.REACHED * np.concatenate(flows)
    outer = _outer(found, sizes)
    scores += _by_words(files, found, sizes, outer) + _by_place(found, sizes, outer)
    if chat:
        calls, called = tied([one.mentions for one in chat], [made.mentions for made in found])
        scores += weights.CALLS * _level(calls) + weights.CALLED * _level(called)
    if files.named:
        scores += weights.NAMED * np.array([name in files.named for name in names])
    widths = np.concatenate([made.widths for made in found])
    scores *= (weights.USUAL_WIDTH / widths) ** weights.CHEAPER
    return Chosen(owners, places, places, names.__getitem__, scores)


def _by_words(
    files: Files, found: Sequence[Profile], sizes: Sequence[int], outer: Ints
) -> NDArray[np.float64]:
    """What the words of the request, of the chat and of its newest commits give to each definition,
    those of its name, of its file, of what is around and of what is beside it included."""
    import numpy as np

    pairs = [definitions_said(made, files.words) for made in found]
    asked, spelled = (_level(np.concatenate(part)) for part in zip(*pairs, strict=True))
    shared_ = _level(np.concatenate([definitions_shared(made, files.context) for made in found]))
    group = np.repeat(np.arange(len(found)), sizes)
    most = np.zeros(len(found))
    np.maximum.at(most, group, asked)
    around = np.where(outer >= 0, asked[outer], 0.0)
    beside = np.zeros(len(group))
    is_next = group[1:] == group[:-1]
    beside[1:] += np.where(is_next, shared_[:-1], 0.0)
    beside[:-1] += np.where(is_next, shared_[1:], 0.0)
    scores = weights.SAID * asked + weights.SHARED * shared_ + weights.NAME_SAID * spelled
    scores += weights.BEST_SAID * most[group] + weights.AROUND_SAID * around
    if len(files.past.keys):
        before = np.concatenate([definitions_told(made, files.past) for made in found])
        scores += weights.PAST_SAID * _level(before)
    return scores + weights.BESIDE_SHARED * beside


def _by_place(found: Sequence[Profile], sizes: Sequence[int], outer: Ints) -> Floats:
    """What its place in the text and its kind give to each definition."""
    import numpy as np

    scores = np.where(outer < 0, weights.OUTERMOST, 0.0)
    ends = np.cumsum([size for size in sizes if size])
    scores[ends - 1] += weights.LAST
    inner = np.flatnonzero(outer >= 0)
    last = np.full(len(outer), -1)
    last[outer[inner]] = inner
    scores[last[last >= 0]] += weights.LAST_INSIDE
    scores[np.concatenate([made.values for made in found])] += weights.VALUE
    return scores


def _outer(found: Sequence[Profile], sizes: Sequence[int]) -> Ints:
    """The place among all definitions of the one around each, or -1."""
    import numpy as np

    outer = np.concatenate([made.outer for made in found])
    first = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    return np.where(outer >= 0, outer + first, -1)


def best(scores: Floats, allowed: NDArray[np.bool_], most: int) -> list[int]:
    """Numbers of the best `most` of the `allowed` files, best first; ties by number."""
    import numpy as np

    numbers = np.flatnonzero(allowed)
    order = np.argsort(-np.round(scores[numbers], weights.DIGITS), kind="stable")
    return [int(file) for file in numbers[order[:most]]]


def _number(paths: Sequence[str], path: str) -> int:
    at = bisect_left(paths, path)
    return at if at < len(paths) and paths[at] == path else -1


def _spread(values: Mapping[str, float], index: PathIndex) -> Floats:
    """`values` by path as an array by file number; what is in no path of `index` is left out."""
    import numpy as np

    found = np.zeros(len(index.paths))
    for path, value in values.items():
        if (file := _number(index.paths, path)) >= 0:
            found[file] = value
    return found


def _level(values: Floats) -> Floats:
    """`values` divided by the largest, all zero if that is."""
    most = values.max(initial=0.0)
    return values / most if most > 0.0 else values
