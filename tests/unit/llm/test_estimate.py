"""The estimate without a tokenizer, held against token counts of Qwen2.5-Coder and of
cl100k_base."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.llm.estimate import estimate, estimates

CODE = '''\
def dedupe(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The latest row of each id, ordered by its time."""
    latest: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row["id"] not in latest or row["updated_at"] > latest[row["id"]]["updated_at"]:
            latest[row["id"]] = row
    return sorted(latest.values(), key=lambda r: r["updated_at"])
'''


def check(text: str, most: float, real: int) -> None:
    assert real <= estimate(text) <= real * most


@pytest.mark.parametrize(
    ("text", "real", "most"),
    [
        ("", 0, 1),
        ("hello world 123", 6, 1.5),
        ("x = 1\n" * 50, 250, 1.1),
        ("这是一个测试。我们要检查分词器的计数是否准确，包括各种标点符号。" * 20, 640, 1.6),
        ("😀🎉👍🏽 ok " * 50, 550, 1.6),
        (CODE, 109, 1.7),
    ],
)
def test_held_against_real_counts(text: str, real: int, most: float) -> None:
    check(text, most, real)


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens_by_much(left: str, right: str) -> None:
    both = estimate(left + right)
    assert 0 <= both <= estimate(left) + estimate(right) + 1
    assert estimates([left, right]) == [estimate(left), estimate(right)]
    assert (estimate(left) > 0) == bool(left)


@pytest.mark.parametrize("piece", ["a", "aB", "aB3", " ", "\n", " x", "+/", "é", "\n \t"])
def test_linear_in_the_text(piece: str) -> None:
    before = time.process_time()
    estimate(piece * (400_000 // len(piece)))
    assert time.process_time() - before < 1
