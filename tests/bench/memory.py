"""Memory of a process and its children, read from /proc: proportional set size, so shared pages count once."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

_EVERY = 0.05


def tree(pid: int) -> list[int]:
    """`pid` and all its living descendants."""
    found = [pid]
    for number in found:
        with suppress(OSError):
            for task in Path(f"/proc/{number}/task").iterdir():
                found += [int(word) for word in (task / "children").read_text().split()]
    return found


def held(pid: int) -> float:
    """MB that `pid` and its descendants hold."""
    total = 0
    for number in tree(pid):
        with suppress(OSError):
            for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
    return total / 1024


class Peak:
    """The most that a process tree holds while the block runs: `with Peak(pid) as peak: …; peak.most`."""

    def __init__(self, pid: int) -> None:
        self.most = 0.0
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_EVERY):
            self.most = max(self.most, held(self._pid))
