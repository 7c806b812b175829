"""Shell commands that an answer suggests: offered behind the turn, run on a yes to each, told on a further yes.

Nothing is run that the user has not seen whole, and nothing in a workspace that is not trusted. What runs is exactly
the text that was shown, by a shell, in the workspace folder, without credentials in its environment.
"""

from __future__ import annotations

import asyncio
import signal
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.events import Done, Outcome
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.session import Session
from pairwright.lsp.suggested import MOST, fact, hidden_parts, outcome, page, shell_of
from pairwright.lsp.workbench import Workbench
from pairwright.workspace.run import Commands, Ran

RUN, ADD, NO = "Run", "Add", "No"

_TIMEOUT = 600.0
_UNTRUSTED = (
    "this workspace is not trusted: `trusted` in the editor's initializationOptions, or `--set trusted=true` on the "
    "server's command line, says that it is"
)


def remember(bench: Workbench, chat: str, end: Outcome) -> None:
    """A turn of the conversation `chat` has ended: what its answer suggests may be run from here on."""
    if isinstance(end, Done):
        bench.suggested.add(end.shell, bench.chats.key(chat))


async def offer(session: Session, bench: Workbench, end: Outcome) -> None:
    """Ask about each command of an answer, in a client that has no place of its own for them."""
    if not isinstance(end, Done) or not end.shell:
        return
    if not session.settings.trusted:
        listed = "; ".join(command.splitlines()[0] for command in end.shell[:MOST])
        session.show("info", f"Pairwright: suggested and not run: {listed}; {_UNTRUSTED}.")
        return
    for command in end.shell[:MOST]:
        if reason := hidden_parts(command):
            session.show("info", f"Pairwright: a suggested command is not offered: {reason}.")
        else:
            await _offered(session, bench, command)


async def _run(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Run `command`, which an answer suggested, after a yes to it."""
    session, command = call.session, args.get("command")
    if not isinstance(command, str) or not command.strip():
        raise InvalidParams("pairwright.run needs `command`: one that an answer suggested")
    benches = [session.benches[path] for path in sorted(session.benches)]
    bench = next((b for b in benches if b.suggested.session(command) is not None), None)
    if bench is None:
        raise Refused(
            "Only a command that an answer suggested is run here, exactly as it stood there."
        )
    if not session.settings.trusted:
        raise Refused(f"The command was not run: {_UNTRUSTED}.")
    if reason := hidden_parts(command):
        raise Refused(f"The command is not offered: {reason}.")
    found = await _offered(session, bench, command)
    if found is None:
        return {"state": "cancelled", "command": command}
    ran, joined = found
    return {
        "state": "ran",
        "command": command,
        "code": ran.code,
        "output": ran.output,
        "timedOut": ran.timed_out,
        "cut": ran.cut,
        "joined": joined,
    }


async def _offered(session: Session, bench: Workbench, command: str) -> tuple[Ran, bool] | None:
    """Ask, run, show, and ask whether the model may see it. What came of it, and whether it joins the chat; None
    without a yes."""
    name, words = shell_of(command)
    question = f"Pairwright: run this by {name} in {bench.root.path}?\n\n{command}"
    if await bench.editor.ask(question, (RUN, NO)) != RUN:
        return None
    ran = await _under_way(session, bench, words, command)
    await _show(session, command, ran)
    told = f"Pairwright: the command {outcome(ran.code, ran.timed_out)}. Tell the model with the next request?"
    if await bench.editor.ask(told, (ADD, NO)) != ADD:
        return ran, False
    bench.chats.tell(
        bench.suggested.session(command) or "", fact(command, ran.code, ran.timed_out, ran.output)
    )
    return ran, True


async def _under_way(session: Session, bench: Workbench, words: Sequence[str], command: str) -> Ran:
    """Run it with a progress that can be cancelled; that ends its whole process group."""
    keep = session.settings.checks.keep_environment
    commands = Commands(environment(), keep)
    task = asyncio.ensure_future(commands.run(words, bench.root.path, _TIMEOUT))

    def stop() -> None:
        task.cancel()

    title = f"Pairwright: running {command.splitlines()[0][:60]}"
    try:
        async with session.progress(title, on_cancel=stop):
            return await task
    except asyncio.CancelledError:
        task.cancel()
        if (current := asyncio.current_task()) is not None and current.cancelling():
            raise
        return Ran(-signal.SIGTERM, "")


async def _show(session: Session, command: str, ran: Ran) -> None:
    """The output as a document, in a client that has no place of its own for it."""
    if session.client.protocol:
        return
    path = cache_dir(environment()) / "requests" / f"run-{uuid.uuid4().hex[:8]}.md"
    text = page(command, ran.code, ran.timed_out, ran.output)
    await asyncio.to_thread(requests.write, path, text)
    await requests.show(session, path, focus=False)


COMMANDS: dict[str, Route] = {"pairwright.run": Route("task", _run)}
