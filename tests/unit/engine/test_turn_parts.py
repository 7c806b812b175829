"""What a turn proposes when not all of a reply fits, and what an edit of a selection may change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.served import blocks
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.events import Done, Outcome, Stop
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOURCE = "import os\n\n\ndef one():\n    a = 1\n    return a\n\n\ndef two():\n    return 2\n"
GOOD = ("a.py", "    return 2\n", "    return 3\n")
BAD = ("a.py", "    return nowhere_at_all()\n", "    return 4\n")


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    return Room.of(tmp_path / "work", {"a.py": SOURCE, "b.py": "B = 1\n"}, models)


def check(room: Room, outcome: Outcome, texts: dict[str, str]) -> None:
    """The texts that the one proposal of the turn leads to."""
    assert isinstance(outcome, Done) and outcome.proposal, outcome
    changes = room.proposals[outcome.proposal]
    assert {c.path: (c.after or b"").decode() for c in changes} == texts
    assert room.missing[outcome.proposal] == outcome.missing


async def test_what_fits_is_proposed_as_incomplete(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(blocks(GOOD, BAD))
    endpoint.say(blocks(BAD))
    outcome = await room.run(Turn("edit", "Change it", "a.py"))
    check(room, outcome, {"a.py": SOURCE.replace("return 2", "return 3")})
    assert isinstance(outcome, Done) and len(outcome.missing) == 1
    assert "a.py" in outcome.missing[0]
    (exchange,) = room.sessions.exchanges("")
    assert "return 3" in exchange.answer and "nowhere" not in exchange.answer


async def test_nothing_that_fits_is_no_proposal(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(blocks(BAD))
    room.reflect(0)
    outcome = await room.run(Turn("edit", "Change it", "a.py"))
    assert isinstance(outcome, Stop) and outcome.reason == "exhausted"
    assert room.proposals == {}


def _selected(what: str) -> tuple[int, int]:
    start = SOURCE.index(what)
    return start, start + len(what)


async def test_an_edit_of_a_selection_stays_in_its_definition(
    room: Room, endpoint: Endpoint
) -> None:
    inside = ("a.py", "    return a\n", "    return -a\n")
    endpoint.say(blocks(inside, GOOD))
    endpoint.say(blocks(inside, ("b.py", "B = 1\n", "B = 2\n")))
    turn = Turn("edit", "Negate", "a.py", _selected("    a = 1\n"), chat=("b.py",))
    outcome = await room.run(turn)
    check(room, outcome, {"a.py": SOURCE.replace("return a", "return -a"), "b.py": "B = 2\n"})
    assert "change only the selected lines" in endpoint.requests[0].text
    assert "line 10 would change, but the request is about lines 4-6" in endpoint.requests[1].text


async def test_outside_any_definition_the_lines_alone_may_change(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(blocks(GOOD))
    room.reflect(0)
    outcome = await room.run(Turn("edit", "Sort", "a.py", _selected("import os\n")))
    assert isinstance(outcome, Stop) and "lines 1-1" in outcome.message
    endpoint.say(blocks(("a.py", "import os\n", "import os\nimport re\n")))
    outcome = await room.run(Turn("edit", "Import re", "a.py", _selected("import os\n")))
    check(room, outcome, {"a.py": SOURCE.replace("import os\n", "import os\nimport re\n")})


async def test_a_selection_keeps_its_indentation(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(blocks(("a.py", "a = 1\n", "a = 1\nb = 2\n")))
    outcome = await room.run(Turn("edit", "Add b", "a.py", _selected("    a = 1\n")))
    check(room, outcome, {"a.py": SOURCE.replace("    a = 1\n", "    a = 1\n    b = 2\n")})


async def test_a_cursor_binds_nothing(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(blocks(GOOD))
    at = SOURCE.index("a = 1")
    outcome = await room.run(Turn("edit", "Change", "a.py", (at, at)))
    check(room, outcome, {"a.py": SOURCE.replace("return 2", "return 3")})


async def test_tests_of_a_selection_never_take_its_place(room: Room, endpoint: Endpoint) -> None:
    """A small model rewrites what is selected, unless what it writes belongs elsewhere."""
    model = await room.models.get()
    small = replace(model, info=replace(model.info, small=True, grammar=True))  # type: ignore[type-var]

    class Small:
        async def get(self, role: str = "main") -> object:
            return small

    room.models = Small()  # type: ignore[assignment]
    at = SOURCE.index("def one")
    turn = Turn("edit", "Write tests.", "a.py", (at, at + 20), elsewhere=True)
    endpoint.say("tests/test_a.py\n```\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n```\n")
    outcome = await room.run(turn)
    assert isinstance(outcome, Done) and outcome.proposal, outcome
    assert [c.path for c in room.proposals[outcome.proposal]] == ["tests/test_a.py"]
