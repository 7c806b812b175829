"""What a text offers: signatures, lines, first words of documentation."""

from __future__ import annotations

import pytest

from pairwright.engine.exports import about, exports_of
from pairwright.tags.files import tags_of
from pairwright.text.document import Document


def check(path: str, text: str, *rows: str, said: str = "") -> None:
    document = Document.of(path, text.encode())
    tags = tags_of(path, document.data)
    found = [
        f"{one.first}-{one.last} {one.kind} {one.name}: {one.signature}"
        + (f" # {one.doc}" if one.doc else "")
        for one in exports_of(document, tags)
    ]
    assert found == list(rows)
    assert about(document, tags) == said


def test_python() -> None:
    check(
        "cart.py",
        '''#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Carts of a shop. More words.

And a paragraph.
"""
RATE = 0.2
_HIDDEN = 1


@dataclass(
    frozen=True,
)
class Cart(
    Base,
):
    """A cart.

    Long."""

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows

    def total(self):  # sums
        # Adds up.
        def inner(): ...

    def _own(self): ...


async def load(
    path: str,
    *,
    late: bool = False,
) -> Cart:
    return Cart(
        [])
''',
        "7-7 constant RATE: RATE = 0.2",
        "11-28 class Cart: @dataclass(frozen=True) class Cart(Base) # A cart.",
        "21-22 method Cart.__init__: def __init__(self, rows: list[int]) -> None",
        "24-26 method Cart.total: def total(self)",
        "31-37 function load: async def load(path: str, *, late: bool = False) -> Cart",
        said="Carts of a shop.",
    )


def test_fields_of_a_class() -> None:
    check(
        "value.py",
        '''class Value:
    """One.

    Shape: rows.
    """

    path: str
    size: int = 0  # bytes
    parts: dict[str, list[int]] = field(default_factory=dict)
    """By name.

    Note: sorted.
    """
    _own: int = 1
    PLAIN = 2

    def grow(self, by: int) -> int:
        more: int = by
        return more
''',
        "1-19 class Value: class Value {path: str; size: int; parts: dict[str, list[int]]} # One.",
        "15-15 constant Value.PLAIN: PLAIN = 2",
        "17-19 method Value.grow: def grow(self, by: int) -> int",
    )


def test_typescript() -> None:
    check(
        "cart.ts",
        """// Carts of a shop.
// Second line.
import { a } from './a';

/**
 * Adds up.
 * @param rows - all of them
 */
export function total(rows: number[]): number {
  return 0;
}

/** A cart. It is large. */
export class Cart {
  // How many.
  count(): number { return 1; }
}
""",
        "9-11 function total: export function total(rows: number[]): number # Adds up.",
        "14-17 class Cart: export class Cart # A cart.",
        "16-16 method Cart.count: count(): number # How many.",
        said="Carts of a shop.",
    )


def test_go_and_rust() -> None:
    check(
        "cart.go",
        "// Copyright 2024 Somebody.\n// Package shop sells.\npackage shop\n\n"
        "// Total adds up.\nfunc Total(rows []int) int {\n\treturn 0\n}\n",
        "6-8 function Total: func Total(rows []int) int # Total adds up.",
        said="Package shop sells.",
    )
    check(
        "cart.rs",
        "//! Carts.\n\n/// Adds up.\n#[inline]\npub fn total(rows: &[u8]) -> u32 {\n    0\n}\n",
        "4-7 function total: #[inline] pub fn total(rows: &[u8]) -> u32 # Adds up.",
        said="Carts.",
    )


@pytest.mark.parametrize("text", ["", "\n", "# Copyright\n", "x(", '"""'])
def test_nothing_is_an_error(text: str) -> None:
    check("a.py", text)
