"""`pairwright task`: a longer piece of work, planned and carried out file by file.

    pairwright task plan -m "add carts" docs/wish.md > plan.md
    pairwright task run --plan plan.md

A plan is printed to be edited, and kept; a run goes on from where it is, whatever stopped it. Exit code 0: done; 1:
refused, stopped or something failed, stderr says what; 2: usage; 130: interrupted, what was done is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli import settings
from pairwright.cli.main import add_parser, asked

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from pairwright.cli.commits import Recorded
    from pairwright.config.schema import Settings
    from pairwright.engine.events import Event
    from pairwright.engine.ports import Models
    from pairwright.engine.task.crew import Crew, Decision
    from pairwright.engine.task.planning import Source
    from pairwright.engine.task.run import Recorder
    from pairwright.engine.task.state import State
    from pairwright.workspace.cache import Cache
    from pairwright.workspace.host import Host


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `task`."""
    parser = add_parser(commands, "task")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    plan = _action(actions, "plan", "make a plan, print it, keep it")
    plan.add_argument("-m", "--message", default="", metavar="TEXT", help="what is to be made")
    plan.add_argument("documents", nargs="*", type=Path, metavar="FILE", help="texts that say it")
    _of_model(plan)
    run = _action(actions, "run", "carry a task out, or go on with it")
    run.add_argument("--plan", type=Path, metavar="FILE", help="the plan as you edited it")
    run.add_argument(
        "--review", choices=("file", "task", "end"), help="in place of the setting, see tasks.md"
    )
    run.add_argument("--yes", action="store_true", help="apply without asking")
    run.add_argument("--checks", action="store_true", help="run the checks of the plan")
    _of_model(run)
    _action(actions, "show", "print where a task stands").add_argument(
        "--json", action="store_true"
    )
    _action(actions, "list", "list the tasks of the folder")
    for name, text in (
        ("redo", "let the next run write a file anew"),
        ("skip", "leave a file out"),
    ):
        _action(actions, name, text).add_argument("path", metavar="FILE")
    _action(actions, "undo", "take back all that a task changed")
    parser.set_defaults(run=run_)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=text)
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the folder")
    parser.add_argument("--task", default="", metavar="ID", help="which task; the newest")
    settings.add(parser)
    return parser


def _of_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default="", metavar="NAME", help="the model; else as in docs")
    parser.add_argument("--api-base", default="", metavar="URL", help="its server's address")


