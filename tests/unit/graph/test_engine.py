"""The graph: against networkx, under edits, under reordering, and on inputs that divide by zero."""

from __future__ import annotations

import os
import subprocess
import sys
from math import sqrt
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairwright.graph import weights
from pairwright.graph.engine import Graph
from pairwright.graph.types import FileRow, Focus, Ranked, Ranking

SERVER = Path(__file__).parents[3] / "server"

PATHS = ["a.py", "b.py", "lib/c.py", "lib/d.py", "e.txt", "z.py", "lib/parse.py"]
NAMES = ["get", "run", "_hidden", "parse_invoice", "HttpServer", "x", "__init__", "计算总额", "lib"]

counts = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 9), max_size=6)
rows = st.builds(FileRow, st.sampled_from(PATHS), counts, counts)
graphs = st.lists(rows, max_size=7, unique_by=lambda row: row.path)
some_paths = st.lists(st.sampled_from([*PATHS, "no/such.py"]), max_size=3).map(tuple)
some_names = st.lists(st.sampled_from([*NAMES, "nowhere"]), max_size=3).map(tuple)
focuses = st.builds(Focus, some_paths, some_paths, some_names, some_paths)


def row(path: str, defs: str = "", refs: str = "") -> FileRow:
    """A row from words; a repeated word counts again."""
    return FileRow(path, _count(defs), _count(refs))


