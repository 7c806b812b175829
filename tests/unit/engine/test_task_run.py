"""Runs of a task over a real folder with a scripted model: what counts as done, what follows when it does not."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from tests.support.author import CUT, DOWN, FILTERED, Answer, Place
from tests.support.tasks import Worksite, block, listing, target

from pairwright.engine.accept import accept, reject
from pairwright.engine.checks import Checks
from pairwright.engine.task import control
from pairwright.engine.task.document import render
from pairwright.engine.task.plan import Entry, Plan
from pairwright.engine.task.run import Recorder, run
from pairwright.engine.task.state import State
from pairwright.workspace.run import Commands

pytestmark = pytest.mark.asyncio(loop_scope="session")

FILES = {"main.py": "print(1)\n", "old.py": "x = 1\n"}
PLAN = """# Plan: shop

## create shop/item.py
- contract: class Item

## create shop/cart.py
- contract: def total(items) -> int
- depends: shop/item.py

## modify main.py
- depends: shop/cart.py

## delete old.py
"""
GOOD = {
    "shop/item.py": listing("shop/item.py", "class Item:\n    price = 0\n", ["price is in cents"]),
    "shop/cart.py": listing("shop/cart.py", "def total(items):\n    return len(items)\n"),
    "main.py": block("main.py", "print(1)\n", "print(2)\n"),
}
AFTER = {
    "main.py": "print(2)\n",
    "shop/cart.py": "def total(items):\n    return len(items)\n",
    "shop/item.py": "class Item:\n    price = 0\n",
}


def answers(replies: Mapping[str, str | Sequence[str]]) -> Answer:
    """What is said by target: always the same, or one after another."""
    left = {path: [said] if isinstance(said, str) else list(said) for path, said in replies.items()}

    def answer(prompt: str) -> str:
        said = left[target(prompt)]
        return said.pop(0) if len(said) > 1 else said[0]

    return answer


def simple(*paths: str) -> Plan:
    return Plan("many", entries=tuple(Entry(path, "create") for path in paths))


def written(prompt: str) -> str:
    path = target(prompt)
    return listing(path, f"# {path}\n")


async def check(
    place: Place,
    replies: Mapping[str, str | Sequence[str]],
    expected: str,
    *,
    plan: str = PLAN,
    **task: object,
) -> Worksite:
    """A run of `plan` with the texts applied at once; `expected`: each file's phase by its first letters."""
    site = Worksite.of(place, answers(replies), FILES, **{"review": "task", **task})
    state = await site.run(plan)
    phases = " ".join(state.file(entry.path).phase for entry in state.plan.entries)
    assert phases == expected, [one.reason for one in state.files.values()]
    return site


async def test_each_file_of_a_plan_is_written_in_its_order(place: Place) -> None:
    site = await check(place, GOOD, "applied applied applied applied")
    assert site.texts() == AFTER
    assert [target(one) for one in site.model.prompts] == [
        "shop/item.py",
        "shop/cart.py",
        "main.py",
    ]
    assert site.task.status == "done"
    assert site.task.reason == "4 of 4 files written"


async def test_a_step_sees_the_plan_and_the_notes_but_no_conversation(place: Place) -> None:
    site = await check(place, GOOD, "applied applied applied applied")
    for request in site.model.requests:
        assert [one["role"] for one in request.body["messages"]] == ["system", "user"]
    last = site.model.prompts[-1]
    assert "[x] create shop/item.py" in last
    assert "[>] modify main.py" in last
    assert "[ ] delete old.py" in last
    assert "- price is in cents" in last
    assert "def total(items) -> int" in last
    assert "I write it." not in last
    assert "class Item:\n" not in last


# --- what does not count as done


async def test_a_reply_whose_edit_fits_nowhere_is_not_done(place: Place) -> None:
    wrong = [block("main.py", f"print({n})\n", "x\n") for n in (7, 8, 9)]
    site = await check(place, {**GOOD, "main.py": wrong}, "applied applied failed applied")
    assert site.texts()["main.py"] == "print(1)\n"
    assert "3 of 4 files written; main.py failed (edit-match" in site.task.reason


