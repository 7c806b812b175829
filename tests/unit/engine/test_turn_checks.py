"""Turns over real HTTP, on a real folder: edits are checked before they are shown, cut replies are continued, empty
ones asked for once more."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.turns import Room
from tests.unit.engine.test_continuation import CUTS, REPLY, at

from pairwright.config.checks import Checks as Settings
from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.checks import Checks
from pairwright.engine.continuation import split
from pairwright.engine.events import Done, Drafted, Reflected, Stop
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels
from pairwright.workspace.run import Commands

pytestmark = pytest.mark.asyncio(loop_scope="session")

OLD = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
TENS = "def f():\n    # ---\n    # ---\n    return 1\n\n\ndef g():\n    return 2\n"
TENFOLD_TEXT = TENS.replace("return 1\n", "return 10\n").replace("return 2\n", "return 20\n")
FILES = {"a.py": OLD, "c.py": TENS, "broken.py": f"x = (1,\n\n\n{OLD}", "b.yaml": "a: [1, 2]\n"}
EDIT = Turn("edit", "Return 10.", path="a.py")
LINT = "import sys; t = sys.stdin.read(); print('E1 tens are not allowed') if '10' in t else 0; sys.exit('10' in t)"


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    return Room.of(tmp_path / "work", FILES, models)


def block(search: str, put: str, path: str = "a.py") -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{search}=======\n{put}>>>>>>> REPLACE\n```\n\n"


def after(room: Room, ident: str = "p1") -> str:
    (change,) = room.proposals[ident]
    return (change.after or b"").decode()


def reasons(room: Room) -> list[str]:
    return [event.reason for event in room.events if isinstance(event, Reflected)]


async def test_an_edit_that_breaks_the_syntax_is_set_right(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("    return 1\n", "    return (10\n"))
    endpoint.say("I closed it.\n\n" + block("    return (10\n", "    return (10)\n"))
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.findings == () and outcome.missing == ()
    assert after(room) == OLD.replace("return 1\n", "return (10)\n")
    assert reasons(room) == ["lint"]
    told = endpoint.requests[1].body["messages"][-1]["content"]
    assert "> 2 |     return (10" in told and "a.py, line 2" in told
    kept = room.sessions.exchanges("")[-1].answer
    assert "return (10)" in kept, "the history holds the edit as it was proposed"


async def test_the_whole_block_may_be_sent_again(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("    return 1\n", "    return (10\n"))
    endpoint.say(block("    return 1\n", "    return 10\n"))
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.findings == ()
    assert after(room) == OLD.replace("return 1\n", "return 10\n")


WHOLE = "a.py\n```python\n{}```\n"
SYMBOL = "a.py\n```python\n<<<<<<< DEFINITION f\n{}>>>>>>> REPLACE\n```\n"
UDIFF = "```diff\n--- a.py\n+++ a.py\n@@ @@\n def f():\n-{}\n+{}\n```\n"
BROKEN, RIGHT = "    return (10", "    return 10"
AGAIN = {
    "whole": (
        WHOLE.format(OLD.replace("    return 1", BROKEN)),
        WHOLE.format(OLD.replace("    return 1", RIGHT)),
    ),
    "symbol": (SYMBOL.format(f"def f():\n{BROKEN}\n"), SYMBOL.format(f"def f():\n{RIGHT}\n")),
    "udiff": (UDIFF.format("    return 1", BROKEN), UDIFF.format("    return 1", RIGHT)),
    "udiff on top": (UDIFF.format("    return 1", BROKEN), UDIFF.format(BROKEN, RIGHT)),
}


@pytest.mark.parametrize("way", AGAIN)
async def test_every_format_can_set_an_edit_right(
    room: Room, endpoint: Endpoint, models: ConfiguredModels, way: str
) -> None:
    models.configure(ModelSettings(**endpoint.settings(), format=way.split()[0]))  # type: ignore[arg-type]
    for reply in AGAIN[way]:
        endpoint.say(reply)
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.findings == () and reasons(room) == ["lint"]
    assert after(room) == OLD.replace("    return 1", RIGHT)


async def test_a_finding_never_refuses_an_edit(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("    return 1\n", "    return (10\n"))
    endpoint.say(block("    return (10\n", "    return ((10\n"))
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.proposal == "p1"
    assert outcome.findings[0].startswith("a.py, line 2: ")
    assert after(room) == OLD.replace("return 1\n", "return ((10\n")
    assert len(endpoint.requests) == 2, "the same fault twice is not asked about again"


async def test_what_the_model_leaves_as_it_is_is_shown_with_the_finding(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(block("    return 1\n", "    return (10\n"))
    endpoint.say("It is right as it is.")
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.proposal == "p1"
    assert outcome.findings and outcome.missing == () and len(endpoint.requests) == 2


async def test_corrections_are_counted_over_all_reasons(room: Room, endpoint: Endpoint) -> None:
    room.reflect(1)
    endpoint.say(block("    return 7\n", "    return 10\n"))
    endpoint.say(block("    return 1\n", "    return (10\n"))
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.findings and len(endpoint.requests) == 2
    assert reasons(room) == ["edit-match"]


async def test_what_was_broken_before_stands_in_nobodys_way(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("    return 1\n", "    return 10\n", "broken.py"))
    outcome = await room.run(replace(EDIT, path="broken.py"))
    assert isinstance(outcome, Done) and outcome.findings == () and reasons(room) == []


async def test_a_new_file_and_a_file_of_data_are_checked(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(
        block("", "def h(:\n    pass\n", "new.py") + block("a: [1, 2]\n", "a: [1, 2\n", "b.yaml")
    )
    endpoint.say(
        block("def h(:\n", "def h():\n", "new.py") + block("a: [1, 2\n", "a: [1, 3]\n", "b.yaml")
    )
    outcome = await room.run(Turn("edit", "Make it so.", chat=("b.yaml",)))
    assert isinstance(outcome, Done) and outcome.findings == (), outcome
    told = endpoint.requests[1].body["messages"][-1]["content"]
    assert "new.py, line 1" in told and "b.yaml, line" in told
    changes = {change.path: change.after for change in room.proposals["p1"]}
    assert changes == {"new.py": b"def h():\n    pass\n", "b.yaml": b"a: [1, 3]\n"}


async def test_an_edit_that_fitted_outlives_a_failing_correction(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say(block("    return 1\n", "    return (10\n"))
    endpoint.fail(401, "bad key")
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.proposal == "p1" and outcome.findings
    assert outcome.missing[0].startswith("It was not corrected: ")
    endpoint.fail(401, "bad key")
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Stop) and outcome.reason == "model"


async def test_a_linter_sends_an_edit_back(room: Room, endpoint: Endpoint) -> None:
    settings = Settings(lint={"python": (sys.executable, "-I", "-c", LINT)})
    room.checks = Checks(settings, Commands({"PATH": os.environ["PATH"]}), trusted=True)
    endpoint.say(block("    return 1\n", "    return 10\n"))
    endpoint.say(block("    return 10\n", "    return 5 + 5\n"))
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.findings == ()
    assert after(room) == OLD.replace("return 1\n", "return 5 + 5\n")
    assert "E1 tens are not allowed" in endpoint.requests[1].text
    room.checks = replace(room.checks, trusted=False)
    endpoint.say(block("    return 1\n", "    return 10\n"))
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.findings == () and len(endpoint.requests) == 3


async def test_what_a_linter_prints_goes_through_the_door(room: Room, endpoint: Endpoint) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    room.settings = replace(room.settings, privacy=replace(room.settings.privacy, redact="always"))
    room.door = type(room.door)(lambda: room.settings.privacy)
    print_key = (sys.executable, "-I", "-c", f"print('token', {key!r}); raise SystemExit(1)")
    settings = Settings(lint={"*.txt": print_key})
    room.checks = Checks(settings, Commands({"PATH": os.environ["PATH"]}), trusted=True)
    # Of a text that stood there it says the same, so that only a new file is told of.
    endpoint.say(block("", "text\n", "new.txt"))
    endpoint.say("It is right.")
    outcome = await room.run(EDIT)
    assert isinstance(outcome, Done) and outcome.proposal and len(endpoint.requests) == 2
    assert "token" in endpoint.requests[1].text and key not in endpoint.requests[1].text


# --- cut and empty replies

TENFOLD = Turn("edit", "Make them ten times as large.", path="c.py")


class Said:
    """The models of `inner`, said to have `traits`."""

    def __init__(self, inner: ConfiguredModels, **traits: bool) -> None:
        self._inner, self._traits = inner, traits

    async def get(self, role: str = "main") -> object:
        model = await self._inner.get()
        return replace(model, info=replace(model.info, **self._traits))  # type: ignore[type-var, arg-type]


async def test_the_lines_of_a_small_model_are_shown_with_what_is_wrong(
    room: Room, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    room.models = Said(models, small=True, grammar=True)  # type: ignore[assignment]
    endpoint.say("def g():\n    return (20\n```")
    at = OLD.index("return 2")
    outcome = await room.run(Turn("edit", "Return 20.", path="a.py", selection=(at, at + 8)))
    assert isinstance(outcome, Done) and after(room) == OLD.replace("return 2", "return (20")
    assert outcome.findings == ("a.py, line 6: a syntax error",) and len(endpoint.requests) == 1


@pytest.mark.parametrize("prefill", [False, True], ids=["asked", "prefilled"])
@pytest.mark.parametrize("cut", CUTS)
async def test_a_cut_reply_is_continued(
    room: Room, endpoint: Endpoint, models: ConfiguredModels, cut: str, prefill: bool
) -> None:
    if prefill:
        room.models = Said(models, prefill=True)  # type: ignore[assignment]
    first = REPLY[: at(CUTS[cut])]
    kept = first.rstrip() if prefill else split(first)[0] or first
    endpoint.say(first, finish="length")
    endpoint.say(REPLY[len(kept) :])
    outcome = await room.run(TENFOLD)
    assert outcome == Done(REPLY, "p1", ("python c.py",))
    assert room.proposals["p1"][0].after == TENFOLD_TEXT.encode()
    (reflected,) = [event for event in room.events if isinstance(event, Reflected)]
    assert reflected.reason == "truncated"
    sent = endpoint.requests[1].body["messages"]
    assert [m["role"] for m in sent] == [
        "system",
        "user",
        "assistant",
        *([] if prefill else ["user"]),
    ]
    assert sent[2]["content"] == kept
    drafted = {(e.old, e.new) for e in room.events if isinstance(e, Drafted)}
    assert ("    return 2", "    return 20") in drafted, "the hunks on their way go on being shown"


async def test_a_reply_is_continued_three_times_at_most(room: Room, endpoint: Endpoint) -> None:
    rows = [f"Point {n} of what I have to say.\n" for n in range(10)]
    for n in range(4):
        endpoint.say("".join(rows[2 * n : 2 * n + 2]), finish="length")
    outcome = await room.run(Turn("ask", "What is there to say?"))
    assert isinstance(outcome, Stop) and outcome.reason == "truncated"
    assert outcome.text == "".join(rows[:8]) and "cut off" in outcome.message
    assert len(endpoint.requests) == 4
    endpoint.say("Fine.")
    assert await room.run(Turn("ask", "And then?")) == Done("Fine."), "the next turn works"
    assert "Point 3" not in endpoint.requests[-1].text


async def test_a_reply_that_runs_away_is_not_continued(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("x = 1\n" * 400, finish="length")
    outcome = await room.run(Turn("ask", "What is there to say?"))
    assert isinstance(outcome, Stop) and outcome.reason == "truncated"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("mode", ["ask", "edit"])
async def test_an_empty_reply_is_asked_for_once_more(
    room: Room, endpoint: Endpoint, mode: str
) -> None:
    turn = Turn(mode, "What is there to say?", path="c.py")  # type: ignore[arg-type]
    endpoint.empty()
    endpoint.say("Nothing.")
    outcome = await room.run(turn)
    assert outcome == Done("Nothing.")
    first, second = (request.body["messages"] for request in endpoint.requests)
    assert [m["role"] for m in second] == ["system", "user"], "no invented reply between them"
    assert second[1]["content"].startswith(first[1]["content"])
    assert "was empty" in second[1]["content"]
    endpoint.say(" \n")
    endpoint.empty()
    outcome = await room.run(turn)
    assert isinstance(outcome, Stop) and outcome.reason == "empty" and len(endpoint.requests) == 4
    assert "empty answer" in outcome.message


async def test_a_refusal_is_an_answer(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("I cannot help with that: the function is not mine to change.")
    outcome = await room.run(TENFOLD)
    assert isinstance(outcome, Done) and outcome.proposal is None
    assert len(endpoint.requests) == 1


async def test_a_filtered_reply_ends_with_a_message(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(REPLY[:200], finish="content_filter")
    outcome = await room.run(TENFOLD)
    assert isinstance(outcome, Stop) and "filter" in outcome.message, outcome
    assert len(endpoint.requests) == 1 and room.proposals == {}
