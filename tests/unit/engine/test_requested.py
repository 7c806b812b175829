"""Replies that want more: files asked for, look-ups, leave to change. Over real HTTP, on a real folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.expect import golden
from tests.support.fixture import files
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.config.schema import Privacy
from pairwright.engine.door import Door
from pairwright.engine.events import Done, Looked, Offered, Outcome, Reflected, Stop
from pairwright.engine.requested import ADD, FILE_ROOM, SHOW
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
-- Makefile --
all:
-- secret/key.py --
KEY = 1
-- .gitignore --
secret/
"""
LOOK = "I need more.\n\n```look\nreferences round_up\nfile shop/money.py\n```\n"


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings(), format="diff", window=64_000))
    made = Room.of(tmp_path / "work", files(REPO), models)
    made.answer = ADD
    return made


def edit(words: str = "Round down.") -> Turn:
    return Turn(mode="edit", instruction=words, path="shop/cart.py")


def ask(words: str = "How is it rounded?") -> Turn:
    return Turn(mode="ask", instruction=words, path="shop/cart.py")


def block(path: str, search: str, new: str) -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{search}\n=======\n{new}\n>>>>>>> REPLACE\n```\n\n"


CART = block("shop/cart.py", "    return round_up(sum(rows))", "    return round_down(sum(rows))")
MONEY = block("shop/money.py", "def round_up(value):", "def round_down(value):")


def changed(room: Room, outcome: Outcome) -> dict[str, bytes]:
    assert isinstance(outcome, Done) and outcome.proposal, outcome
    return {change.path: change.after or b"" for change in room.proposals[outcome.proposal]}


def reasons(room: Room) -> list[str]:
    return [event.reason for event in room.events if isinstance(event, Reflected)]


async def test_a_file_that_is_asked_for_joins_for_reference(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("I cannot tell without seeing `shop/money.py`.")
    endpoint.say("It adds 0.99.")
    assert await room.run(ask()) == Done("It adds 0.99.")
    assert reasons(room) == ["file-requested"] and room.asked == []
    first, second = endpoint.requests
    assert "int(value + 0.99)" not in first.text and "int(value + 0.99)" in second.text
    said = [request.body["messages"][1]["content"] for request in (first, second)]
    stable = said[0].partition("The files in question")[0].rstrip()
    assert "Map of the repository" in stable and said[1].startswith(stable), "a cache holds it"
    sent = room.door.manifests[-1].sent("shop/money.py")
    assert sent is not None and not sent.editable and sent.why == "the model asked for it"


async def test_valid_edits_beside_a_request_are_kept(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(CART + "Please add `money.py` to the chat, it has to change too.")
    endpoint.say(MONEY)
    found = changed(room, await room.run(edit()))
    assert (
        b"round_down(sum" in found["shop/cart.py"] and b"def round_down" in found["shop/money.py"]
    )
    assert reasons(room) == ["file-requested"]
    assert room.asked == [
        "The model wants to change shop/money.py, which is not in the chat. Let it?"
    ]
    assert "are kept" in endpoint.requests[1].body["messages"][-1]["content"]
    assert room.sessions.files("").editable == ("shop/money.py",), "in the chat from then on"


async def test_valid_edits_survive_when_the_model_then_says_words_only(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(CART + "I need to see shop/money.py.")
    endpoint.say("Nothing else has to change.")
    outcome = await room.run(edit())
    assert list(changed(room, outcome)) == ["shop/cart.py"]
    assert isinstance(outcome, Done) and outcome.missing == ()


async def test_a_mention_beside_complete_edits_asks_for_nothing(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("As in `shop/money.py` and `tax.py`.\n\n" + CART)
    assert list(changed(room, await room.run(edit()))) == ["shop/cart.py"]
    assert len(endpoint.requests) == 1 and room.asked == []


async def test_a_reply_without_an_edit_asks_for_what_it_names(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("Das steht in shop/money.py:1.")
    endpoint.say(CART)
    assert list(changed(room, await room.run(edit()))) == ["shop/cart.py"]
    assert len(endpoint.requests) == 2


async def test_no_change_needed_is_an_answer(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("No change is needed: `shop/money.py` rounds already.")
    assert isinstance(await room.run(edit()), Done)
    assert len(endpoint.requests) == 1


async def test_a_plain_word_that_is_a_root_file_asks_for_nothing(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("I need to know whether the Makefile should change: please add what you want.")
    assert isinstance(await room.run(ask()), Done)
    assert len(endpoint.requests) == 1


async def test_advice_in_an_answer_asks_for_nothing(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("You should update `shop/money.py`: it has to be changed too.")
    assert isinstance(await room.run(ask()), Done)
    assert len(endpoint.requests) == 1


async def test_an_edit_of_a_file_never_shown_shows_it_first(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(CART + MONEY)
    endpoint.say(MONEY)
    found = changed(room, await room.run(edit()))
    assert sorted(found) == ["shop/cart.py", "shop/money.py"]
    assert reasons(room) == ["file-requested"], "it is no mistake in the edit"


async def test_a_file_the_user_keeps_back_is_not_changed(room: Room, endpoint: Endpoint) -> None:
    room.answer = "Leave it"
    endpoint.say(CART + "`shop/money.py` must be changed too.")
    endpoint.say(MONEY)
    endpoint.say(MONEY)
    outcome = await room.run(edit())
    assert list(changed(room, outcome)) == ["shop/cart.py"]
    assert isinstance(outcome, Done) and "shop/money.py" in outcome.missing[0]
    assert len(room.asked) == 1, "one question, however often the model tries"


async def test_a_file_under_ignore_rules_is_never_shown(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("Please add `secret/key.py` to the chat.\n\n```look\nfile secret/key.py\n```\n")
    endpoint.say("Then not.")
    assert await room.run(ask()) == Done("Then not.")
    assert "KEY = 1" not in "".join(request.text for request in endpoint.requests)


async def test_a_large_file_is_the_users_to_show(room: Room, endpoint: Endpoint) -> None:
    text = "".join(f"value_{n} = {n}\n" for n in range(FILE_ROOM))
    room.type("shop/tax.py", text)
    for answer, calls in (("Leave it", 1), (SHOW, 2)):
        room.answer = answer
        endpoint.requests.clear()
        endpoint.say("I need to see shop/tax.py.")
        if calls == 2:
            endpoint.say("It is 0.2.")
        assert isinstance(await room.run(ask()), Done)
        assert len(endpoint.requests) == calls
        assert "tokens. Show it?" in room.asked[-1]


async def test_a_look_up_is_answered_and_told(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(LOOK)
    endpoint.say("It adds 0.99.")
    assert await room.run(ask()) == Done("It adds 0.99.")
    (looked,) = [event for event in room.events if isinstance(event, Looked)]
    assert looked == Looked(
        (("references round_up", "2 places"), ("file shop/money.py", "2 lines")), 1, 3
    )
    first, second = (request.body["messages"] for request in endpoint.requests)
    told = "\n\n".join(f"[{one['role']}]\n{one['content']}" for one in second[1:])
    golden("prompts/looked-up.txt", told + "\n")
    assert "```look\nfile path" in first[0]["content"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert "shop/cart.py:5: return round_up(sum(rows))" in second[3]["content"]
    assert "int(value + 0.99)" in second[1]["content"]
    extras = room.door.manifests[-1].extras
    assert [(one.kind, one.name) for one in extras] == [("lines of", "shop/cart.py")]
    assert room.sessions.exchanges("")[-1].answer == "It adds 0.99."


