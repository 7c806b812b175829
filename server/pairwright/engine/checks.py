"""What a planned edit is held to before it is shown: syntax, then lint, then tests where a setting asks for it.

Syntax is always looked at; commands run only in a workspace that the user trusts, and as the settings say. A finding
never stands in the way of a proposal: it goes back to the model while there are tries left, and is shown then.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from pairwright.config.checks import Checks as Settings
from pairwright.edits.types import FileChange
from pairwright.engine.door import Ask
from pairwright.engine.events import Emit, Status
from pairwright.engine.findings import Finding, broken
from pairwright.engine.lint import Linter, Tests
from pairwright.engine.ports import Runner
from pairwright.workspace.types import Snapshot

RUN, SKIP = "Run", "Skip"


@dataclass(frozen=True, slots=True)
class Checks:
    """`runner`: None where no command can be run. `trusted`: the user vouches for the workspace."""

    settings: Settings = field(default_factory=Settings)
    runner: Runner | None = None
    trusted: bool = False


class Examiner:
    """The checks of one turn: what the user was asked once is not asked again."""

    def __init__(self, checks: Checks, ask: Ask, emit: Emit) -> None:
        self._checks = checks
        self._ask = ask
        self._emit = emit
        self._agreed: dict[str, bool] = {}

    async def examine(
        self, changes: Sequence[FileChange], snapshot: Snapshot
    ) -> tuple[Finding, ...]:
        """The first kind of check that has something against `changes`, with what it has."""
        settings, runner = self._checks.settings, self._checks.runner
        if settings.syntax and (found := await asyncio.to_thread(syntax, changes, snapshot)):
            return found
        if runner is None:
            return ()
        linter = Linter(settings, runner, snapshot, self._emit)
        if commands := dict.fromkeys(command for _, command in linter.wanted(changes)):
            what = ", ".join(map(shlex.join, commands))
            if await self._may("lint", what, settings.run_lint) and (
                found := await linter.lint(changes)
            ):
                return found
        if not settings.test or settings.test_when != "before":
            return ()
        if not await self._may("test", shlex.join(settings.test), settings.run_test):
            return ()
        failed = await Tests(settings, runner, snapshot, self._emit).proposed(changes)
        return (failed,) if failed else ()

    async def _may(self, kind: str, what: str, mode: str) -> bool:
        if mode == "off":
            return False
        if kind not in self._agreed:
            if not self._checks.trusted:
                self._emit(Status(f"{what} did not run: this workspace is not trusted"))
                self._agreed[kind] = False
            elif mode == "ask":
                question = f"Run `{what}` on the proposed edit?"
                self._agreed[kind] = await self._ask(question, (RUN, SKIP)) == RUN
            else:
                self._agreed[kind] = True
        return self._agreed[kind]


def syntax(changes: Sequence[FileChange], snapshot: Snapshot) -> tuple[Finding, ...]:
    """The syntax errors that `changes` bring in. Parses: run it in a thread."""
    found: list[Finding] = []
    for change in changes:
        if change.after is None:
            continue
        after = snapshot.flaws(change.path, change.after)
        if after:
            old = change.moved_from or change.path
            before = snapshot.flaws(old, change.before) if change.before else ()
            found += broken(change, before, after)
    return tuple(found)
