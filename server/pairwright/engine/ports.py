"""What the engine needs from outside, as protocols: the doors and the tests implement them.

`lsp` implements Editor over the client; tests implement them with real parts behind. The engine imports no
editor, no pygls and no process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pairwright.edits.types import FileChange
from pairwright.llm.types import Model
from pairwright.workspace.run import CAP, Ran


@dataclass(frozen=True, slots=True)
class Applied:
    """What an editor did with one file, judged by the text that came back and never by its answer.
    `state`: `applied`, `stale` (the text had moved; nothing was changed), `refused` (the client said no)
    or `unverified` (no text came back in time). `reason`: for the user."""

    path: str
    state: Literal["applied", "stale", "refused", "unverified"]
    reason: str = ""


class Editor(Protocol):
    """The client as far as a turn is concerned."""

    async def apply(self, label: str, changes: Sequence[FileChange]) -> tuple[Applied, ...]:
        """Bring each file from `before` to `after`, in order, versions checked first for all of them. One
        result a change, in order; stops at the first that is not `applied` (later ones get `refused`)."""
        ...

    async def ask(self, question: str, options: Sequence[str]) -> str | None:
        """The option the user chose; None when the question was dismissed or cannot be shown."""
        ...

    async def message(self, level: Literal["info", "warning", "error"], text: str) -> None:
        """One message for the user."""
        ...


class Models(Protocol):
    """Models by role."""

    async def get(self, role: Literal["main", "weak", "editor"] = "main") -> Model:
        """The model for `role`, ready. Raises ModelError(kind="auth") with what to do when there is none."""
        ...


class Journal(Protocol):
    """Where proposals are kept before they are shown, so that a restart finds them."""

    def put(self, key: str, value: bytes) -> None: ...

    def delete(self, key: str) -> None: ...

    def items(self) -> Mapping[str, bytes]: ...


class Runner(Protocol):
    """Runs a command of the user's (lint, tests, a suggested one). Whether it may run is the caller's to know: trust,
    setting, an explicit yes. `workspace.run.Commands` is the one."""

    async def run(
        self,
        command: Sequence[str],
        cwd: str,
        timeout: float,
        cap: int = CAP,
        stdin: bytes = b"",
    ) -> Ran:
        """Run `command` (no shell) in the folder `cwd`, at most `timeout` seconds; `cap`: bytes of output kept.
        Cancelling ends its whole process group. Never raises for what a command does."""
        ...


@dataclass(frozen=True, slots=True)
class Page:
    """A web page as Markdown or plain text, line ends as LF."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Unfetched:
    """`reason`: why a page did not come, a phrase that begins with its address."""

    reason: str


class Fetcher(Protocol):
    """Fetches a web page when asked; private and loopback addresses are refused."""

    async def fetch(self, url: str) -> Page | Unfetched: ...
