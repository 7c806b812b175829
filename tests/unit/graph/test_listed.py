"""A sequence made while it is read: alike a tuple, and each block once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairwright.graph.listed import BLOCK, Listed


def listed(count: int, asked: list[tuple[int, int]]) -> Listed[int]:
    def make(low: int, high: int) -> list[int]:
        asked.append((low, high))
        return list(range(low, high))

    return Listed(count, make)


@given(st.integers(0, 3 * BLOCK), st.slices(3 * BLOCK))
def test_it_reads_as_the_tuple_of_its_items(count: int, part: slice) -> None:
    found, whole = listed(count, []), tuple(range(count))
    assert found == whole and whole == found and hash(found) == hash(whole)
    assert found == listed(count, []) and len(found) == count
    assert found[part] == whole[part]
    assert [*reversed(found)] == [*reversed(whole)]
    assert found != (*whole, count) and found != listed(count + 1, [])
    if count:
        assert found[-1] == count - 1 and found[count // 2] == count // 2


def test_only_what_is_read_is_made_and_only_once() -> None:
    asked: list[tuple[int, int]] = []
    found = listed(1000, asked)
    assert len(found) == 1000 and asked == []
    assert found[3] == 3 and found[:5] == (0, 1, 2, 3, 4) and next(iter(found)) == 0
    assert asked == [(0, BLOCK)]
    assert found[999] == 999 and asked[1:] == [(999 - 999 % BLOCK, 1000)]
