"""`pairwright ask` and `pairwright edit`: one turn from a terminal or a script, by the same engine as in an editor.

The answer streams to stdout, rendered at a terminal; everything else goes to stderr. An edit is shown as a diff and
applied after a yes, or with `--yes`, between two checkpoints. Exit code 0: answered, or applied; 1: not, stderr says
why; 2: usage; 130: interrupted, and nothing was changed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pairwright.cli import settings
from pairwright.cli.checks import checks_of
from pairwright.cli.main import add_parser, asked
from pairwright.cli.map import progress, request_text
from pairwright.cli.names import files
from pairwright.cli.printed import Printed, printed
from pairwright.cli.suggested import suggested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pairwright.config.schema import Settings
    from pairwright.edits.types import FileChange
    from pairwright.engine.events import Event, Outcome
    from pairwright.engine.session import Sessions
    from pairwright.engine.turn import Turn
    from pairwright.llm.types import Usage
    from pairwright.workspace.host import Host
    from pairwright.workspace.types import Snapshot

Mode = Literal["ask", "edit"]
"""The command."""
MODES = {"ask": ("ask", "context", "help"), "edit": ("edit", "architect")}
"""The modes of each; the first is the usual one."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `ask`."""
    parser = arguments(commands, "ask")
    parser.set_defaults(run=lambda args: run(args, "ask"))


def arguments(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: Mode
) -> argparse.ArgumentParser:
    """What both commands take."""
    parser = add_parser(commands, name)
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the folder")
    request = parser.add_mutually_exclusive_group(required=True)
    request.add_argument("-m", "--message", default="", metavar="TEXT", help="what you want")
    request.add_argument("--message-file", type=Path, metavar="FILE", help="the same from a file")
    parser.add_argument(
        "--chat",
        action="append",
        default=[],
        metavar="FILE",
        help="a file, glob or folder it is about",
    )
    parser.add_argument(
        "--read", action="append", default=[], metavar="FILE", help="a file for reference only"
    )
    parser.add_argument(
        "--url", action="append", default=[], metavar="URL", help="a web page to fetch for it"
    )
    parser.add_argument(
        "--mode",
        choices=MODES[name],
        default=MODES[name][0],
        help="see modes.md; default: %(default)s",
    )
    parser.add_argument(
        "--session", default="", metavar="ID", help="a conversation to go on with, or to begin"
    )
    parser.add_argument("--model", default="", metavar="NAME", help="the model; else as in docs")
    parser.add_argument("--api-base", default="", metavar="URL", help="its server's address")
    parser.add_argument("--json", action="store_true", help="print the outcome as one object")
    settings.add(parser)
    return parser


def run(args: argparse.Namespace, mode: Mode) -> int:
    """Carry out one turn; the exit code."""
    try:
        root = args.root.resolve(strict=True)
        if not root.is_dir():
            return _usage(mode, f"{args.root} is not a folder")
        message = request_text(args)
    except OSError as error:
        return _usage(mode, str(error))
    if not message.strip():
        return _usage(mode, "the request is empty")
    from pairwright.engine.turn import Turn

    turn = Turn(args.mode, message, urls=tuple(args.url), session=args.session)
    found = settings.of_model(settings.of(args), args)
    return asyncio.run(_Terminal(root, args, found).run(turn))


