"""Which file a written name means: exactly one, or a reason. Never a similar one.

Exact, else the unique end of a path on a segment boundary, else what one chat file alone fits by
letter case or backslashes; the guesses only where SEARCH has lines. Touches no disk: links are the
writer's concern.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairwright.edits.types import Target

_DRIVE = re.compile(r"[A-Za-z]:")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


@dataclass(frozen=True, slots=True)
class Found:
    """`path` is meant; `exists` says whether it has a target."""

    path: str
    exists: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """No file is meant, or one that must not be. `reason` begins with the name as written."""

    reason: str


class Resolver:
    """Names against the files of one plan; `made`: paths that earlier blocks of the reply
    create."""

    def __init__(self, targets: Mapping[str, Target], chat: Sequence[str]) -> None:
        self._targets = targets
        self._chat = frozenset(chat)
        self._by_base: dict[str, list[str]] | None = None

    def resolve(self, written: str, creates: bool, made: Collection[str] = ()) -> Found | Refused:
        """The file `written` means. `creates`: SEARCH is empty, so that only the exact name
        counts."""
        if reason := unsafe(written):
            return Refused(f"{written}: {reason}")
        path = normal(written)
        if written in self._targets or written in made:
            return Found(written, written in self._targets)
        if path in self._targets or path in made:
            return Found(path, path in self._targets)
        if creates:
            if "\\" in path:
                return Refused(
                    f"{written}: separate the folders of a new file's path with / and not with \\."
                )
            return Found(path, False)
        for candidates in (self._ends(path), self._alike(path), self._same_base(path)):
            if len(candidates) == 1:
                return Found(candidates[0], True)
            if candidates:
                listed = ", ".join(candidates[:5])
                return Refused(
                    f"{written}: more than one file fits this name ({listed}); write the full path."
                )
        return Refused(
            f"{written}: there is no such file here. Write the path as it was shown; {_TO_CREATE}"
        )

    def similar(self, path: str) -> str | None:
        """A target that ends in `path`, which is none itself; the first by name."""
        return next(iter(sorted(self._ends(path))), None)

    def _ends(self, path: str) -> list[str]:
        """Targets that end in `path`; the chat's own if it has exactly one of several."""
        found = [name for name in self._of_base(_base(path)) if name.endswith("/" + path)]
        chosen = [name for name in found if name in self._chat]
        return chosen if len(chosen) == 1 else found

    def _alike(self, path: str) -> list[str]:
        """Chat files that are `path`, or end in it, but for letter case, backslashes or composed
        letters."""
        sought = _folded(path)
        return [
            name
            for name in self._of_base(_base(sought))
            if name in self._chat and ("/" + _folded(name)).endswith("/" + sought)
        ]

    def _same_base(self, path: str) -> list[str]:
        """Chat files with the base name of `path`, which names no file itself."""
        base = _base(_folded(path))
        return [
            name
            for name in self._of_base(base)
            if name in self._chat and _base(_folded(name)) == base
        ]

    def _of_base(self, base: str) -> list[str]:
        if self._by_base is None:
            self._by_base = {}
            for name in sorted(self._targets):
                for key in sorted({_base(name), _base(_folded(name))}):
                    self._by_base.setdefault(key, []).append(name)
        return self._by_base.get(base, [])


_TO_CREATE = "to create a file leave SEARCH empty."


def unsafe(written: str) -> str | None:
    """Why `written` can be no file of the workspace, or None: absolute, climbing, in .git, control
    characters."""
    if not written or any(ord(char) < 32 or ord(char) == 127 for char in written):
        return "a file name must not be empty or hold control characters."
    if written.startswith(("/", "\\", "~")) or _DRIVE.match(written):
        return (
            "only paths inside the workspace are allowed: write it relative to the workspace root."
        )
    segments = re.split(r"[/\\]", written)
    if ".." in segments:
        return "the path leads outside the workspace (..), which is not allowed."
    if any(_is_git(segment) for segment in segments):
        return "nothing inside a .git directory may be edited."
    if segments[-1] in ("", "."):
        return "this names a directory, not a file."
    return None


def normal(written: str) -> str:
    """`written` without `.` segments and doubled slashes."""
    return "/".join(part for part in written.split("/") if part not in ("", "."))


def _is_git(segment: str) -> bool:
    """Also the spellings that Windows and macOS file systems take for `.git`."""
    plain = _INVISIBLE.sub("", segment).partition(":")[0].rstrip(" .").casefold()
    return plain in (".git", "git~1")


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path.replace("\\", "/")).casefold()


Allowed = Callable[[str], str | None]
"""None if the path may be written, else why not."""
