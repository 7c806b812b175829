"""What a kill in the middle of a commit left: brought to the state before it or behind it, never between.

The lock that was left kept all other git commands out of the index meanwhile, and says what was about to
be done. Blocking."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pairwright.checkpoints import commit_index as index
from pairwright.checkpoints.commit_git import Git, GitFailed, reason_of
from pairwright.checkpoints.commit_index import Entries
from pairwright.checkpoints.commit_lock import Held, clear, left_behind
from pairwright.checkpoints.commit_state import Place, look
from pairwright.workspace.history import find_top, git_dir

_DONE = "A commit that was cut short is finished"
_UNDONE = "A commit that was cut short is taken back; the files are as they were"
_NOTHING = "A commit was cut short before it began"


def plan_of_commits(head: str, steps: int, staged: Entries) -> dict[str, Any]:
    """The note of who is about to make `steps` commits on `head`, where the index holds `staged`."""
    return {"do": "commit", "head": head, "steps": steps, "entries": index.as_json(staged)}


def plan_of_reset(head: str, target: str, entries: Entries) -> dict[str, Any]:
    """The note of who is about to move HEAD from `head` to `target` and put `entries` in the index."""
    return {"do": "reset", "head": head, "target": target, "entries": index.as_json(entries)}


def mend(git: Git) -> str:
    """End what a killed process of ours left in the repository; what was done, for the user, empty if
    there was nothing. Raises GitFailed, OSError."""
    place = look(git)
    plan = left_behind(place.index)
    if plan is None:
        return ""
    try:
        said = _mended(place, plan)
    except (KeyError, TypeError):
        said = _NOTHING
    clear(place.index)
    return f"{said} ({git.top})."


def _mended(place: Place, plan: Mapping[str, Any]) -> str:
    if not plan or plan["head"] == place.head:
        return _NOTHING
    entries = index.of_json(plan["entries"])
    if plan["do"] == "reset":
        if place.head == plan["target"]:
            _put(place, entries)
        return _DONE
    if index.in_index(place.git, entries) != entries:
        return _DONE
    made = _count(place, plan["head"])
    if made == plan["steps"]:
        _put(place, index.in_tree(place.git, place.head, entries))
        return _DONE
    if 0 < made < plan["steps"]:
        words = ("HEAD", plan["head"]) if plan["head"] else ("-d", "HEAD")
        place.git.run("update-ref", "-m", "pairwright: cut short", *words, place.head)
        return _UNDONE
    return "A commit was cut short, and HEAD was moved since; please look at `git status`"


def _count(place: Place, base: str) -> int:
    """Commits of the first line of HEAD behind `base`; -1 if HEAD does not descend from it."""
    if base and place.git.ask("merge-base", "--is-ancestor", base, place.head)[0]:
        return -1
    since = (f"^{base}",) if base else ()
    return int(place.git.run("rev-list", "--count", place.head, *since))


def _put(place: Place, entries: Entries) -> None:
    with index.workshop() as name:
        Held(place.index).publish(index.renewed(place, entries, Path(name) / "index"))


def told(folder: Path, env: Mapping[str, str]) -> str:
    """As `mend`, for the repository around `folder`, which may be none; asks git only where a lock of
    ours was left."""
    top = find_top(folder)
    found = git_dir(top) if top is not None else None
    if top is None or found is None or left_behind(found.private / "index") is None:
        return ""
    try:
        return mend(Git(top, env))
    except (GitFailed, OSError) as error:
        return f"A commit was cut short and cannot be brought to an end: {reason_of(error)}."
