"""Whether a commit may be made in a repository at this moment, and where its parts lie.

Only reads. What is in the middle of something (a merge, a rebase) is the user's: a commit now would
end it under a wrong message or lose a parent. Blocking."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pairwright.checkpoints.commit_git import Git, GitFailed

_UNDER_WAY: Mapping[str, str] = {
    "rebase-merge": "a rebase is in progress",
    "rebase-apply": "a rebase or `git am` is in progress",
    "MERGE_HEAD": "a merge is in progress",
    "CHERRY_PICK_HEAD": "a cherry-pick is in progress",
    "REVERT_HEAD": "a revert is in progress",
    "sequencer": "a series of cherry-picks or reverts is in progress",
    "BISECT_LOG": "a bisection is in progress",
    "SQUASH_MSG": "a squash merge waits for its commit",
    "MERGE_MSG": "changes of a merge, cherry-pick or revert wait for their commit",
}


@dataclass(frozen=True, slots=True)
class Place:
    """`git`: the command in the top folder of the work tree. `private`: the git folder of this work
    tree. `index`: its index, which may not exist yet. `head`: the commit checked out, empty on a
    branch without one. `branch`: the full name of the branch, empty if HEAD is detached."""

    git: Git
    private: Path
    index: Path
    head: str
    branch: str


def look(git: Git) -> Place:
    """Where things are. Raises GitFailed where git cannot read the repository, and says why."""
    private = Path(os.fsdecode(git.run("rev-parse", "--absolute-git-dir").rstrip(b"\n")))
    index = git.top / os.fsdecode(git.run("rev-parse", "--git-path", "index").rstrip(b"\n"))
    branch = git.line("symbolic-ref", "-q", "HEAD")
    head = git.line("rev-parse", "-q", "--verify", "HEAD^{commit}")
    if not head and not branch:
        raise GitFailed("HEAD names no commit that can be read")
    if not head and git.line("rev-parse", "-q", "--verify", branch):
        raise GitFailed(f"the commit of {branch} cannot be read")
    return Place(git, private, index, head, branch)


def under_way(place: Place) -> str:
    """Why no commit may be made now; empty if one may."""
    for name, words in _UNDER_WAY.items():
        if (place.private / name).exists():
            return f"{words}; conclude or abort it first"
    if place.index.exists() and place.git.run("ls-files", "-u", "-z"):
        return "the index has conflicts; resolve them first"
    return ""


def kept_out(place: Place, paths: Iterable[str]) -> dict[str, str]:
    """Those of `paths` (from the top) that the user keeps out of commits, each with the reason."""
    wanted = sorted(paths)
    git = place.git
    found = dict.fromkeys(_ignored(git, wanted), "it is ignored by git")
    if not place.index.exists():
        return found
    literal = git.having(GIT_LITERAL_PATHSPECS="1")
    for batch in _batches(wanted):
        for entry in literal.run("ls-files", "-v", "-z", "--", *batch).split(b"\0"):
            tag, path = entry[:1], os.fsdecode(entry[2:])
            if tag.lower() == b"s":
                found[path] = "it is outside the sparse checkout (skip-worktree)"
            elif tag.islower():
                found[path] = "it is marked assume-unchanged"
    return found


def _ignored(git: Git, paths: Iterable[str]) -> list[str]:
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    if not given:
        return []
    code, out, err = git.ask("check-ignore", "-z", "--stdin", given=given)
    if code not in (0, 1):
        raise GitFailed(f"`git check-ignore` ended with {code}: {err.strip()}")
    return [os.fsdecode(path) for path in out.split(b"\0") if path]


def _batches(paths: list[str], size: int = 200) -> Iterable[list[str]]:
    """A command line has a length."""
    return (paths[at : at + size] for at in range(0, len(paths), size))
