"""The start of a session, its state, and small talk of the protocol."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from lsprotocol import types

import pairwright
from pairwright.lsp.client import PROTOCOL
from pairwright.lsp.documents import Root
from pairwright.lsp.guard import Call, Job, Route
from pairwright.lsp.schedule import CancelToken
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)


async def initialized(call: Call, _params: types.InitializedParams) -> None:
    """Ask for settings, watch the disk, index."""
    from pairwright.lsp.handlers import settings, symbols, watch
    from pairwright.lsp.handlers.checkpoints import tell_unfinished
    from pairwright.lsp.handlers.commit import tell_cut_short

    session = call.session
    session.guard.spawn(watch.watch(session))
    if session.client.configuration_events:
        session.guard.spawn(_follow_settings(session))
    await settings.pull(session)
    await symbols.register(session)
    session.guard.spawn(tell_unfinished(session))
    session.guard.spawn(tell_cut_short(session))
    start_scan(session)


async def _follow_settings(session: Session) -> None:
    from pairwright.lsp.errors import RequestFailed

    method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
    try:
        await session.register("pairwright-settings", method, {"section": "pairwright"}, 10.0)
    except RequestFailed as error:
        log.info("the client does not push settings: %s", error)


def start_scan(session: Session) -> None:
    """Index every folder that is not indexed yet, in the background, one after another."""
    session.ops.request("scan", lambda: _scan(session))


async def _scan(session: Session) -> None:
    for root in session.documents.roots:
        if root.host.snapshot().ready():
            continue
        session.status("ok", "indexing", quiescent=False)
        if not await _scan_one(session, root):
            text = f"Indexing {_name(root)} was cancelled: run pairwright.rescan to finish it."
            session.status("warning", text)
            return
        _warm(session, root)
        session.rest()
    session.status("ok", "")


async def _scan_one(session: Session, root: Root) -> bool:
    """Index one folder; False if the user cancelled it."""
    title = f"Indexing {_name(root)}"
    work: list[asyncio.Task[Any]] = []

    def cancel() -> None:
        for task in work:
            task.cancel()

    async with session.progress(title, percent=True, on_cancel=cancel) as report:
        scan = asyncio.create_task(root.host.start_scan(report.report))
        work.append(scan)
        try:
            await asyncio.wait([scan])
        finally:
            scan.cancel()
        if scan.cancelled():
            return False
        scan.result()
        return True


def _warm(session: Session, root: Root) -> None:
    """The first ranking loads the numeric libraries: a first hover need not wait for that."""
    snapshot = root.host.snapshot()
    session.views.warm(snapshot, session.map_budget)
    if session.settings.symbols.workspace:
        names = session.names
        session.pool.submit(lambda: names.warm(snapshot))


def set_trace(call: Call, params: types.SetTraceParams) -> None:
    """$/setTrace."""
    value = params.value
    call.session.trace = value.value if isinstance(value, types.TraceValue) else str(value)


def progress_cancel(call: Call, params: types.WorkDoneProgressCancelParams) -> None:
    """The user cancelled a progress."""
    call.session.progresses.cancel(params.token)


def _name(root: Root) -> str:
    return root.path.rstrip("/").rpartition("/")[2] or root.path


def _status(call: Call, _args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    client = session.client
    return {
        **session.health,
        "version": pairwright.__version__,
        "protocol": PROTOCOL,
        "client": {"name": client.name, "protocol": client.protocol, "encoding": client.encoding},
        "roots": [_root(root) for root in session.documents.roots],
        "buffers": sum(1 for _ in session.documents.all_open()),
        "running": list(session.ops.busy()),
    }


def _root(root: Root) -> dict[str, Any]:
    snapshot = root.host.snapshot()
    return {
        "root": root.path,
        "uri": root.uri,
        "ready": snapshot.ready(),
        "files": len(snapshot.paths()),
        "revision": snapshot.revision,
    }


def _doctor(call: Call, _args: Mapping[str, Any]) -> Job:
    from pairwright.lsp import doctor

    settings = call.session.settings

    def run(_token: CancelToken) -> dict[str, Any]:
        checks = doctor.checks(settings)
        return {
            "text": doctor.text(checks),
            "checks": [
                {"name": item.name, "state": item.state, "detail": item.detail} for item in checks
            ],
        }

    return Job(run)


COMMANDS: dict[str, Route] = {
    "pairwright.status": Route("loop", _status),
    "pairwright.doctor": Route("pool", _doctor),
}
