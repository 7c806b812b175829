"""A repository at a glance: who links to whom, clusters, order, entry points, titles."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairwright.graph.engine import Graph
from pairwright.graph.links import links
from pairwright.graph.overview import MOST_CLUSTERS, Overview, overview
from pairwright.graph.titles import titled
from pairwright.graph.types import FileRow


def row(path: str, defs: str, refs: str) -> FileRow:
    return FileRow(path, dict.fromkeys(defs.split(), 1), dict.fromkeys(refs.split(), 1))


SHOP = [
    row("cli/main.py", "main", "serve_all Basket"),
    row("cli/flags.py", "parse_flags", "Basket"),
    row("web/server.py", "serve_all", "Basket checkout"),
    row("web/pages.py", "render_page", "Basket checkout serve_all"),
    row("shop/basket.py", "Basket", "Money"),
    row("shop/till.py", "checkout", "Money Basket"),
    row("base/money.py", "Money", ""),
    row("base/tests/test_money.py", "test_it", "Money"),
    row("notes.txt", "", ""),
]


def seen(rows: list[FileRow]) -> Overview:
    return overview(Graph.build(rows))


def edges(*rows: FileRow) -> list[tuple[str, str]]:
    table, _ = Graph.build(rows).layers()
    assert table is not None
    found = links(table)
    pairs = zip(found.source.tolist(), found.target.tolist(), strict=True)
    return [(table.paths[one], table.paths[two]) for one, two in pairs]


def test_users_stand_before_what_they_use() -> None:
    found = seen(SHOP)
    titles = [cluster.title for cluster in found.clusters]
    assert titles[0] == "cli"
    assert titles[-1].startswith("base")
    strongest = found.flows[0]
    assert strongest.source < strongest.target
    assert sum(flow.share for flow in found.flows) == pytest.approx(1.0, abs=1e-4)


def test_entry_points_and_what_is_used_most() -> None:
    found = seen(SHOP)
    assert found.starts == ("cli/main.py", "web/pages.py", "cli/flags.py")
    assert [(item.name, item.files) for item in found.definitions[:2]] == [
        ("Basket", 5),
        ("Money", 3),
    ]
    assert (found.files[0].path, found.files[0].files) == ("shop/basket.py", 5)
    assert (found.count, found.kinds) == (8, (("py", 8),))


def test_no_code_no_clusters() -> None:
    assert seen([]).clusters == seen([row("a.txt", "", "")]).clusters == ()
    assert [cluster.files for cluster in seen([row("a.py", "one", "")]).clusters] == [("a.py",)]


def test_a_name_links_within_a_language_to_few_definers_and_past_its_own() -> None:
    one, two = row("a.py", "Thing", "Thing"), row("b.py", "Thing", "")
    assert edges(one, two) == []
    assert edges(two, row("c.js", "", "Thing"), row("d.py", "", "Thing")) == [("d.py", "b.py")]
    many = [row(f"m{n}.py", "Thing", "") for n in range(9)]
    assert edges(row("a.py", "", "Thing"), *many) == []


def test_words_of_the_language_link_nobody() -> None:
    users = [row(f"u{n:02}.py", "", "append Appender append_all") for n in range(30)]
    assert {two for _, two in edges(row("a.py", "append", ""), *users)} == set()
    assert len(edges(row("a.py", "Appender append_all", ""), *users)) == 30


def _large(folders: int, seed: int) -> list[FileRow]:
    rng = random.Random(seed)
    rows = []
    for number in range(folders * 6):
        home = number % folders
        refs = [f"Name_{rng.randrange(folders * 6)}" for _ in range(3)]
        refs += [f"Name_{home + folders * rng.randrange(6)}" for _ in range(4)]
        path = f"top{home % 5}/part{home}/file{number}.py"
        rows.append(row(path, f"Name_{number}", " ".join(sorted(set(refs)))))
    return rows


def test_a_large_repository_has_few_clusters_and_loses_no_file() -> None:
    rows = _large(60, 1)
    found = seen(rows)
    assert 2 <= len(found.clusters) <= MOST_CLUSTERS
    files = [path for cluster in found.clusters for path in cluster.files]
    assert sorted(files) == sorted(item.path for item in rows)
    assert len({cluster.title for cluster in found.clusters}) == len(found.clusters)


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 40), st.randoms(use_true_random=False))
def test_neither_order_nor_history_show(folders: int, rng: random.Random) -> None:
    rows = _large(folders, folders)
    mixed = list(rows)
    rng.shuffle(mixed)
    half = len(mixed) // 2
    grown = Graph.build(mixed[:half]).replace({item.path: item for item in mixed[half:]})
    assert overview(Graph.build(rows)) == overview(grown)


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        ([["src/a/x.py", "src/a/y.py"], ["src/b/z.py"]], ["a", "b"]),
        ([["a/x.py", "b/y.py", "c/z.py"]], ["a, b"]),
        ([["a/1.py", "a/2.py", "a/3.py"], ["a/4.py", "a/5.py"]], ["1.py, 2.py", "4.py, 5.py"]),
        ([["x.py"]], ["x.py"]),
    ],
)
def test_titles(clusters: list[list[str]], expected: list[str]) -> None:
    assert titled(clusters) == expected
