"""When Python's cycle collector looks at everything: while the user rests, not between keystrokes.

A full collection walks every object and holds the interpreter all the while, a tenth of a second
with a large index. Nearly all memory is freed without it; what is left may wait for a quiet
second."""

from __future__ import annotations

import gc

# Young objects are collected as usual, a few milliseconds at most; the old ones only by `rest`.
_YOUNG = (5_000, 10, 1_000_000)
_WORTH = 5
_THOROUGH = 64


class Collector:
    """The collector of this process from `start` on."""

    def __init__(self) -> None:
        self._rests = 0

    def start(self) -> None:
        """What is loaded stays: it is never looked at again."""
        gc.freeze()
        gc.set_threshold(*_YOUNG)
        gc.enable()

    def rest(self) -> None:
        """A quiet moment: collect what came since the last one, if it is much. What survives is
        set aside, so that the next time is short; now and then that is looked through too."""
        if gc.get_count()[2] < _WORTH:
            return
        self._rests += 1
        if self._rests % _THOROUGH == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
