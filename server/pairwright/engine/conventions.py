"""Which files of a repository say how it wants to be written: the configured names at its root, and the nearest one
above each file that is edited. Knows no prompt.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pairwright.prompts.build import FileText
from pairwright.text.document import Document
from pairwright.text.estimate import estimates
from pairwright.workspace.types import Snapshot

WHY = "conventions"
NOTE = "conventions of this project, to be followed"


def cap(window: int) -> int:
    """Tokens of all conventions together: a sixteenth of the window, 512 to 4,096."""
    return max(512, min(4_096, window // 16))


def conventions(
    names: Sequence[str], snapshot: Snapshot, edited: Sequence[str]
) -> dict[str, Document]:
    """The files, those at the root first. A name without a folder is also looked for above each of `edited`, the
    nearest one counting. What ignore rules exclude is none. Reads the disk."""
    found: dict[str, Document] = {}
    for path in _candidates(names, snapshot, edited):
        document = snapshot.document(path)
        if document is not None:
            found.setdefault(path, document)
    return found


def shown(documents: Sequence[Document], room: int) -> tuple[FileText, ...]:
    """The files as a prompt has them, cut at a line where `room` tokens are used up."""
    files = []
    left = room
    for document in documents:
        text = document.text.replace("\r\n", "\n").replace("\r", "\n")
        shown, taken, cost = _fitting(text, left)
        if not taken:
            break
        left -= cost
        index = document.lines
        whole = len(shown) >= len(text)
        end = len(document.data) if whole else index.start(taken)
        note = NOTE if whole else f"lines 1-{taken} of {index.count}; {NOTE}"
        files.append(FileText(document.path, shown, "", not whole, ((0, end),), note))
        if not whole:
            break
    return tuple(files)


@lru_cache(maxsize=32)
def _fitting(text: str, room: int) -> tuple[str, int, int]:
    """The first lines of `text` that `room` tokens hold, how many they are, and their tokens. Remembered: every
    request asks again."""
    rows = [f"{row}\n" for row in text.removesuffix("\n").split("\n")]
    taken = used = 0
    for cost in estimates(rows):
        if used + cost > room:
            break
        used += cost
        taken += 1
    return "".join(rows[:taken]), taken, used


def _candidates(names: Sequence[str], snapshot: Snapshot, edited: Sequence[str]) -> Iterator[str]:
    for name in names:
        path = posixpath.normpath(name)
        if _exists(path, snapshot):
            yield path
    for name in (name for name in names if "/" not in name):
        for path in edited:
            folder = posixpath.dirname(path)
            while folder:
                if _exists(near := f"{folder}/{name}", snapshot):
                    yield near
                    break
                folder = posixpath.dirname(folder)


def _exists(path: str, snapshot: Snapshot) -> bool:
    """Whether there is such a file of the workspace that may be sent."""
    if path not in snapshot.buffers and snapshot.on_disk(path) is None:
        return False
    return not snapshot.ignored(path)
