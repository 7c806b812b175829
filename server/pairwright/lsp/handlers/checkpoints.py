"""Checkpoints: undo, redo, restore, list, what one changed; and what a kill left, told at the start.

Every command answers with what became of every file; where the client has no plugin the same words
go to a message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pairwright.checkpoints.place import folder_of
from pairwright.checkpoints.types import CheckpointError
from pairwright.checkpoints.unfinished import has_left
from pairwright.config.load import environment
from pairwright.config.paths import cache_dir, data_dir
from pairwright.engine.recover import recover
from pairwright.engine.together import as_one, take_back
from pairwright.engine.undo import How, UndoResult, record_form, restore, undo
from pairwright.engine.undo_text import Entry, changes_of, entries, whole_id
from pairwright.lsp.errors import Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.handlers.proposals import not_saved
from pairwright.lsp.places import Places
from pairwright.lsp.session import Session
from pairwright.lsp.virtual import Address, uri_of
from pairwright.lsp.workbench import Workbench, workbench

log = logging.getLogger(__name__)

_MOST = 1000
# Editors send the documents they have open right behind `initialized`.
_OPENING = 1.0


async def tell_unfinished(session: Session) -> None:
    """Bring what a kill cut short to an end, once the editor's texts are here."""
    data = data_dir(environment())
    paths = [root.path for root in session.documents.roots]
    held = [path for path in paths if has_left(folder_of(data, path))]
    if not held:
        return
    await asyncio.sleep(_OPENING)
    for root in session.documents.roots:
        if root.path in held:
            for text in await recover(workbench(session, root).desk):
                session.show("warning", text)


def keep_form(session: Session, uri: str) -> None:
    """A document was saved: what a formatter did to it right behind an accept is recorded, so that
    an undo takes it back too."""
    at = session.documents.locate(uri)
    bench = session.benches.get(at.root.path) if at is not None else None
    if at is None or bench is None:
        return
    accept = bench.saves.saved(at.path)
    if accept:
        session.guard.spawn(_keep_form(bench, accept, at.path))


async def _keep_form(bench: Workbench, accept: str, path: str) -> None:
    snapshot = bench.snapshot()
    try:
        await asyncio.to_thread(record_form, bench.desk, snapshot, accept, path)
    except CheckpointError as error:
        log.warning("what the save of %s changed is not recorded: %s", path, error)


