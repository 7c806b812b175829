"""The solution of `y = step(y) + start` against dense algebra, whatever the gradients make of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pairwright.graph.solve import solve

Floats = NDArray[np.float64]
DAMPING = 0.85


def check(links: Floats, start: Floats, tolerance: float = 1e-12) -> int:
    """`links[u, v]`: the weight from `u` to `v`. The steps it took."""
    total = links.sum(axis=1, keepdims=True)
    flow = DAMPING * (links / np.where(total > 0, total, 1.0)).T
    found, steps = solve(lambda rank: flow @ rank, start, tolerance)
    expected = np.linalg.solve(np.eye(len(start)) - flow, start)
    assert found == pytest.approx(expected, abs=10 * tolerance)
    assert (found >= start).all()
    return steps


sizes = st.integers(1, 8)
numbers = st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, 1e-9, 1e6])


@st.composite
def problems(draw: st.DrawFn) -> tuple[Floats, Floats]:
    size = draw(sizes)
    row = st.lists(numbers, min_size=size, max_size=size)
    links = np.array(draw(st.lists(row, min_size=size, max_size=size)), np.float64)
    start = np.array(draw(row), np.float64) + 0.01
    return links, start / start.sum()


@given(problems())
@settings(max_examples=200)
def test_the_solution_is_that_of_dense_algebra(problem: tuple[Floats, Floats]) -> None:
    check(*problem)


@pytest.mark.parametrize("size", [2, 3, 50, 501])
def test_a_ring_in_which_the_gradients_stall_is_walked_to_the_end(size: int) -> None:
    ring = np.roll(np.eye(size), 1, axis=1)
    start = np.full(size, 0.01 / size)
    start[0] += 0.99
    check(ring, start)


def test_nothing_to_follow_is_the_start_itself() -> None:
    start = np.array([0.25, 0.75])
    assert check(np.zeros((2, 2)), start) == 2
    found, _ = solve(lambda rank: rank, np.zeros(0), 1e-6)
    assert len(found) == 0


def test_a_web_takes_a_third_of_the_steps_of_plain_walking() -> None:
    random = np.random.default_rng(3)
    web = (random.random((300, 300)) < 0.02) * random.random((300, 300))
    start = np.full(300, 1 / 300)
    total = web.sum(axis=1, keepdims=True)
    flow = DAMPING * (web / np.where(total > 0, total, 1.0)).T
    rank, plain, moved = start, 0, 1.0
    while moved >= 1e-9:
        new = flow @ rank + start
        moved, rank, plain = float(np.abs(new - rank).sum()), new, plain + 1
    assert check(web, start, 1e-9) * 3 <= plain
