"""What names tie to a chat: who refers to what it defines, and what it refers to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pairwright.graph.mentions import Mentions, mentions, tied
from pairwright.tags.files import tags_of
from pairwright.tags.types import Definition, Tags, parents
from pairwright.tags.words import key

CHAT = """
def price(item):
    return rate(item) + item.net
"""
SHOP = {
    "cart.py": """
def total(cart):
    return sum(price(item) for item in cart)

def clear(cart):
    cart.clear()
""",
    "tax.py": """
def rate(item):
    return 0.19
""",
}


def read(path: str, text: str) -> Mentions:
    tags = tags_of(path, text.encode())
    return mentions(tags, parents(tags.defs))


def check(chat: str, texts: Mapping[str, str], calls: list[str], called: list[str]) -> None:
    """Which definitions of `texts` refer to the `chat`, and to which it refers."""
    found = tied([read("chat.py", chat)], [read(path, text) for path, text in texts.items()])
    names = [
        item.name for path, text in texts.items() for item in tags_of(path, text.encode()).defs
    ]
    for values, expected in zip(found, (calls, called), strict=True):
        assert [name for name, value in zip(names, values, strict=True) if value > 0.0] == expected


def test_callers_of_the_chat_and_what_it_calls_are_tied_to_it() -> None:
    check(CHAT, SHOP, ["total"], ["rate"])


def test_a_chat_without_names_ties_nothing() -> None:
    check("", SHOP, [], [])
    check(CHAT, {"empty.py": ""}, [], [])


def test_a_name_that_few_refer_to_ties_more() -> None:
    chat = "def rare(): ...\ndef usual(): ...\n"
    one = "def a():\n    rare()\n\ndef b():\n    usual()\n"
    others = [f"def c{n}():\n    usual()\n" for n in range(3)]
    found = [read("one.py", one), *(read(f"{n}.py", text) for n, text in enumerate(others))]
    calls, _ = tied([read("chat.py", chat)], found)
    assert calls[0] > calls[1] > 0.0


@st.composite
def tagged(draw: st.DrawFn) -> Tags:
    """Definitions within and beside each other, and references anywhere."""
    spans = draw(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 20)), max_size=8))
    defs: list[Definition] = []
    for start, size in sorted(spans, key=lambda span: (span[0], -span[1])):
        around = [item.end for item in defs if item.start <= start < item.end]
        end = min([start + size, *around])
        defs.append(Definition(f"d{len(defs)}", "function", start, start, end, start))
    refs = sorted(draw(st.lists(st.tuples(st.integers(0, 60), st.sampled_from("xyz")), max_size=9)))
    names, starts = tuple(name for _, name in refs), tuple(at for at, _ in refs)
    return Tags(tuple(defs), names, starts, "python", "query")


@given(tagged())
def test_a_reference_belongs_to_the_innermost_definition_around_it(tags: Tags) -> None:
    found = mentions(tags, parents(tags.defs))
    expected: Counter[tuple[int, int]] = Counter()
    for name, at in zip(tags.ref_names, tags.ref_starts, strict=True):
        around = [n for n, item in enumerate(tags.defs) if item.start <= at < item.end]
        if around:
            expected[around[-1], key(name)] += 1
    rows = zip(found.owners.tolist(), found.keys[found.names].tolist(), strict=True)
    assert dict(zip(rows, found.counts.tolist(), strict=True)) == expected
    assert dict(zip(found.keys.tolist(), found.times.tolist(), strict=True)) == Counter(
        map(key, tags.ref_names)
    )
    assert found.own.tolist() == [key(item.name) for item in tags.defs]
    assert np.all(np.diff(found.keys.astype(np.int64)) > 0)
