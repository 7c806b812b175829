"""Turns over real HTTP: a scripted endpoint behind the real model process, a real host on a folder."""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.endpoint import Endpoint
from tests.support.fixture import files
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.edits.diff import apply
from pairwright.engine.events import Done, Reflected, Started, Stop, Used
from pairwright.engine.turn import Turn
from pairwright.llm.models import ConfiguredModels

pytestmark = pytest.mark.asyncio(loop_scope="session")

EDIT_CASES = Path(__file__).parents[2] / "cases" / "edits.json"
REPO = """\
-- shop/cart.py --
from shop.money import round_up


class Cart:
    def __init__(self):
        self.rows = []

    def total(self):
        value = 0
        value += sum(row.price for row in self.rows)
        # ---
        # ---
        # ---
        return round_up(value)
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)
-- notes.md --
Some notes.
-- secret.env --
KEY=marked-secret
-- .gitignore --
*.env
"""
TWO_HUNKS = """\
I rename the local.

shop/cart.py
```python
<<<<<<< SEARCH
        value = 0
        value += sum(row.price for row in self.rows)
=======
        amount = 0
        amount += sum(row.price for row in self.rows)
>>>>>>> REPLACE
```

shop/cart.py
```python
<<<<<<< SEARCH
        return round_up(value)
=======
        return round_up(amount)
>>>>>>> REPLACE
```
"""


@pytest.fixture
def room(tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels) -> Room:
    models.configure(ModelSettings(**endpoint.settings()))
    return Room.of(tmp_path / "work", files(REPO), models)


def edit(words: str = "Rename value to amount in total.", **more: object) -> Turn:
    return Turn(mode="edit", instruction=words, path="shop/cart.py", **more)  # type: ignore[arg-type]


def ask(words: str = "What does total do?", **more: object) -> Turn:
    return Turn(mode="ask", instruction=words, path="shop/cart.py", **more)  # type: ignore[arg-type]


