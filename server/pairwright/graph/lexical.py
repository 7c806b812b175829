"""What matches a request by its words: files by the postings, definitions by their profiles.

A question is a set of terms with what each is worth. Two are asked: the words of the request, and
the words of the files in the chat. Knows no graph and no history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pairwright.graph.paths import PathIndex
from pairwright.graph.profile import Profile
from pairwright.graph.weights import IN_PATH, LATER, LEVEL, POSTINGS, SATURATION, SMALL_TEXT
from pairwright.graph.words import Words
from pairwright.tags.words import key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Keys = NDArray[np.uint32]


class Question(NamedTuple):
    """Terms by their keys, sorted, with what each is worth and in how many files it is. `named`: the
    files that have it in their path."""

    keys: Keys
    worth: Floats
    files: NDArray[np.int64]
    named: Sequence[Sequence[int]] = ()


def said(words: Words, index: PathIndex, terms: Sequence[str]) -> Question:
    """The question of a request: rare terms are worth more."""
    import numpy as np

    by_key = {key(term): term for term in sorted(terms)}
    keys = np.array(sorted(by_key), np.uint32)
    named = [index.terms.get(by_key[number], ()) for number in keys.tolist()]
    files = np.maximum(words.frequencies(keys), [len(numbers) for numbers in named])
    return Question(keys, _rarity(words, files), files, named)


def led(question: Question, terms: Sequence[str]) -> Question:
    """`question` begun with `terms`: what else it asks for is worth less. Without any it stays."""
    import numpy as np

    first = np.array(sorted(map(key, terms)), np.uint32)
    share = np.where(np.isin(question.keys, first), 1.0, LATER if len(first) else 1.0)
    return question._replace(worth=question.worth * share)


def shared(words: Words, weights: Mapping[str, float]) -> Question:
    """The question of files: their terms, worth more where rare and in files of more weight."""
    import numpy as np

    worth: dict[int, float] = {}
    for path in sorted(weights):
        for number in np.frombuffer(words.bag(path).keys, np.uint32).tolist():
            worth[number] = max(worth.get(number, 0.0), weights[path])
    keys = np.array(sorted(worth), np.uint32)
    files = words.frequencies(keys)
    factors = np.array([worth[number] for number in keys.tolist()], np.float64)
    return Question(keys, factors * _rarity(words, files), files)


def _rarity(words: Words, files: NDArray[np.int64]) -> Floats:
    import numpy as np

    rarity: Floats = np.log1p((np.maximum(words.size - files, 0) + 0.5) / (files + 0.5))
    return rarity


def files_said(words: Words, question: Question) -> Floats:
    """BM25 of each file, by its number; a term of its path counts as in a definition."""
    import numpy as np

    scores = np.zeros(len(words.paths))
    level = SATURATION * (1.0 - LEVEL + LEVEL * words.totals / max(words.average, 1.0))
    counts = np.zeros(len(words.paths))
    for at, number in enumerate(question.keys.tolist()):
        files, found = words.posted(number)
        counts[files] = found
        named = np.array(question.named[at], np.int64)
        counts[named] += IN_PATH
        either = np.flatnonzero(counts)
        times = counts[either]
        scores[either] += question.worth[at] * times * (SATURATION + 1.0) / (times + level[either])
        counts[either] = 0.0
    return scores


def files_shared(words: Words, question: Question) -> Floats:
    """The worth of the terms that each file shares with the question, levelled by its size."""
    import numpy as np

    order = np.lexsort((question.keys, question.files))
    few = order[: int(np.searchsorted(np.cumsum(question.files[order]), POSTINGS, side="right"))]
    few.sort()
    sums = words.spread(question.keys[few], question.worth[few])
    levelled: Floats = sums / np.sqrt(SMALL_TEXT + words.totals)
    return levelled


def definitions_said(profile: Profile, question: Question) -> tuple[Floats, Floats]:
    """BM25 of each definition; and the worth of the terms in its name alone, levelled by how many it
    has."""
    import numpy as np

    worth = _worth(profile, question)
    count, named = len(profile.names), profile.named
    owners = profile.owners[named]
    parts = np.maximum(np.bincount(owners, minlength=count), 1)
    spelled: Floats = np.bincount(owners, worth[profile.terms[named]], count) / np.sqrt(parts)
    return _sums(profile, worth[profile.terms] * profile.gains), spelled


def definitions_told(profile: Profile, question: Question) -> Floats:
    """BM25 of each definition, as in definitions_said."""
    return _sums(profile, _worth(profile, question)[profile.terms] * profile.gains)


def definitions_shared(profile: Profile, question: Question) -> Floats:
    """The worth of the terms that each definition shares with the question, levelled by its
    size."""
    import numpy as np

    sums = _sums(profile, _worth(profile, question)[profile.terms] * profile.inside)
    levelled: Floats = sums / np.sqrt(SMALL_TEXT + profile.kinds)
    return levelled


def _worth(profile: Profile, question: Question) -> Floats:
    """What each term of the file is worth, 0.0 where it is not asked for."""
    import numpy as np

    found = np.zeros(len(profile.keys))
    if not len(found):
        return found
    # The few are looked for among the many.
    if len(question.keys) < len(found):
        at = np.minimum(np.searchsorted(profile.keys, question.keys), len(found) - 1)
        hit = profile.keys[at] == question.keys
        found[at[hit]] = question.worth[hit]
        return found
    at = np.minimum(np.searchsorted(question.keys, profile.keys), len(question.keys) - 1)
    return np.where(question.keys[at] == profile.keys, question.worth[at], 0.0)


def _sums(profile: Profile, values: Floats) -> Floats:
    import numpy as np

    return np.bincount(profile.owners, values, len(profile.names)).astype(np.float64)
