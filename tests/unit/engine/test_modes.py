"""Modes with more than one request: architect, context, help. Over real HTTP, on a real folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.expect import golden
from tests.support.fixture import files
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.architect import CANCEL, EDIT, REFINE
from pairwright.engine.events import Done, Planned, Started, Stop, Used
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels

pytestmark = pytest.mark.asyncio(loop_scope="session")

REPO = """\
-- shop/cart.py --
from shop.money import round_up


def total(rows):
    return round_up(sum(rows))
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)
-- shop/tax.py --
RATE = 0.2
-- docs/notes.md --
Prices are rounded up.
-- secret/key.py --
KEY = 1
-- .gitignore --
secret/
"""
PLAN = "In shop/cart.py, `total` returns the plain sum: `return sum(rows)`."
EDITED = """\
shop/cart.py
```python
<<<<<<< SEARCH
    return round_up(sum(rows))
=======
    return sum(rows)
>>>>>>> REPLACE
```

```sh
rm -r build
```
"""


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings(), format="diff", window=64_000))
    made = Room.of(tmp_path / "work", files(REPO), models)
    made.answer = EDIT
    return made


def architect(words: str = "Do not round.") -> Turn:
    return Turn(mode="architect", instruction=words, path="shop/cart.py")


def sent(endpoint: Endpoint, number: int = -1) -> str:
    """The messages of a request as a text."""
    messages = endpoint.requests[number].body["messages"]
    return "\n\n".join(f"[{one['role']}]\n{one['content']}" for one in messages) + "\n"


# --- architect


async def test_the_editor_gets_the_plan_and_the_files_and_nothing_else(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("Prices.")
    await room.run(Turn(mode="ask", instruction="What is this?", path="shop/cart.py"))
    endpoint.say(PLAN, usage={"prompt_tokens": 70, "completion_tokens": 6})
    endpoint.say(EDITED, usage={"prompt_tokens": 50, "completion_tokens": 9})
    outcome = await room.run(architect())
    assert outcome == Done(PLAN, "p1")
    (change,) = room.proposals["p1"]
    assert b"return sum(rows)" in (change.after or b"")
    assert [e.text for e in room.events if isinstance(e, Planned)] == [PLAN]
    assert [e.usage.prompt for e in room.events if isinstance(e, Used)][-2:] == [70, 50]
    assert len([e for e in room.events if isinstance(e, Started)]) == 3
    golden("prompts/mode-architect.txt", sent(endpoint, 1))
    golden("prompts/mode-architect-editor.txt", sent(endpoint, 2))
    kept = room.sessions.exchanges("")[-1]
    assert (kept.request, kept.answer, kept.proposal) == ("Do not round.", PLAN, "p1")


async def test_a_plan_waits_for_a_yes(room: Room, endpoint: Endpoint) -> None:
    for answer, refines in ((CANCEL, False), (REFINE, True), (None, False)):
        room.answer = answer
        endpoint.say(PLAN)
        assert await room.run(architect()) == Done(PLAN, refine=refines)
    assert room.proposals == {} and len(endpoint.requests) == 3
    assert "carry out this plan?" in room.asked[-1]
    assert room.sessions.exchanges("")[-1].answer == PLAN, "the next request goes on from it"


async def test_a_plan_is_edited_at_once_where_that_is_set(room: Room, endpoint: Endpoint) -> None:
    room.settings = replace(room.settings, turn=replace(room.settings.turn, accept_plan="auto"))
    endpoint.say(PLAN)
    endpoint.say(EDITED)
    outcome = await room.run(architect())
    assert isinstance(outcome, Done) and outcome.proposal and room.asked == []


async def test_a_failed_edit_leaves_the_plan(room: Room, endpoint: Endpoint) -> None:
    room.reflect(0)
    endpoint.say(PLAN)
    endpoint.say(EDITED.replace("round_up", "round_down"))
    outcome = await room.run(architect())
    assert isinstance(outcome, Stop) and outcome.text == PLAN
    assert room.sessions.exchanges("")[-1].answer == PLAN


async def test_the_editors_failed_block_is_sent_back_to_the_editor(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(PLAN)
    endpoint.say(EDITED.replace("round_up", "round_down"))
    endpoint.say(EDITED)
    outcome = await room.run(architect())
    assert isinstance(outcome, Done) and outcome.proposal
    assert [m["role"] for m in endpoint.requests[2].body["messages"]][-2:] == ["assistant", "user"]


async def test_files_the_planner_saw_are_shown_to_the_editor(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("I need to see `money.py`.")
    endpoint.say(PLAN)
    endpoint.say(EDITED)
    await room.run(architect())
    assert "int(value + 0.99)" in sent(endpoint)
    assert "look" not in endpoint.requests[-1].body["messages"][0]["content"]


# --- context


async def test_files_are_narrowed_until_they_stay(room: Room, endpoint: Endpoint) -> None:
    room.sessions.set_files("", (), ("docs/notes.md",))
    endpoint.say("- shop/cart.py: the total\n- shop/money.py: rounds\n- shop/cash.py: no file")
    endpoint.say("- `shop/money.py` - rounds it\n- secret/key.py: secret\n- ../x.py: outside")
    endpoint.say("1. shop/money.py: rounds it")
    outcome = await room.run(Turn(mode="context", instruction="Round down.", path="shop/cart.py"))
    assert outcome == Done(
        "In the chat for this request, from now on:\n\n- `shop/money.py`: rounds it"
    )
    held = room.sessions.files("")
    assert (held.editable, held.read_only) == (("shop/money.py",), ("docs/notes.md",))
    assert "def total" in sent(endpoint, 1) and "int(value + 0.99)" in sent(endpoint, 1)
    assert "def total(rows):\n    return" not in sent(endpoint, 2)
    golden("prompts/mode-context.txt", sent(endpoint, 0))
    golden("prompts/mode-context-review.txt", sent(endpoint, 1))


async def test_what_is_not_taken_is_said(room: Room, endpoint: Endpoint) -> None:
    reply = "- shop/money.py: rounds\n- secret/key.py: s\n- ../x.py: o\n- shop/cash.py: n"
    endpoint.say(reply)
    endpoint.say(reply)
    outcome = await room.run(Turn(mode="context", instruction="Round down."))
    assert isinstance(outcome, Done)
    assert outcome.text.endswith(
        "Not taken: secret/key.py (under ignore rules); ../x.py (outside the folder); "
        "shop/cash.py (no such file)."
    )
    assert len(endpoint.requests) == 2 and "KEY = 1" not in sent(endpoint)
    assert room.said == outcome.text, "lists that change are not shown"


async def test_no_more_than_fits_is_taken(room: Room, endpoint: Endpoint) -> None:
    room.type("shop/tax.py", "# a rate\n" * 20_000)
    endpoint.say("- shop/tax.py: large\n- shop/money.py: small")
    endpoint.say("- shop/money.py: small")
    outcome = await room.run(Turn(mode="context", instruction="Taxes."))
    assert isinstance(outcome, Done) and "shop/tax.py" not in room.sessions.files("").editable
    assert "# a rate" not in sent(endpoint)


async def test_there_are_three_rounds_at_most(room: Room, endpoint: Endpoint) -> None:
    for name in ("cart", "money", "tax"):
        endpoint.say(f"- shop/{name}.py")
    assert isinstance(await room.run(Turn(mode="context", instruction="Taxes.")), Done)
    assert len(endpoint.requests) == 3
    assert room.sessions.files("").editable == ("shop/tax.py",)


async def test_no_file_is_an_answer_too(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("I do not know.")
    outcome = await room.run(Turn(mode="context", instruction="Taxes."))
    assert isinstance(outcome, Stop) and "named no file" in outcome.message
    assert room.sessions.files("").editable == ()


# --- help


async def test_help_is_answered_from_the_manual(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("Set `pairwright.map.tokens`.")
    outcome = await room.run(Turn(mode="help", instruction="Which setting is the map's budget?"))
    assert isinstance(outcome, Done) and outcome.text == room.said
    assert outcome.text.startswith("Set `pairwright.map.tokens`.\n\n(From ")
    assert "settings.md" in outcome.text
    text = sent(endpoint)
    assert "## settings.md: Settings" in text and "pairwright.map.tokens" in text
    assert "def total" not in text and "round_up" not in text, "nothing of the workspace is sent"
    assert room.sessions.exchanges("") == ()


async def test_an_answer_that_names_its_page_stays_as_it_is(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("It is in the data folder (git.md).")
    outcome = await room.run(Turn(mode="help", instruction="Where are checkpoints kept?"))
    assert outcome == Done("It is in the data folder (git.md).")


async def test_what_the_manual_does_not_know_is_not_asked(room: Room, endpoint: Endpoint) -> None:
    outcome = await room.run(Turn(mode="help", instruction="Zebras?"))
    assert isinstance(outcome, Done) and "says nothing of that" in outcome.text
    assert endpoint.requests == []