@dataclass
class _Terminal:
    """One turn at a terminal. `changes`: what was proposed; `used`: the tokens of its requests."""

    root: Path
    args: argparse.Namespace
    settings: Settings
    changes: Sequence[FileChange] = ()
    used: list[Usage] = field(default_factory=list)
    proposal: str = ""
    out: Printed = field(init=False)
    sessions: Sessions = field(init=False)

    def __post_init__(self) -> None:
        from pairwright.cli.sessions import sessions_of
        from pairwright.engine.session import Sessions

        self.out = printed(sys.stdout, is_shown=not self.args.json)
        self.sessions = sessions_of(self.root) if self.args.session else Sessions()

    async def run(self, turn: Turn) -> int:
        """The exit code. Cancelling (Ctrl-C) closes the model's stream and changes nothing."""
        from pairwright.config.load import environment
        from pairwright.workspace.host import Host
        from pairwright.workspace.remote import store

        cache = store(environment())
        host = Host(str(self.root), self.settings.index, cache)
        try:
            if turn.mode != "help":
                await asyncio.to_thread(host.scan, progress if sys.stderr.isatty() else None)
            turn, problems = await asyncio.to_thread(self._named, turn, host.snapshot())
            if problems:
                return _usage(self.args.command, "; ".join(problems))
            outcome = await self._turn(turn, host)
        except OSError as error:
            return self._failed(f"{self.root} cannot be indexed: {error}")
        finally:
            self.out.end()
            host.stop()
            cache.close()
        code = await self._finished(turn, outcome)
        await self.sessions.flush()
        for problem in self.sessions.take_problems():
            print(f"pairwright {self.args.command}: {problem}", file=sys.stderr)
        return code

    def _named(self, turn: Turn, snapshot: Snapshot) -> tuple[Turn, tuple[str, ...]]:
        """The turn with its files, and the names that are none. One file alone is what the turn is about."""
        from dataclasses import replace

        chat, lost = files(self.root, self.args.chat, snapshot, "edit")
        read, more = files(self.root, self.args.read, snapshot, "read")
        path = chat[0] if len(chat) == 1 else None
        return replace(turn, path=path, chat=chat, read_only=read), (*lost, *more)

    async def _turn(self, turn: Turn, host: Host) -> Outcome:
        from dataclasses import replace

        from pairwright.config.load import environment
        from pairwright.config.paths import data_dir
        from pairwright.engine.door import Door
        from pairwright.engine.events import Done
        from pairwright.engine.spend import kept
        from pairwright.engine.turn import Tools, run
        from pairwright.llm.models import ConfiguredModels

        settings = self.settings
        models = ConfiguredModels(settings.model, environment())
        spending = kept(data_dir(environment()), str(self.root), lambda: settings.budget)
        tools = Tools(
            settings,
            models,
            Door(lambda: settings.privacy, spending),
            self.sessions,
            self._heard,
            self._asked,
            self._proposed,
            checks=checks_of(self.args, settings),
        )
        try:
            outcome = await run(turn, host.snapshot, tools)
            while isinstance(outcome, Done) and outcome.refine:
                self.out.end()
                words = await self._line("What is to be different? ")
                if not words:
                    break
                outcome = await run(replace(turn, instruction=words), host.snapshot, tools)
            return outcome
        finally:
            await models.close()

    async def _asked(self, question: str, options: Sequence[str]) -> str | None:
        """The answer of the person there; `--yes` stands for what leads to the edit and costs nothing."""
        from pairwright.engine.architect import EDIT
        from pairwright.engine.requested import ADD

        self.out.end()
        if getattr(self.args, "yes", False):
            for free in (EDIT, ADD):
                if free in options:
                    return free
        return await asked(question, options)

    async def _line(self, prompt: str) -> str:
        print(prompt, end="", file=sys.stderr, flush=True)
        line: str = await asyncio.to_thread(sys.stdin.readline)
        return line.strip()

    async def _finished(self, turn: Turn, outcome: Outcome) -> int:
        from pairwright.engine.events import Stop

        self.out.end()
        if isinstance(outcome, Stop):
            self._json(turn, outcome.text, stopped=outcome.message)
            return self._failed(outcome.message)
        for missing in outcome.missing:
            print(f"left out: {missing}", file=sys.stderr)
        for finding in outcome.findings:
            print(f"checks: {finding}", file=sys.stderr)
        applied = await self._applied(turn, bool(outcome.findings)) if self.changes else None
        for command in outcome.shell:
            await suggested(self.root, command)
        found = outcome.findings
        self._json(turn, outcome.text, applied=applied, shell=outcome.shell, findings=found)
        return 1 if applied is False else 0

    async def _applied(self, turn: Turn, is_faulty: bool) -> bool:
        """Show the changes, and do them after a yes. `is_faulty`: checks have something against them."""
        from pairwright.cli.desk import changed
        from pairwright.edits.unified import unified

        for change in self.changes:
            self.out.diff(unified(change))
        if self.args.yes and is_faulty and not self.args.unchecked:
            print("Nothing was changed: --unchecked applies it all the same.", file=sys.stderr)
            return False
        is_agreed = self.args.yes or (self.settings.apply.mode == "at-once" and not is_faulty)
        if not is_agreed and await asked("Apply?", ("yes", "no")) != "yes":
            print("Nothing was changed: say --yes to apply.", file=sys.stderr)
            return False
        note = turn.instruction.strip().partition("\n")[0]
        end = await changed(
            self.root, self.settings, self.changes, note, self.args.unprotected, self.proposal
        )
        if end.warning:
            print(end.warning, file=sys.stderr)
        if end.state != "done":
            way_on = " --unprotected goes on without." if end.state == "cancelled" else ""
            print(f"pairwright edit: {end.message}{way_on}", file=sys.stderr)
            return False
        print("Applied; `pairwright undo` takes it back.", file=sys.stderr)
        self._tell(turn, end.after)
        return True

    def _tell(self, turn: Turn, checkpoint: str) -> None:
        """The next request of the conversation knows that the edit is in."""
        from pairwright.memory.chat import Fact
        from pairwright.text.hashing import digest

        for change in self.changes:
            left = digest(change.after) if change.after is not None else ""
            fact = Fact("accepted", change.path, checkpoint, self.proposal, left)
            self.sessions.tell(turn.session, fact)

    # --- what the turn says

    def _heard(self, event: Event) -> None:
        from pairwright.engine.events import Looked, Offered, Reflected, Said, Status, Used

        match event:
            case Said(text, reasoning=False):
                self.out.add(text)
            case Status(text):
                self._note(text)
            case Reflected(reason, _):
                self._note(f"sent back for correction ({reason})")
            case Looked(wishes):
                for wish, found in wishes:
                    self._note(f"looked up {wish}: {found}")
            case Offered(paths):
                self._note(f"named but not in the chat (--chat adds it): {', '.join(paths)}")
            case Used(usage):
                self.used.append(usage)
            case _:
                pass

    def _note(self, text: str) -> None:
        self.out.end()
        print(text, file=sys.stderr, flush=True)

    def _proposed(
        self, changes: Sequence[FileChange], snapshot: Snapshot, missing: Sequence[str] = ()
    ) -> str:
        from pairwright.cli.desk import fresh_name

        self.changes, self.proposal = tuple(changes), fresh_name()
        return self.proposal

    def _json(self, turn: Turn, text: str, **more: Any) -> None:
        if not self.args.json:
            return
        tokens = {
            "prompt": sum(one.prompt for one in self.used),
            "completion": sum(one.completion for one in self.used),
        }
        files = [change.path for change in self.changes]
        found = {"mode": turn.mode, "text": text, "files": files, "tokens": tokens, **more}
        print(json.dumps(found, ensure_ascii=False, indent=2))

    def _failed(self, message: str) -> int:
        print(f"pairwright {self.args.command}: {message}", file=sys.stderr)
        return 1


def _usage(mode: Mode, problem: str) -> int:
    print(f"pairwright {mode}: {problem}", file=sys.stderr)
    return 2
