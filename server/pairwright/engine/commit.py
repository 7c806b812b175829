"""Commit mode: what an accept did becomes a commit in the user's repository, what an undo took back
leaves it again; and the user's own staged changes get a message and are committed.

The texts come from the checkpoints around a change, so a commit holds what was accepted even when
the user typed on. Commits follow the changes one by one; where one is refused the change stands,
uncommitted, and the reason is told. Knows no git command; files on disk are never written here."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from pairwright.checkpoints.commit import (
    MOVED,
    Made,
    Noted,
    Options,
    Result,
    Step,
    Survey,
    commit,
    note,
    survey,
)
from pairwright.checkpoints.commit_git import Git, GitFailed
from pairwright.checkpoints.commit_log import Record, append, records, tidy
from pairwright.checkpoints.commit_staged import Staged, commit_staged, diff_of, staged
from pairwright.checkpoints.commit_undo import Taken, take_back
from pairwright.checkpoints.repo import Store
from pairwright.checkpoints.types import LINK, Checkpoint, CheckpointError, Files, FileState
from pairwright.engine.commit_message import Desk, Subject, written
from pairwright.llm.types import ModelError
from pairwright.prompts import commit as words
from pairwright.workspace.history import find_top

# A commit of the user's may come between the messages and ours; more of them are a script at work.
_TRIES = 3
_COMMIT, _CANCEL = "Commit", "Cancel"

__all__ = ["Clerk", "Desk", "Told"]


@dataclass(frozen=True, slots=True)
class Told:
    """What became of one change, or of what was staged. `state`: `committed`; `taken back`; `kept`
    (nothing was done in the repository, `message` says why); `nothing` (git has it already);
    `planned` (a dry run); `cancelled` by the user. `message`: for the user. `commits`: (id, subject),
    oldest first; of `taken back`, those that went. `text`: the message of a commit of staged
    changes. `problem`: why no model wrote the message, empty if one did or none was asked."""

    state: Literal["committed", "taken back", "kept", "nothing", "planned", "cancelled"]
    message: str
    commits: tuple[tuple[str, str], ...] = ()
    text: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """The files of one change in one repository, by path from its top. `names`: as the workspace
    calls them."""

    top: Path
    before: Files
    after: Files
    names: Mapping[str, str]
    noted: Noted = field(default_factory=lambda: Noted((), {}))


@dataclass(frozen=True, slots=True)
class _Change:
    """A change to follow. `origin`: the accept it is about; `is_back`: it takes that back, else it
    makes it, by `parts`. `problem`: why it cannot be followed."""

    origin: Checkpoint
    note: str
    is_back: bool
    parts: tuple[_Part, ...] = ()
    problem: str = ""


class Clerk:
    """Keeps the commits of one workspace in step with its checkpoints, one change after another."""

    def __init__(self, desk: Desk, store: Store) -> None:
        self._desk = desk
        self._store = store
        self._last: asyncio.Future[None] | None = None
        """Done when the change that came last is followed: changes are followed in their order."""
        self._made: dict[Path, tuple[str, ...]] = {}
        """By work tree: the last commit made there."""

    async def follow(self, after: str) -> tuple[Told, ...]:
        """Bring the repository in step with the change at checkpoint `after`: one answer a
        repository; none where commit mode is off."""
        if self._desk.settings().git.mode != "commit":
            return ()
        before, self._last = self._last, asyncio.get_running_loop().create_future()
        turn = self._last
        try:
            # What the user commits or stages from here on is later than the change.
            noted = await asyncio.to_thread(self._noted, after)
            if before is not None:
                await asyncio.wait((before,))
            return () if noted is None else tuple(await self._one(noted))
        except (CheckpointError, GitFailed, OSError) as error:
            return (Told("kept", f"The repository was not brought in step: {error}."),)
        finally:
            turn.set_result(None)

    async def staged(self, root: Path, text: str = "", *, dry: bool, sure: bool) -> Told:
        """Commit what the user has staged in the repository around `root`, with `text` or a message
        of the model's. `dry`: only say it; `sure`: do not ask."""
        top = await asyncio.to_thread(find_top, root)
        if top is None:
            return Told("kept", f"Not committed: {root} is in no git repository.")
        git = self._git(top)
        wanted = await asyncio.to_thread(staged, git)
        if wanted.refused:
            return Told("kept", f"Not committed: {wanted.refused}.")
        problem = ""
        if not text.strip():
            try:
                text, problem = await self._staged_message(git, wanted, root)
            except GitFailed as error:
                return Told("kept", f"Not committed: {error}.")
        if dry:
            return Told("planned", f"Would commit as:\n{text}", text=text, problem=problem)
        if not sure:
            question = f"Commit {_files(wanted.paths)} as:\n{text}"
            if await self._desk.ask(question, (_COMMIT, _CANCEL)) != _COMMIT:
                return Told("cancelled", "Nothing was committed.", text=text)
        verify = self._desk.settings().git.verify
        ident, refused = await asyncio.to_thread(commit_staged, git, wanted, text, verify)
        if refused:
            return Told("kept", f"Not committed: {refused}.", text=text)
        subject = text.strip().splitlines()[0]
        message = f'Committed {ident[:10]} "{subject}".'
        return Told("committed", message, ((ident, subject),), text, problem)

    # --- a change

    def _noted(self, after: str) -> _Change | None:
        """The change at checkpoint `after` with its repositories as they are now; None if it is none
        to follow."""
        change = self._store.get(after)
        if change is None:
            return None
        origin, is_back = _origin(self._store, change)
        if origin is None or origin.kind != "after" or not origin.proposal:
            return None
        found = _Change(origin, change.note.removeprefix("undo "), is_back)
        if is_back:
            return found
        before, now = self._store.read(change.base), self._store.read(change.id)
        if before is None or now is None:
            return replace(found, problem="the checkpoints of the change are gone")
        parts, outside = _parts(self._desk.snapshot().root, before, now)
        if outside and not parts:
            return replace(found, problem=f"{_files(outside)} lies in no git repository")
        noted = [replace(one, noted=note(self._git(one.top), sorted(one.after))) for one in parts]
        return replace(found, parts=tuple(noted))

    async def _one(self, change: _Change) -> list[Told]:
        """An accept or a redo is committed, an undo takes a commit back."""
        if change.problem:
            return [Told("kept", f"Not committed: {change.problem}.")]
        if not change.is_back:
            return [await self._commit(change, part) for part in change.parts]
        made = await asyncio.to_thread(records, self._store.path, change.origin.id)
        latest = {record.top: record for record in made}
        return [await self._back(latest[top]) for top in sorted(latest)]

    async def _commit(self, change: _Change, part: _Part) -> Told:
        settings = self._desk.settings().git
        git = self._git(part.top)
        hidden = self._ignored(part)
        known = Noted((*part.noted.heads, *self._made.get(part.top, ())), part.noted.staged)
        texts: dict[tuple[str, ...], str] = {}
        result = Result(refused=MOVED)
        for _ in range(_TRIES):
            found = await asyncio.to_thread(survey, git, part.before, part.after, hidden, known)
            if found.refused:
                return Told("kept", f"The change stands, but it is not committed: {found.refused}.")
            if found.own and not settings.commit_dirty:
                names = _files(_named(part, found.own))
                why = f"{names} held uncommitted work of yours (pairwright.git.commit_dirty)"
                return Told("kept", f"The change stands, but it is not committed: {why}.")
            steps = await self._steps(change, part, found, texts)
            options = Options(settings.verify, settings.author, settings.committer)
            result = await asyncio.to_thread(
                commit, git, steps, options, found.head, part.noted.staged
            )
            if result.refused != MOVED:
                break
        if result.made:
            self._made[part.top] = (result.made[-1].id,)
            await asyncio.to_thread(self._keep, change.origin.id, part, result)
        return _told(part, result)

    async def _steps(
        self, change: _Change, part: _Part, found: Survey, texts: dict[tuple[str, ...], str]
    ) -> list[Step]:
        """The commits to make; `texts` has the messages that were written already."""
        hidden = self._ignored(part)
        steps = []
        if found.own:
            if found.own not in texts:
                rule = words.of_own_work(found.own)
                subject = _subject(part, found.own, found.own_diff, rule, hidden)
                texts[found.own] = (await written(self._desk, subject)).text
            steps.append(Step(part.before, texts[found.own], own=True))
        if () not in texts:
            paths = sorted(part.after)
            rule = words.fallback(change.note, paths)
            subject = _subject(part, paths, found.diff, rule, hidden)
            text = (await written(self._desk, replace(subject, note=change.note))).text
            trailer = await self._trailer() if self._desk.settings().git.co_author else ""
            texts[()] = words.signed(text, trailer)
        steps.append(Step(part.after, texts[()]))
        return steps

    def _ignored(self, part: _Part) -> list[str]:
        """Paths whose text is never sent."""
        snapshot = self._desk.snapshot()
        return [path for path, name in part.names.items() if snapshot.ignored(name)]

    async def _trailer(self) -> str:
        try:
            name = (await self._desk.models.get("main")).info.name
        except ModelError:
            return "Co-authored-by: Pairwright <pairwright@localhost>"
        return f"Co-authored-by: Pairwright ({name}) <pairwright@localhost>"

    def _keep(self, origin: str, part: _Part, result: Result) -> None:
        record = Record(origin, str(part.top), result.branch, result.staged, result.made)
        append(self._store.path, record)
        tidy(self._store.path)

    async def _back(self, record: Record) -> Told:
        settings = self._desk.settings().git
        edit = record.made[-1]
        subject = words.fallback(f"revert: {edit.subject}", ())
        message = f"{subject}\nThis reverts commit {edit.id}.\n"
        options = Options(settings.verify, settings.author, settings.committer)
        git = self._git(Path(record.top))
        taken = await asyncio.to_thread(take_back, git, record, message, options)
        return _told_back(record, taken)

    # --- what is staged

    async def _staged_message(self, git: Git, wanted: Staged, root: Path) -> tuple[str, str]:
        """A message for what is staged, and why no model wrote it."""
        snapshot = self._desk.snapshot()
        names = {path: _below(git.top / path, root) for path in wanted.paths}
        shown = {path: name for path, name in names.items() if name and not snapshot.ignored(name)}
        diff = await asyncio.to_thread(diff_of, git, list(shown))
        rule = words.fallback("", wanted.paths)
        subject = Subject(diff, list(shown), list(shown.values()), rule)
        found = await written(self._desk, subject)
        return found.text, found.problem

    def _git(self, top: Path) -> Git:
        return Git(top, self._desk.env, self._desk.settings().git.timeout)