def run_(args: argparse.Namespace) -> int:
    """Do what `args` ask for; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright task: {args.root} is not a folder", file=sys.stderr)
        return 2
    found = settings.of_model(settings.of(args), args)
    return asyncio.run(_Terminal(args.root.resolve(), args, _checked(found, args)).run())


def _checked(found: Settings, args: argparse.Namespace) -> Settings:
    """`found`, where the checks of a plan run after `--checks`, else as a trusted workspace has it."""
    mode = found.task.run_checks if found.trusted else "off"
    task = replace(found.task, run_checks="run" if getattr(args, "checks", False) else mode)
    return replace(found, task=task)


@dataclass
class _Terminal:
    """One command at a terminal."""

    root: Path
    args: argparse.Namespace
    settings: Settings

    async def run(self) -> int:
        from pairwright.cli.desk import told
        from pairwright.engine.task.journal import Busy

        try:
            async with self._crew() as crew:
                await told(crew.desk)
                match self.args.action:
                    case "plan":
                        return await self._plan(crew)
                    case "list":
                        return self._list(crew)
                state = await self._named(crew)
                if state is None:
                    return self._failed("there is no such task: `pairwright task plan` makes one")
                with crew.journal.held(state.id):
                    return await self._act(crew, state)
        except Busy:
            return self._failed(
                "the task is being worked at by another process: stop it there, or wait"
            )
        except OSError as error:
            return self._failed(str(error))

    async def _act(self, crew: Crew, state: State) -> int:
        from pairwright.cli.undo import shown
        from pairwright.engine.task import control
        from pairwright.engine.task.run import Recorder

        desk = Recorder(crew, state)
        match self.args.action:
            case "run":
                return await self._run(crew, desk)
            case "undo":
                return shown(await control.taken_back(desk))
            case "redo" | "skip" as what:
                change = control.redone if what == "redo" else control.skipped
                reason = await change(desk, self.args.path)
                return self._failed(reason) if reason else 0
        return self._show(await control.refreshed(desk))

    # --- plan

    async def _plan(self, crew: Crew) -> int:
        from pairwright.engine.events import Stop
        from pairwright.engine.task import control, document
        from pairwright.engine.task.planning import Wish, planned
        from pairwright.engine.task.run import Recorder
        from pairwright.engine.task.state import State
        from pairwright.llm.types import ModelError

        sources = [self._source(path) for path in self.args.documents]
        words = self.args.message or (f"Plan what {sources[0].name} asks for." if sources else "")
        if not words:
            return self._failed("say what is to be made: -m TEXT, or a file")
        before = await self._named(crew) if self.args.task else None
        try:
            wish = Wish(words, tuple(sources), (), before.plan if before else None)
            found = await planned(crew, wish)
        except ModelError as error:
            return self._failed(error.message)
        if isinstance(found, Stop):
            return self._failed(found.message)
        desk = Recorder(crew, before or State())
        if before is None:
            await control.opened(desk, _fresh(), words, time.time())
        await control.planned(desk, found, words, time.time())
        print(document.render(found), end="")
        print(f"task {desk.state.id}: `pairwright task run` carries it out", file=sys.stderr)
        return 0

    def _source(self, path: Path) -> Source:
        from pairwright.engine.task.planning import Source

        text = path.read_text(encoding="utf-8", errors="replace")
        real = path.resolve()
        inside = real.is_relative_to(self.root)
        return Source(path.name, text, real.relative_to(self.root).as_posix() if inside else "")

    # --- run

    async def _run(self, crew: Crew, desk: Recorder) -> int:
        from pairwright.engine.task.run import reviewed, run, summary

        if reason := await self._edited(desk):
            return self._failed(reason)
        plan = desk.state.plan
        review = self.args.review or reviewed(desk.state, self.settings.task.review)
        if review == "task" and not self.args.yes:
            question = f"Write {len(plan.entries)} files, each with a checkpoint?"
            if await asked(question, ("yes", "no")) != "yes":
                return self._failed("nothing was done: say --yes, or --review end")
        state = await run(replace(crew, decided=self._decided(crew)), desk.state, review)
        if state.status == "waiting" and not await self._accepted(crew, state):
            print(f"{summary(state)}; not applied", file=sys.stderr)
            return 1
        print(summary(state), file=sys.stderr)
        if state.status == "stopped":
            return self._failed(state.reason)
        return 1 if state.paths("failed", "skipped", "stale") else 0

    async def _edited(self, desk: Recorder) -> str:
        """Take the plan as the user edited it; what is wrong with it, empty if nothing is."""
        from pairwright.engine.task import control, document
        from pairwright.engine.task.planning import wrong

        if self.args.plan is None:
            return ""
        plan = document.read(self.args.plan.read_text(encoding="utf-8"))
        if plan == desk.state.plan:
            return ""
        faults = await asyncio.to_thread(wrong, plan, desk.crew.desk.snapshot(), desk.state)
        if faults:
            return "\n".join(("the plan cannot be carried out:", *faults))
        await control.planned(desk, plan, "", time.time())
        return ""

    def _decided(self, crew: Crew) -> Callable[[str], Awaitable[Decision | None]]:
        async def decided(proposal: str) -> Decision | None:
            return await self._choice(crew, proposal)

        return decided

    async def _accepted(self, crew: Crew, state: State) -> bool:
        waiting = dict.fromkeys(state.file(path).proposal for path in state.paths("proposed"))
        return all([await self._choice(crew, ident) == "accepted" for ident in waiting])

    async def _choice(self, crew: Crew, ident: str) -> Decision | None:
        """Show a proposal and do it after a yes."""
        from pairwright.edits.types import FileChange
        from pairwright.edits.unified import unified
        from pairwright.engine.accept import accept, reject

        proposal = crew.desk.proposals.get(ident)
        if proposal is None:
            return None
        for file in proposal.files:
            hunks = tuple(one.hunk for one in file.pending)
            whole = file.before is None or file.after is None
            change = FileChange(file.path, file.before, file.after, () if whole else hunks)
            print(unified(change), end="")
        answer = "yes" if self.args.yes else await asked("Apply?", ("yes", "no"))
        if answer is None:
            return None
        if answer == "no":
            await reject(crew.desk, ident)
            return "rejected"
        result = await accept(crew.desk, ident)
        print(result.message, file=sys.stderr)
        return "accepted" if result.state == "applied" else None

    # --- what there is

    async def _named(self, crew: Crew) -> State | None:
        if self.args.task:
            return crew.journal.read(self.args.task)
        found = crew.journal.listed()
        return found[0] if found else None

    def _list(self, crew: Crew) -> int:
        from pairwright.engine.task.run import summary

        for state in crew.journal.listed():
            print(f"{state.id}  {state.status}  {state.plan.title}: {summary(state)}")
        return 0

    def _show(self, state: State) -> int:
        from pairwright.engine.task.page import page

        if not self.args.json:
            print(page(state), end="")
            return 0
        files = {path: one.phase for path, one in state.files.items()}
        row = {"task": state.id, "status": state.status, "reason": state.reason, "files": files}
        print(json.dumps(row, ensure_ascii=False, indent=2))
        return 0

    # --- what it works with

    @asynccontextmanager
    async def _crew(self) -> AsyncIterator[Crew]:
        from pairwright.cli.commits import following
        from pairwright.cli.map import progress
        from pairwright.config.load import environment
        from pairwright.llm.models import ConfiguredModels
        from pairwright.workspace.host import Host
        from pairwright.workspace.remote import store

        cache = store(environment())
        host = Host(str(self.root), self.settings.index, cache)
        models = ConfiguredModels(self.settings.model, environment())
        try:
            if self.args.action in ("plan", "run"):
                await asyncio.to_thread(host.scan, progress if sys.stderr.isatty() else None)
            async with following(self.root, self.settings) as recorded:
                yield self._made(host, cache, models, recorded)
        finally:
            await models.close()
            host.stop()
            cache.close()

    def _made(self, host: Host, cache: Cache, models: Models, recorded: Recorded) -> Crew:
        from pairwright.checkpoints.place import folder_of
        from pairwright.cli.checks import checks_of
        from pairwright.cli.desk import desk_of
        from pairwright.cli.examples import examples
        from pairwright.config.load import environment
        from pairwright.config.paths import data_dir
        from pairwright.engine.door import Door
        from pairwright.engine.knowledge import Known
        from pairwright.engine.records import Notebook, place_of
        from pairwright.engine.session import Sessions
        from pairwright.engine.spend import kept
        from pairwright.engine.task.crew import Crew
        from pairwright.engine.task.journal import Journal
        from pairwright.engine.tools import Tools
        from pairwright.memory.shelf import Shelf

        data, settings = data_dir(environment()), self.settings
        spending = kept(data, str(self.root), lambda: settings.budget)
        notebook = Notebook(Shelf(place_of(data, str(self.root))), lambda: settings.history.persist)

        def changed(state: State) -> None:
            host.disk(list(state.paths("applied")))

        tools = Tools(
            settings,
            models,
            Door(lambda: settings.privacy, spending),
            Sessions(),
            self._heard,
            asked,
            lambda changes, snapshot, missing: "",
            checks=checks_of(self.args, settings),
        )
        return Crew(
            tools,
            desk_of(self.root, settings, host, recorded),
            Journal(data / "tasks" / folder_of(data, str(self.root)).name),
            knowledge=lambda snapshot: Known(notebook, snapshot),
            references=examples(settings.reference, cache, models, tools.door, host.snapshot),
            learn=notebook.learn,
            changed=changed,
        )

    def _heard(self, event: Event) -> None:
        from pairwright.engine.events import Status

        if isinstance(event, Status):
            print(event.text, file=sys.stderr, flush=True)

    def _failed(self, reason: str) -> int:
        print(f"pairwright task: {reason}", file=sys.stderr)
        return 1


def _fresh() -> str:
    import secrets

    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
