"""What is known around a target: chosen by imports, within a budget, the same for the same texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.shop import hosted, long_module

from pairwright.engine.knowledge import Known
from pairwright.engine.records import Notebook
from pairwright.engine.task.ports import Knowledge, Piece
from pairwright.text.estimate import estimate
from pairwright.workspace.host import Host

IMPORTS = {
    "target.py": ("one", "two"),
    "one.py": ("deep",),
    "two.py": ("deep", "deeper"),
    "deep.py": (),
    "deeper.py": (),
    "user.py": ("target",),
    "apart.py": (),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    root = tmp_path_factory.mktemp("known")
    for path, names in IMPORTS.items():
        stem = path.removesuffix(".py")
        extra = "".join(f"from {name} import {name}_1\n\n{name}_1(2)\n" for name in names)
        (root / path).write_text(long_module(70, stem, extra))
    (root / "small.py").write_text("def small() -> None: ...\n")
    with hosted(root) as made:
        yield made


def about(
    host: Host, near: Sequence[str], budget: int, target: str = "target.py"
) -> Sequence[Piece]:
    known: Knowledge = Known(Notebook(), host.snapshot())
    return known.about(target, near, budget)


def check(host: Host, near: Sequence[str], budget: int, *expected: str) -> None:
    assert [f"{piece.path} {piece.form}" for piece in about(host, near, budget)] == list(expected)


def test_by_distance(host: Host) -> None:
    check(
        host,
        ["small.py"],
        20_000,
        *(
            "small.py full",
            "one.py record",
            "two.py record",
            "deep.py signatures",
            "deeper.py signatures",
        ),
        "user.py line",
    )


def test_what_the_plan_says_comes_first_and_what_is_not_there_is_left_out(host: Host) -> None:
    check(
        host,
        ["apart.py", "not_yet.py", "target.py", "two.py"],
        20_000,
        *(
            "apart.py record",
            "two.py record",
            "one.py record",
            "deep.py signatures",
            "deeper.py signatures",
        ),
        "user.py line",
    )


def test_a_target_that_does_not_exist_yet(host: Host) -> None:
    pieces = about(host, ["one.py"], 20_000, target="new.py")
    assert [f"{piece.path} {piece.form}" for piece in pieces] == [
        "one.py record",
        "deep.py signatures",
    ]


def test_less_of_each_in_a_smaller_budget(host: Host) -> None:
    forms = [
        [piece.form for piece in about(host, (), budget)] for budget in (20_000, 900, 300, 100, 0)
    ]
    assert forms[0][:2] == ["record", "record"]
    assert "record" not in forms[2]
    assert set(forms[3]) <= {"line"}
    assert forms[4] == []


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from((*sorted(IMPORTS), "small.py")), max_size=6), st.integers(0, 3_000))
def test_the_budget_holds_and_the_answer_is_the_same(
    host: Host, near: list[str], budget: int
) -> None:
    pieces = about(host, near, budget)
    assert sum(piece.tokens for piece in pieces) <= budget
    assert all(piece.tokens == estimate(piece.text) for piece in pieces)
    paths = [piece.path for piece in pieces]
    assert len(set(paths)) == len(paths) and "target.py" not in paths
    assert about(host, near, budget) == pieces