def _count(words: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words.split():
        found[word] = found.get(word, 0) + 1
    return found


def check(rows: list[FileRow], focus: Focus, expected: list[tuple[str, str]]) -> None:
    """The first definitions of the ranking are the expected (path, name) pairs."""
    ranking = Graph.build(rows).rank(focus)
    assert [(item.path, item.name) for item in ranking.definitions[: len(expected)]] == expected


def explicit(rows: list[FileRow], focus: Focus) -> tuple[nx.MultiDiGraph, dict[str, float]]:
    """The pairwise graph, edge by edge and keyed by name, and the restart weights, by the stated
    rules."""
    graph = nx.MultiDiGraph()
    paths = sorted(row.path for row in rows)
    graph.add_nodes_from(paths)
    definers: dict[str, list[str]] = {}
    for item in rows:
        for name in item.defs:
            definers.setdefault(name, []).append(item.path)
    referenced = {name for item in rows for name in item.refs}
    for name, files in definers.items():
        mentioned = weights.MENTIONED if name in focus.names else 1.0
        if name not in referenced:
            for path in files:
                graph.add_edge(path, path, key=name, weight=weights.UNREFERENCED * mentioned)
            continue
        common = weights.COMMON if len(files) > weights.COMMON_ABOVE else 1.0
        multiplier = mentioned * weights.shape(name) * common
        for item in rows:
            if name in item.refs:
                chat = weights.FROM_CHAT if item.path in focus.chat else 1.0
                weight = multiplier * chat * sqrt(item.refs[name])
                for path in files:
                    graph.add_edge(item.path, path, key=name, weight=weight)
    referrers = {name: [row.path for row in rows if name in row.refs] for name in definers}
    return graph, _restart(paths, focus, definers, referrers)


def _restart(
    paths: list[str],
    focus: Focus,
    definers: dict[str, list[str]],
    referrers: dict[str, list[str]],
) -> dict[str, float]:
    share = dict.fromkeys(paths, 0.0)
    for path in paths:
        if path in focus.open_:
            share[path] = weights.OPEN_SHARE
        if path in focus.chat:
            share[path] = weights.CHAT_SHARE
        if path in focus.paths:
            share[path] = max(share[path], weights.PATH_SHARE)
        parts = {*path.split("/"), path.rsplit("/", 1)[-1].rsplit(".", 1)[0]}
        if parts & set(focus.names):
            share[path] += weights.PATH_SHARE
    for name in set(focus.names) & set(definers):
        files = definers[name]
        if len(files) <= weights.COMMON_ABOVE:
            for path in files:
                share[path] += weights.NAME_SHARE / len(files) / 2 / len(files)
            for path in referrers[name] or files:
                heirs = len(referrers[name] or files)
                share[path] += weights.NAME_SHARE / len(files) / 2 / heirs
    total = sum(share.values())
    if not total:
        return dict.fromkeys(paths, 1 / len(paths))
    uniform = weights.UNIFORM / len(paths)
    return {path: (1 - weights.UNIFORM) * part / total + uniform for path, part in share.items()}


@given(graphs, focuses)
@settings(max_examples=200)
def test_ranks_are_networkx_pageranks_of_the_pairwise_graph(
    rows: list[FileRow], focus: Focus
) -> None:
    ranking = Graph.build(rows).rank(focus, tolerance=1e-13)
    if not rows:
        assert ranking == Ranking((), ())
        return
    graph, start = explicit(rows, focus)
    expected = nx.pagerank(
        graph, weights.DAMPING, personalization=start, dangling=start, tol=1e-14, max_iter=1000
    )
    assert dict(ranking.files) == pytest.approx(expected, abs=1e-9)
    flows: dict[tuple[str, str], float] = {}
    for source in graph:
        total = sum(data["weight"] for _, _, data in graph.out_edges(source, data=True))
        for _, target, name, data in graph.out_edges(source, keys=True, data=True):
            share = expected[source] * data["weight"] / total
            flows[target, name] = flows.get((target, name), 0.0) + share
    flows = {key: flow for key, flow in flows.items() if key[0] not in focus.chat}
    ranked = {(item.path, item.name): item.score for item in ranking.definitions}
    assert ranked == pytest.approx(flows, abs=1e-9)


@given(graphs, st.randoms(use_true_random=False), focuses)
def test_the_order_of_rows_does_not_show(rows: list[FileRow], random: object, focus: Focus) -> None:
    mixed = [FileRow(r.path, _shuffled(r.defs, random), _shuffled(r.refs, random)) for r in rows]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert Graph.build(mixed).rank(focus) == Graph.build(rows).rank(focus)


def _shuffled(counts: object, random: object) -> dict[str, int]:
    items = list(counts.items())  # type: ignore[attr-defined]
    random.shuffle(items)  # type: ignore[attr-defined]
    return dict(items)


changes = st.dictionaries(st.sampled_from(PATHS), st.none() | st.tuples(counts, counts), max_size=4)


@given(
    graphs, st.lists(st.tuples(changes, st.sampled_from(["", "rank", "fold"])), max_size=6), focuses
)
@settings(max_examples=200)
def test_any_edits_end_in_the_graph_a_fresh_build_gives(
    rows: list[FileRow],
    steps: list[tuple[dict[str, tuple[dict[str, int], dict[str, int]] | None], str]],
    focus: Focus,
) -> None:
    graph = Graph.build(rows)
    current = {row.path: row for row in rows}
    for change, then in steps:
        made = {path: row and FileRow(path, *row) for path, row in change.items()}
        graph = graph.replace(made)
        current.update({path: row for path, row in made.items() if row})
        for path in [path for path, row in made.items() if row is None]:
            current.pop(path, None)
        assert graph.paths == tuple(sorted(current))
        if then == "rank":
            graph.rank(focus)
        if then == "fold":
            graph = graph.folded()
            assert graph.overlaid == 0
    fresh = Graph.build(current.values())
    for name in NAMES:
        assert graph.referrers(name) == fresh.referrers(name)
        assert graph.definers(name) == fresh.definers(name)
    assert {path: graph.row(path) for path in PATHS} == {
        path: _plain(current.get(path)) for path in PATHS
    }
    assert graph.rank(focus) == fresh.rank(focus)
    assert graph.rank(Focus()) == fresh.rank(Focus())


def _plain(row: FileRow | None) -> FileRow | None:
    return row and FileRow(row.path, dict(row.defs), dict(row.refs))


def test_a_replaced_graph_leaves_the_old_one_as_it_was() -> None:
    old = Graph.build([row("a.py", "one"), row("b.py", "", "one")])
    before = old.rank(Focus())
    new = old.replace({"a.py": None, "c.py": row("c.py", "one")})
    new.rank(Focus())
    assert old.rank(Focus()) == before
    assert old.paths == ("a.py", "b.py")
    assert new.definers("one") == ("c.py",)


def test_many_rows_replaced_at_once_take_the_other_way_of_merging() -> None:
    names = [f"name{i}" for i in range(3000)]
    rows = [row(f"f{i:02}.py", " ".join(names[i::20]), " ".join(names[i::7])) for i in range(20)]
    changed = {item.path: row(item.path, "solo", " ".join(names[::5])) for item in rows[3:9]}
    graph = Graph.build(rows).replace(changed)
    fresh = Graph.build([changed.get(item.path, item) for item in rows])
    assert graph.rank(Focus(chat=("f01.py",))) == fresh.rank(Focus(chat=("f01.py",)))


def test_names_nobody_uses_any_more_are_dropped_in_the_end() -> None:
    graph = Graph.build([row("a.py", "kept", "kept"), row("b.py", "", "kept")])
    for step in range(6):
        refs = {f"typed_{step}_{i}": 1 for i in range(1000)} | {"kept": 1}
        graph = graph.replace({"b.py": FileRow("b.py", {}, refs)}).folded()
    table = graph._view()[0]
    assert table is not None and len(table.names) < 4096
    assert graph.rank(Focus()) == Graph.build(
        [row("a.py", "kept", "kept"), FileRow("b.py", {}, refs)]
    ).rank(Focus())


def test_of_two_rows_for_a_path_the_later_counts() -> None:
    graph = Graph.build([row("a.py", "old"), row("b.py"), row("a.py", "new")])
    assert graph.paths == ("a.py", "b.py")
    assert graph.definers("old") == () and graph.definers("new") == ("a.py",)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [row("notes.txt"), row("data.csv")],
        [row("a.py", "X"), row("b.py", "Y")],
        [row("a.py", "", "nowhere")],
        [FileRow("a.py", {"x": 0, "y": -3}, {"x": -1, "y": 0})],
    ],
)
@pytest.mark.parametrize("focus", [Focus(), Focus(("a.py",), ("gone.py",), ("X",), ("b.py",))])
def test_edgeless_graphs_rank_every_file_once(rows: list[FileRow], focus: Focus) -> None:
    ranking = Graph.build(rows).rank(focus)
    assert sorted(path for path, _ in ranking.files) == sorted(row.path for row in rows)
    assert all(score > 0 for _, score in ranking.files)


