"""What the text of a step is held to before it counts as done. Nothing here asks a model.

In order: it is really there and not empty, it parses, it defines what it promised, and the commands of the plan
succeed with it. A command runs in a copy of the workspace, and only where the user vouches for it and has agreed.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pairwright.edits.types import FileChange
from pairwright.engine.checks import Examiner
from pairwright.engine.events import Status
from pairwright.engine.findings import Finding
from pairwright.engine.lint import texts
from pairwright.engine.overlay import Overlay
from pairwright.engine.task.contract import unmet
from pairwright.engine.task.plan import Entry
from pairwright.engine.tools import Tools
from pairwright.text.hashing import digest
from pairwright.workspace import scratch

_MAY_BE_EMPTY = frozenset(
    ("__init__.py", "py.typed", ".gitkeep", ".keep", ".nojekyll", "__init__.pyi")
)
_OUTPUT = 3_000
"""Characters of a command's words that the next try is told, its end."""
RUN, SKIP = "Run", "Skip"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text does not count as done. `reason`: a tag; `told`: for the next try and for the user."""

    reason: str
    told: str


class Consent:
    """Whether the commands of one plan may run: asked once a run."""

    def __init__(self, tools: Tools, commands: Sequence[str]) -> None:
        self._tools = tools
        self._commands = tuple(dict.fromkeys(commands))
        self._agreed: bool | None = None

    async def given(self) -> bool:
        if self._agreed is None:
            self._agreed = await self._asked()
        return self._agreed

    async def _asked(self) -> bool:
        checks, mode = self._tools.checks, self._tools.settings.task.run_checks
        if mode == "off" or checks.runner is None:
            return False
        if not checks.trusted:
            said = "the checks of the plan do not run: this workspace is not trusted"
            self._tools.emit(Status(said))
            return False
        if mode == "run":
            return True
        question = (
            f"Run the checks of the plan, in a copy of the workspace: {', '.join(self._commands)}?"
        )
        return await self._tools.ask(question, (RUN, SKIP)) == RUN


async def verified(
    changes: Sequence[FileChange],
    entries: Sequence[Entry],
    before: Overlay,
    after: Overlay,
    tools: Tools,
    consent: Consent,
) -> Fault | tuple[str, ...]:
    """What is wrong with `changes`, which lead from `before` to `after`; else the checks that did not run."""
    fault = await asyncio.to_thread(_standing, changes, entries, after)
    if fault is not None:
        return fault
    # Tests of the whole may fail until the task is done; the plan says what has to hold for a step.
    checks = replace(tools.checks, settings=replace(tools.checks.settings, test=()))
    findings = await Examiner(checks, tools.ask, tools.emit).examine(changes, before)
    if findings:
        return Fault("checks", _found(findings))
    fault = await asyncio.to_thread(_promised, entries, after)
    if fault is not None:
        return fault
    commands = tuple(dict.fromkeys(command for entry in entries for command in entry.checks))
    if not commands:
        return ()
    if not await consent.given():
        return commands
    return await _ran(commands, after, tools) or ()


def _standing(
    changes: Sequence[FileChange], entries: Sequence[Entry], after: Overlay
) -> Fault | None:
    """Whether each file of the step is there as it was written, and says something."""
    made = {change.path: change for change in changes}
    for entry in entries:
        change = made.get(entry.path)
        if change is None:
            return Fault("incomplete", f"{entry.path} was not in the reply: write it as well.")
        document = after.document(entry.path)
        if change.after is None:
            if document is not None:
                return Fault("hash", f"{entry.path} still stands.")
            continue
        if document is None or document.digest != digest(change.after):
            return Fault("hash", f"{entry.path} does not hold the text that was written.")
        name = entry.path.rpartition("/")[2]
        if not change.after.strip() and name not in _MAY_BE_EMPTY:
            return Fault("empty", f"{entry.path} came out empty: write its whole text.")
    return None


def _promised(entries: Sequence[Entry], after: Overlay) -> Fault | None:
    rows: list[str] = []
    for entry in entries:
        found = after.tagged(entry.path)
        if entry.action == "delete" or found is None:
            continue
        document, tags = found
        names = unmet(entry.contract, tags, document.text)
        rows += (
            f"{entry.path} does not define {name}, which its contract promises." for name in names
        )
    return Fault("contract", "\n".join(rows)) if rows else None


def _found(findings: Sequence[Finding]) -> str:
    parts = [f"{one.told}\n{one.excerpt}" if one.excerpt else one.told for one in findings]
    return "\n\n".join((*parts, "Nothing of this was there before."))


async def _ran(commands: Sequence[str], after: Overlay, tools: Tools) -> Fault | None:
    """The first of `commands` that fails on a copy of the workspace."""
    runner, settings = tools.checks.runner, tools.settings.task
    assert runner is not None
    try:
        place = await asyncio.to_thread(_copied, after)
    except (OSError, scratch.TooLarge) as error:
        return Fault("check", f"The checks could not run: the workspace was not copied ({error}).")
    try:
        for command in commands:
            tools.emit(Status(f"running {command}"))
            words = _words(command)
            if not words:
                return Fault("check", f"`{command}` is no command.")
            ran = await runner.run(words, place, settings.check_timeout)
            if ran.code != 0:
                how = "took too long" if ran.timed_out else f"ended with {ran.code}"
                if ran.code is None:
                    how = "could not be started"
                said = ran.output.replace(f"{place}/", "").rstrip()[-_OUTPUT:]
                return Fault("check", f"`{command}` {how}:\n{said}")
    finally:
        await asyncio.to_thread(scratch.remove, place)
    return None


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _copied(after: Overlay) -> str:
    files: dict[str, bytes | None] = dict(texts(after, (), True))
    files.update((path, None) for path, data in after.over.items() if data is None)
    return scratch.tree(after.root, after.base.paths(), files)
