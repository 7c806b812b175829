"""`pairwright.commit`: a message for what the user has staged, and the commit.

`message`: the text to use instead; `dryRun`: only say it. Without a `message` and without `yes` the
user is asked first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pairwright.checkpoints import commit_recover
from pairwright.config.load import environment
from pairwright.lsp.commits import as_json
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.session import Session
from pairwright.lsp.workbench import workbench


async def _commit(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    bench = workbench(session, chosen_root(session, args.get("root")))
    text = args.get("message")
    text = text if isinstance(text, str) else ""
    async with session.progress("Pairwright: Committing", token=call.work_token):
        told = await bench.commits.clerk.staged(
            Path(bench.root.path),
            text,
            dry=args.get("dryRun") is True,
            sure=bool(text.strip()) or args.get("yes") is True,
        )
    if not session.client.protocol:
        level = "warning" if told.state == "kept" else "info"
        rule = f" The message is made by rule: {told.problem}" if told.problem else ""
        session.show(level, f"Pairwright: {told.message}{rule}")
    return as_json(told)


async def tell_cut_short(session: Session) -> None:
    """Bring commits that a kill cut short to an end, and say so."""
    for root in session.documents.roots:
        said = await asyncio.to_thread(commit_recover.told, Path(root.path), environment())
        if said:
            session.show("warning", f"Pairwright: {said}")


COMMANDS: dict[str, Route] = {"pairwright.commit": Route("task", _commit)}
