"""`pairwright.reference.*`: repositories to look things up in: add, list, remove, search.

What they find is on the session's shelf, which keeps the indexes up to date.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir, data_dir
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.session import Session
from pairwright.reference.clone import Refusal
from pairwright.reference.library import MEGABYTES, Library, Root

if TYPE_CHECKING:
    from pairwright.lsp.shelf import Shelved


async def _add(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    source = _word(args, "source")
    if not source:
        raise InvalidParams("`source` is a folder, an installed package or a git URL")
    megabytes = args.get("megabytes", MEGABYTES)
    if not isinstance(megabytes, int) or megabytes < 1:
        raise InvalidParams("`megabytes` is a number from 1")
    async with call.session.progress(f"Adding {source[:60]}", token=call.work_token):
        done = await asyncio.to_thread(
            _library().add,
            source,
            name=_word(args, "name"),
            revision=_word(args, "revision"),
            megabytes=megabytes,
            site=_word(args, "site"),
        )
        root = _root(done)
    await call.session.shelf.of((root,), call.work_token)
    if not call.session.client.protocol:
        call.session.show("info", f"Pairwright: added {root.name}, licence {root.licence}")
    return asdict(root)


async def _list(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    return {"references": [asdict(root) for root in await asyncio.to_thread(_library().roots)]}


async def _remove(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    name = _word(args, "reference")
    root = _root(await asyncio.to_thread(_library().remove, name))
    return {"removed": root.name}


async def _search(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    session = call.session
    text, names = _word(args, "text"), args.get("names") or []
    if not text.strip() or not isinstance(names, list):
        raise InvalidParams("`text` says what is looked for; `names` is a list of references")
    limit = args.get("limit", 5)
    if not isinstance(limit, int) or not 1 <= limit <= 50:
        raise InvalidParams("`limit` is a number from 1 to 50")
    roots = await asyncio.to_thread(_library().roots)
    chosen = tuple(root for root in roots if not names or root.name in names)
    if not chosen:
        raise Refused("There is no such reference. Add one with pairwright.reference.add.")
    return await _found(session, await session.shelf.of(chosen, call.work_token), text, limit)


async def _found(session: Session, built: Shelved, text: str, limit: int) -> dict[str, Any]:
    from pairwright.reference.search import page, search

    wanted = session.settings.reference

    def work() -> tuple[list[dict[str, Any]], str]:
        found = search(
            built, text, limit=limit, tokens=wanted.tokens, all_licences=wanted.licences == "all"
        )
        return [asdict(one) for one in found], page(found, text)

    found, made = await asyncio.to_thread(work)
    if not session.client.protocol:
        path = cache_dir(environment()) / "documents" / "references.md"
        await asyncio.to_thread(requests.write, path, made)
        await requests.show(session, path, focus=False)
    return {"found": found, "text": made}


def _library() -> Library:
    env = environment()
    return Library(data_dir(env), cache_dir(env), env)


def _root(done: Root | Refusal) -> Root:
    if isinstance(done, Refusal):
        raise Refused(f"{done.reason[:1].upper()}{done.reason[1:]}.")
    return done


def _word(args: Mapping[str, Any], name: str) -> str:
    value = args.get(name, "")
    if not isinstance(value, str):
        raise InvalidParams(f"`{name}` is a text")
    return value


COMMANDS: dict[str, Route] = {
    "pairwright.reference.add": Route("task", _add),
    "pairwright.reference.list": Route("task", _list),
    "pairwright.reference.remove": Route("task", _remove),
    "pairwright.reference.search": Route("task", _search),
}
