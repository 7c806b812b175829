"""What was sent to a model: the last requests, and each as a document."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine import sent
from pairwright.engine.door import Departed
from pairwright.lsp.errors import Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.session import Session
from pairwright.lsp.virtual import Address, uri_of
from pairwright.lsp.workbench import workbench


async def _sent(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """The list, and the text of one; a client without our protocol gets a document."""
    session, name = call.session, args.get("root")
    departed = workbench(session, chosen_root(session, name)).door.departed
    chosen = _chosen(departed, args.get("request"))
    text = sent.document(chosen)
    uri = uri_of(f"sent/{chosen.number}.md", root=name)
    if not session.client.protocol and not (
        session.client.virtual and await requests.show_uri(session, uri, focus=False)
    ):
        path = cache_dir(environment()) / "sent" / f"request-{chosen.number}.md"
        await asyncio.to_thread(requests.write, path, text)
        await requests.show(session, path, focus=False)
    listed = [{"number": one.number, "text": sent.line(one)} for one in reversed(departed)]
    return {"uri": uri, "text": text, "requests": listed}


async def document(session: Session, where: Address) -> str:
    """A request by its number, as a document."""
    bench = workbench(session, chosen_root(session, where.one("root")))
    number = where.rest.removesuffix(".md")
    return sent.document(_chosen(bench.door.departed, int(number) if number.isdigit() else None))


def _chosen(departed: tuple[Departed, ...], number: object) -> Departed:
    """The request `number`, the last one without it. Raises Refused."""
    if not departed:
        raise Refused("Nothing was sent to a model since the server started.")
    if number is None:
        return departed[-1]
    found = next((one for one in departed if one.number == number), None)
    if found is None:
        first, last = departed[0].number, departed[-1].number
        raise Refused(f"There is no request {number} any more: there are {first} to {last}.")
    return found


COMMANDS: dict[str, Route] = {"pairwright.sent": Route("task", _sent)}
