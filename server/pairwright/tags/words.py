"""The words of a text: identifiers, comments and strings split into terms, counted without a parse.

A term is a run of letters in lower case: a word of the text parted at underscores, digits and case,
so that `parseHTTPReply2` gives parse, http and reply. Terms never span lines; so counts of a text
are the sum of the counts of its lines, which is what an edit relies on. Knows no language: the
words of every file count alike.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

RECIPE = f"words1-{sys.byteorder}"
"""Changes whenever this code would give another bag for the same text."""

MOST = 255
"""A bag counts no further; what occurs more often says nothing more about a file."""

# Longer runs are data: hashes, encoded images, tables. A script without blanks writes sentences.
_LONGEST_WORD = 100
_LONGEST_SENTENCE = 1000
_LONGEST_TERM = 40
_KEPT_WORDS = 1 << 16
# Every byte that cannot be part of a word is a blank; whatever is not ASCII is sorted out later.
_BLANKED = bytes(
    code if chr(code).isalnum() or code == 0x5F or code > 0x7F else 0x20 for code in range(256)
)
_TERM = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_TERM_OR_END = re.compile(rf"{_TERM.pattern}|\n")
# Han and kana have no blanks between words; Hangul has, but with endings that vary.
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\W\d_{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class Bag:
    """How often each term occurs in a text. `keys`: the sorted `key`s as native 32-bit numbers;
    `counts`: a byte for each, at most MOST; `total`: terms in the text, without that limit."""

    keys: bytes
    counts: bytes
    total: int

    def count(self, number: int) -> int:
        """How often the term with this key occurs."""
        keys = memoryview(self.keys).cast("I")
        at = bisect_left(keys, number)
        return self.counts[at] if at < len(keys) and keys[at] == number else 0


NO_WORDS = Bag(b"", b"", 0)


def key(term: str) -> int:
    """The 32-bit number that stands for `term`. Two terms of one repository may share one, about
    once in 4,000 million pairs; they then count as one."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def split(word: str) -> tuple[str, ...]:
    """The terms of one word (anything between blanks and punctuation), in order: lower case, two
    letters or more. A word that begins with a digit is a number and has none."""
    return _terms(word.encode("utf-8", "surrogatepass"))


def terms(text: str) -> Mapping[str, int]:
    """How often each term occurs in `text`, in the order of first occurrence."""
    found: dict[str, int] = {}
    words = Counter(text.encode("utf-8", "surrogatepass").translate(_BLANKED).split())
    for word, count in words.items():
        for term in _terms(word):
            found[term] = found.get(term, 0) + count
    return found


def words_in(data: bytes) -> list[bytes]:
    """The words of the UTF-8 text `data` in order, for `keys_of`."""
    return data.translate(_BLANKED).split()


def keys_of(words: Iterable[bytes]) -> tuple[list[int], list[int]]:
    """The keys of the terms of all `words`, one after another, and how many each word has. Many words
    at once cost a tenth of one by one."""
    plain: list[bytes] = []
    odd: dict[int, bytes] = {}
    for at, word in enumerate(words):
        is_plain = word.isascii() and len(word) <= _LONGEST_WORD and b"\n" not in word
        if word[:1].isdigit() or not is_plain:
            odd[at], word = word, b""
        plain.append(word)
    pieces = _TERM_OR_END.findall((b"\n".join(plain) + b"\n").decode())
    keys: list[int] = []
    sizes: list[int] = []
    start = 0
    for term in " ".join(pieces).lower().split(" "):
        if term == "\n":
            if len(sizes) in odd:
                keys += _keys(odd[len(sizes)])
            sizes.append(len(keys) - start)
            start = len(keys)
        elif 1 < len(term) <= _LONGEST_TERM:
            keys.append(_key(term))
    return (keys, sizes) if plain else ([], [])


def tally(data: bytes) -> dict[int, int]:
    """How often each term, by its key, occurs in the UTF-8 text `data`."""
    found: dict[int, int] = {}
    get = found.get
    for word, count in Counter(data.translate(_BLANKED).split()).items():
        for number in _keys(word):
            found[number] = get(number, 0) + count
    return found


def bag(counts: Mapping[int, int]) -> Bag:
    """The bag of what `tally` counted; counts of zero are left out."""
    keys = sorted(number for number, count in counts.items() if count > 0)
    total = sum(counts.values())
    few = bytes([min(counts[number], MOST) for number in keys])
    return Bag(array("I", keys).tobytes(), few, total)


def bag_of(data: bytes) -> Bag:
    """The bag of the UTF-8 text `data`."""
    return bag(tally(data))


def retally(counts: dict[int, int], before: bytes, after: bytes) -> None:
    """Turn `counts`, the tally of `before`, into that of `after`: only the lines between the first
    and the last difference are looked at."""
    low, tail = _same_ends(before, after)
    low = before.rfind(b"\n", 0, low) + 1
    old_end = _line_end(before, len(before) - tail)
    new_end = len(after) - (len(before) - old_end)
    for number, count in tally(before[low:old_end]).items():
        left = counts[number] - count
        if left:
            counts[number] = left
        else:
            del counts[number]
    for number, count in tally(after[low:new_end]).items():
        counts[number] = counts.get(number, 0) + count


def _same_ends(before: bytes, after: bytes) -> tuple[int, int]:
    """How many bytes the two have in common at their start, and then at their end."""
    most = min(len(before), len(after))
    start = _longest(lambda n: before[:n] == after[:n], most)
    end = _longest(lambda n: before[len(before) - n :] == after[len(after) - n :], most - start)
    return start, end


def _longest(holds: Callable[[int], bool], most: int) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end


@lru_cache(maxsize=_KEPT_WORDS)
def _keys(word: bytes) -> tuple[int, ...]:
    return tuple(key(term) for term in _terms(word))


_key = lru_cache(maxsize=_KEPT_WORDS)(key)


def _terms(word: bytes) -> tuple[str, ...]:
    if not word or 0x30 <= word[0] <= 0x39:
        return ()
    if word.isascii():
        found = _TERM.findall(word.decode()) if len(word) <= _LONGEST_WORD else []
    elif len(word) <= _LONGEST_SENTENCE:
        found = list(_beyond_ascii(word.decode("utf-8", "replace")))
    else:
        found = []
    return tuple([term.lower() for term in found if 1 < len(term) <= _LONGEST_TERM])


def _beyond_ascii(text: str) -> Iterator[str]:
    """Pairs of neighbours where a script has no blanks, else runs of letters parted by case."""
    for run in _RUN.findall(text):
        if "\u3040" <= run[0] <= "\ud7af":
            yield from (run[at : at + 2] for at in range(len(run) - 1))
            continue
        start = 0
        for at in range(1, len(run)):
            if run[at].isupper() and (run[at - 1].islower() or run[at + 1 : at + 2].islower()):
                yield run[start:at]
                start = at
        yield run[start:]