async def test_a_failed_file_is_tried_again_with_the_reason_and_nothing_else(
    place: Place,
) -> None:
    replies = ["Certainly! I am a poet.", GOOD["main.py"]]
    site = await check(place, {**GOOD, "main.py": replies}, "applied applied applied applied")
    assert "held no edit" in site.model.prompts[-1]
    assert "poet" not in site.model.prompts[-1]
    assert len(site.model.requests[-1].body["messages"]) == 2


async def test_tries_are_bounded(place: Place) -> None:
    replies = [f"No {n}." for n in range(9)]
    site = await check(
        place, {**GOOD, "main.py": replies}, "applied applied failed applied", retries=3
    )
    assert len([one for one in site.model.prompts if target(one) == "main.py"]) == 4


async def test_a_model_that_repeats_itself_is_not_asked_again(place: Place) -> None:
    site = await check(
        place, {**GOOD, "main.py": "No."}, "applied applied failed applied", retries=5
    )
    assert len([one for one in site.model.prompts if target(one) == "main.py"]) == 2


@pytest.mark.parametrize(
    ("path", "reply", "reason"),
    [
        ("shop/item.py", listing("shop/item.py", ""), "empty"),
        ("shop/item.py", listing("shop/item.py", "\n\n"), "empty"),
        ("shop/item.py", "shop/item.py\n```\nclass Item:\n    price =", "edit-format"),
        ("shop/item.py", f"shop/item.py\n```\nclass Item: pass\n{CUT}", "truncated"),
        ("shop/item.py", listing("shop/item.py", "class Thing:\n    pass\n"), "contract"),
        ("shop/item.py", listing("shop/item.py", "class Item:\n  def (:\n"), "checks"),
        ("shop/item.py", listing("shop/other.py", "class Item: pass\n"), "other-file"),
        ("shop/item.py", GOOD["shop/item.py"] + GOOD["shop/cart.py"], "other-file"),
        ("main.py", block("old.py", "x = 1\n", "x = 2\n"), "other-file"),
        ("main.py", block("main.py", "print(1)\n", "print(1)\n"), "edit-match"),
    ],
)
async def test_a_text_counts_only_if_it_holds(
    place: Place, path: str, reply: str, reason: str
) -> None:
    plan = f"## {'modify' if path in FILES else 'create'} {path}\n" + (
        "- contract: class Item\n" if path not in FILES else ""
    )
    site = await check(place, {path: reply}, "failed", plan=plan)
    assert site.task.file(path).tries[-1].reason == reason
    assert site.texts() == FILES


async def test_a_package_file_may_be_empty(place: Place) -> None:
    reply = listing("shop/__init__.py", "")
    await check(place, {"shop/__init__.py": reply}, "applied", plan="## create shop/__init__.py\n")


async def test_a_listing_may_leave_out_the_name_of_the_only_file(place: Place) -> None:
    for said in ("```python\nx = 1\n```\n", "item.py\n```\nx = 1\n```\n"):
        site = await check(
            place / str(len(said)),
            {"shop/item.py": said},
            "applied",
            plan="## create shop/item.py\n",
        )
        assert site.texts()["shop/item.py"] == "x = 1\n"


async def test_a_small_model_writes_a_short_file_anew_and_loses_nothing(place: Place) -> None:
    kept = listing("path/of/the/file.py", "def a():\n    return 2\n\n\ndef b():\n    return 1\n")
    replies = {"m.py": [listing("m.py", "def a():\n    return 2\n"), kept]}
    old = {"m.py": "def a():\n    return 1\n\n\ndef b():\n    return 1\n"}
    site = Worksite.of(place, answers(replies), old)
    site.limit(small=True)
    state = await site.run("## modify m.py\n")
    assert state.paths("proposed") == ("m.py",)
    assert "no longer defines b" in site.model.prompts[1]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (GOOD["shop/cart.py"], "applied"),
        (listing("main.py", "print(3)\n"), "applied"),
        (None, "failed"),
    ],
)
async def test_a_small_model_may_repeat_other_files_and_changes_none(
    place: Place, others: str | None, expected: str
) -> None:
    own = listing("shop/item.py", "class Item:\n    pass\n")
    reply = GOOD["shop/cart.py"] if others is None else own + others
    site = Worksite.of(place, lambda prompt: reply, FILES, review="task", retries=0)
    site.limit(small=True)
    state = await site.run("## create shop/item.py\n- contract: class Item\n")
    assert state.file("shop/item.py").phase == expected
    made = {"shop/item.py": "class Item:\n    pass\n"} if others else {}
    assert site.texts() == {**FILES, **made}
    if others:
        assert any("is left out" in status for status in site.statuses)


