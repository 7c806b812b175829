"""Proposals: list, show, accept, reject.

Each command answers with what became of every file; where the client has no plugin the same words go to a message.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.accept import AcceptResult, Selection, accept, clashes, reject
from pairwright.engine.impact import Impact, impact, of_proposal, told
from pairwright.engine.proposals import Clash, Proposal
from pairwright.engine.proposals_text import conflicts, preview
from pairwright.engine.together import accept_together
from pairwright.lsp import convert
from pairwright.lsp.errors import Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests, tested
from pairwright.lsp.handlers.blast import as_json
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.places import Places
from pairwright.lsp.session import Session
from pairwright.lsp.standing import standing
from pairwright.lsp.virtual import Address, uri_of
from pairwright.lsp.workbench import Workbench, workbench
from pairwright.workspace.types import Snapshot


def _bench(session: Session, args: Mapping[str, Any]) -> Workbench:
    """The folder a command means: the one named, else the one that has the proposal, else the first."""
    ident = args.get("proposal")
    if not args.get("root") and isinstance(ident, str):
        for root in session.documents.roots:
            bench = workbench(session, root)
            if bench.proposals.get(ident) is not None:
                return bench
    return workbench(session, chosen_root(session, args.get("root")))


def _proposal(bench: Workbench, args: Mapping[str, Any]) -> Proposal:
    ident = args.get("proposal")
    found = bench.proposals.get(ident) if isinstance(ident, str) else bench.proposals.last()
    if found is None:
        raise Refused("There is no such proposal any more: ask for the edit again.")
    return found


def _selection(args: Mapping[str, Any]) -> Selection:
    return Selection(files=_words(args.get("files")), hunks=_words(args.get("hunks")))


def _words(value: object) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


async def _proposals(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    bench = _bench(session, args)
    pending = bench.proposals.pending()
    placed = _placing(session, bench)
    return {"proposals": await session.pool.run(lambda: [placed(one) for one in pending])}


async def _show(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """The proposal and its preview; a client without our protocol gets the preview as a document."""
    session = call.session
    bench = _bench(session, args)
    proposal = _proposal(bench, args)
    snapshot = bench.snapshot()
    text, found = await _previewed(session, snapshot, proposal)
    if not session.client.protocol:
        await _put_before(session, proposal, text)
    places = Places.of(session.documents, session.client.encoding)
    reach = as_json(snapshot, bench.root, places, found)
    placed = _placing(session, bench)
    shown = await session.pool.run(lambda: placed(proposal))
    return {"proposal": shown, "preview": text, "blast": reach}


async def _previewed(
    session: Session, snapshot: Snapshot, proposal: Proposal
) -> tuple[str, Impact]:
    """The diff, below it what cannot be placed and what static references lead to it, and that by itself."""
    found = await session.pool.run(lambda: impact(snapshot, of_proposal(snapshot, proposal)))
    stuck = conflicts(await asyncio.to_thread(clashes, proposal, snapshot))
    parts = (preview(proposal), stuck, told(snapshot, found))
    return "\n".join(part.removesuffix("\n") + "\n" for part in parts if part), found


async def _put_before(session: Session, proposal: Proposal, text: str) -> None:
    """Show a preview: the living document where the client has them, else a file."""
    uri = uri_of(f"proposal/{proposal.id}.diff")
    if session.client.virtual and await requests.show_uri(session, uri, focus=False):
        return
    path = cache_dir(environment()) / "proposals" / f"{proposal.id}.diff"
    await asyncio.to_thread(_write, path, text)
    await requests.show(session, path, focus=False)


async def document(session: Session, where: Address) -> str:
    """The preview of a proposal as a document."""
    ident = where.rest.removesuffix(".diff")
    bench = _bench(session, {"proposal": ident, "root": where.one("root")})
    proposal = _proposal(bench, {"proposal": ident})
    text, _ = await _previewed(session, bench.snapshot(), proposal)
    return text


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")


async def _accept(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    if _words(args.get("proposals")):
        return await _accept_together(call.session, args)
    bench = _bench(call.session, args)
    proposal = _proposal(bench, args)
    agreed = args.get("unprotected") is True
    return await accepted(call.session, bench, proposal.id, _selection(args), agreed)


async def _accept_together(session: Session, args: Mapping[str, Any]) -> dict[str, Any]:
    """Several proposals, which may lie in several folders, as one accept."""
    idents = _words(args.get("proposals"))
    benches = [_bench(session, {"proposal": ident}) for ident in idents]
    parts = [(bench.desk, ident) for bench, ident in zip(benches, idents, strict=True)]
    agreed = args.get("unprotected") is True
    olds = [await tested.before(session, b, i) for b, i in zip(benches, idents, strict=True)]
    results = await accept_together(parts, secrets.token_hex(8), agreed)
    told = []
    for bench, one, old in zip(benches, results, olds, strict=False):
        tested.follow(session, bench, one, old)
        told.append(_told(session, bench, one))
    states = {result.state for result in results}
    state = states.pop() if len(states) == 1 else "partly" if "partly" in states else "refused"
    return {"state": state, "message": " ".join(one["message"] for one in told), "results": told}


async def accepted(
    session: Session,
    bench: Workbench,
    ident: str,
    selection: Selection,
    unprotected: bool = False,
) -> dict[str, Any]:
    """Accept, and tell what came of it in the way this client can show."""
    old = await tested.before(session, bench, ident)
    result = await accept(bench.desk, ident, selection, unprotected)
    tested.follow(session, bench, result, old)
    told = _told(session, bench, result)
    if result.clashes and not session.client.protocol:
        path = cache_dir(environment()) / "proposals" / f"{ident}-conflicts.txt"
        await asyncio.to_thread(_write, path, told["conflictText"])
        await requests.show(session, path, focus=False)
    return told


async def _reject(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    bench = _bench(call.session, args)
    proposal = _proposal(bench, args)
    result = await reject(bench.desk, proposal.id, _selection(args))
    await bench.telling.rejected(result)
    return _told(call.session, bench, result)


def _told(session: Session, bench: Workbench, result: AcceptResult) -> dict[str, Any]:
    good = result.state in ("applied", "rejected")
    message = result.message + not_saved(result.unsaved.paths)
    _say(session, good, message, result.warning or bench.proposals.problem)
    proposal = result.proposal
    return {
        "state": result.state,
        "message": result.message,
        "warning": result.warning,
        "files": [asdict(file) for file in result.files],
        "hunks": list(result.hunks),
        "before": result.before,
        "after": result.after,
        "save": list(result.unsaved.clean) if session.settings.apply.save_clean else [],
        "unsaved": list(result.unsaved.paths),
        "conflicts": [_clash(clash) for clash in result.clashes],
        "conflictText": conflicts(result.clashes),
        "proposal": _shown(proposal) if proposal else None,
    }


def not_saved(paths: Sequence[str]) -> str:
    """What is said of `paths` that a change left unsaved, behind its message."""
    return f" Not saved yet: {', '.join(paths)}." if paths else ""


def _clash(clash: Clash) -> dict[str, Any]:
    now = None if clash.now is None else clash.now.decode("utf-8", "replace")
    return {
        "hunk": clash.id,
        "path": clash.path,
        "line": clash.line + 1,
        "reason": clash.reason,
        "old": clash.old.decode("utf-8", "replace"),
        "now": now,
        "new": clash.new.decode("utf-8", "replace"),
    }


def _say(session: Session, good: bool, message: str, warning: str) -> None:
    if not session.client.protocol:
        session.show("info" if good else "warning", f"Pairwright: {message}")
    if warning:
        session.show("warning", f"Pairwright: {warning}")


def _shown(proposal: Proposal) -> dict[str, Any]:
    """A proposal for the wire."""
    return {
        "id": proposal.id,
        "request": proposal.request,
        "state": proposal.state,
        "created": proposal.created,
        "missing": list(proposal.missing),
        "findings": list(proposal.findings),
        "files": [
            {
                "path": file.path,
                "kind": file.kind,
                "movedFrom": file.moved_from,
                "hunks": [
                    {
                        "id": hunk.id,
                        "state": hunk.state,
                        "old": hunk.old.decode("utf-8", "replace"),
                        "new": hunk.hunk.new.decode("utf-8", "replace"),
                        "approximate": hunk.hunk.approximate,
                    }
                    for hunk in file.hunks
                ],
            }
            for file in proposal.files
        ],
    }


def _placing(session: Session, bench: Workbench) -> Callable[[Proposal], dict[str, Any]]:
    """Proposals for the wire with where each waiting hunk stands now; made on the loop, to be called in a thread."""
    snapshot, root, unit = bench.snapshot(), bench.root, session.client.encoding
    places = Places.of(session.documents, unit)

    def shown(proposal: Proposal) -> dict[str, Any]:
        wire = _shown(proposal)
        for file, entry in zip(proposal.files, wire["files"], strict=True):
            entry["uri"] = places.uri(root, file.at)
            document = snapshot.document(file.at)
            if document is None:
                continue
            stands = standing(file, document.data)
            for hunk in entry["hunks"]:
                if (at := stands.get(hunk["id"])) is not None:
                    range_ = convert.range_of(document, at.start, at.end, unit)
                    hunk["range"] = session.converter.unstructure(range_)
                    hunk["stale"] = at.is_stale
        return wire

    return shown


COMMANDS: dict[str, Route] = {
    "pairwright.proposals": Route("task", _proposals),
    "pairwright.show": Route("task", _show),
    "pairwright.accept": Route("task", _accept),
    "pairwright.reject": Route("task", _reject),
}
