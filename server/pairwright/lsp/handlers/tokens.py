"""`pairwright.tokens`: what a request would send now and cost, and what is spent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.events import Stop
from pairwright.engine.outlook import Outlook, document
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.handlers.subjects import understood
from pairwright.lsp.instructions import Mode
from pairwright.lsp.workbench import workbench
from pairwright.memory.ledger import Total


async def _tokens(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """The table; a client without our protocol gets a document."""
    session = call.session
    root, asked = understood(session, _mode(args), args)
    found = await workbench(session, root).outlook(asked)
    if isinstance(found, Stop):
        raise Refused(found.message)
    text = document(found)
    if not session.client.protocol:
        path = cache_dir(environment()) / "sent" / "tokens.md"
        await asyncio.to_thread(requests.write, path, text)
        await requests.show(session, path, focus=False)
    return {**answer(found), "text": text}


def _mode(args: Mapping[str, Any]) -> Mode:
    modes: tuple[Mode, ...] = get_args(Mode)
    asked = args.get("mode") or "ask"
    for mode in modes:
        if asked == mode:
            return mode
    raise InvalidParams(f"`mode` is one of {', '.join(modes)}")


def answer(found: Outlook) -> dict[str, Any]:
    """The outlook as JSON."""
    usual, most = found.costs or (None, None)
    limits = found.limits
    return {
        "model": found.info.name,
        "window": found.info.window,
        "parts": [
            {"part": row.name, "tokens": row.tokens, "cost": row.cost} for row in found.parts
        ],
        "files": [{"path": file.name, **_file(asdict(file))} for file in found.files],
        "total": found.total,
        "cost": usual,
        "most": most,
        "left": found.left,
        "leftOut": list(found.left_out),
        "hidden": found.hidden,
        "more": found.more,
        "session": _spent(found.spent.session, limits.session_cost, limits.session_tokens),
        "day": _spent(found.spent.day, limits.day_cost, limits.day_tokens),
    }


def _file(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in ("tokens", "cost", "editable", "partial")}


def _spent(total: Total, cost: float, tokens: int) -> dict[str, Any]:
    """A limit of 0 is none: null on the wire."""
    return {
        "requests": total.requests,
        "tokens": total.tokens,
        "unpriced": total.unpriced,
        "cost": total.dollars,
        "costLimit": cost or None,
        "tokenLimit": tokens or None,
    }


COMMANDS: dict[str, Route] = {"pairwright.tokens": Route("task", _tokens)}
