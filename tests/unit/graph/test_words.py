"""Postings: against plain dictionaries, under edits, folded or not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pairwright.graph.words import Words
from pairwright.tags.words import NO_WORDS, Bag, bag_of, key

PATHS = ["a.py", "b.py", "lib/c.py", "lib/d.py", "z.py"]
TERMS = ["get", "user", "invoice", "total", "parse"]

texts = st.lists(st.sampled_from(TERMS), max_size=8).map(lambda words: " ".join(words))
folders = st.dictionaries(st.sampled_from(PATHS), texts, max_size=5)
changes = st.lists(
    st.dictionaries(
        st.sampled_from([*PATHS, "new.py", "lib/new.py"]), st.none() | texts, max_size=4
    ),
    max_size=4,
)


def bags(folder: Mapping[str, str]) -> dict[str, Bag]:
    return {path: bag_of(text.encode()) for path, text in folder.items()}


def check(words: Words, folder: Mapping[str, str]) -> None:
    """`words` says about every file and term what the texts of `folder` say."""
    lengths = {path: len(text.split()) for path, text in sorted(folder.items())}
    filled = [length for length in lengths.values() if length]
    assert words.paths == tuple(lengths)
    assert words.totals.tolist() == list(lengths.values())
    assert words.size == len(filled)
    assert words.average == (sum(filled) / len(filled) if filled else 0.0)
    for path, text in folder.items():
        assert words.bag(path) == bag_of(text.encode())
    keys = np.array(sorted(key(term) for term in (*TERMS, "nowhere")), np.uint32)
    frequencies = dict(zip(keys.tolist(), words.frequencies(keys).tolist(), strict=True))
    for term in (*TERMS, "nowhere"):
        expected = {
            path: count for path in sorted(folder) if (count := folder[path].split().count(term))
        }
        assert frequencies[key(term)] == len(expected)
        files, counts = words.posted(key(term))
        assert [words.paths[file] for file in files] == list(expected)
        assert counts.tolist() == list(expected.values())
    weights = keys.astype(np.float64) / 7
    spread = words.spread(keys, weights)
    for path, text in folder.items():
        used = [
            at for at, number in enumerate(keys.tolist()) if bag_of(text.encode()).count(number)
        ]
        assert spread[words.paths.index(path)] == float(sum(weights[used]))


@given(folders, changes, st.booleans())
def test_after_any_edits_words_are_those_of_the_texts(
    folder: dict[str, str], steps: list[dict[str, str | None]], asked: bool
) -> None:
    words = Words.of(bags(folder))
    for step in steps:
        if asked:
            words.posted(key("get"))
        before, held = dict(folder), words
        for path, text in step.items():
            if text is None:
                folder.pop(path, None)
            else:
                folder[path] = text
        words = words.replace(
            {path: None if text is None else bag_of(text.encode()) for path, text in step.items()}
        )
        check(words, folder)
        check(words.folded(), folder)
        check(held, before)


def test_an_unknown_path_has_no_words() -> None:
    words = Words.of({})
    assert (words.paths, words.bag("a.py"), words.size, words.average) == ((), NO_WORDS, 0, 0)
    assert len(words.posted(key("get")).files) == 0


def test_folding_takes_the_overlay_in() -> None:
    words = Words.of(bags({"a.py": "get"})).replace(bags({"b.py": "user"}))
    assert words.overlaid == 1
    assert words.folded().overlaid == 0
    assert words.folded().folded().bag("b.py") == bag_of(b"user")
