"""What the user has staged, and committing just that as `git commit` would. Blocking."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pairwright.checkpoints import commit_index as index
from pairwright.checkpoints.commit import commit_on
from pairwright.checkpoints.commit_git import Git, GitFailed, reason_of
from pairwright.checkpoints.commit_recover import mend
from pairwright.checkpoints.commit_state import Place, look, under_way

_EMPTY = "nothing is staged; choose what belongs to the commit with `git add`"


@dataclass(frozen=True, slots=True)
class Staged:
    """`paths`: what is staged, from the top of the work tree, sorted. `tree`: id of it all.
    `branch`: full name, empty for a detached HEAD. `refused`: why it cannot be committed now."""

    paths: tuple[str, ...] = ()
    tree: str = ""
    branch: str = ""
    refused: str = ""


def staged(git: Git) -> Staged:
    """What a plain `git commit` would hold. Writes nothing but objects."""
    try:
        mend(git)
        place = look(git)
        reason = under_way(place)
        if reason:
            return Staged(refused=reason)
        out = git.run("diff", "--cached", "--name-only", "--no-renames", "-z")
        paths = tuple(sorted(os.fsdecode(path) for path in out.split(b"\0") if path))
        return Staged(paths, _tree(place), place.branch, "" if paths else _EMPTY)
    except (GitFailed, OSError) as error:
        return Staged(refused=reason_of(error))


def diff_of(git: Git, paths: Sequence[str]) -> str:
    """The staged changes of `paths` as a diff. Raises GitFailed."""
    if not paths:
        return ""
    words = ("diff", "--cached", "-p", "--no-color", "--no-ext-diff", "--no-textconv", "--")
    literal = git.having(GIT_LITERAL_PATHSPECS="1")
    parts = [literal.run(*words, *paths[at : at + 200]) for at in range(0, len(paths), 200)]
    return b"".join(parts).decode("utf-8", "replace")


def commit_staged(git: Git, wanted: Staged, message: str, verify: bool) -> tuple[str, str]:
    """Commit what `wanted` says if it is still what is staged: the id of the commit, and why there
    is none."""
    try:
        place = look(git)
        reason = under_way(place)
        if not reason and _tree(place) != wanted.tree:
            reason = "what is staged changed meanwhile"
        return ("", reason) if reason else (commit_on(place, git, message, verify), "")
    except (GitFailed, OSError) as error:
        return "", reason_of(error)


def _tree(place: Place) -> str:
    with index.workshop() as name:
        git = index.copied(place, Path(name) / "index")
        return git.run("write-tree").decode().strip()
