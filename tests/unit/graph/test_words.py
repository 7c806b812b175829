"""Postings: against plain dictionaries, under edits, folded or not."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from pairwright.graph.words import Words
from pairwright.tags.words import NO_WORDS, Bag, bag_of

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
        assert words.total(path) == lengths[path]
        assert words.bag(path) == bag_of(text.encode())
    for term in (*TERMS, "nowhere"):
        expected = {
            path: count for path in sorted(folder) if (count := folder[path].split().count(term))
        }
        assert list(words.counts(term).items()) == list(expected.items())
        assert words.df(term) == len(expected)
        files, counts = words.postings(term)
        assert [words.paths[file] for file in files] == list(expected)
        assert counts.tolist() == list(expected.values())


@given(folders, changes, st.booleans())
def test_after_any_edits_words_are_those_of_the_texts(
    folder: dict[str, str], steps: list[dict[str, str | None]], asked: bool
) -> None:
    words = Words.of(bags(folder))
    for step in steps:
        if asked:
            words.df("get")
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
    assert (words.total("a.py"), words.bag("a.py"), words.size, words.average) == (
        0,
        NO_WORDS,
        0,
        0,
    )


def test_folding_takes_the_overlay_in() -> None:
    words = Words.of(bags({"a.py": "get"})).replace(bags({"b.py": "user"}))
    assert words.overlaid == 1
    assert words.folded().overlaid == 0
    assert words.folded().folded().counts("user") == {"b.py": 1}
