"""Taking a commit of ours back: by moving the branch back where it is the last one and nobody else
has it, by a commit that reverts it where others of the user's follow, else not at all.

Files in the work tree are never touched: the change in them is taken back elsewhere, and what the
user did since stays as it is. What is staged stays staged. Blocking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pairwright.checkpoints import commit_index as index
from pairwright.checkpoints.commit import Made, Options, commit_on
from pairwright.checkpoints.commit_git import Git, GitFailed, reason_of
from pairwright.checkpoints.commit_index import Entry
from pairwright.checkpoints.commit_lock import Held, holding
from pairwright.checkpoints.commit_log import Record
from pairwright.checkpoints.commit_recover import mend, plan_of_commits, plan_of_reset
from pairwright.checkpoints.commit_state import Place, look, under_way

_GONE = ("refs/stash",)


@dataclass(frozen=True, slots=True)
class Taken:
    """`how`: `reset` (the branch moved back), `revert` (a new commit, its id in `id`), or `kept` and
    `reason` says why. `commits`: ids that were taken back."""

    how: str
    commits: tuple[str, ...] = ()
    id: str = ""
    reason: str = ""


def take_back(git: Git, record: Record, message: str, options: Options) -> Taken:
    """Take back what `record` committed. `message`: of the reverting commit, if there is one."""
    edits = [one for one in record.made if not one.own]
    if not edits:
        return Taken("kept", reason="the change had no commit of its own")
    try:
        mend(git)
        place = look(git)
        reason = under_way(place) or _not_safe(place, edits[-1].id)
        if reason:
            return Taken("kept", reason=reason)
        with holding(place.index) as held, index.workshop() as name:
            if look(git) != place:
                return Taken("kept", reason="another git command moved HEAD at the same moment")
            if place.head == edits[-1].id:
                return _reset(place, held, record, Path(name))
            return _revert(place, held, edits[-1], message, options, Path(name))
    except (GitFailed, OSError) as error:
        return Taken("kept", reason=reason_of(error))


def _not_safe(place: Place, commit: str) -> str:
    """Why `commit` may not be taken back; empty if it may."""
    short = commit[:10]
    code, _, _ = place.git.ask("merge-base", "--is-ancestor", commit, place.head or commit)
    if code or not place.head:
        return f"commit {short} is not in the history of what is checked out"
    others = _holders(place, commit)
    pushed = [name for name in others if name.startswith("refs/remotes/")]
    if pushed:
        return f"commit {short} was pushed ({_short(pushed[0])} has it); `git revert {short}` undoes it"
    if others:
        return f"commit {short} is also in {_short(others[0])}; `git revert {short}` undoes it"
    return ""


def _holders(place: Place, commit: str) -> list[str]:
    """Refs other than the branch checked out that have `commit` in their history."""
    out = place.git.run("for-each-ref", "--contains", commit, "--format=%(refname)")
    names = out.decode("utf-8", "replace").splitlines()
    return sorted(name for name in names if name not in (place.branch, *_GONE))


def _short(ref: str) -> str:
    return ref.removeprefix("refs/").removeprefix("heads/").removeprefix("remotes/")


def _reset(place: Place, held: Held, record: Record, room: Path) -> Taken:
    """The branch back to before our commits; the index at their paths to what it held then, unless
    the user staged there since."""
    git = place.git
    back = _chain(place, record.made)
    target = back[0].parent
    now = index.in_index(git, record.staged)
    edit = back[-1]
    before = index.in_tree(git, target, record.staged)
    is_all = back == record.made
    entries: dict[str, Entry | None] = {}
    for path, entry in now.items():
        if entry == edit.entries.get(path):
            was = record.staged[path] if is_all else before[path]
            entries[path] = was if _exists(git, was) else before[path]
    renewed = index.renewed(place, entries, room / "index")
    held.note(plan_of_reset(place.head, target, entries))
    words = ("-m", "pairwright: undo", "HEAD", target) if target else ("-d", "HEAD")
    git.run("update-ref", *words, place.head)
    try:
        held.publish(renewed)
    except OSError:
        git.ask("update-ref", "-m", "pairwright: undo failed", "HEAD", place.head, target)
        raise
    return Taken("reset", tuple(one.id for one in back))


def _chain(place: Place, made: Sequence[Made]) -> tuple[Made, ...]:
    """The last of `made`, with the user's own work before it if nobody else has that either."""
    chain = [made[-1]]
    for one in reversed(made[:-1]):
        if chain[0].parent != one.id or _holders(place, one.id):
            break
        chain.insert(0, one)
    return tuple(chain)


def _exists(git: Git, entry: Entry | None) -> bool:
    """Whether the blob is still there: what was only staged may have been collected."""
    return entry is None or git.ask("cat-file", "-e", entry.id)[0] == 0


def _revert(
    place: Place, held: Held, edit: Made, message: str, options: Options, room: Path
) -> Taken:
    """A commit on top of HEAD without what `edit` did; later work in the same files stays."""
    git = place.git
    head = index.in_tree(git, place.head, edit.entries)
    if index.in_index(git, edit.entries) != head:
        staged = "other changes of its files are staged; commit or unstage them first"
        return Taken("kept", reason=staged)
    before = index.in_tree(git, edit.parent, edit.entries)
    entries: dict[str, Entry | None] = {}
    for path, after in edit.entries.items():
        if head[path] == before[path]:
            continue
        entries[path] = before[path]
        if head[path] != after:
            merged = _merged(git, (head[path], after, before[path]), room)
            if merged is None:
                return Taken("kept", reason=f"later commits changed the same lines of {path}")
            entries[path] = merged
    if all(entries[path] == head[path] for path in entries):
        return Taken("kept", reason="the history has it undone already")
    work = index.of_head(place, room / "index")
    index.put(work, entries)
    held.note(plan_of_commits(place.head, 1, head))
    work = replace(work, handles=(held.handle,))
    new = commit_on(place, work, message, options.verify)
    try:
        held.publish(index.renewed(place, index.in_tree(git, new, edit.entries), room / "renewed"))
    except (GitFailed, OSError):
        git.ask("update-ref", "-m", "pairwright: taken back", "HEAD", place.head, new)
        raise
    return Taken("revert", (edit.id,), new)


def _merged(
    git: Git, texts: tuple[Entry | None, Entry | None, Entry | None], room: Path
) -> Entry | None:
    """Ours, base and theirs put together line by line; None where that is no matter of lines."""
    ours, base, theirs = texts
    if ours is None or base is None or theirs is None:
        return None
    if not ours.mode == base.mode == theirs.mode or not ours.mode.startswith("100"):
        return None
    names = []
    for name, entry in (("ours", ours), ("base", base), ("theirs", theirs)):
        (room / name).write_bytes(git.run("cat-file", "blob", entry.id))
        names.append(str(room / name))
    code, out, _ = git.ask("merge-file", "-p", "-q", *names)
    if code:
        return None
    ident = git.run("hash-object", "-w", "--no-filters", "--stdin", given=out).decode().strip()
    return Entry(ours.mode, ident)