async def _undo(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    target = args.get("checkpoint") or args.get("proposal")
    how = _how(args)
    if isinstance(target, str):
        bench = await _bench_of(call.session, args, target)
        return _taken_back(call.session, [(bench, await undo(bench.desk, target, how))])
    benches = _benches(call.session, args)
    return await _over_roots(call.session, benches, "after", how)


async def _redo(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    return await _over_roots(call.session, _benches(call.session, args), "undo", _how(args))


async def _over_roots(
    session: Session, benches: Sequence[Workbench], kind: str, how: How
) -> dict[str, Any]:
    of_desk = {id(bench.desk): bench for bench in benches}
    parts = await take_back([bench.desk for bench in benches], kind, how)
    return _taken_back(session, [(of_desk[id(desk)], result) for desk, result in parts])


async def _restore(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    target = args.get("checkpoint")
    if not isinstance(target, str):
        raise Refused("pairwright.restore needs `checkpoint`: an id of pairwright.checkpoints.")
    bench = await _bench_of(call.session, args, target)
    whole = await asyncio.to_thread(_whole, bench, target)
    result = await restore(bench.desk, whole or target, _words(args.get("files")), _how(args))
    return _taken_back(call.session, [(bench, result)])


async def _checkpoints(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    bench = _benches(call.session, args)[0]
    asked = args.get("limit")
    limit = asked if isinstance(asked, int) and 0 < asked <= _MOST else 100
    try:
        found = await asyncio.to_thread(entries, bench.desk.store, limit)
    except CheckpointError as error:
        raise Refused(f"The checkpoints cannot be read: {error}") from error
    return {"folder": str(bench.desk.store.path), "checkpoints": [_entry(one) for one in found]}


async def _changes(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """What a checkpoint changed, as a diff; a client without our protocol gets a document."""
    session, target = call.session, args.get("checkpoint")
    if not isinstance(target, str):
        raise Refused("pairwright.changes needs `checkpoint`: an id of pairwright.checkpoints.")
    bench = await _bench_of(session, args, target)
    text = await _text(bench, target)
    uri = uri_of(f"checkpoint/{target}.diff", root=args.get("root"))
    if not session.client.protocol and not (
        session.client.virtual and await requests.show_uri(session, uri, focus=False)
    ):
        path = cache_dir(environment()) / "proposals" / f"{target}.diff"
        await asyncio.to_thread(requests.write, path, text)
        await requests.show(session, path, focus=False)
    return {"uri": uri, "text": text}


async def document(session: Session, where: Address) -> str:
    """What a checkpoint changed, as a document."""
    target = where.rest.removesuffix(".diff")
    return await _text(await _bench_of(session, {"root": where.one("root")}, target), target)


async def _text(bench: Workbench, target: str) -> str:
    try:
        whole = await asyncio.to_thread(_whole, bench, target)
        text = await asyncio.to_thread(changes_of, bench.desk.store, whole) if whole else None
    except CheckpointError as error:
        raise Refused(f"The checkpoints cannot be read: {error}") from error
    if text is None:
        raise Refused(f"There is no checkpoint {target} any more.")
    return text


def _benches(session: Session, args: Mapping[str, Any]) -> list[Workbench]:
    """The folder that is named, else all that are open."""
    if args.get("root") or not session.documents.roots:
        return [workbench(session, chosen_root(session, args.get("root")))]
    return [workbench(session, root) for root in session.documents.roots]


async def _bench_of(session: Session, args: Mapping[str, Any], target: str) -> Workbench:
    """The folder whose checkpoint or proposal `target` is; the first if there is none."""
    benches = _benches(session, args)
    for bench in benches:
        if bench.proposals.get(target) is not None:
            return bench
        if await asyncio.to_thread(_whole, bench, target):
            return bench
    return benches[0]


def _whole(bench: Workbench, target: str) -> str:
    try:
        return whole_id(bench.desk.store, target)
    except CheckpointError:
        return ""


def _how(args: Mapping[str, Any]) -> How:
    return How(
        turn=args.get("turn") is True,
        dry=args.get("dryRun") is True,
        unprotected=args.get("unprotected") is True,
    )


def _words(value: object) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _entry(entry: Entry) -> dict[str, Any]:
    one = entry.checkpoint
    return {
        "id": one.id,
        "time": one.time,
        "kind": one.kind,
        "note": one.note,
        "paths": list(one.paths),
        "proposal": one.proposal,
        "before": one.base,
        "head": one.head,
        "branch": one.branch,
        "undone": entry.undone,
        "text": entry.text,
    }


def _taken_back(session: Session, parts: Sequence[tuple[Workbench, UndoResult]]) -> dict[str, Any]:
    """The answer, and what is said where the client has no plugin. `parts`: one a folder."""
    bench, result = parts[-1][0], as_one([part for _, part in parts])
    good = result.state in ("done", "planned")
    in_way = tuple(dict.fromkeys(conflict.path for conflict in result.conflicts))
    if not session.client.protocol:
        if in_way:
            session.guard.spawn(_offer(session, bench, result, in_way))
        else:
            left = not_saved([path for _, part in parts for path in part.unsaved.paths])
            session.show("info" if good else "warning", f"Pairwright: {result.message}{left}")
    if result.warning:
        session.show("warning", f"Pairwright: {result.warning}")
    return {
        "state": result.state,
        "message": result.message,
        "warning": result.warning,
        "files": [asdict(file) for file in result.files],
        "before": result.before,
        "after": result.after,
        "save": to_save(session, parts),
        "plan": result.plan,
        "conflicts": [asdict(conflict) for conflict in result.conflicts],
        "restore": {"checkpoint": result.way_out, "files": list(in_way)} if in_way else None,
    }


def to_save(session: Session, parts: Sequence[tuple[Workbench, UndoResult]]) -> list[str]:
    """The documents that a client should save: URIs, since they may lie in several folders."""
    if not session.settings.apply.save_clean:
        return []
    places = Places.of(session.documents, session.client.encoding)
    clean = [(bench.root, path) for bench, part in parts for path in part.unsaved.clean]
    return [places.uri(root, path) for root, path in clean]


async def _offer(
    session: Session, bench: Workbench, result: UndoResult, paths: tuple[str, ...]
) -> None:
    """What is in the way, and one step out of it: those files whole, as they were before."""
    names = ", ".join(paths)
    yes = f"Restore {names} whole"
    question = f"Pairwright: {result.message} Later work there would be lost from the files; a "
    question += "checkpoint keeps it."
    if await bench.editor.ask(question, (yes, "Leave it")) == yes:
        restored = await restore(bench.desk, result.way_out, paths)
        good = restored.state == "done"
        session.show("info" if good else "warning", f"Pairwright: {restored.message}")


COMMANDS: dict[str, Route] = {
    "pairwright.undo": Route("task", _undo),
    "pairwright.redo": Route("task", _redo),
    "pairwright.restore": Route("task", _restore),
    "pairwright.checkpoints": Route("task", _checkpoints),
    "pairwright.changes": Route("task", _changes),
}