async def test_files_of_one_name_in_two_packages_are_kept_apart(place: Place) -> None:
    names = (
        "pkg/a/utils.py",
        "pkg/b/utils.py",
        "pkg/a/__init__.py",
        "pkg/b/__init__.py",
        "utils.py",
    )
    site = Worksite.of(place, written, review="task")
    state = await site.run(simple(*names))
    assert state.paths("applied") == names
    assert site.texts() == {path: f"# {path}\n" for path in names}


async def test_more_than_twenty_files_are_all_in_every_prompt(place: Place) -> None:
    names = tuple(f"pkg/part_{n:02}.py" for n in range(25))
    site = Worksite.of(place, written)
    state = await site.run(simple(*names))
    assert state.paths("proposed") == names
    assert len(site.model.prompts) == 25
    for index, prompt in enumerate(site.model.prompts):
        assert prompt.count("[x] create ") == index
        assert prompt.count("[ ] create ") == 24 - index


async def test_ten_writes_in_a_row_are_no_loop(place: Place) -> None:
    names = tuple(f"n{n}.py" for n in range(12))
    site = Worksite.of(place, written, review="task")
    state = await site.run(simple(*names))
    assert state.status == "done"
    assert state.paths("applied") == names


async def test_a_file_written_again_has_one_text_and_one_set_of_notes(place: Place) -> None:
    path = "shop/item.py"
    replies = [listing(path, f"class Item:\n    n = {n}\n", [f"note {n}"]) for n in (1, 2, 3)]
    site = await check(place, {**GOOD, path: replies}, "applied applied applied applied")
    for n in (2, 3):
        assert await control.redone(site.recorder(), path) == ""
        state = await site.run()
        assert state.paths("applied") == ("shop/item.py", "shop/cart.py", "main.py", "old.py")
        assert site.texts()[path] == f"class Item:\n    n = {n}\n"
        assert state.notes(10) == (f"note {n}",)
    result = await control.taken_back(site.recorder())
    assert result.state == "done"
    assert site.texts() == FILES


async def test_files_that_need_each_other_are_written_together(place: Place) -> None:
    plan = "## create a.py\n- depends: b.py\n## create b.py\n- depends: a.py\n"
    both = listing("a.py", "import b\n") + listing("b.py", "import a\n")
    site = Worksite.of(place, lambda prompt: both, review="task")
    state = await site.run(plan)
    assert state.paths("applied") == ("a.py", "b.py")
    assert "These 2 files need each other" in site.model.prompts[0]
    assert len(site.model.prompts) == 1


async def test_half_a_group_is_not_done(place: Place) -> None:
    plan = "## create a.py\n- depends: b.py\n## create b.py\n- depends: a.py\n"
    site = Worksite.of(place, lambda prompt: listing("a.py", "import b\n"), review="task")
    state = await site.run(plan)
    assert state.paths("failed") == ("a.py", "b.py")
    assert site.texts() == {}


# --- what follows a failure


async def test_what_needs_a_lost_file_is_left_out_by_name(place: Place) -> None:
    site = await check(place, {**GOOD, "shop/item.py": "No."}, "failed skipped skipped applied")
    state = site.task
    assert state.file("main.py").reason == "it needs shop/cart.py, which was not written"
    assert state.reason.startswith("1 of 4 files written; shop/item.py failed")
    assert await control.redone(site.recorder(), "shop/item.py") == ""
    site.model.answer = answers(GOOD)
    state = await site.run()
    assert state.paths("applied") == ("shop/item.py", "shop/cart.py", "main.py", "old.py")


