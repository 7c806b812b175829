"""Commands of the modes that ask more than one request of a model: a plan that another model edits by, the files a
request needs, questions about Pairwright itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers.turns import begin


async def _architect(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    return await begin(call.session, "architect", args)


async def _context(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    return await begin(call.session, "context", args)


async def _help(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    # What is open in the editor has nothing to do with it.
    kept = {name: args[name] for name in ("text", "root", "session") if name in args}
    return await begin(call.session, "help", kept)


COMMANDS: dict[str, Route] = {
    "pairwright.architect": Route("task", _architect),
    "pairwright.context": Route("task", _context),
    "pairwright.help": Route("task", _help),
}
