"""Commits of single files in the user's repository, by the git command.

What is committed is made from bytes in an index beside the user's own, so whatever else is staged,
partly staged or changed is neither in the commit nor touched. git itself makes the commit: hooks,
signatures, filters, identities and every format of refs and objects are its business. Meanwhile
`index.lock` is held, so that no other git command gets between; hooks see git as in
`git commit -- PATHS`. All commits of a call are made or none. Knows no editor, no proposal and no
model. Blocking: call it from a worker thread."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pairwright.checkpoints import commit_index as index
from pairwright.checkpoints.commit_git import Git, GitFailed, reason_of
from pairwright.checkpoints.commit_index import Entries
from pairwright.checkpoints.commit_lock import Held, holding
from pairwright.checkpoints.commit_recover import mend, plan_of_commits
from pairwright.checkpoints.commit_state import Place, kept_out, look, under_way
from pairwright.checkpoints.types import Files

Who = Literal["user", "tagged"]


@dataclass(frozen=True, slots=True)
class Options:
    """How commits are made. `verify`: run the hooks that may refuse. `author`, `committer`: the
    user as they are, or with "(Pairwright)" behind the name."""

    verify: bool = True
    author: Who = "user"
    committer: Who = "user"


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to be made: `files` by path from the top of the work tree. `own`: it is the user's
    work, under the user's name alone."""

    files: Files
    message: str
    own: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A commit that was made. `parent`: empty for the first of a branch. `entries`: what it holds at
    the paths asked for. `others`: paths that a hook put into it besides."""

    id: str
    parent: str
    own: bool
    subject: str
    entries: Entries
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """`made`: the commits, oldest first; none where git has all of it already. `refused`: why
    nothing was committed. `left`: paths kept out of commits, each with the reason. `buffers`: paths
    whose committed text does not stand on disk. `staged`: what the user's index held before.
    `branch`: full name, empty for a detached HEAD."""

    made: tuple[Made, ...] = ()
    refused: str = ""
    left: Mapping[str, str] = field(default_factory=dict)
    buffers: tuple[str, ...] = ()
    staged: Entries = field(default_factory=dict)
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """A repository at the moment of a change. `heads`: commits whose text of a file is no news: the
    one checked out then, and the last one of ours. `staged`: what the index held of its files."""

    heads: tuple[str, ...]
    staged: Entries


@dataclass(frozen=True, slots=True)
class Survey:
    """What commits of a change would be. `head`: the commit checked out. `own`: paths that held
    uncommitted work before the change, and `own_diff` that work; `diff`: the change itself; `left`,
    `refused`: as of Result."""

    head: str = ""
    own: tuple[str, ...] = ()
    own_diff: str = ""
    diff: str = ""
    left: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""


def note(git: Git, paths: Sequence[str]) -> Noted:
    """The repository as it is now. Raises GitFailed."""
    head = git.line("rev-parse", "-q", "--verify", "HEAD^{commit}")
    return Noted((head,), index.in_index(git, paths))


def survey(
    git: Git,
    before: Files,
    after: Files,
    hidden: Collection[str] = (),
    noted: Noted | None = None,
) -> Survey:
    """What commits of `before` and then `after` would hold. `hidden`: paths whose text must not be
    in the diffs. Refused where a file was committed otherwise since `noted`. Changes nothing, but
    may write objects."""
    try:
        place = look(git)
        reason = under_way(place)
        if reason:
            return Survey(refused=reason)
        left = kept_out(place, after)
        with index.workshop() as name:
            room = Path(name)
            work = index.of_head(place, room / "index")
            trees = [work.run("write-tree").decode().strip()]
            for at, files in enumerate((before, after)):
                (room / f"texts{at}").mkdir()
                wanted = {path: files[path] for path in sorted(files) if path not in left}
                index.stage(place, work, wanted, room / f"texts{at}")
                trees.append(work.run("write-tree").decode().strip())
            names = git.run("diff-tree", "-r", "-z", "--name-only", *trees[:2]).split(b"\0")
            own = tuple(sorted(os.fsdecode(path) for path in names if path))
            shown = [path for path in sorted(after) if path not in hidden and path not in left]
            news = _news(place, own, noted) if noted else ""
            if news:
                return Survey(refused=f"{news} was committed by another command since")
            own_diff, diff = (_diff(git, trees[at], trees[at + 1], shown) for at in (0, 1))
            return Survey(place.head, own, own_diff, diff, left)
    except (GitFailed, OSError) as error:
        return Survey(refused=reason_of(error))


def _diff(git: Git, old: str, new: str, paths: Sequence[str]) -> str:
    if not paths:
        return ""
    words = ("diff-tree", "-r", "-p", "--no-ext-diff", "--no-textconv", old, new, "--")
    literal = git.having(GIT_LITERAL_PATHSPECS="1")
    parts = [literal.run(*words, *paths[at : at + 200]) for at in range(0, len(paths), 200)]
    return b"".join(parts).decode("utf-8", "replace")


def _news(place: Place, own: Sequence[str], noted: Noted) -> str:
    """A path of `own` that HEAD holds otherwise than every commit that was known, empty if none:
    what looks like uncommitted work there is older than the commit."""
    now = index.in_tree(place.git, place.head, own)
    known = [index.in_tree(place.git, head, own) for head in noted.heads]
    return next((path for path in own if all(one[path] != now[path] for one in known)), "")


MOVED = "HEAD was moved meanwhile"


def commit(
    git: Git,
    steps: Sequence[Step],
    options: Options,
    head: str | None = None,
    staged: Entries | None = None,
) -> Result:
    """Make a commit of each step that changes anything, in order. `head`: refused with MOVED where
    another commit is checked out. `staged`: what the index held when the change was made; what was
    staged at these paths since stays staged."""
    try:
        mend(git)
        place = look(git)
        reason = under_way(place)
        if head is not None and place.head != head:
            reason = MOVED
        if reason:
            return Result(refused=reason)
        with holding(place.index) as held, index.workshop() as name:
            return _commit(_Run(place, held, Path(name), options), steps, staged)
    except (GitFailed, OSError) as error:
        return Result(refused=reason_of(error))


@dataclass(frozen=True, slots=True)
class _Run:
    """The parts of one call. `place`: as it was when the lock was not held yet."""

    place: Place
    held: Held
    room: Path
    options: Options


def _commit(run: _Run, steps: Sequence[Step], known: Entries | None) -> Result:
    place = run.place
    git = place.git
    head = git.line("rev-parse", "-q", "--verify", "HEAD^{commit}")
    if head != place.head or under_way(place):
        raise GitFailed("another git command was at work at the same moment; try again")
    paths = sorted({path for step in steps for path in step.files})
    left = kept_out(place, paths)
    staged = index.in_index(git, [path for path in paths if path not in left])
    base = index.in_tree(git, head, staged)
    if known is not None:
        known = {path: known.get(path) for path in staged}
    ours = [path for path in staged if known is None or staged[path] in (base[path], known[path])]
    run.held.note(plan_of_commits(head, len(steps), {path: staged[path] for path in ours}))
    made: list[Made] = []
    buffers: tuple[str, ...] = ()
    try:
        for step in steps:
            one, buffers = _step(run, step, left, head)
            if one is not None:
                made.append(one)
                head = one.id
        if made:
            entries = index.in_tree(git, head, ours)
            run.held.publish(index.renewed(place, entries, run.room / "renewed"))
    except (GitFailed, OSError):
        _take_back(git, place.head, made)
        raise
    return Result(tuple(made), "", left, buffers, known or staged, place.branch)


def _step(
    run: _Run, step: Step, left: Mapping[str, str], head: str
) -> tuple[Made | None, tuple[str, ...]]:
    """The commit of one step on top of `head`, None if it would be empty; and the paths whose text
    does not stand on disk."""
    place = Place(run.place.git, run.place.private, run.place.index, head, run.place.branch)
    room = run.room / f"step{len(list(run.room.iterdir()))}"
    (room / "texts").mkdir(parents=True)
    work = index.of_head(place, room / "index")
    base = work.run("write-tree")
    files = {path: step.files[path] for path in sorted(step.files) if path not in left}
    buffers = index.stage(place, work, files, room / "texts")
    if work.run("write-tree") == base:
        return None, buffers
    tags = {} if step.own else _names(place.git, run.options)
    work = replace(work.having(**tags), handles=(run.held.handle,))
    new = commit_on(place, work, step.message, run.options.verify)
    shutil.rmtree(room / "texts", ignore_errors=True)
    return _made(place, step, sorted(files), base.decode().strip(), new), buffers


def commit_on(place: Place, work: Git, message: str, verify: bool) -> str:
    """Commit the index of `work` on top of `place.head`; the id. Raises GitFailed if git or a hook
    refuses, or if HEAD is not where it was."""
    words = ["commit", "-q", "-F", "-", *([] if verify else ["--no-verify"])]
    work.run(*words, given=message.encode("utf-8", "replace"))
    git = place.git
    new = git.run("rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    parents = git.run("rev-list", "--parents", "-n", "1", new).decode().split()[1:]
    if parents != ([place.head] if place.head else []):
        if parents:
            git.ask("update-ref", "-m", "pairwright: not on top", "HEAD", parents[0], new)
        raise GitFailed(
            "HEAD was moved by another git command meanwhile; the commit was taken back"
        )
    return new


def _made(place: Place, step: Step, paths: Sequence[str], base: str, new: str) -> Made:
    git = place.git
    names = git.run("diff-tree", "-r", "-z", "--name-only", base, f"{new}^{{tree}}").split(b"\0")
    others = sorted({os.fsdecode(name) for name in names if name} - set(paths))
    subject = git.run("log", "-1", "--format=%s", new).decode("utf-8", "replace").strip()
    entries = index.in_tree(git, new, paths)
    return Made(new, place.head, step.own, subject, entries, tuple(others))


def _take_back(git: Git, head: str, made: Sequence[Made]) -> None:
    """HEAD back to where it was, unless somebody moved it on."""
    if made and head:
        git.ask("update-ref", "-m", "pairwright: taken back", "HEAD", head, made[-1].id)
    elif made:
        git.ask("update-ref", "-d", "HEAD", made[-1].id)


def _names(git: Git, options: Options) -> dict[str, str]:
    """Variables that tag the names, where the settings want it."""
    found = {}
    for who, choice in (("AUTHOR", options.author), ("COMMITTER", options.committer)):
        if choice == "tagged":
            ident = os.fsdecode(git.run("var", f"GIT_{who}_IDENT"))
            found[f"GIT_{who}_NAME"] = f"{ident.rpartition(' <')[0]} (Pairwright)"
    return found
