"""Conversations kept on disk: what one server writes another reads, what became of edits, forks and deletes."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pairwright.engine.session import Sessions
from pairwright.memory.chat import Exchange, Fact, Summary, news
from pairwright.memory.store import Store

pytestmark = pytest.mark.asyncio


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "sessions")


async def settled(sessions: Sessions) -> None:
    """Everything written so far is on disk: reads wait behind writes."""
    await sessions.listed()
    await asyncio.sleep(0)


def lines(
    sessions: Sessions, session: str, texts: dict[str, str | None] | None = None
) -> list[str]:
    return list(news(sessions.chat(session), (texts or {}).get).lines)


async def test_a_conversation_goes_on_after_a_restart(store: Store) -> None:
    first = Sessions(store)
    first.add("talk", Exchange("What is it?", "A cart."))
    first.tell("talk", Fact("accepted", "a.py", "c0ffee00", "p1", "d1"))
    first.set_files("talk", ["a.py"], ["b.py"])
    first.summarise("talk", Summary("Short.", first.exchanges("talk")[0].id))
    await settled(first)
    chat = await Sessions(store).opened("talk")
    assert chat == first.chat("talk")
    assert chat.title == "What is it?" and chat.files.editable == ("a.py",)
    assert chat.summarised == 1 and chat.left == {"a.py": "d1"}


async def test_the_conversation_in_progress_is_new_with_every_start(store: Store) -> None:
    first = Sessions(store)
    first.add("", Exchange("q", "a"))
    await settled(first)
    second = Sessions(store)
    assert (await second.opened("")).exchanges == ()
    (kept,) = await second.listed()
    second.go_on(kept.session)
    assert [e.request for e in (await second.opened("")).exchanges] == ["q"]
    second.go_on("")
    assert (await second.opened("")).exchanges == ()


async def test_two_servers_see_each_others_turns(store: Store) -> None:
    one, two = Sessions(store), Sessions(store)
    for sessions, word in ((one, "a"), (two, "b"), (one, "c")):
        await sessions.opened("talk")
        sessions.add("talk", Exchange(word, word))
        await settled(sessions)
    for sessions in (one, two, Sessions(store)):
        assert [e.request for e in (await sessions.opened("talk")).exchanges] == ["a", "b", "c"]


async def test_deleted_elsewhere_is_gone_here(store: Store) -> None:
    one, two = Sessions(store), Sessions(store)
    one.add("talk", Exchange("a", "a"))
    await settled(one)
    await two.opened("talk")
    assert await one.delete("talk")
    assert not await one.delete("other")
    assert (await two.opened("talk")).exchanges == ()
    two.add("talk", Exchange("b", "b"))
    await settled(two)
    assert [e.request for e in (await one.opened("talk")).exchanges] == ["b"]


async def test_nothing_is_written_where_it_is_not_wanted(store: Store) -> None:
    keeps = [False]
    sessions = Sessions(store, lambda: keeps[0])
    sessions.add("talk", Exchange("a", "a"))
    await settled(sessions)
    assert not store.folder.exists()
    assert [one.session for one in await sessions.listed()] == ["talk"]
    keeps[0] = True
    sessions.add("talk", Exchange("b", "b"))
    await settled(sessions)
    assert [e.request for e in (await Sessions(store).opened("talk")).exchanges] == ["a", "b"]


async def test_a_disk_that_fails_costs_nothing_but_a_message(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    sessions = Sessions(Store(blocked / "sessions"))
    sessions.add("talk", Exchange("a", "a"))
    await settled(sessions)
    sessions.add("talk", Exchange("b", "b"))
    await settled(sessions)
    assert [e.request for e in (await sessions.opened("talk")).exchanges] == ["a", "b"]
    (problem,) = [p for p in sessions.take_problems() if "stored" in p]
    assert "tried again" in problem and sessions.take_problems() == ()
    blocked.unlink()
    sessions.tell("talk", "a line")
    await settled(sessions)
    kept = await Sessions(Store(blocked / "sessions")).opened("talk")
    assert [e.request for e in kept.exchanges] == ["a", "b"]


async def test_damage_is_told_once(store: Store) -> None:
    first = Sessions(store)
    first.add("talk", Exchange("a", "a"))
    await settled(first)
    with (store.folder / "talk.jsonl").open("ab") as file:
        file.write(b'{"kind":"turn","requ\n')
    first.add("talk", Exchange("b", "b"))
    await settled(first)
    second = Sessions(store)
    assert [e.request for e in (await second.opened("talk")).exchanges] == ["a", "b"]
    assert second.take_problems() == ("1 line is damaged in the conversation talk and left out.",)
    await second.opened("talk")
    assert second.take_problems() == ()


async def test_a_fork_begins_the_same_and_goes_its_own_way(store: Store) -> None:
    sessions = Sessions(store)
    for word in ("a", "b", "c"):
        sessions.add("talk", Exchange(word, word))
    sessions.summarise("talk", Summary("a and b", sessions.exchanges("talk")[1].id))
    early = await sessions.fork("talk", 1)
    whole = await sessions.fork("talk")
    sessions.add(early, Exchange("x", "x"))
    await settled(sessions)
    fresh = Sessions(store)
    assert [e.request for e in (await fresh.opened(early)).exchanges] == ["a", "x"]
    assert fresh.chat(early).summary is None, "it tells of a turn that the fork has not"
    assert [e.request for e in (await fresh.opened(whole)).exchanges] == ["a", "b", "c"]
    assert fresh.chat(whole).summarised == 2
    assert (fresh.chat(early).opened.parent, fresh.chat(early).opened.turn) == ("talk", 1)
    assert [e.request for e in (await fresh.opened("talk")).exchanges] == ["a", "b", "c"]


async def test_the_conversation_of_a_proposal_is_known_after_a_restart(store: Store) -> None:
    sessions = Sessions(store)
    sessions.add("talk", Exchange("a", "a", proposal="p1-aa"))
    await settled(sessions)
    assert await sessions.asked_in("p1-aa") == "talk"
    assert await Sessions(store).asked_in("p1-aa") == "talk"
    assert await Sessions(store).asked_in("p2-aa") is None


# --- what became of edits


def clock() -> Callable[[], float]:
    at = iter(range(1, 1000))
    return lambda: float(next(at))


async def test_facts_are_told_once_and_by_file() -> None:
    sessions = Sessions(now=clock())
    sessions.add("s", Exchange("q", "a", proposal="p1", edited=("a.py", "b.py", "c.py")))
    sessions.tell("s", Fact("1 of 2 hunks accepted", "a.py", "c0ffee0011", "p1", "d1"))
    sessions.tell("s", Fact("rejected", "b.py", "", "p1"))
    sessions.tell("s", Fact("undone", "a.py", "beef001122", "p1", "d0"))
    sessions.tell("s", "the tests failed")
    texts: dict[str, str | None] = {"a.py": "d0"}
    told = news(sessions.chat("s"), texts.get)
    assert told.lines == (
        "the tests failed",
        "a.py: 1 of 2 hunks accepted (checkpoint c0ffee0), then undone (checkpoint beef001)",
        "b.py: rejected",
        "c.py: proposed, not accepted yet",
    )
    sessions.add("s", Exchange("q2", "a2", told.lines, heard=told.heard, seen=told.seen))
    assert lines(sessions, "s", texts) == ["c.py: proposed, not accepted yet"]


async def test_a_change_by_hand_is_told_once() -> None:
    sessions = Sessions(now=clock())
    sessions.add("s", Exchange("q", "a", proposal="p1", edited=("a.py", "b.py")))
    sessions.tell("s", Fact("accepted", "a.py", "c0ffee0011", "p1", "d1"))
    sessions.tell("s", Fact("accepted", "b.py", "c0ffee0011", "p1", "d2"))
    assert lines(sessions, "s", {"a.py": "mine", "b.py": "d2"}) == [
        "a.py: accepted (checkpoint c0ffee0), then changed by hand",
        "b.py: accepted (checkpoint c0ffee0)",
    ]
    told = news(sessions.chat("s"), {"a.py": "mine", "b.py": "d2"}.get)
    sessions.add("s", Exchange("q2", "a2", told.lines, heard=told.heard, seen=told.seen))
    assert lines(sessions, "s", {"a.py": "mine", "b.py": "d2"}) == []
    assert lines(sessions, "s", {"a.py": "mine"}) == ["b.py: deleted by hand since"]
    assert lines(sessions, "s", {"a.py": "more", "b.py": "d2"}) == ["a.py: changed by hand since"]


async def test_a_fact_that_comes_while_the_turn_ends_is_not_lost() -> None:
    sessions = Sessions(now=clock())
    sessions.tell("s", "before")
    told = news(sessions.chat("s"), lambda path: None)
    sessions.tell("s", "meanwhile")
    sessions.add("s", Exchange("q", "a", told.lines, heard=told.heard))
    assert lines(sessions, "s") == ["meanwhile"]


async def test_a_file_shown_as_if_accepted_is_not_called_changed() -> None:
    sessions = Sessions(now=clock())
    sessions.add("s", Exchange("q", "a", proposal="p1", edited=("a.py",)))
    sessions.tell("s", Fact("accepted", "a.py", "", "p0", "d1"))
    told = news(sessions.chat("s"), lambda path: "other", frozenset({"a.py"}))
    assert told.lines == ("a.py: accepted",) and told.seen == ()


async def test_conversations_not_used_for_long_go(store: Store) -> None:
    sessions = Sessions(store)
    for name in ("old", "new"):
        sessions.add(name, Exchange("q", "a"))
    await settled(sessions)
    os.utime(store.folder / "old.jsonl", (time.time() - 91 * 86_400,) * 2)
    await sessions.prune(90)
    assert [one.session for one in await Sessions(store).listed()] == ["new"]


async def test_ids_name_the_day() -> None:
    at = time.mktime((2024, 5, 6, 7, 8, 9, 0, 0, -1))
    assert Sessions(now=lambda: at, suffix=lambda: "ab").fresh() == "20240506-070809-ab"
