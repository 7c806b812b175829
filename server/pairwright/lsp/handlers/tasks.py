"""Long tasks: plan, run, stop, resume, redo or leave out a file, undo, show.

`pairwright.task.plan` and `run` answer `{id, task}` at once; what follows comes as progress, as the notifications of
a turn, as `pairwright/task/changed`, and as `pairwright/turn/end`, with the task in it. A client without our protocol
gets documents and messages.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from pairwright.config.load import environment
from pairwright.config.paths import cache_dir
from pairwright.engine.events import Stop
from pairwright.engine.task import control, document
from pairwright.engine.task.journal import Busy
from pairwright.engine.task.page import page
from pairwright.engine.task.plan import Plan
from pairwright.engine.task.planning import Source, Wish, planned, wrong
from pairwright.engine.task.run import Recorder, run, summary
from pairwright.engine.task.state import Review, State, Turned, grown
from pairwright.llm.types import ModelError
from pairwright.lsp.errors import InvalidParams, Refused
from pairwright.lsp.guard import Call, Route
from pairwright.lsp.handlers import requests
from pairwright.lsp.handlers.checkpoints import to_save
from pairwright.lsp.handlers.map import chosen_root
from pairwright.lsp.instructions import About
from pairwright.lsp.progress import Report
from pairwright.lsp.session import Session
from pairwright.lsp.stream import Stream
from pairwright.lsp.tasks import as_json, task_of
from pairwright.lsp.uris import from_path
from pairwright.lsp.uris import place as place_of
from pairwright.lsp.virtual import Address, uri_of
from pairwright.lsp.workbench import Running, Workbench, workbench

_FAILED = "Pairwright failed inside; its log has the details."


async def _plan(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Plan what `text` asks for, or the document at `uri`; `uris`: further documents. With `task` its plan is
    changed as `text` says. Without words a request document is shown to write them in."""
    session = call.session
    bench = _bench(session, args)
    words, uris = _word(args, "text").strip(), _list(args, "uris")
    if not words:
        uris = [args.get("uri"), *uris]
    sources = [await _source(bench, uri) for uri in uris if isinstance(uri, str) and uri]
    if not words and not sources:
        about = About("plan", bench.root.path, session=_word(args, "task"))
        folder = cache_dir(environment()) / "requests"
        path = await requests.create(session, folder, about, "", focus=True)
        return {"id": None, "task": None, "document": str(path)}
    words = words or f"Plan what {sources[0].name} asks for."
    chat = tuple(one for one in _list(args, "chat") if isinstance(one, str))
    return await _begun(bench, Wish(words, tuple(sources), chat), _word(args, "task"))


async def plan(session: Session, root: str, words: str, ident: str) -> dict[str, Any]:
    """Plan what a request document says; `ident`: the task whose plan is to be changed, empty for a new one."""
    return await _begun(_bench(session, {"root": root}), Wish(words), ident)


async def _begun(bench: Workbench, wish: Wish, ident: str) -> dict[str, Any]:
    state = await _known(bench, ident) if ident else None
    task = state.id if state else bench.tasks.fresh()
    wish = replace(wish, before=await _so_far(bench, state) if state else None)
    work = partial(_planned, bench, task, state, wish)
    return {"id": _start(bench, "plan", wish.words, task, work), "task": task}


async def _so_far(bench: Workbench, state: State) -> Plan:
    """The plan that is to be changed, with what was changed in its document and not run yet."""
    edited = document.read(await bench.tasks.edited(state) or "")
    return edited if edited.entries else state.plan


async def _source(bench: Workbench, uri: str) -> Source:
    """A document that is open, or a file: the buffer's text wins."""
    session = bench.session
    at = session.documents.locate(uri)
    opened = session.documents.opened(uri)
    where = place_of(uri)
    if opened is None and (where is None or at is None):
        raise Refused(f"{uri} is no document of this workspace that can be read.")
    path = at.path if at is not None and at.root is bench.root else ""
    if opened is not None:
        return Source(path or uri.rpartition("/")[2], opened.document.text, path)
    found = await asyncio.to_thread(bench.snapshot().document, path) if path else None
    if found is None:
        raise Refused(f"{uri} is no document of this workspace that can be read.")
    return Source(path, found.text, path)