def _origin(store: Store, change: Checkpoint) -> tuple[Checkpoint | None, bool]:
    """The accept that `change` is about, and whether it is taken back by it."""
    found: Checkpoint | None = change
    is_back = False
    while found is not None and found.kind == "undo":
        found, is_back = store.get(found.undoes), not is_back
    return found, is_back


def _parts(root: str, before: Files, after: Files) -> tuple[list[_Part], list[str]]:
    """The files of a change by repository, and those in none."""
    found: dict[Path, dict[str, str]] = {}
    outside = []
    for path in sorted(after):
        if path.endswith("/") or path not in before or before[path] == after[path]:
            continue
        place = _place(root, path, (before[path], after[path]))
        top = find_top(place.parent)
        if top is None:
            outside.append(path)
        else:
            found.setdefault(top, {})[place.relative_to(top).as_posix()] = path
    parts = [
        _Part(
            top,
            {path: before[name] for path, name in names.items()},
            {path: after[name] for path, name in names.items()},
            names,
        )
        for top, names in sorted(found.items())
    ]
    return parts, outside


def _place(root: str, path: str, states: Sequence[FileState]) -> Path:
    """Where the file is; an edit through a link is one of the file it leads to."""
    place = Path(root, path)
    if place.is_symlink() and all(state.mode != LINK for state in states):
        return place.resolve()
    return place.parent.resolve() / place.name


