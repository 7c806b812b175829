"""Commit mode of one workspace folder as the client sees it: commits follow accepts and undos in the
background, and what became of each is told.

With our protocol that is the notification `pairwright/commit`, elsewhere a message. Nothing of git
is loaded before a change is to be committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pairwright.config.load import environment
from pairwright.engine.commit import Clerk, Desk, Told
from pairwright.engine.events import Event, Status
from pairwright.lsp.session import Session

if TYPE_CHECKING:
    from pairwright.lsp.workbench import Workbench

_NOTHING = Told("nothing", "There was nothing to commit and no commit to take back.")


class Commits:
    """`clerk`: keeps the repositories in step."""

    def __init__(self, session: Session, bench: Workbench) -> None:
        self._session = session
        self._root = bench.root.path
        self._report: Callable[[str, int | None], None] | None = None
        desk = Desk(
            settings=lambda: session.settings,
            env=environment(),
            models=session.models,
            door=bench.door,
            snapshot=bench.snapshot,
            ask=bench.editor.ask,
            emit=self._emit,
        )
        self.clerk = Clerk(desk, bench.desk.store)

    def follow(self, after: str) -> None:
        """The change at checkpoint `after` was made."""
        if self._session.settings.git.mode == "commit":
            self._session.guard.spawn(self._follow(after))

    async def _follow(self, after: str) -> None:
        async with self._session.progress("Pairwright: Committing") as report:
            self._report = report.report
            answers = await self.clerk.follow(after) or (_NOTHING,)
            report.message = answers[-1].message
        self._tell(after, answers)

    def _emit(self, event: Event) -> None:
        if isinstance(event, Status) and self._report is not None:
            self._report(event.text, event.percent)

    def _tell(self, after: str, answers: Sequence[Told]) -> None:
        for told in answers:
            if self._session.client.protocol:
                params = {"root": self._root, "checkpoint": after, **as_json(told)}
                self._session.notify("pairwright/commit", params)
            elif told.state != "nothing":
                level = "warning" if told.state == "kept" else "info"
                self._session.show(level, f"Pairwright: {told.message}")


def as_json(told: Told) -> dict[str, Any]:
    """What became of a change, for the wire."""
    return {
        "state": told.state,
        "message": told.message,
        "commits": [{"id": ident, "subject": subject} for ident, subject in told.commits],
        "text": told.text,
        "problem": told.problem,
    }