def test_a_focus_on_a_file_without_references_leaves_the_others_above_zero() -> None:
    rows = [row("sink.md"), row("a.py", "f", "g"), row("b.py", "g", "f")]
    ranking = Graph.build(rows).rank(Focus(chat=("sink.md",)))
    assert ranking.files[0][0] == "sink.md"
    assert all(item.score > 0 for item in ranking.definitions)
    assert len(ranking.definitions) == 2


@pytest.mark.parametrize(
    "focus",
    [
        Focus(chat=("caller.py",)),
        Focus(open_=("caller.py",)),
        Focus(names=("parse_invoice_header",)),
        Focus(paths=("caller.py",)),
    ],
)
def test_a_rare_name_beats_names_that_everybody_defines(focus: Focus) -> None:
    rows = [row(f"c{i}.py", f"C{i} get run __init__", "get run __init__ " * 3) for i in range(300)]
    rows += [
        row("caller.py", "main", "get run __init__ parse_invoice_header " * 2),
        row("partner.py", "parse_invoice_header get run __init__"),
    ]
    check(rows, focus, [("partner.py", "parse_invoice_header")])


def test_definitions_of_chat_files_are_left_out_and_their_partners_come_first() -> None:
    rows = [
        row("a.py", "alpha", "beta"),
        row("b.py", "beta", "gamma"),
        row("c.py", "gamma", "alpha"),
    ]
    check(rows, Focus(chat=("a.py",)), [("b.py", "beta"), ("c.py", "gamma")])
    assert all(item.path != "a.py" for item in Graph.build(rows).rank(Focus(("a.py",))).definitions)


def test_an_open_file_pulls_less_than_a_chat_file() -> None:
    rows = [row("a.py", "", "fa"), row("b.py", "", "fb"), row("x.py", "fa"), row("y.py", "fb")]
    check(rows, Focus(chat=("a.py",), open_=("b.py",)), [("x.py", "fa"), ("y.py", "fb")])
    check(rows, Focus(chat=("b.py",), open_=("a.py",)), [("y.py", "fb"), ("x.py", "fa")])


def test_ties_are_broken_by_path_then_name() -> None:
    rows = [row(f"{path}.py", "b a") for path in "dcab"]
    ranking = Graph.build(rows).rank(Focus())
    pairs = [(item.path, item.name) for item in ranking.definitions]
    assert pairs == [(f"{path}.py", name) for path in "abcd" for name in "ab"]
    assert [path for path, _ in ranking.files] == ["a.py", "b.py", "c.py", "d.py"]


@given(graphs, focuses, st.integers(0, 12))
def test_a_limit_keeps_the_first_ones_even_among_ties(
    rows: list[FileRow], focus: Focus, limit: int
) -> None:
    graph = Graph.build(rows)
    whole = graph.rank(focus).definitions
    assert graph.rank(focus, limit=limit).definitions == whole[:limit]
    assert list(whole) == sorted(whole, key=lambda item: (-item.score, item.path, item.name))