def block(path: str, search: str, replace_: str) -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{search}=======\n{replace_}>>>>>>> REPLACE\n```\n\n"


async def test_an_answer_streams(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("It adds up the prices.", usage={"prompt_tokens": 70, "completion_tokens": 6})
    outcome = await room.run(ask())
    assert outcome == Done("It adds up the prices.")
    assert room.said == "It adds up the prices."
    assert room.proposals == {}
    started = next(e for e in room.events if isinstance(e, Started))
    assert [name for name, _ in started.tokens] == ["system", "map", "files", "request"]
    assert all(count > 0 for _, count in started.tokens)
    used = next(e for e in room.events if isinstance(e, Used))
    assert (used.usage.prompt, used.usage.completion) == (70, 6)
    sent = endpoint.requests[0].body["messages"]
    assert [m["role"] for m in sent] == ["system", "user"]
    assert "def round_up(value):" in sent[1]["content"], "the map shows the other file"


async def test_thinking_is_no_answer(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("Yes.", reasoning="Hmm, shall I?")
    assert await room.run(ask()) == Done("Yes.")
    assert room.said == "Yes."


async def test_an_edit_is_proposed_with_two_hunks(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(TWO_HUNKS)
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal == "p1"
    (change,) = room.proposals["p1"]
    assert change.path == "shop/cart.py" and len(change.hunks) == 2
    assert change.before is not None and b"value" not in (change.after or b"").split(b"total")[1]
    assert apply(change.before, change.hunks) == change.after


async def test_a_new_file_is_proposed_with_a_change(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(
        block("shop/tax.py", "", "RATE = 0.2\n")
        + block("shop/cart.py", "        return round_up(value)\n", "        return value\n")
    )
    outcome = await room.run(edit())
    assert isinstance(outcome, Done)
    changes = {c.path: c for c in room.proposals["p1"]}
    assert changes["shop/tax.py"].before is None
    assert changes["shop/tax.py"].after == b"RATE = 0.2\n"
    assert b"return value\n" in (changes["shop/cart.py"].after or b"")


async def test_unsaved_text_is_what_is_sent_and_edited(room: Room, endpoint: Endpoint) -> None:
    text = files(REPO)["shop/cart.py"].replace("round_up(value)", "round_up(value)  # typed")
    room.type("shop/cart.py", text, version=7)
    endpoint.say(
        block(
            "shop/cart.py",
            "        return round_up(value)  # typed\n",
            "        return value\n",
        )
    )
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal
    assert "# typed" in endpoint.requests[0].text
    assert room.proposals["p1"][0].before == text.encode()
    (file,) = room.door.manifests[-1].files
    assert (file.version, file.spans) == (7, ((0, len(text.encode())),))


async def test_a_miss_is_answered_with_the_real_lines(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("shop/cart.py", "        return round_up(valve)\n", "        return 1\n"))
    endpoint.say(block("shop/cart.py", "        return round_up(value)\n", "        return 1\n"))
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal
    (reflected,) = [e for e in room.events if isinstance(e, Reflected)]
    assert reflected.reason == "edit-match"
    again = endpoint.requests[1].body["messages"]
    assert [m["role"] for m in again] == ["system", "user", "assistant", "user"]
    assert "return round_up(valve)" in again[2]["content"]
    assert "        return round_up(value)" in again[3]["content"]
    assert "Traceback" not in again[3]["content"]
    assert again[:1] == endpoint.requests[0].body["messages"][:1], "the prefix stays"


async def test_blocks_that_fitted_need_not_be_sent_again(room: Room, endpoint: Endpoint) -> None:
    good = block("shop/cart.py", "        value = 0\n", "        value = 1\n")
    bad = block("shop/cart.py", "        return up(value)\n", "        return 2\n")
    mended = block("shop/cart.py", "        return round_up(value)\n", "        return 2\n")
    endpoint.say(good + bad)
    endpoint.say(mended)
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal
    (change,) = room.proposals["p1"]
    assert b"value = 1\n" in (change.after or b"") and b"return 2\n" in (change.after or b"")
    kept = room.sessions.exchanges("")[-1].answer
    assert "value = 1" in kept and "return 2" in kept, "the history holds the whole edit"


async def test_a_newer_block_counts_where_it_clashes_with_a_kept_one(
    room: Room, endpoint: Endpoint
) -> None:
    kept = block("shop/cart.py", "        value = 0\n", "        value = 1\n")
    bad = block("shop/cart.py", "        return up(value)\n", "        return 2\n")
    whole = block(
        "shop/cart.py",
        "        value = 0\n        value += sum(row.price for row in self.rows)\n",
        "        value = 9\n        value += sum(row.price for row in self.rows)\n",
    )
    mended = block("shop/cart.py", "        return round_up(value)\n", "        return 2\n")
    endpoint.say(kept + bad)
    endpoint.say(whole + mended)
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal
    after = room.proposals["p1"][0].after or b""
    assert b"value = 9\n" in after and b"value = 1\n" not in after and b"return 2\n" in after


async def test_the_same_mistake_twice_stops(room: Room, endpoint: Endpoint) -> None:
    bad = block("shop/cart.py", "        return nowhere()\n", "        return 1\n")
    endpoint.say(bad)
    endpoint.say("Sorry! Here it is again.\n\n" + bad)
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "repeated"
    assert "shop/cart.py" in outcome.message
    assert len(endpoint.requests) == 2 and room.proposals == {}
    assert room.sessions.exchanges("") == (), "no half turn in the history"


async def test_corrections_are_counted(room: Room, endpoint: Endpoint) -> None:
    for name in ("one", "two", "three"):
        endpoint.say(block("shop/cart.py", f"        return {name}()\n", "        return 1\n"))
    room.reflect(2)
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "exhausted"
    assert "three" in outcome.message
    assert len(endpoint.requests) == 3 and room.proposals == {}


async def test_what_is_almost_right_twice_is_shown_as_a_guess(
    room: Room, endpoint: Endpoint
) -> None:
    search = "    def total(self):\n        value = 0\n        value += sum(r.price for r in self.rows)\n"
    search += "        # ---\n        # ---\n        # ---\n        return round_up(value)\n"
    bad = block("shop/cart.py", search, search.replace("round_up(value)", "value"))
    endpoint.say(bad)
    endpoint.say(bad)
    outcome = await room.run(edit())
    assert isinstance(outcome, Done), outcome
    (changes,) = room.proposals.values()
    assert [hunk.approximate for change in changes for hunk in change.hunks] == [True]
    # The only try is no corrected one.
    endpoint.say(bad)
    room.reflect(0)
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "exhausted"


async def test_no_correction_where_none_is_allowed(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("shop/cart.py", "        return one()\n", "        return 1\n"))
    room.reflect(0)
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "exhausted"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("shop/money.py", "not shown in this request"),
        ("secret.env", "not shown in this request"),
        ("../outside.py", "leads outside"),
        ("notes.md", "read-only"),
    ],
)
async def test_only_files_of_the_prompt_can_change(
    room: Room, endpoint: Endpoint, path: str, said: str
) -> None:
    endpoint.say(block(path, "Some notes.\n", "x\n"))
    room.reflect(0)
    outcome = await room.run(edit(read_only=("notes.md",)))
    assert isinstance(outcome, Stop) and outcome.reason == "exhausted"
    assert path in outcome.message and said in outcome.message
    assert room.proposals == {}


async def test_an_ignored_file_is_never_created_anew(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(block("secret.env", "", "KEY=\n"))
    room.reflect(0)
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and "secret.env" in outcome.message
    assert room.proposals == {}


async def test_what_is_not_there_may_be_created_though_it_was_listed_or_is_open_empty(
    room: Room, endpoint: Endpoint
) -> None:
    (Path(room.host.snapshot().root) / "shop/money.py").unlink()
    room.type("shop/new.py", "")
    assert "shop/money.py" in room.host.snapshot().paths()
    endpoint.say(block("shop/money.py", "", "M = 1\n") + block("shop/new.py", "", "N = 1\n"))
    outcome = await room.run(edit())
    assert isinstance(outcome, Done), outcome
    (changes,) = room.proposals.values()
    found = {change.path: (change.before, change.after) for change in changes}
    assert found == {"shop/money.py": (None, b"M = 1\n"), "shop/new.py": (b"", b"N = 1\n")}


async def test_prose_is_an_answer_and_code_without_blocks_is_not(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.say("Nothing has to change: it is called amount already.")
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal is None
    endpoint.say("```python\namount = 0\n```\n")
    endpoint.say(TWO_HUNKS)
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.proposal
    (reflected,) = [e for e in room.events if isinstance(e, Reflected)]
    assert reflected.reason == "edit-format"


async def test_a_shell_command_is_a_suggestion(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("Run the tests:\n\n```bash\npytest -q\n```\n")
    outcome = await room.run(edit())
    assert isinstance(outcome, Done) and outcome.shell == ("pytest -q",)
    assert len(endpoint.requests) == 1


async def test_a_reply_cut_by_length_is_never_applied(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(TWO_HUNKS, finish="length")
    for n in range(3):
        endpoint.say(f"Point {n}.\n", finish="length")
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "truncated"
    assert "cut off" in outcome.message and outcome.text.startswith(TWO_HUNKS)
    assert room.proposals == {} and len(endpoint.requests) == 4, "it was continued three times"


async def test_a_reply_cut_by_the_network_is_never_applied(room: Room, endpoint: Endpoint) -> None:
    for _ in range(12):
        endpoint.cut(TWO_HUNKS)
    outcome = await asyncio.wait_for(room.run(edit()), 60)
    assert isinstance(outcome, Stop) and outcome.reason == "model"
    assert room.proposals == {}


async def test_cancel_closes_the_stream_at_once(room: Room, endpoint: Endpoint) -> None:
    endpoint.say(TWO_HUNKS, size=400, delay=30.0)
    task = asyncio.ensure_future(room.run(edit()))
    await asyncio.to_thread(endpoint.wait)
    while not room.said:
        await asyncio.sleep(0.01)
    cancelled = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - cancelled < 0.2
    closed = await asyncio.to_thread(endpoint.wait_closed)
    assert closed - cancelled < 0.5
    assert room.proposals == {} and room.sessions.exchanges("") == ()
    endpoint.say("Yes.")
    assert await room.run(ask()) == Done("Yes."), "the next turn works"


async def test_too_much_is_refused_with_the_numbers(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    models.configure(ModelSettings(**endpoint.settings(), window=2000, max_output=200))
    text = "\n".join(f"def function_{n}(): return {n}" for n in range(1500))
    room = Room.of(tmp_path / "work", {"shop/cart.py": text}, models)
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "budget"
    assert "1,800" in outcome.message and "files" in outcome.message
    assert endpoint.requests == [], "nothing leaves that does not fit"


async def test_a_long_file_is_cut_to_the_region_and_only_that_can_change(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    models.configure(ModelSettings(**endpoint.settings(), window=4000, max_output=200))
    rows = [f"def function_{n}(): return {n}" for n in range(1500)]
    text = "\n".join(rows) + "\n"
    room = Room.of(tmp_path / "work", {"shop/cart.py": text}, models)
    at = text.index("def function_700()")
    turn = edit("Return 1.", selection=(at, at + 10))
    endpoint.say(block("shop/cart.py", f"{rows[3]}\n", "x = 1\n"))
    endpoint.say(block("shop/cart.py", f"{rows[700]}\n", "x = 1\n"))
    outcome = await room.run(turn)
    assert isinstance(outcome, Done) and outcome.proposal
    assert room.door.manifests[0].left_out[-1] == "whole files"
    (reflected,) = [e for e in room.events if isinstance(e, Reflected)]
    assert reflected.reason == "edit-path" and "excerpt" in reflected.detail
    sent = endpoint.requests[0].text
    assert rows[700] in sent and rows[3] not in sent
    (file,) = room.door.manifests[0].files
    ((low, high),) = file.spans
    assert text.encode()[low:high].decode().splitlines() == rows[660:741]


async def test_a_prompt_the_provider_finds_too_long_is_made_shorter_once(
    room: Room, endpoint: Endpoint
) -> None:
    endpoint.overflow()
    endpoint.say("Fine.")
    assert await room.run(ask()) == Done("Fine.")
    assert [m.left_out for m in room.door.manifests] == [(), ("map",)]
    endpoint.overflow()
    endpoint.overflow()
    outcome = await room.run(ask())
    assert isinstance(outcome, Stop) and outcome.reason == "budget"
    first, second = (manifest.total for manifest in room.door.manifests[-2:])
    assert f"refused prompts of {first:,} and of {second:,} tokens" in outcome.message
    assert "maximum context length is 4096" in outcome.message and second < first
    assert len(endpoint.requests) == 4


async def test_a_prompt_too_long_of_which_nothing_can_go_is_not_sent_again(
    room: Room, endpoint: Endpoint
) -> None:
    room.settings = replace(room.settings, map=replace(room.settings.map, tokens=0))
    endpoint.overflow()
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "budget"
    assert "nothing of it can be left out" in outcome.message
    assert f"{room.door.manifests[-1].total:,} tokens" in outcome.message
    assert "maximum context length is 4096" in outcome.message
    assert len(endpoint.requests) == 1


async def test_a_model_error_ends_the_turn_with_words(room: Room, endpoint: Endpoint) -> None:
    endpoint.fail(401, "bad key")
    outcome = await room.run(edit())
    assert isinstance(outcome, Stop) and outcome.reason == "model" and outcome.message
    assert len(endpoint.requests) == 1


async def test_an_ignored_file_is_never_sent(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("Yes.")
    await room.run(ask(chat=("secret.env", "../x.py", "gone.py")))
    assert "marked-secret" not in endpoint.requests[0].text
    (manifest,) = room.door.manifests
    assert [reason.split()[0] for reason in manifest.refused] == [
        "secret.env",
        "../x.py",
        "gone.py",
    ]
    outcome = await room.run(Turn("ask", "What is this?", path="secret.env", selection=(0, 4)))
    assert isinstance(outcome, Stop) and outcome.reason == "refused"
    assert "ignore rules" in outcome.message and len(endpoint.requests) == 1


async def test_a_chat_goes_on(room: Room, endpoint: Endpoint) -> None:
    endpoint.say("It adds up.")
    endpoint.say("It rounds.")
    endpoint.say("Nothing.")
    await room.run(ask("What does total do?"))
    room.sessions.tell("", "hunk 1 of shop/cart.py was rejected")
    await room.run(ask("And then?"))
    first, second = (r.body["messages"] for r in endpoint.requests)
    assert [m["role"] for m in second] == ["system", "user", "assistant", "user"]
    assert second[2]["content"] == "It adds up."
    assert "was rejected" in second[3]["content"]
    assert second[0] == first[0]
    stable = second[1]["content"].rpartition("\n\n")[0]
    assert first[1]["content"].startswith(stable), "the map is the same in both"
    await room.run(ask("And here?", session="other"))
    assert len(endpoint.requests[2].body["messages"]) == 2, "another chat knows nothing of it"


async def test_typing_during_the_reply_keeps_the_base(room: Room, endpoint: Endpoint) -> None:
    text = files(REPO)["shop/cart.py"]
    endpoint.say(TWO_HUNKS, first=0.5)
    task = asyncio.ensure_future(room.run(edit()))
    await asyncio.to_thread(endpoint.wait)
    room.type("shop/cart.py", "# typed\n" + text, version=2)
    outcome = await task
    assert isinstance(outcome, Done) and outcome.proposal
    assert room.proposals["p1"][0].before == text.encode()


async def test_a_correction_shows_the_text_as_it_is_then(room: Room, endpoint: Endpoint) -> None:
    text = files(REPO)["shop/cart.py"]
    endpoint.say(
        block("shop/cart.py", "        return up(value)\n", "        return 1\n"), first=0.5
    )
    endpoint.say(block("shop/cart.py", "# typed\n", "# done\n"))
    task = asyncio.ensure_future(room.run(edit()))
    await asyncio.to_thread(endpoint.wait)
    room.type("shop/cart.py", "# typed\n" + text, version=2)
    outcome = await task
    assert isinstance(outcome, Done) and outcome.proposal
    assert "# typed" not in endpoint.requests[0].text and "# typed" in endpoint.requests[1].text
    assert room.proposals["p1"][0].before == b"# typed\n" + text.encode()


async def test_a_small_model_without_a_grammar_writes_short_blocks(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    settings = {**endpoint.settings(), "name": "openai/qwen2.5-coder-1.5b"}
    models.configure(ModelSettings(**settings))
    long_ = "\n".join(f"def long_{n}():\n    return {n}\n\n" for n in range(200))
    room = Room.of(tmp_path / "work", {**files(REPO), "long.py": long_}, models)
    at = long_.index("return 150")
    outside = block("long.py", "def long_3():\n    return 3\n", "def long_3():\n    return 4\n")
    endpoint.say(outside)
    endpoint.say(block("long.py", "    return 150\n", "    return 151\n"))
    outcome = await room.run(Turn("edit", "Return 151.", path="long.py", selection=(at, at)))
    assert isinstance(outcome, Done) and outcome.proposal
    assert [hunk.new for hunk in room.proposals["p1"][0].hunks] == [b"    return 151\n"]
    first = endpoint.requests[0]
    assert "def long_150():" in first.text and "def long_151():" not in first.text
    assert room.door.manifests[0].total < 1_500
    outcome = await room.run(Turn("edit", "Return 151.", path="long.py"))
    assert isinstance(outcome, Stop) and outcome.reason == "refused"
    assert "select the lines to change" in outcome.message and len(endpoint.requests) == 2


CASES = {case["id"]: case for case in json.loads(EDIT_CASES.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", ["E126", "E130", "E132"])
async def test_chat_and_stream_cases(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels, name: str
) -> None:
    case = CASES[name]
    models.configure(ModelSettings(**endpoint.settings()))
    room = Room.of(tmp_path / "work", case["files"], models)
    for action in case.get("actions", ()):
        if isinstance(action, dict):
            subprocess.run(["sh", "-c", action["sh"]], cwd=tmp_path / "work", check=True)
            room.host.scan()
    cancel_after = case.get("cancel_after_text")
    finish = case.get("finish_reason", "stop")
    endpoint.say(case["reply"], finish=finish, size=1, delay=0.002 if cancel_after else 0.0)
    if finish == "length":
        endpoint.say(" \n", finish=finish)
    task = asyncio.ensure_future(room.run(Turn("edit", "Do it.", chat=tuple(case["chat_files"]))))
    if cancel_after:
        while cancel_after not in room.said:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert room.proposals == {}
        return
    outcome = await task
    if "error_any" in case["expect"]:
        assert isinstance(outcome, Stop) and room.proposals == {}
        assert any(words in outcome.message for words in case["expect"]["error_any"])
        return
    assert isinstance(outcome, Done) and outcome.proposal
    wanted = {p: t.encode() for p, t in case["expect"]["files"].items() if t is not None}
    assert {c.path: c.after for c in room.proposals["p1"]} == wanted
    assert "plan.md" not in endpoint.requests[0].text, "a deleted file is not shown"


async def test_a_dear_request_asks_first(room: Room, endpoint: Endpoint) -> None:
    model = await room.models.get()
    dear = replace(model, info=replace(model.info, price_in=0.0004, price_out=0.0004))  # type: ignore[type-var]

    class Dear:
        async def get(self, role: str = "main") -> object:
            return dear

    room.models = Dear()  # type: ignore[assignment]
    room.answer = None
    outcome = await room.run(ask())
    assert isinstance(outcome, Stop) and outcome.reason == "budget"
    assert endpoint.requests == [] and "$" in room.asked[0]
    room.answer = "Send"
    endpoint.say("Yes.")
    assert await room.run(ask()) == Done("Yes.")


async def test_the_same_request_is_the_same_bytes(
    tmp_path: Path, endpoint: Endpoint, models: ConfiguredModels
) -> None:
    models.configure(ModelSettings(**endpoint.settings()))
    for name in ("one", "two"):
        endpoint.say("Yes.")
        room = Room.of(tmp_path / name, files(REPO), models)
        await room.run(ask(chat=("notes.md", "shop/money.py")))
    first, second = (r.body["messages"] for r in endpoint.requests)
    assert first == second