async def test_a_failure_can_stop_the_run(place: Place) -> None:
    site = await check(
        place,
        {**GOOD, "shop/item.py": "No."},
        "failed pending pending pending",
        on_failure="stop",
    )
    assert site.task.status == "stopped"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("Leave it out", "failed skipped skipped applied"),
        ("Stop", "failed pending pending pending"),
        (None, "failed pending pending pending"),
        ("Try again", "applied applied applied applied"),
    ],
)
async def test_a_failure_can_be_asked_about(place: Place, says: str | None, expected: str) -> None:
    replies = {**GOOD, "shop/item.py": ["No.", "No.", GOOD["shop/item.py"]]}
    site = Worksite.of(place, answers(replies), FILES, review="task", on_failure="ask")
    site.says = says
    state = await site.run(PLAN)
    assert " ".join(state.file(entry.path).phase for entry in state.plan.entries) == expected
    assert len(site.asked) == 1


async def test_a_model_that_is_down_stops_the_run_and_fails_no_file(place: Place) -> None:
    replies = {**GOOD, "shop/cart.py": [DOWN, GOOD["shop/cart.py"]]}
    site = await check(place, replies, "applied pending pending pending")
    assert site.task.status == "stopped"
    assert "The model's server is down." in site.task.reason
    state = await site.run()
    assert (state.status, site.texts()) == ("done", AFTER)


async def test_what_a_provider_filters_costs_its_own_file_only(place: Place) -> None:
    replies = {**GOOD, "shop/item.py": [FILTERED, GOOD["shop/item.py"]], "main.py": FILTERED}
    site = await check(place, replies, "applied applied failed applied")
    assert site.task.status == "done"
    assert "content filter" in site.task.file("main.py").reason


async def test_a_task_stops_at_its_budget_and_goes_on(place: Place) -> None:
    site = await check(place, GOOD, "applied pending pending pending", tokens=300)
    assert "pairwright.task.tokens" in site.task.reason
    for _ in range(3):
        await site.run()
    assert site.texts() == AFTER


# --- the workspace


async def test_a_run_that_goes_on_is_reviewed_as_it_was_begun(place: Place) -> None:
    site = Worksite.of(place, answers(GOOD), FILES, review="end", tokens=300)
    state = await site.run(PLAN, "task")
    assert (state.status, state.paths("applied")) == ("stopped", ("shop/item.py",))
    state = await site.run()
    assert state.paths("applied") == ("shop/item.py", "shop/cart.py")
    state = await site.run(mode="end")
    assert state.review == "end" and "proposed" not in state.file("shop/cart.py").phase


async def test_texts_of_open_buffers_win_over_the_disk(place: Place) -> None:
    site = Worksite.of(
        place,
        answers({"main.py": block("main.py", "typed = 1\n", "typed = 2\n")}),
        FILES,
        review="task",
    )
    site.office.editor.open("main.py", b"typed = 1\n")
    state = await site.run("## modify main.py\n")
    assert state.paths("applied") == ("main.py",)
    assert site.office.editor.text("main.py") == b"typed = 2\n"
    assert site.texts()["main.py"] == "print(1)\n"


async def test_a_file_changed_by_hand_is_stale_and_left_alone(place: Place) -> None:
    site = await check(place, GOOD, "applied applied applied applied")
    site.office.write({"shop/cart.py": b"mine = 1\n"})
    site.office.editor.host.scan()
    state = await site.run()
    assert state.paths("stale") == ("shop/cart.py",)
    assert site.texts()["shop/cart.py"] == "mine = 1\n"
    assert len(site.model.prompts) == 3


async def test_a_text_in_the_overlay_gives_way_to_an_edit_by_hand(place: Place) -> None:
    down = {**GOOD, "main.py": DOWN}
    site = await check(place, down, "verified verified pending pending", review="end")
    site.office.write({"shop/cart.py": b"mine = 1\n"})
    site.office.editor.host.scan()
    site.model.answer = answers(GOOD)
    state = await site.run()
    assert state.file("shop/cart.py").phase == "stale"
    assert site.texts()["shop/cart.py"] == "mine = 1\n"
    assert "shop/cart.py stale" in site.states[-1].reason or state.status == "waiting"


