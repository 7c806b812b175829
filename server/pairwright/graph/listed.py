"""A sequence whose items are made when they are asked for, a block at a time. Knows no graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")

BLOCK = 256


class Listed(Sequence[T]):
    """`count` items; `make(low, high)` gives those from `low` to `high`, always the same. Equal to
    any tuple or other Listed of equal items."""

    __slots__ = ("_blocks", "_count", "_make")

    def __init__(self, count: int, make: Callable[[int, int], Sequence[T]]) -> None:
        self._count = count
        self._make = make
        self._blocks: dict[int, Sequence[T]] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        for low in range(0, self._count, BLOCK):
            yield from self._block(low)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(self[place] for place in range(*at.indices(self._count)))
        place = range(self._count)[at]
        return self._block(place - place % BLOCK)[place % BLOCK]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Listed, tuple)):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _block(self, low: int) -> Sequence[T]:
        found = self._blocks.get(low)
        if found is None:
            found = self._blocks[low] = self._make(low, min(low + BLOCK, self._count))
        return found
