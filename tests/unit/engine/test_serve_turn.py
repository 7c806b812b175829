"""Records in place of texts within a turn: asked for, asked again, chosen, and never edited unseen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.shop import long_module
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.door import Manifest
from pairwright.engine.events import Done, Outcome, Reflected
from pairwright.engine.requested import ADD
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOOK = "```look\nfile steps.py\n```\n"
BODY = "value = (value * 11 + 7) % 1009"
RECORD = "a record of it, not its text"


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings(), format="diff", window=64_000))
    repo = {"steps.py": long_module(200), "use.py": "from steps import step_3\n\nstep_3(1)\n"}
    made = Room.of(tmp_path / "work", repo, models)
    made.answer = ADD
    return made


def last(endpoint: Endpoint) -> str:
    return str(endpoint.requests[-1].body["messages"][-1]["content"])


def looked(manifest: Manifest) -> list[tuple[str, str]]:
    return [(one.kind, one.name) for one in manifest.extras]


async def test_a_question_is_answered_by_the_record_first_and_then_by_the_text(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(LOOK)
    endpoint.say(LOOK)
    endpoint.say("It mixes.")
    outcome = await room.run(Turn(mode="ask", instruction="What is it?", path="use.py"))
    assert outcome == Done("It mixes.")
    second, third = endpoint.requests[1:]
    assert RECORD in second.text and BODY not in second.text
    assert "Used by: use.py (2)" in second.text and "file steps.py:1-200" in second.text
    assert BODY in third.text
    assert looked(room.door.manifests[1]) == [("record of", "steps.py")]
    assert room.door.manifests[1].sent("steps.py") is None
    sent = room.door.manifests[2].sent("steps.py")
    assert sent is not None and sent.spans


async def test_lines_that_are_asked_for_are_lines(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("```look\nfile steps.py:4-9\nfile steps.py\n```\n")
    endpoint.say("It mixes.")
    await room.run(Turn(mode="ask", instruction="What is it?", path="use.py"))
    assert "value * 3" in endpoint.requests[1].text and RECORD in endpoint.requests[1].text
    assert looked(room.door.manifests[1]) == [("lines of", "steps.py")]


async def test_what_the_user_names_is_shown_whole(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(LOOK)
    endpoint.say("It mixes.")
    await room.run(Turn(mode="ask", instruction="What is in steps.py?", path="use.py"))
    assert BODY in endpoint.requests[1].text and RECORD not in endpoint.requests[1].text


async def test_what_a_model_said_of_the_text_is_in_the_record(
    room: Room, endpoint: Endpoint
) -> None:
    document = room.host.snapshot().document("steps.py")
    assert document is not None
    room.notebook.learn(document, "Mixes with `step_3`.", ["`step_4` is slow"], "m")
    endpoint.say(LOOK)
    endpoint.say("It mixes.")
    await room.run(Turn(mode="ask", instruction="What is it?", path="use.py"))
    assert "Purpose: Mixes with `step_3`." in endpoint.requests[1].text
    assert "Note: `step_4` is slow" in endpoint.requests[1].text


def block(search: str, new: str) -> str:
    return f"steps.py\n```python\n<<<<<<< SEARCH\n{search}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


def changed(room: Room, outcome: Outcome) -> list[str]:
    assert isinstance(outcome, Done) and outcome.proposal, outcome
    return [change.path for change in room.proposals[outcome.proposal]]


async def test_an_edit_of_a_file_whose_text_was_not_sent_is_answered_with_the_text(
    room: Room, endpoint: Endpoint
) -> None:
    """Also where the lines it searches for happen to be there: it was a guess."""
    endpoint.say(LOOK)
    endpoint.say("It mixes.")
    await room.run(Turn(mode="ask", instruction="What is it?", path="use.py"))
    guess = block('"""Steps that mix numbers."""', '"""Steps."""')
    endpoint.say(guess)
    endpoint.say(guess)
    outcome = await room.run(Turn(mode="edit", instruction="Shorten its docstring.", path="use.py"))
    assert changed(room, outcome) == ["steps.py"]
    third, fourth = endpoint.requests[2:]
    assert BODY not in third.text and BODY in fourth.text
    assert [e.reason for e in room.events if isinstance(e, Reflected)] == ["file-requested"]


async def test_an_edit_may_follow_so_its_file_is_looked_at_whole(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(LOOK)
    endpoint.say(block('"""Steps that mix numbers."""', '"""Steps."""'))
    outcome = await room.run(Turn(mode="edit", instruction="Shorten it.", path="use.py"))
    assert changed(room, outcome) == ["steps.py"]
    assert BODY in endpoint.requests[1].text and RECORD not in endpoint.requests[1].text


async def test_files_to_choose_from_are_reviewed_by_their_records(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("- steps.py: the steps\n- use.py: uses them")
    endpoint.say("- steps.py: the steps\n- use.py: uses them")
    assert isinstance(await room.run(Turn(mode="context", instruction="Mixing.")), Done)
    review = endpoint.requests[1]
    assert RECORD in review.text and BODY not in review.text and "step_3(1)" in review.text
    sent = room.door.manifests[1].sent("steps.py")
    assert sent is not None and sent.spans == ()
    assert room.sessions.files("").editable == ("steps.py", "use.py")
