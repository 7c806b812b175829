"""Names of files on a command line: relative to the folder or to where the user stands, globs and folders as in a
chat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pairwright.engine.chatfiles import Access
    from pairwright.workspace.types import Snapshot


def below(root: Path, name: str) -> str:
    """`name` relative to `root` if it is there, seen from `root` or from the working directory; else as it is."""
    for place in (root / name, Path(name)):
        full = place.parent.resolve() / place.name
        if full.exists() and full.is_relative_to(root):
            return full.relative_to(root).as_posix()
    return name


def files(
    root: Path, names: Sequence[str], snapshot: Snapshot, access: Access
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The paths that `names` stand for, and what is wrong with the others. A file that may not be sent stays
    among the paths: the engine says why."""
    from pairwright.engine.chatfiles import named

    paths: dict[str, None] = {}
    problems = []
    for name in names:
        path = below(root, name)
        found = named(path, snapshot, access)
        if found.problem and snapshot.on_disk(path) is None:
            problems.append(found.problem)
        paths.update(dict.fromkeys(found.paths or ((path,) if found.problem else ())))
    return tuple(paths), tuple(problems)
