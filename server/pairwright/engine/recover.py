"""What became of changes that a kill cut short, told at the next start.

The texts of the moment decide: a change that stands whole gets the checkpoint it still lacks, one
of which nothing stands is dropped, and of one that stands in part the parts that are untouched
since are put back. What the user did meanwhile stays and is named."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pairwright.checkpoints.types import CheckpointError, Files
from pairwright.checkpoints.unfinished import Intent, Note, has_left, left
from pairwright.engine.accept_capture import capture, text_of
from pairwright.engine.accept_disk import remove_empty, remove_staged, standing
from pairwright.engine.change import Desk
from pairwright.engine.proposals import accepted
from pairwright.engine.undo import follow, put_back
from pairwright.text.hashing import digest
from pairwright.workspace.types import Snapshot


async def recover(desk: Desk) -> tuple[str, ...]:
    """Bring every change that was cut short to an end; a message for the user about each."""
    if not await asyncio.to_thread(has_left, desk.store.path):
        return ()
    try:
        notes = await asyncio.to_thread(lambda: tuple(left(desk.store.path)))
    except OSError as error:
        return (f"Notes about unfinished changes cannot be read ({error.strerror or error}).",)
    said = []
    async with desk.lock:
        for note in notes:
            said.append(await _ended(desk, note))
    return tuple(said)


async def _ended(desk: Desk, note: Note) -> str:
    intent = note.intent
    start = f'Pairwright was stopped in the middle of "{intent.note}"'
    try:
        files = await asyncio.to_thread(desk.store.read, intent.before)
        found = await asyncio.to_thread(_found, desk.snapshot(), intent, files or {})
        if files is None:
            end = "what was before is not recorded any more, so nothing was put back."
        elif all(path in found.new for path in found.paths):
            await _finish(desk, intent, found.paths)
            end = "all of it had been applied, and undo takes it back."
        elif all(path in found.old for path in found.paths):
            end = "nothing had been changed."
        else:
            end = await _put_back(desk, intent, found, files)
        await asyncio.to_thread(_swept, desk, note, found.paths, files or {})
    except (CheckpointError, OSError) as error:
        note.leave()
        return f"{start}, and what became of it cannot be told: {error}."
    return f"{start}: {end}"


@dataclass(frozen=True, slots=True)
class _Found:
    """`old`: paths that are as before the change; `new`: as behind it; some may be both."""

    paths: tuple[str, ...]
    old: frozenset[str]
    new: frozenset[str]


def _found(snapshot: Snapshot, intent: Intent, before: Files) -> _Found:
    old, new = set(), set()
    wanted = {**intent.texts, **intent.raw}
    for path in sorted(wanted):
        now, was = _texts(snapshot, path, path in intent.raw, before)
        if now == was:
            old.add(path)
        if (digest(now) if now is not None else None) == wanted[path]:
            new.add(path)
    return _Found(tuple(sorted(wanted)), frozenset(old), frozenset(new))


def _texts(
    snapshot: Snapshot, path: str, is_raw: bool, before: Files
) -> tuple[bytes | None, bytes | None]:
    """What stands at `path` now, and what stood there: the texts, or the bytes."""
    state = before.get(path)
    raw = state.data if state else None
    document = None if is_raw else snapshot.document(path)
    if document is not None:
        text = text_of(state) if state else None
        return document.data, raw if text is None else text
    return standing(snapshot.root, path).data, raw


def _swept(desk: Desk, note: Note, paths: Sequence[str], files: Files) -> None:
    """Erase the note, and what its writer left beside the files: staged bytes, empty folders."""
    root = desk.snapshot().root
    note.erase()
    # Another server in the middle of a change has bytes of its own staged.
    if not has_left(desk.store.path):
        remove_staged(root, paths)
    remove_empty(root, [name for name in files if name.endswith("/")])


async def _finish(desk: Desk, intent: Intent, paths: Sequence[str]) -> None:
    """Record what stands and let the proposal follow."""

    def record() -> None:
        if any(one.base == intent.before for one in desk.store.list(2)):
            return
        before = desk.store.get(intent.before)
        desk.store.record(
            capture(desk.snapshot(), paths, paths).files,
            kind=intent.kind,
            note=intent.note,
            time=desk.now(),
            proposal=intent.proposal,
            head=before.head if before else "",
            branch=before.branch if before else "",
            base=intent.before,
            undoes=intent.undoes,
            group=intent.group,
        )

    await asyncio.to_thread(record)
    if intent.undoes:
        await follow(desk, intent.undoes)
        return
    proposal = desk.proposals.get(intent.proposal)
    if proposal is not None:
        desk.proposals.put(accepted(proposal, intent.hunks, intent.before))


async def _put_back(desk: Desk, intent: Intent, found: _Found, files: Files) -> str:
    changed = [path for path in found.paths if path in found.new and path not in found.old]
    other = [path for path in found.paths if path not in found.new and path not in found.old]
    words = []
    if changed:
        problem = await put_back(desk, files, changed, f"put back {intent.note}")
        names = ", ".join(changed)
        if problem:
            words.append(f"{names} had been changed and could not be put back. {problem}")
            other += changed
        else:
            words.append(f"only {names} had been changed, and it was put back.")
    if other:
        names = ", ".join(sorted(other))
        words.append(f"Look at {names}: checkpoint {intent.before[:8]} holds what was before.")
    return " ".join(words)
