"""Named requests: those that come with the product and those of the settings. Pure.

The words of a built-in one may depend on the file it is about; nothing is looked up before it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from pairwright.config.schema import Preset
from pairwright.graph.paths import PathIndex, twin_key

Mode = Literal["ask", "edit"]

_EXPLAIN = "Explain what this code does, step by step, and what its callers rely on."
_DOCUMENT = "Add a short docstring or comment in the style of this file."
_FIX = "Fix the problem that is reported here, and change nothing else."
_TESTS = (
    "Write tests for the selected code: what it promises, its edge cases, its errors. Use the test framework and "
    "the style of this repository. Do not change the code itself."
)
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """A preset as a request. `chat`: files that belong into it."""

    mode: Mode
    words: str
    chat: tuple[str, ...] = ()


def wish(name: str, path: str, paths: Sequence[str], own: Sequence[Preset]) -> Wish | None:
    """The preset `name`, asked for in the file at `path` of a folder with the files `paths`; None if there is none.
    A preset of the user's goes by its title, and comes before a built-in one."""
    for preset in own:
        if preset.title == name and preset.prompt.strip():
            return Wish(preset.mode, preset.prompt.strip())
    match name:
        case "explain":
            return Wish("ask", _EXPLAIN)
        case "document":
            return Wish("edit", _DOCUMENT)
        case "fix":
            return Wish("edit", _FIX)
        case "tests":
            return _tests(path, paths)
    return None


def _tests(path: str, paths: Sequence[str]) -> Wish:
    """Into the test file that belongs to `path`, else into a new one that is named like the others."""
    index = PathIndex(paths)
    pairs = index.twins([path]) if path else {}
    for number, likeness in sorted(pairs.items()):
        if likeness == 1.0 and twin_key(paths[number])[1]:
            found = paths[number]
            return Wish("edit", f"{_TESTS} Add them to {found}.", (found,))
    suffix = PurePosixPath(path).suffix
    others = [p for p in paths if p.endswith(suffix) and twin_key(p)[1]]
    others.sort(key=lambda p: (-_common(p, path), p))
    like = f", named and placed as {', '.join(others[:_EXAMPLES])}" if others else ""
    return Wish("edit", f"{_TESTS} Put them into a new file{like}.")


def _common(one: str, other: str) -> int:
    """How many parts of two paths are the same."""
    return len(set(one.split("/")) & set(other.split("/")))