async def test_an_edit_of_the_user_beside_an_accepted_one_stays(place: Place) -> None:
    def answer(prompt: str) -> str:
        site.office.write({"main.py": b"print(1)\n\n\n# mine\n"})
        site.office.editor.host.scan()
        return block("main.py", "print(1)\n", "print(2)\n")

    site = Worksite.of(place, answer, FILES, review="task")
    state = await site.run("## modify main.py\n")
    assert site.texts()["main.py"] == "print(2)\n\n\n# mine\n"
    assert state.file("main.py").phase == "stale"
    assert (await control.taken_back(site.recorder())).state == "done"
    assert site.texts()["main.py"] == "print(1)\n\n\n# mine\n"


# --- review


async def accepted(site: Worksite) -> None:
    for proposal in site.office.desk.proposals.pending():
        assert (await accept(site.office.desk, proposal.id)).state == "applied"


async def test_at_the_end_all_of_it_is_one_proposal(place: Place) -> None:
    site = await check(place, GOOD, "proposed proposed proposed proposed", review="end")
    assert site.task.status == "waiting"
    assert site.texts() == FILES
    (proposal,) = site.office.desk.proposals.all()
    assert [file.path for file in proposal.files] == [
        "shop/item.py",
        "shop/cart.py",
        "main.py",
        "old.py",
    ]
    await accepted(site)
    assert site.texts() == AFTER
    state = await control.refreshed(site.recorder())
    assert state.status == "done"
    assert len(state.paths("applied")) == 4


async def test_a_new_file_of_a_joint_proposal_is_written_anew_as_it_was_written(
    place: Place,
) -> None:
    again = listing("shop/item.py", "class Item:\n    price = 1\n")
    replies = {**GOOD, "shop/item.py": [GOOD["shop/item.py"], again]}
    site = await check(place, replies, "proposed proposed proposed proposed", review="end")
    await accepted(site)
    await control.refreshed(site.recorder())
    assert await control.redone(site.recorder(), "shop/item.py") == ""
    state = await site.run()
    assert state.paths("proposed") == ("shop/item.py",), state.file("shop/item.py").reason
    await accepted(site)
    assert site.texts()["shop/item.py"] == "class Item:\n    price = 1\n"


async def test_files_that_the_user_rejects_are_left_out(place: Place) -> None:
    site = await check(place, GOOD, "proposed proposed proposed proposed", review="end")
    (proposal,) = site.office.desk.proposals.all()
    await reject(site.office.desk, proposal.id)
    state = await control.refreshed(site.recorder())
    assert len(state.paths("skipped")) == 4
    assert site.texts() == FILES


@pytest.mark.parametrize("decision", ["accepted", "rejected", None])
async def test_file_by_file_the_run_waits_for_the_choice(
    place: Place, decision: str | None
) -> None:
    site = Worksite.of(place, answers(GOOD), FILES, review="file")

    async def decided(proposal: str) -> str | None:
        if decision == "accepted":
            await accepted(site)
        if decision == "rejected":
            await reject(site.office.desk, proposal)
        return decision

    state = await run(replace(site.crew, decided=decided), await site.plan(PLAN))  # type: ignore[arg-type]
    phases = [state.file(entry.path).phase for entry in state.plan.entries]
    assert (
        phases
        == {
            "accepted": ["applied"] * 4,
            "rejected": ["skipped"] * 4,
            None: ["proposed", "pending", "pending", "pending"],
        }[decision]
    )
    assert state.status == ("done" if decision else "stopped")


@pytest.mark.parametrize("review", ["task", "end"])
async def test_a_whole_task_is_undone_exactly(place: Place, review: str) -> None:
    site = Worksite.of(place, answers(GOOD), FILES, review=review)
    before = site.office.on_disk()
    await site.run(PLAN)
    await accepted(site)
    assert site.texts() == AFTER
    result = await control.taken_back(site.recorder())
    assert result.state == "done"
    assert site.office.on_disk() == before
    assert site.task.status == "undone"
    state = await site.run()
    await accepted(site)
    assert site.texts() == AFTER
    assert state.status in ("done", "waiting")