async def _planned(
    bench: Workbench, task: str, state: State | None, wish: Wish, stream: Stream
) -> tuple[State | None, str]:
    """The plan is made, kept and shown; the task, and why there is none."""
    crew = bench.tasks.crew(stream)
    found = await planned(crew, wish)
    if isinstance(found, Stop):
        return None, found.message
    desk = bench.tasks.recorder(state or State())
    if state is None:
        await control.opened(desk, task, wish.words, time.time())
    await control.planned(desk, found, wish.words, time.time())
    await _open(bench, desk.state)
    return desk.state, ""


async def _open(bench: Workbench, state: State) -> None:
    """Put the plan before the user, to be edited. What was changed in it and not run yet stays."""
    path = bench.tasks.place(state)
    if await bench.tasks.edited(state) is None:
        await asyncio.to_thread(requests.write, path, bench.tasks.text(state))
    await requests.show(bench.session, path, focus=False)


async def _run(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Carry a task out from where it is, by its plan as its document has it now."""
    bench = _bench(call.session, args)
    state = await _named(bench, args)
    if state.id in bench.tasks.running:
        raise Refused(f"Task {state.id} is running already.")
    review = args.get("review")
    if review not in (None, "file", "task", "end"):
        raise InvalidParams("`review` is file, task or end")
    state = await _as_edited(bench, state, args)
    work = partial(_carried_out, bench, state, review)
    return {"id": _start(bench, "task", state.plan.title, state.id, work), "task": state.id}


async def _as_edited(bench: Workbench, state: State, args: Mapping[str, Any]) -> State:
    """The task with the plan that its document holds. Raises Refused if that has faults."""
    uri = _word(args, "uri")
    opened = bench.session.documents.opened(uri) if uri else None
    is_plan = opened is not None and task_of(opened.document.text) == state.id
    text = opened.document.text if opened and is_plan else await bench.tasks.edited(state)
    if text is None:
        return state
    plan = document.read(text)
    if plan == state.plan:
        return state
    faults = await asyncio.to_thread(wrong, plan, bench.snapshot(), state)
    if faults:
        raise Refused("\n".join(("The plan cannot be carried out:", *faults)))
    async with _held(bench, state) as desk:
        await control.planned(desk, plan, "", time.time())
    return desk.state


async def _carried_out(
    bench: Workbench, state: State, review: Review | None, stream: Stream
) -> tuple[State | None, str]:
    try:
        with ExitStack() as stack:
            await bench.tasks.taken(state.id, stack)
            state = await bench.tasks.get(state.id) or state
            end = await run(bench.tasks.crew(stream), state, review)
    except Busy:
        return state, _elsewhere(state)
    return end, end.reason if end.status == "stopped" else ""


def _start(
    bench: Workbench,
    mode: str,
    words: str,
    task: str,
    work: Callable[[Stream], Awaitable[tuple[State | None, str]]],
) -> str:
    """Do `work` in the background; the id that its events carry."""
    ident = uuid.uuid4().hex[:12]
    running = bench.session.guard.spawn(_followed(bench, ident, mode, task, work))
    bench.running[ident] = Running(ident, mode, words, running)
    bench.tasks.running[task] = running
    return ident


async def _followed(
    bench: Workbench,
    ident: str,
    mode: str,
    task: str,
    work: Callable[[Stream], Awaitable[tuple[State | None, str]]],
) -> None:
    """Progress, events and the end of `work`, whatever comes of it."""
    session = bench.session
    state: State | None = None
    problem = _FAILED
    title = "Pairwright: Planning a task" if mode == "plan" else "Pairwright: Task"

    def stop() -> None:
        bench.running[ident].task.cancel()

    try:
        async with session.progress(title, on_cancel=stop, percent=True) as report:
            state, problem = await _streamed(bench, ident, report, work)
            report.message = problem.partition("\n")[0] or (summary(state) if state else "")
    except asyncio.CancelledError:
        problem = "Cancelled."
        with suppress(OSError):
            state = bench.tasks.journal.read(task)
        raise
    finally:
        bench.running.pop(ident, None)
        bench.tasks.running.pop(task, None)
        _tell_end(session, ident, mode, state, problem)


async def _streamed(
    bench: Workbench,
    ident: str,
    report: Report,
    work: Callable[[Stream], Awaitable[tuple[State | None, str]]],
) -> tuple[State | None, str]:
    stream = Stream(bench.session, ident, report.report, bool(bench.session.client.protocol))
    try:
        return await work(stream)
    except ModelError as error:
        return None, error.message
    except OSError as error:
        return (
            None,
            f"The task could not be written down: {error}. Nothing of it is lost; mend that, then resume it.",
        )
    finally:
        stream.finish()


def _tell_end(session: Session, ident: str, mode: str, state: State | None, problem: str) -> None:
    said = problem or _ended(mode, state)
    if session.client.protocol:
        params: dict[str, Any] = {"id": ident, "text": document.render(state.plan) if state else ""}
        if problem:
            reason = "cancelled" if problem == "Cancelled." else "task"
            params |= {"outcome": "stop", "reason": reason, "message": problem}
        else:
            proposals = state.proposals if state and state.status == "waiting" else ()
            params |= {"outcome": "done", "proposal": proposals[-1] if proposals else None}
            params |= {
                "shell": [],
                "missing": [],
                "findings": [],
                "refine": False,
                "accepted": None,
            }
        session.notify("pairwright/turn/end", {**params, "task": as_json(state) if state else None})
    elif problem != "Cancelled.":
        session.show("warning" if problem else "info", f"Pairwright: {said}")


def _ended(mode: str, state: State | None) -> str:
    if state is None:
        return ""
    if mode == "plan":
        return f"Planned {len(state.plan.entries)} files. Look at the plan, then run the task."
    waits = " Code actions in the files accept or reject them." if state.status == "waiting" else ""
    return f"{summary(state)}.{waits}"


# --- what is done at once


async def _stop(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Stop the run of a task, of every one if none is named; what is done stays."""
    stopped = []
    for bench in call.session.benches.values():
        if not bench.has_tasks:
            continue
        for task, running in sorted(bench.tasks.running.items()):
            if _word(args, "task") in ("", task):
                running.cancel()
                stopped.append(task)
    return {"stopped": stopped}


async def _redo(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Write the file at `path` anew: what was made of it is taken back where that can be, and the task goes on."""
    bench = _bench(call.session, args)
    state = await _idle(bench, args)
    async with _held(bench, state) as desk:
        if reason := await control.redone(desk, _path(bench, args)):
            raise Refused(reason)
    return await _run(call, {**args, "task": state.id})


async def _skip(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Leave the file at `path` out."""
    bench = _bench(call.session, args)
    async with _held(bench, await _idle(bench, args)) as desk:
        if reason := await control.skipped(desk, _path(bench, args)):
            raise Refused(reason)
    return as_json(desk.state)


async def _undo(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Take back all that a task brought into the workspace."""
    bench = _bench(call.session, args)
    async with _held(bench, await _idle(bench, args)) as desk:
        result = await control.taken_back(desk)
    if not call.session.client.protocol:
        level = "info" if result.state == "done" else "warning"
        call.session.show(level, f"Pairwright: {result.message}")
    save = to_save(call.session, [(bench, result)])
    return {
        "state": result.state,
        "message": result.message,
        "save": save,
        "task": as_json(desk.state),
    }


async def _show(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """Where a task stands, as a document; with `plan` its plan to be edited."""
    bench = _bench(call.session, args)
    state = await _fresh(bench, await _named(bench, args))
    if args.get("plan") is True:
        await _open(bench, state)
        uri = from_path(str(bench.tasks.place(state)))
        text = await bench.tasks.edited(state) or bench.tasks.text(state)
        return {"uri": uri, "text": text, "task": as_json(state)}
    text, uri = page(state), uri_of(f"task/{state.id}.md", root=args.get("root"))
    if not call.session.client.protocol and not (
        call.session.client.virtual and await requests.show_uri(call.session, uri, focus=False)
    ):
        path = cache_dir(environment()) / "documents" / f"task-{state.id}.md"
        await asyncio.to_thread(requests.write, path, text)
        await requests.show(call.session, path, focus=False)
    return {"uri": uri, "text": text, "task": as_json(state)}


async def _tasks(call: Call, args: Mapping[str, Any]) -> dict[str, Any]:
    """The tasks of a folder, the newest first."""
    bench = _bench(call.session, args)
    found = await asyncio.to_thread(bench.tasks.journal.listed)
    return {"tasks": [as_json(state) for state in found]}


async def text_of(session: Session, where: Address) -> str:
    """A task as a document."""
    bench = _bench(session, {"root": where.one("root")})
    return page(await _known(bench, where.rest.removesuffix(".md")))


async def _fresh(bench: Workbench, state: State) -> State:
    """The task with what the user chose meanwhile, unless it is being worked at."""
    if state.id in bench.tasks.running:
        return state
    try:
        async with bench.tasks.held(state.id):
            state = await bench.tasks.get(state.id) or state
            if state.status == "running":
                # Its process was killed; nothing is lost, and nothing goes on by itself.
                state = grown(state, Turned("stopped", "cut short; resume goes on"))
            return await control.refreshed(bench.tasks.recorder(state))
    except Busy:
        return state


# --- arguments


def _bench(session: Session, args: Mapping[str, Any]) -> Workbench:
    return workbench(session, chosen_root(session, args.get("root")))


async def _named(bench: Workbench, args: Mapping[str, Any]) -> State:
    """The task named, the one whose plan is the document at `uri`, or the newest."""
    ident, uri = _word(args, "task"), _word(args, "uri")
    opened = bench.session.documents.opened(uri) if uri and not ident else None
    return await _known(bench, ident or (task_of(opened.document.text) if opened else ""))


async def _known(bench: Workbench, ident: str) -> State:
    state = await bench.tasks.get(ident)
    if state is None:
        what = f"There is no task {ident}." if ident else "There is no task yet."
        raise Refused(f"{what} Pairwright: Plan a Task makes one.")
    return state


async def _idle(bench: Workbench, args: Mapping[str, Any]) -> State:
    state = await _named(bench, args)
    if state.id in bench.tasks.running:
        raise Refused(f"Task {state.id} is running: stop it first.")
    return state


@asynccontextmanager
async def _held(bench: Workbench, state: State) -> AsyncIterator[Recorder]:
    """The writer of the task as it is by now; nobody else works at it meanwhile. Raises Refused."""
    try:
        async with bench.tasks.held(state.id):
            yield bench.tasks.recorder(await bench.tasks.get(state.id) or state)
    except Busy:
        raise Refused(_elsewhere(state)) from None


def _elsewhere(state: State) -> str:
    return (
        f"Task {state.id} is being worked at by another server: stop it there, or wait for its end."
    )


def _path(bench: Workbench, args: Mapping[str, Any]) -> str:
    """The file that `path` names, or the one at `uri`."""
    path = _word(args, "path")
    if not path and (uri := _word(args, "uri")):
        at = bench.session.documents.locate(uri)
        path = at.path if at is not None else ""
    if not path:
        raise InvalidParams("`path` names a file of the task")
    return path


def _word(args: Mapping[str, Any], name: str) -> str:
    value = args.get(name)
    return value if isinstance(value, str) else ""


def _list(args: Mapping[str, Any], name: str) -> list[Any]:
    value = args.get(name)
    return value if isinstance(value, list) else []


COMMANDS: dict[str, Route] = {
    "pairwright.task.list": Route("task", _tasks),
    "pairwright.task.plan": Route("task", _plan),
    "pairwright.task.redo": Route("task", _redo),
    "pairwright.task.resume": Route("task", _run),
    "pairwright.task.run": Route("task", _run),
    "pairwright.task.show": Route("task", _show),
    "pairwright.task.skip": Route("task", _skip),
    "pairwright.task.stop": Route("task", _stop),
    "pairwright.task.undo": Route("task", _undo),
}
