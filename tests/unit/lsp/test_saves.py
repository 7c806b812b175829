"""What counts as a formatter's change: it came with the save behind an accept, and nothing before it."""

from __future__ import annotations

import pytest

from pairwright.lsp.saves import Saves


@pytest.mark.parametrize(
    ("changes", "save", "found"),
    [
        ([10.0], 10.1, "id"),
        ([10.0, 10.1, 10.2], 10.3, "id"),
        ([5.0, 10.0], 10.1, ""),
        ([10.0], 12.0, ""),
        ([], 10.0, ""),
    ],
)
def test_only_what_came_with_the_save(changes: list[float], save: float, found: str) -> None:
    now = [0.0]
    saves = Saves(lambda: now[0])
    saves.changed("a")
    saves.accepted("id", ["a", "b"])
    for now[0] in changes:
        saves.changed("a")
    now[0] = save
    assert saves.saved("a") == found
    saves.changed("a")
    assert saves.saved("a") == ""


def test_the_newest_accept_counts() -> None:
    saves = Saves(lambda: 1.0)
    saves.accepted("one", ["a"])
    saves.changed("a")
    saves.accepted("two", ["a"])
    assert saves.saved("a") == ""
    saves.accepted("three", ["a"])
    saves.changed("a")
    assert saves.saved("a") == "three"
