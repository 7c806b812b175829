"""Words of a request and of code brought to one form, so that `parsing` finds `parse`: small rules for English.

A stem is a key for matching and no word for a reader. Pure; knows no index.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from pairwright.tags.words import key, split

RECIPE = "stems1"
"""Changes whenever this code would give another stem."""

_KEPT = 1 << 16
_SHORTEST = 3
# The longest that fits goes; what is left keeps three letters at least.
_SUFFIXES = (
    ("ization", "ize"),
    ("ational", "ate"),
    ("ations", "ate"),
    ("ation", "ate"),
    ("fulness", "ful"),
    ("iveness", "ive"),
    ("ables", "able"),
    ("ically", "ic"),
    ("ities", "ity"),
    ("ments", ""),
    ("ment", ""),
    ("ness", ""),
    ("ings", ""),
    ("ing", ""),
    ("ions", ""),
    ("ion", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ers", ""),
    ("ors", ""),
    ("ed", ""),
    ("er", ""),
    ("or", ""),
    ("ly", ""),
    ("es", ""),
    ("s", ""),
)


@lru_cache(maxsize=_KEPT)
def stem(term: str) -> str:
    """`term`, in lower case, without its English ending: parses, parsed, parser and parsing are one."""
    if len(term) <= _SHORTEST or not term.isascii() or term.endswith("ss"):
        return term
    for suffix, instead in _SUFFIXES:
        left = len(term) - len(suffix)
        if left >= _SHORTEST and term.endswith(suffix):
            return _levelled(term[:left] + instead)
    return _levelled(term)


def _levelled(term: str) -> str:
    """One form for `stop` and `stopp`, `parse` and `pars`, `copy` and `copi`."""
    if len(term) > _SHORTEST and term.endswith("ate"):
        term = term[:-3]
    if len(term) > _SHORTEST and term[-1] == "e":
        term = term[:-1]
    if len(term) > _SHORTEST and term[-1] == term[-2] and term[-1] not in "aeiols":
        term = term[:-1]
    return term[:-1] + "i" if len(term) >= _SHORTEST and term[-1] == "y" else term


@lru_cache(maxsize=_KEPT)
def stems(word: str) -> tuple[str, ...]:
    """The stems of the terms of one word, in order."""
    return tuple(stem(term) for term in split(word))


@lru_cache(maxsize=_KEPT)
def keys(word: bytes) -> tuple[int, ...]:
    """The 32-bit keys of the stems of one word."""
    return tuple(key(one) for one in stems(word.decode("utf-8", "replace")))


def all_keys(words: Iterable[bytes]) -> list[int]:
    """The keys of all `words`, one after another."""
    return list(chain.from_iterable(map(keys, words)))
