"""The cycle collector leaves old objects alone between rests, and rests collect them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from pairwright.lsp.collector import Collector


class Knot:
    """An object in a cycle with itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collector() -> Iterator[Collector]:
    before = gc.get_threshold()
    made = Collector()
    made.start()
    yield made
    gc.set_threshold(*before)
    gc.unfreeze()


def old_knot() -> weakref.ref[Knot]:
    """An old object that only a full collection frees."""
    knot = Knot()
    gc.collect(1)
    return weakref.ref(knot)


def live_through(objects: int) -> list[list[object]]:
    """So many objects that stay."""
    return [[] for _ in range(objects)]


def test_old_objects_wait_for_a_rest_and_a_rest_for_work(collector: Collector) -> None:
    collector.rest()
    knot = old_knot()
    kept = live_through(2_000_000)
    assert knot() is not None, "a full collection ran in the middle of work"
    collector.rest()
    assert knot() is None
    del kept
    knot = old_knot()
    collector.rest()
    assert knot() is not None, "there was nothing to collect for"


def test_what_survives_a_rest_is_not_looked_at_again(collector: Collector) -> None:
    kept = live_through(2_000_000)
    collector.rest()
    assert gc.get_freeze_count() > 2_000_000
    del kept
    assert gc.get_freeze_count() < 2_000_000, "freed without the collector"
