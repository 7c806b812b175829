"""Texts derived by the workers of a Dask cluster that is there already, for repositories too many for one machine.

A worker gets texts and gives back what follows from them: it needs the same version of this package and no disk of
ours. What comes back is what a worker process here would have made, to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pairwright.reference.content import RECIPE, packed
from pairwright.tags.files import is_isolated, recipe
from pairwright.workspace.derive import Derived, Look, derive

_BATCH_BYTES = 512 * 1024
_UNDER_WAY = 64
_CONNECT_SECONDS = 30.0


class Unusable(Exception):
    """The cluster cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The scheduler at `address`. Implements `contents.Elsewhere`."""

    address: str

    def derive(
        self,
        paths: Sequence[str],
        look: Callable[[str], Look | None],
        take: Callable[[Sequence[Derived]], None],
    ) -> list[str]:
        """`take` gets what follows from the texts at `paths`, in any order; the paths that are not derived there come
        back: texts whose grammars may not return. Raises Unusable and what `take` raises."""
        try:
            from distributed import Client
        except ImportError as error:
            raise Unusable("Dask is not installed: pip install 'pairwright[cluster]'") from error
        left: list[str] = []
        try:
            client = Client(self.address, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError, ImportError) as error:
            raise Unusable(f"{self.address} does not answer: {error}") from error
        with client:
            running: list[Any] = []
            for batch in _batches(paths, look, left):
                if len(running) >= _UNDER_WAY:
                    take(_answer(running.pop(0)))
                running.append(client.submit(derived, code(), batch, pure=False))
            for future in running:
                take(_answer(future))
        return left


def code() -> str:
    """What a worker's code has to be, to give what ours gives."""
    return f"{recipe()}-{RECIPE}"


def derived(wanted: str, looks: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Runs on a worker. Raises ValueError where its version is another."""
    if wanted != code():
        raise ValueError(f"the worker has another version: {code()}, not {wanted}")
    return [tuple(derive(Look(*seen), further=packed)) for seen in looks]


def _answer(future: Any) -> list[Derived]:
    error = future.exception()
    if error is not None:
        raise Unusable(f"a worker failed: {error}")
    return [Derived(*item) for item in future.result()]


def _batches(
    paths: Sequence[str], look: Callable[[str], Look | None], left: list[str]
) -> Iterator[list[tuple[Any, ...]]]:
    batch: list[tuple[Any, ...]] = []
    size = 0
    for path in paths:
        seen = look(path)
        if seen is None:
            continue
        if is_isolated(seen.language):
            left.append(path)
            continue
        batch.append(tuple(seen))
        size += max(0, seen.size)
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
