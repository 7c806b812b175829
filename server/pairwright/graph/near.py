"""Which of several files that define a name a text most likely means. Pure text, a guess by names.

No import is resolved: a file is near if its name stands in an import line, or if it lies beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_IMPORT = re.compile(
    rb"^[^\r\n]*\b(?:import|from|require|include|use|using|uses|source|load|open|module|package)\b"
    rb"[^\r\n]{0,400}",
    re.M,
)
_WORD = re.compile(rb"\w+")
_READ = 256 * 1024
_PLAIN = frozenset(("__init__", "index", "mod", "lib", "main", "init"))


def imported(text: bytes) -> frozenset[str]:
    """The words of the import lines of `text`, in small letters; its first 256 KB are read."""
    found: set[str] = set()
    for line in _IMPORT.findall(text, 0, _READ):
        found.update(word.decode("utf-8", "replace").lower() for word in _WORD.findall(line))
    return frozenset(found)


def nearest(paths: Iterable[str], own: str, words: frozenset[str]) -> tuple[str, ...]:
    """`paths` with the likeliest first: `own`, then files named in `words` (see `imported`), then
    those of the same folder; among equals those with more parts named, then by path."""

    def order(path: str) -> tuple[bool, bool, bool, int, str]:
        parts = _parts(path)
        named = sum(part in words for part in parts)
        beside = path.rpartition("/")[0] == own.rpartition("/")[0]
        return path != own, not parts or parts[-1] not in words, not beside, -named, path

    return tuple(sorted(paths, key=order))


def _parts(path: str) -> list[str]:
    """Folders and stem in small letters; a stem that only stands for its folder is left out."""
    *folders, base = path.lower().split("/")
    stem = base.split(".", 1)[0] or base
    return folders if stem in _PLAIN and folders else [*folders, stem]
