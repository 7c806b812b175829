"""Long tasks through real parts: a desk over a real folder, the engine's door and planner, the product's own models
with a scripted server behind them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.author import Answer, Author, Place
from tests.support.desks import Office

from pairwright.config.schema import Settings
from pairwright.config.task import Task
from pairwright.engine.accept_change import Desk
from pairwright.engine.checks import Checks
from pairwright.engine.door import Door
from pairwright.engine.events import Event, Status
from pairwright.engine.ports import Models
from pairwright.engine.session import Sessions
from pairwright.engine.task import control, document
from pairwright.engine.task.crew import Crew, Decision
from pairwright.engine.task.journal import Journal
from pairwright.engine.task.plan import Plan
from pairwright.engine.task.run import Recorder, run
from pairwright.engine.task.state import Review, State
from pairwright.engine.tools import Tools
from pairwright.llm.types import ModelInfo

INFO = ModelInfo("scripted", window=32_000, max_output=8_000, format="diff", reminder="user")
_STEP = re.compile(r"(?:Write the new file|Change the file) (\S+)\.\n")


def target(prompt: str) -> str:
    """The file that a step is about, by its request; empty for a plan's."""
    found = _STEP.findall(prompt)
    return found[-1] if found else ""


def listing(path: str, text: str, notes: Sequence[str] = ()) -> str:
    """A reply with the whole text of a file."""
    tail = "\n".join(("\n```notes", *(f"- {note}" for note in notes), "```\n")) if notes else ""
    return f"I write it.\n\n{path}\n````\n{text}````\n{tail}"


def block(path: str, old: str, new: str) -> str:
    """A reply with one SEARCH/REPLACE block."""
    return f"{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"


@dataclass
class Worksite:
    """One workspace and one task in it. `asked`: the questions put to the user, `says`: the answer."""

    place: Place
    office: Office
    settings: Settings = field(default_factory=Settings)
    checks: Checks = field(default_factory=Checks)
    events: list[Event] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    says: str | None = None
    decision: Decision | None = None
    states: list[State] = field(default_factory=list)

    @classmethod
    def of(
        cls, place: Place, answer: Answer, files: Mapping[str, str] | None = None, **task: object
    ) -> Worksite:
        office = Office.of(place.base)
        office.write({path: text.encode() for path, text in (files or {}).items()})
        office.editor.host.scan()
        place.author.answer = answer
        settings = replace(Settings(), model=place.ask(), task=Task(**task))
        return cls(place, office, settings)

    @property
    def model(self) -> Author:
        """Who answers."""
        return self.place.author

    def limit(self, **limits: object) -> None:
        """The model has such limits; see `Author.model`."""
        self.settings = replace(self.settings, model=self.place.ask(**limits))

    @property
    def crew(self) -> Crew:
        return crew_of(
            self.office.desk,
            self.office.data,
            self.place.models,
            self.settings,
            checks=self.checks,
            emit=self.events.append,
            ask=self._ask,
            decided=self._decided,
            changed=self.states.append,
        )

    async def _ask(self, question: str, options: Sequence[str]) -> str | None:
        self.asked.append(question)
        return self.says

    async def _decided(self, proposal: str) -> Decision | None:
        return self.decision

    async def plan(self, text: str | Plan, request: str = "Make it.") -> State:
        """A task with a plan that is written already."""
        plan = document.read(text) if isinstance(text, str) else text
        desk = Recorder(self.crew, State())
        await control.opened(desk, "t1", request, 1.0)
        await control.planned(desk, plan, "", 1.0)
        return desk.state

    async def run(self, text: str | Plan | None = None, mode: Review | None = None) -> State:
        """Plan and run; without a plan go on with the task there is."""
        state = await self.plan(text) if text is not None else self.task
        return await run(self.crew, state, mode)

    @property
    def task(self) -> State:
        """As the journal has it."""
        state = self.crew.journal.read("t1")
        assert state is not None
        return state

    def recorder(self) -> Recorder:
        return Recorder(self.crew, self.task)

    @property
    def statuses(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Status)]

    def texts(self) -> dict[str, str]:
        """Every file below the root."""
        disk = self.office.on_disk()
        return {path: data.decode() for path, (_, data) in disk.items() if not path.endswith("/")}


def crew_of(
    desk: Desk,
    data: Path,
    models: Models,
    settings: Settings,
    *,
    checks: Checks = Checks(),  # noqa: B008  a frozen value
    **rest: object,
) -> Crew:
    """A crew over `desk`, its journal below `data`. `rest`: emit and ask of the tools, and fields of the crew."""
    emit, ask = rest.pop("emit", lambda event: None), rest.pop("ask", None)
    tools = Tools(
        settings,
        models,
        Door(),
        Sessions(),
        emit,
        ask,
        lambda changes, snapshot, missing: "",
        checks=checks,
    )
    return Crew(tools, desk, Journal(data / "tasks"), **rest)
