"""Solves `y = step(y) + start` where `step` is linear and moves less than it is given.

Two ways in turn. The stabilised biconjugate gradients (van der Vorst 1992) come close in few steps,
but nothing promises that they do. Plain repetition always arrives, and it is what says that the end
is reached. Sums are numpy's own and not BLAS's, whose order may follow the number of threads. Knows
no graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Step = Callable[[Floats], Floats]

_MOST = 200
_CLOSE_STEPS = 60
_CLOSER = 0.02
_TINY = 1e-300


def solve(step: Step, start: Floats, tolerance: float) -> tuple[Floats, int]:
    """The solution, none of it below `start`, and how often `step` was asked. Repeating `step` once
    more would move less than `tolerance` in all."""
    import numpy as np

    found, steps = _near(step, start, tolerance * _CLOSER)
    np.maximum(found, start, out=found)
    most, moved = steps + _MOST, np.inf
    while moved >= tolerance and steps < most:
        new = step(found) + start
        moved = np.abs(new - found).sum()
        found = new
        steps += 1
    return found, steps


def _near(step: Step, start: Floats, tolerance: float) -> tuple[Floats, int]:
    """The best of what the gradients find, `start` if that is nothing."""
    import numpy as np

    found = best = start
    rest = step(start)
    left = least = float(np.abs(rest).sum())
    shadow, steps = rest, 1
    along = moved = np.zeros(len(start))
    before = alpha = omega = 1.0
    while least >= tolerance and steps < _CLOSE_STEPS:
        overlap = _dot(shadow, rest)
        if abs(overlap) < _TINY or abs(omega) < _TINY:
            break
        along = rest + (overlap / before) * (alpha / omega) * (along - omega * moved)
        moved = along - step(along)
        before, across = overlap, _dot(shadow, moved)
        if abs(across) < _TINY:
            break
        alpha = overlap / across
        half = rest - alpha * moved
        turned = half - step(half)
        omega = _dot(turned, half) / max(_dot(turned, turned), _TINY)
        found = found + alpha * along + omega * half
        rest = half - omega * turned
        steps += 2
        left = float(np.abs(rest).sum())
        if left < least:
            least, best = left, found
    return best.copy(), steps


def _dot(one: Floats, other: Floats) -> float:
    return float((one * other).sum())
