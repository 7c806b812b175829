"""Names by a few of their letters: what matches, in which order, and that columns agree with the
rule for one name."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.graph.engine import Graph
from pairwright.graph.search import CLOSE_LOOK, Names, defined, points
from pairwright.graph.types import FileRow


def best(query: str, *names: str) -> list[str]:
    return [found.name for found in Names.of(names).search(query, 100)]


@pytest.mark.parametrize(
    ("query", "names", "expected"),
    [
        (
            "set",
            ["reset", "setting", "set", "some_entry_time"],
            ["set", "setting", "some_entry_time", "reset"],
        ),
        (
            "gcn",
            ["getClassName", "gacan", "get_column_name"],
            ["getClassName", "get_column_name", "gacan"],
        ),
        ("HTTP", ["http_port", "HTTPServer", "xhttp"], ["HTTPServer", "http_port", "xhttp"]),
        ("b2", ["b_2", "ab2", "B2", "b10_2"], ["B2", "b_2", "b10_2", "ab2"]),
        ("ses", ["session_store_entry", "s_e_s"], ["session_store_entry", "s_e_s"]),
        ("größe", ["Größe", "grosse"], ["Größe"]),
        ("ÜB", ["übung", "bü"], ["übung"]),
        ("x", ["yy"], []),
        ("", ["yy"], []),
        ("a\nb", ["a_b"], []),
        ("loader", [], []),
    ],
)
def test_order(query: str, names: list[str], expected: list[str]) -> None:
    assert best(query, *names) == expected


def test_letters_must_come_in_order() -> None:
    assert points("abc", "acb") == -1
    assert points("abc", "axbxc") > 0


_NAME = st.text("abAB_1éß€😀", min_size=1, max_size=8)


@given(st.sets(_NAME, max_size=40), st.text("abAB_1é😀", min_size=1, max_size=4))
def test_columns_find_what_the_rule_finds(names: set[str], query: str) -> None:
    found = Names.of(names).search(query, 1000)
    wanted = [(name, points(query, name)) for name in names]
    wanted = [item for item in wanted if item[1] >= 0]
    wanted.sort(key=lambda item: (-item[1], len(item[0]), item[0]))
    assert [tuple(item) for item in found] == wanted


@given(st.lists(_NAME, max_size=20), st.randoms(use_true_random=False))
def test_the_order_of_names_does_not_show(names: list[str], rng: random.Random) -> None:
    mixed = list(names)
    rng.shuffle(mixed)
    assert Names.of(names).search("ab", 10) == Names.of(mixed).search("ab", 10)


def test_of_many_matches_the_best_are_among_those_looked_at() -> None:
    many = [f"xa_{number}_b_filler" for number in range(5 * CLOSE_LOOK)]
    assert best("ab", *many, "AbCd", "ab", "a_b")[:3] == ["ab", "AbCd", "a_b"]


def test_defined_names_follow_the_rows_over_the_arrays() -> None:
    rows = [FileRow("a.py", {"one": 1, "two": 2}, {"three": 1}), FileRow("b.py", {"four": 1}, {})]
    graph = Graph.build(rows)
    assert defined(graph) == ["four", "one", "two"]
    typed = graph.replace({"b.py": FileRow("b.py", {"five": 1}, {}), "a.py": None})
    assert {"five"} <= set(defined(typed))
    assert defined(Graph.build([])) == []