def _subject(
    part: _Part, paths: Sequence[str], diff: str, rule: str, hidden: Sequence[str]
) -> Subject:
    shown = [path for path in paths if path not in hidden]
    return Subject(diff, shown, [part.names[path] for path in shown], rule)


def _below(place: Path, root: Path) -> str:
    """`place` as the workspace at `root` calls it, empty if it lies outside."""
    real = root.resolve()
    return place.relative_to(real).as_posix() if place.is_relative_to(real) else ""


def _told(part: _Part, result: Result) -> Told:
    if result.refused:
        return Told("kept", f"The change stands, but it is not committed: {result.refused}.")
    notes = [f"{part.names[path]} stays uncommitted: {why}." for path, why in result.left.items()]
    if not result.made:
        return Told("nothing", " ".join(["Nothing was left to commit.", *notes]))
    lines = [_line(one, result.branch) for one in result.made]
    others = sorted({path for one in result.made for path in one.others})
    if others:
        notes.append(f"A hook committed {_files(others)} as well.")
    if result.buffers:
        notes.append(f"{_files(_named(part, result.buffers))} went in with text not saved yet.")
    if not result.branch:
        notes.append("HEAD is detached: the commit is on no branch.")
    commits = tuple((one.id, one.subject) for one in result.made)
    return Told("committed", " ".join([*lines, *notes]), commits)


def _line(made: Made, branch: str) -> str:
    where = f" on {branch.removeprefix('refs/heads/')}" if branch and not made.own else ""
    what = "Your own work was committed first as" if made.own else "Committed"
    return f'{what} {made.id[:10]} "{made.subject}"{where}.'


def _told_back(record: Record, taken: Taken) -> Told:
    subjects = {one.id: one.subject for one in record.made}
    commits = tuple((ident, subjects[ident]) for ident in taken.commits)
    if taken.how == "kept":
        return Told("kept", f"The files are taken back, the commit is not: {taken.reason}.")
    if taken.how == "revert":
        short = commits[0][0][:10]
        return Told("taken back", f"Commit {short} is reverted by {taken.id[:10]}.", commits)
    names = ", ".join(ident[:10] for ident, _ in commits)
    return Told("taken back", f"Commit {names} is taken off the branch.", commits)


def _named(part: _Part, paths: Sequence[str]) -> list[str]:
    return [part.names.get(path, path) for path in paths]


def _files(paths: Sequence[str]) -> str:
    names = ", ".join(paths[:3])
    return f"{names} and {len(paths) - 3} more" if len(paths) > 3 else names
