"""What must hold, one test for each way in which another pair programmer was seen to fail.

Real parts: a workspace folder, the whole turn, a scripted endpoint over HTTP. The number behind a name is that of the
list this was made from. Two of the list are promises about git (20 undo, 29 commits during a merge) and stand with
it in tests/unit/engine/test_undo.py and tests/unit/checkpoints/test_commit.py, a shorter one of the first here too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.desks import Office
from tests.support.endpoint import Endpoint
from tests.support.served import blocks
from tests.support.turns import Room

from pairwright.config.schema import Model as ModelSettings
from pairwright.engine.accept import accept
from pairwright.engine.events import Done, Outcome, Reflected, Stop, Used
from pairwright.engine.turn import Turn
from pairwright.engine.undo import undo
from pairwright.graph.types import Focus, Ranking
from pairwright.llm.models import ConfiguredModels
from pairwright.workspace.snapshot import View

pytestmark = pytest.mark.asyncio(loop_scope="session")

Files = Mapping[str, str | bytes]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


class Make:
    """Rooms of one test."""

    def __init__(self, base: Path, endpoint: Endpoint, models: ConfiguredModels) -> None:
        self.base, self.endpoint, self.models = base, endpoint, models

    def room(self, files: Files, **model: object) -> Room:
        """A folder with `files`; `model`: settings of the model."""
        self.models.configure(ModelSettings(**{**self.endpoint.settings(), **model}))  # type: ignore[arg-type]
        return Room.of(self.base / "work", files, self.models)

    async def edited(
        self, files: Files, reply: str, format: str = "diff", corrections: int = 0
    ) -> tuple[Room, Outcome]:
        """All of `files` are in the chat, and the model answers `reply` in `format`."""
        room = self.room(files, format=format)
        room.reflect(corrections)
        for _ in range(corrections + 1):
            self.endpoint.say(reply)
        return room, await room.run(Turn("edit", "Do it.", chat=tuple(files)))


@pytest.fixture
def make(tmp_path: Path, endpoint: Endpoint, models_everywhere: ConfiguredModels) -> Make:
    return Make(tmp_path, endpoint, models_everywhere)


def check(room: Room, outcome: Outcome, expected: Mapping[str, bytes | None]) -> None:
    """The turn proposed exactly these texts, and touched no file."""
    assert isinstance(outcome, Done) and outcome.proposal and not outcome.missing, outcome
    found: dict[str, bytes | None] = {}
    for change in room.proposals[outcome.proposal]:
        found[change.path] = change.after
        if change.moved_from:
            found[change.moved_from] = None
    assert found == expected


def check_refused(room: Room, outcome: Outcome) -> None:
    """The turn proposed nothing and said why."""
    assert isinstance(outcome, Stop) and outcome.message and room.proposals == {}, outcome


# --- edit formats


async def test_a_patch_adds_a_file_1(make: Make) -> None:
    patch = "*** Begin Patch\n*** Add File: new.py\n+x = 1\n*** End Patch\n"
    room, outcome = await make.edited({"a.py": "a\n"}, patch, "patch")
    check(room, outcome, {"new.py": b"x = 1\n"})
    assert not (Path(room.host.snapshot().root) / "new.py").exists()


@pytest.mark.parametrize("lead", ["I change a.py.\n\n", "Here:\n\n```\n", "```diff\n"])
async def test_words_and_fences_around_a_patch_cost_nothing_2(make: Make, lead: str) -> None:
    patch = f"{lead}*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n```\nDone.\n"
    room, outcome = await make.edited({"a.py": "a\n"}, patch, "patch")
    check(room, outcome, {"a.py": b"b\n"})


async def test_a_moved_file_is_one_change_of_both_names_3(make: Make) -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-a\n+b\n*** End Patch\n"
    room, outcome = await make.edited({"a.py": "a\n"}, patch, "patch")
    check(room, outcome, {"a.py": None, "b.py": b"b\n"})


@pytest.mark.parametrize("blank", ["", "\n"])
async def test_a_line_that_looks_like_the_divider_never_corrupts_4(make: Make, blank: str) -> None:
    old = f"Title\n=======\n{blank}Old\n"
    reply = blocks(("a.md", old, old.replace("Old", "New")))
    room, outcome = await make.edited({"a.md": "Title\n=======\n\nOld\nEnd\n"}, reply)
    check_refused(room, outcome)
    make.endpoint.say(blocks(("a.md", "=======\n\nOld\n", "=======\n\nNew\n")))
    outcome = await room.run(Turn("edit", "Do it.", path="a.md"))
    check(room, outcome, {"a.md": b"Title\n=======\n\nNew\nEnd\n"})


async def test_a_first_line_that_names_the_file_is_kept_5(make: Make) -> None:
    reply = blocks(("a.py", "# a.py\nx = 1\n", "# a.py\nx = 2\n"))
    room, outcome = await make.edited({"a.py": "# a.py\nx = 1\n"}, reply)
    check(room, outcome, {"a.py": b"# a.py\nx = 2\n"})


async def test_text_of_a_file_is_never_glued_to_other_lines_6(make: Make) -> None:
    text = "def f():\n    if x:\n        pass\n"
    reply = blocks(("a.py", "            if x:\n                pass\n", "if y:\n    pass\n"))
    room, outcome = await make.edited({"a.py": text}, reply)
    for changes in room.proposals.values():
        lines = {line.strip() for line in (changes[0].after or b"").splitlines()}
        assert lines <= {b"def f():", b"if x:", b"if y:", b"pass"}
    if not room.proposals:
        check_refused(room, outcome)


async def test_a_whole_text_can_be_replaced_by_nothing_7(make: Make) -> None:
    room, outcome = await make.edited({"a.py": "x = 1\n"}, blocks(("a.py", "x = 1\n", "")))
    check(room, outcome, {"a.py": b""})


async def test_saying_an_edit_twice_is_saying_it_once_8(make: Make) -> None:
    one = ("a.py", "x = 1\n", "x = 2\n")
    room, outcome = await make.edited({"a.py": "x = 1\ny = 1\n"}, blocks(one, one), corrections=3)
    check(room, outcome, {"a.py": b"x = 2\ny = 1\n"})
    assert len(make.endpoint.requests) == 1


REPLIES = {
    "diff": blocks(("a.py", "x = 1\n", "x = 2\n")),
    "udiff": "```diff\n--- a.py\n+++ a.py\n@@ @@\n-x = 1\n+x = 2\n y = 1\n```\n",
    "whole": "a.py\n```\nx = 2\ny = 1\n```\n",
    "patch": "*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
}


@pytest.mark.parametrize("format", sorted(REPLIES))
async def test_line_ends_stay_as_they_are_9(make: Make, format: str) -> None:
    room, outcome = await make.edited({"a.py": "x = 1\r\ny = 1"}, REPLIES[format], format)
    check(room, outcome, {"a.py": b"x = 2\r\ny = 1"})


async def test_a_byte_order_mark_is_no_character_10(make: Make) -> None:
    files: Files = {"a.py": b"\xef\xbb\xbfx = 1\ny = 1\n"}
    room, outcome = await make.edited(files, REPLIES["diff"])
    check(room, outcome, {"a.py": b"x = 2\ny = 1\n"})
    assert "\ufeff" not in make.endpoint.requests[0].text


async def test_a_hunk_that_fits_in_several_places_changes_none_11(make: Make) -> None:
    hunk = "```diff\n--- a.py\n+++ a.py\n@@ @@\n-value = compute()\n+value = 0\n```\n"
    room, outcome = await make.edited({"a.py": "value = compute()\n" * 2}, hunk, "udiff")
    check_refused(room, outcome)


async def test_a_hunk_that_forgets_a_line_never_doubles_one_12(make: Make) -> None:
    text = "def f():\n    # note\n    return 1\n"
    hunk = "```diff\n--- a.py\n+++ a.py\n@@ @@\n-def f():\n-    return 1\n+def f():\n+    return 2\n```\n"
    room, outcome = await make.edited({"a.py": text}, hunk, "udiff")
    for changes in room.proposals.values():
        assert (changes[0].after or b"").count(b"def f():") == 1
    if not room.proposals:
        check_refused(room, outcome)


async def test_the_prefixes_of_git_are_no_folders_13(make: Make) -> None:
    hunk = "```diff\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n```\n"
    room, outcome = await make.edited({"a.py": "x\n"}, hunk, "udiff")
    check(room, outcome, {"a.py": b"y\n"})


async def test_a_hunk_without_a_name_is_told_of_14(make: Make) -> None:
    hunk = "```diff\n@@ @@\n-x\n+y\n```\n"
    room, outcome = await make.edited({"a.py": "x\n", "b.py": "x\n"}, hunk, "udiff")
    check_refused(room, outcome)


async def test_lines_of_dashes_and_pluses_are_text_15(make: Make) -> None:
    hunk = "```diff\n--- a.sql\n+++ a.sql\n@@ @@\n--- old\n+++ new\n select 1;\n```\n"
    room, outcome = await make.edited({"a.sql": "-- old\nselect 1;\n"}, hunk, "udiff")
    check(room, outcome, {"a.sql": b"++ new\nselect 1;\n"})


async def test_a_fence_inside_a_listing_neither_ends_nor_starts_a_file_16(make: Make) -> None:
    text = "# Doc\n\n```\ncode\n```\n\nEnd\n"
    reply = f"Here is the new version of the code:\n\na.md\n````\n{text}New\n````\n"
    room, outcome = await make.edited({"a.md": text}, reply, "whole")
    check(room, outcome, {"a.md": f"{text}New\n".encode()})


async def test_a_listing_that_was_cut_writes_nothing_16(make: Make) -> None:
    room, outcome = await make.edited({"a.py": "x\ny\nz\n"}, "a.py\n```\nx\n", "whole")
    check_refused(room, outcome)


@pytest.mark.parametrize("path", ["../x.py", "/tmp/x.py", ".git/hooks/pre-commit", "b/../../x.py"])
async def test_nothing_outside_the_folder_is_ever_proposed_17(make: Make, path: str) -> None:
    room, outcome = await make.edited({"a.py": "x\n"}, blocks((path, "", "y\n")))
    check_refused(room, outcome)


# --- the turn


async def test_a_named_file_never_costs_the_edits_of_the_same_reply_18(
    make: Make, endpoint: Endpoint
) -> None:
    room = make.room({"a.py": "x = 1\n", "lib/other.py": "y = 1\n"})
    endpoint.say(f"See also `lib/other.py`.\n\n{REPLIES['diff']}")
    check(room, await room.run(Turn("edit", "Do it.", path="a.py")), {"a.py": b"x = 2\n"})
    endpoint.say(f"Please add `lib/other.py` to the chat.\n\n{REPLIES['diff']}")
    endpoint.say("Nothing else has to change.")
    check(room, await room.run(Turn("edit", "Do it.", path="a.py")), {"a.py": b"x = 2\n"})


async def test_a_reply_that_fits_in_part_changes_nothing_by_itself_19(
    make: Make, endpoint: Endpoint
) -> None:
    good, bad = ("a.py", "x = 1\n", "x = 2\n"), ("a.py", "gone = 1\n", "gone = 2\n")
    room, outcome = await make.edited({"a.py": "x = 1\n"}, blocks(good, bad))
    assert isinstance(outcome, Done) and len(outcome.missing) == 1, "shown as incomplete"
    assert (Path(room.host.snapshot().root) / "a.py").read_text() == "x = 1\n"


async def test_undo_takes_back_new_files_and_keeps_what_was_unsaved_20(tmp_path: Path) -> None:
    office = Office.of(tmp_path)
    office.write({"a.txt": b"one\ntwo\n"})
    disk = office.on_disk()
    proposal = office.propose({"a.txt": b"ONE\ntwo\n", "new/b.txt": b"b\n"})
    assert (await accept(office.desk, proposal.id)).state == "applied"
    assert (await undo(office.desk)).state == "done"
    assert office.on_disk() == disk


# --- the map


async def test_files_that_say_what_a_repository_is_are_in_the_map_21(
    make: Make, endpoint: Endpoint
) -> None:
    room = make.room(
        {"README.md": "Read me.\n", "pyproject.toml": "[project]\n", "z.py": "z = 1\n"}
    )
    endpoint.say("Yes.")
    await room.run(Turn("ask", "What is this?"))
    assert (
        "README.md" in endpoint.requests[0].text and "pyproject.toml" in endpoint.requests[0].text
    )


async def test_the_map_does_not_depend_on_the_order_of_files_22(
    make: Make, endpoint: Endpoint, tmp_path: Path
) -> None:
    files = {
        f"m{n}.py": f"def f{n}():\n    return f{(n + 1) % 4}() + f{(n + 2) % 4}()\n"
        for n in range(4)
    }
    texts = []
    for order in (sorted(files), sorted(files, reverse=True)):
        make.base = tmp_path / str(len(texts))
        room = make.room({path: files[path] for path in order})
        endpoint.say("Yes.")
        await room.run(Turn("ask", "What is this?"))
        texts.append(endpoint.requests[-1].text)
    assert texts[0] == texts[1]


async def test_a_request_without_files_ranks_once_23(
    make: Make, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, ranked = make.room({"a.py": "def f():\n    pass\n", "b.py": "import a\na.f()\n"}), []
    rank = View.rank

    def counted(self: View, focus: Focus) -> Ranking:
        ranked.append(focus)
        return rank(self, focus)

    monkeypatch.setattr(View, "rank", counted)
    endpoint.say("Yes.")
    await room.run(Turn("ask", "What is f?"))
    assert "def f" in endpoint.requests[0].text and len(ranked) == 1


async def test_a_map_that_is_off_is_off_24(make: Make, endpoint: Endpoint) -> None:
    room = make.room({"a.py": "def f():\n    pass\n", "b.py": "x = 1\n"})
    room.settings = replace(room.settings, map=replace(room.settings.map, tokens=0))
    endpoint.say("Yes.")
    await room.run(Turn("ask", "What is f?", path="b.py"))
    assert "def f" not in endpoint.requests[0].text


# --- prompts, history, retries, money


async def test_the_reminder_is_said_once_25(make: Make, endpoint: Endpoint) -> None:
    for place in ("user", "system"):
        room = make.room({"a.py": "x = 1\n"}, overrides={"openai/scripted": {"reminder": place}})
        endpoint.say(REPLIES["diff"])
        await room.run(Turn("edit", "Do it.", path="a.py"))
        messages = endpoint.requests[-1].body["messages"]
        spoken = [m["role"] for m in messages if "block as described" in str(m["content"])]
        assert spoken == [place]
        assert sum(str(m["content"]).count("block as described") for m in messages) == 1


def roles(endpoint: Endpoint) -> list[str]:
    return [message["role"] for message in endpoint.requests[-1].body["messages"]]


@pytest.mark.parametrize("end", ["declined", "failed", "cancelled", "cut"])
async def test_a_turn_that_ends_badly_leaves_no_trace_in_the_next_26(
    make: Make, endpoint: Endpoint, end: str
) -> None:
    dear = {"openai/scripted": {"price_in": 0.0005, "price_out": 0.0005}}
    room = make.room({"a.py": "x = 1\n"}, overrides=dear if end == "declined" else {})
    endpoint.say("First.")
    await room.run(Turn("ask", "One?"))
    if end == "declined":
        room.answer = None
        outcome = await room.run(Turn("ask", "Two?"))
        room.answer = "Send"
    elif end == "failed":
        endpoint.fail(401, "no such key")
        outcome = await room.run(Turn("ask", "Two?"))
    elif end == "cut":
        endpoint.cut("Half an ans")
        outcome = await room.run(Turn("ask", "Two?"))
    else:
        endpoint.stall("Half an ans")
        task = asyncio.ensure_future(room.run(Turn("ask", "Two?")))
        while "Half" not in room.said:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        outcome = Stop("cancelled", "")
    assert isinstance(outcome, Stop)
    endpoint.say("Third.")
    assert await room.run(Turn("ask", "Three?")) == Done("Third.")
    assert roles(endpoint) == ["system", "user", "assistant", "user"]
    assert "Two?" not in endpoint.requests[-1].text and "Half" not in endpoint.requests[-1].text


async def test_the_newest_part_of_a_conversation_is_never_lost_27(
    make: Make, endpoint: Endpoint
) -> None:
    room = make.room({"a.py": "x = 1\n"}, window=8192)
    long = "It is a long story of many words. " * 40
    for n in range(8):
        endpoint.say(f"Answer {n}. {long}")
        assert isinstance(await room.run(Turn("ask", f"Question {n}?")), Done)
    endpoint.say("Last.")
    await room.run(Turn("ask", "And?"))
    sent = endpoint.requests[-1].text
    assert "Question 7?" in sent and f"Answer 7. {long}".strip() in sent
    assert "Question 0?" not in sent, "the oldest went"


@pytest.mark.parametrize("cached", [0, 900, 1000])
async def test_the_cost_of_an_answer_is_never_less_than_it_was_28(
    make: Make, endpoint: Endpoint, cached: int
) -> None:
    prices = {"openai/scripted": {"price_in": 1e-6, "price_out": 2e-6}}
    room = make.room({"a.py": "x = 1\n"}, overrides=prices)
    endpoint.say(
        "Yes.",
        usage={
            "prompt_tokens": 1000,
            "completion_tokens": 10,
            "total_tokens": 1010,
            "prompt_tokens_details": {"cached_tokens": cached},
            "prompt_cache_hit_tokens": cached,
            "prompt_cache_miss_tokens": 1000 - cached,
        },
    )
    await room.run(Turn("ask", "What is this?"))
    (used,) = [event.usage for event in room.events if isinstance(event, Used)]
    assert used.cost == pytest.approx(1000 * 1e-6 + 10 * 2e-6)
    assert (used.prompt, used.completion, used.cached) == (1000, 10, cached)


async def test_a_correction_carries_the_text_as_it_is_then(make: Make, endpoint: Endpoint) -> None:
    """A case of the collection (E128): the file changes while the model answers."""
    room = make.room({"t.py": "x = 1\n"})
    place = Path(room.host.snapshot().root) / "t.py"

    def meanwhile() -> None:
        place.write_text("x = 5\n")
        room.host.disk(["t.py"])

    endpoint.hold(blocks(("t.py", "x = 0\n", "x = 2\n")), 20, meanwhile)
    endpoint.say(blocks(("t.py", "x = 5\n", "x = 6\n")))
    outcome = await room.run(Turn("edit", "Do it.", path="t.py"))
    check(room, outcome, {"t.py": b"x = 6\n"})
    assert [e.reason for e in room.events if isinstance(e, Reflected)] == ["edit-match"]
    second = endpoint.requests[1].text
    assert "x = 5" in second and "```\nx = 1" not in second