async def test_look_ups_have_an_end(room: Room, endpoint: Endpoint) -> None:
    room.settings = replace(room.settings, turn=replace(room.settings.turn, look_ups=2))
    for _ in range(3):
        endpoint.say("```look\nsearch round\n```")
    outcome = await room.run(ask())
    assert isinstance(outcome, Stop) and "look_ups" in outcome.message
    assert len(endpoint.requests) == 3
    assert "last look-up" in endpoint.requests[2].body["messages"][-1]["content"]
    assert room.sessions.exchanges("") == ()


async def test_edits_beside_a_look_up_are_kept(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(CART + LOOK)
    endpoint.say("Nothing else has to change.")
    assert list(changed(room, await room.run(edit()))) == ["shop/cart.py"]
    assert reasons(room) == []


async def test_a_failed_edit_beside_a_look_up_hears_of_both(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("shop/cart.py", "    return nothing", "    return 0") + LOOK)
    endpoint.say(CART)
    assert list(changed(room, await room.run(edit()))) == ["shop/cart.py"]
    told = endpoint.requests[1].body["messages"][-1]["content"]
    assert "references round_up" in told and "return nothing" in told
    assert reasons(room) == ["edit-match"]


async def test_the_map_stays_when_a_file_joins(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("I need to see shop/money.py.")
    endpoint.say("Fine.")
    await room.run(ask())
    endpoint.say("Fine.")
    frozen = room.sessions.frozen("")
    await room.run(ask("And now?"))
    assert room.sessions.frozen("") is frozen


async def test_files_the_request_names_are_offered(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("Yes.")
    await room.run(ask("Does `shop/tax.py` go with shop/cart.py, or make and Makefile?"))
    assert [e.paths for e in room.events if isinstance(e, Offered)] == [("shop/tax.py",)]
    assert "RATE = 0.2" not in endpoint.requests[0].text.partition("Map of")[0]


WISHES = {
    "asks": "I also need to see `shop/money.py`.",
    "names": "It is as in `shop/money.py`.",
    "looks": LOOK,
    "looks in vain": "```look\nsymbol nobody\nnonsense\n```",
    "edits what it never saw": MONEY,
    "asks for what is ignored": "Please add `secret/key.py` to the chat.",
}
ENDS = {
    "words": "That is all.",
    "the same again": CART,
    "another file": MONEY,
    "a block that fits nowhere": block("shop/cart.py", "    return nothing", "    return 0"),
    "asks on and on": "I need to see `tax.py`.",
    "looks on and on": "```look\nsearch round\n```",
}


async def test_valid_edits_are_never_thrown_away(room: Room, endpoint: Endpoint) -> None:
    """Whatever a reply wants besides, and however the turn goes on."""
    room.reflect(1)
    room.settings = replace(room.settings, turn=replace(room.settings.turn, look_ups=1))
    for wish, wanted in WISHES.items():
        for end, reply in ENDS.items():
            endpoint.requests.clear()
            endpoint.forget()
            endpoint.say(CART + wanted)
            for _ in range(3):
                endpoint.say(reply)
            outcome = await room.run(replace(edit(), session=f"{wish}, {end}"))
            assert isinstance(outcome, Done) and outcome.proposal, (wish, end, outcome)
            found = changed(room, outcome)
            assert b"round_down(sum" in found.get("shop/cart.py", b""), (wish, end, outcome)


async def test_a_secret_in_what_was_looked_up_does_not_leave(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    # In two pieces: a scanner that reads this file must find nothing.
    secret = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
    models.configure(ModelSettings(**endpoint.settings()))
    room = Room.of(tmp_path / "work", {**files(REPO), "keys.py": f'TOKEN = "{secret}"\n'}, models)
    room.door = Door(lambda: Privacy(redact="always"))
    endpoint.say("```look\nsearch token\n```")
    endpoint.say("It is a token.")
    assert isinstance(await room.run(ask()), Done)
    said = endpoint.requests[1].body["messages"][-1]["content"]
    assert 'keys.py:1: TOKEN = "' in said and secret not in endpoint.requests[1].text
    assert room.door.manifests[-1].hidden