def test_referrers_come_by_count_then_path() -> None:
    graph = Graph.build([row("b.py", "", "f f"), row("a.py", "f", "f f"), row("c.py", "", "f f f")])
    assert graph.referrers("f") == (("c.py", 3), ("a.py", 2), ("b.py", 2))
    after = graph.replace({"c.py": None, "d.py": row("d.py", "f", "f")})
    assert after.referrers("f") == (("a.py", 2), ("b.py", 2), ("d.py", 1))
    assert after.definers("f") == ("a.py", "d.py")
    assert after.referrers("nowhere") == ()


def test_counts_survive_their_square_root() -> None:
    counts = {f"n{i}": i for i in (1, 2, 3, 7, 10, 99, 12345, 2**31 + 7)}
    graph = Graph.build([FileRow("a.py", {"d": 3}, counts)])
    assert graph.row("a.py") == FileRow("a.py", {"d": 3}, dict(sorted(counts.items())))


_SEEDED = """
from pairwright.graph.engine import Graph
from pairwright.graph.types import FileRow, Focus
names = {f"name_{i}" for i in range(40)}
rows = [FileRow(f"f{i}.py", {n: 1 for n in names if int(n[5:]) % 9 == i},
        {n: int(n[5:]) % 4 + 1 for n in names if int(n[5:]) % 7 == i}) for i in {*range(9)}]
graph = Graph.build(rows).replace({"f3.py": FileRow("f3.py", {"name_1": 1}, {n: 1 for n in names})})
print(graph.rank(Focus(chat=("f1.py",), names=tuple(names)[:40])))
"""


def _python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SERVER), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_hash_seed_does_not_show() -> None:
    seen = {_python(_SEEDED, PYTHONHASHSEED=seed) for seed in ("0", "1", "4242")}
    assert len(seen) == 1 and "name_" in seen.pop()


def test_import_and_an_empty_graph_do_not_import_numpy() -> None:
    code = """
import sys
import pairwright.graph.engine, pairwright.graph.focus, pairwright.render.map
from pairwright.graph.engine import Graph
from pairwright.graph.types import FileRow, Focus
graph = Graph.build(())
assert graph.rank(Focus()).files == () and graph.paths == () and graph.referrers("x") == ()
graph = graph.replace({"a.py": FileRow("a.py", {"x": 1}, {"y": 2})})
assert graph.referrers("y") == (("a.py", 2),) and graph.row("a.py").defs == {"x": 1}
print(sorted({"numpy", "scipy", "networkx"} & set(sys.modules)))
"""
    assert _python(code).strip() == "[]"


@pytest.mark.parametrize("failure", ["ImportError('broken wheel')", "OSError('no libopenblas')"])
def test_a_scipy_that_cannot_be_imported_changes_nothing(tmp_path: Path, failure: str) -> None:
    (tmp_path / "scipy").mkdir()
    (tmp_path / "scipy" / "__init__.py").write_text(f"raise {failure}\n")
    code = "from pairwright.graph.kernel import preload\nprint(preload())" + _SEEDED
    broken = _python(code, PYTHONPATH=f"{tmp_path}{os.pathsep}{SERVER}")
    whole = _python(code)
    assert whole.splitlines()[0] == "scipy" and broken.splitlines()[0] == "numpy"
    assert broken.splitlines()[1:] == whole.splitlines()[1:]


def test_a_small_graph_is_ranked_without_importing_scipy() -> None:
    code = _SEEDED + "import sys\nprint('scipy' in sys.modules)"
    assert _python(code).splitlines()[-1] == "False"


def test_scores_are_rounded_to_twelve_digits() -> None:
    rows = [row("a.py", "f", "g g"), row("b.py", "g h", "f"), row("c.py", "", "f g h")]
    definitions = Graph.build(rows).rank(Focus()).definitions
    assert all(item.score == round(item.score, 12) for item in definitions)
    assert isinstance(definitions[0], Ranked)


def test_work_grows_with_references_not_with_pairs_of_files() -> None:
    names = " ".join(f"common_{i}" for i in range(20))
    graph = Graph.build([row(f"f{i}.py", names, names) for i in range(1500)])
    ranking = graph.rank(Focus(chat=("f7.py",)), limit=10)
    table = graph._view()[0]
    assert table is not None and len(table.refs.files) == 1500 * 20
    assert len(ranking.files) == 1500 and ranking.files[0][0] == "f7.py"