async def test_undo_of_a_task_that_waits_rejects_it(place: Place) -> None:
    site = await check(place, GOOD, "proposed proposed proposed proposed", review="end")
    assert (await control.taken_back(site.recorder())).state == "done"
    assert not site.office.desk.proposals.pending()
    assert site.task.paths("pending") == ("shop/item.py", "shop/cart.py", "main.py", "old.py")


async def test_a_file_can_be_left_out(place: Place) -> None:
    site = Worksite.of(place, answers(GOOD), FILES, review="task")
    await site.plan(PLAN)
    assert await control.skipped(site.recorder(), "shop/cart.py") == ""
    assert "no file of the task" in await control.skipped(site.recorder(), "lost.py")
    state = await site.run()
    assert state.paths("skipped") == ("shop/cart.py", "main.py")
    assert state.paths("applied") == ("shop/item.py", "old.py")


async def test_another_version_of_the_plan_keeps_what_stays_the_same(place: Place) -> None:
    down = {**GOOD, "main.py": DOWN}
    site = await check(place, down, "verified verified pending pending", review="end")
    desk = site.recorder()
    entries = tuple(e for e in desk.state.plan.entries if e.path != "main.py")
    changed = replace(entries[1], purpose="Another.")
    assert await control.planned(
        desk, replace(desk.state.plan, entries=(entries[0], changed, entries[2])), "w", 2.0
    )
    assert not await control.planned(desk, desk.state.plan, "again", 3.0)
    assert desk.state.version == 2
    assert desk.state.paths("verified") == ("shop/item.py",)
    assert desk.state.paths("pending") == ("shop/cart.py", "old.py")
    assert render(site.task.plan) == render(desk.state.plan)


# --- checks of the plan

CHECKED = "## create a.py\n- check: {}\n".format(f"{sys.executable} -c 'import a; assert a.N == 2'")
N1, N2 = listing("a.py", "N = 1\n"), listing("a.py", "N = 2\n")


async def test_checks_run_in_a_copy_and_send_back_what_fails(place: Place) -> None:
    site = Worksite.of(place, answers({"a.py": [N1, N2]}), {}, run_checks="run")
    site.checks = Checks(runner=Commands({}), trusted=True)
    state = await site.run(CHECKED)
    assert state.paths("proposed") == ("a.py",)
    assert "AssertionError" in site.model.prompts[1]
    assert state.file("a.py").unchecked == ()
    assert site.texts() == {}


@pytest.mark.parametrize(
    ("trusted", "mode", "says", "asked"),
    [
        (True, "ask", "Run", 1),
        (True, "ask", "Skip", 1),
        (False, "run", None, 0),
        (True, "off", None, 0),
    ],
)
async def test_checks_run_only_where_they_may(
    place: Place, trusted: bool, mode: str, says: str | None, asked: int
) -> None:
    site = Worksite.of(place, answers({"a.py": [N1, N2]}), {}, run_checks=mode)
    site.checks, site.says = Checks(runner=Commands({}), trusted=trusted), says
    state = await site.run(CHECKED)
    assert state.paths("proposed") == ("a.py",)
    assert len(site.asked) == asked
    ran = says == "Run"
    assert bool(state.file("a.py").unchecked) is not ran
    assert len(site.model.prompts) == 1 + ran


# --- the journal


async def test_old_tasks_are_removed_when_a_new_one_begins(place: Place) -> None:
    """Those of which nothing was heard for as long as conversations are kept, and that nobody works at."""
    site = Worksite.of(place, answers(GOOD), FILES)
    journal = site.crew.journal
    await site.plan(PLAN)
    now = (journal.folder / "t1.jsonl").stat().st_mtime
    kept = site.settings.history.keep_days * 86_400.0

    async def left(at: float) -> list[str]:
        recorder = Recorder(site.crew, State())
        await control.opened(recorder, f"new-{int(at)}", "Make it.", at)
        return sorted(state.id for state in journal.listed() if not state.id.startswith("new"))

    assert await left(now + kept - 60) == ["t1"]
    with journal.held("t1"):
        assert await left(now + kept + 60) == ["t1"]
    assert await left(now + kept + 120) == []
    assert not (journal.folder / "t1.lock").exists()
