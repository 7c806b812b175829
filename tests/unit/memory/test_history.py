"""The cap, whole turns, and facts that are told once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairwright.memory.history import Exchange, Recalled, cap, recent


def check(exchanges: list[Exchange], limit: int, expected: list[str]) -> None:
    found = recent(exchanges, limit, len)
    assert [m.content.removeprefix("Request: ") for m in found.messages] == expected


def test_the_cap_follows_the_window() -> None:
    assert [cap(n) for n in (4_096, 32_768, 65_536, 200_000)] == [1024, 2048, 4096, 8192]


def test_the_oldest_turns_go_first_and_whole() -> None:
    chat = [Exchange("aaaa", "bbbb"), Exchange("cc", "dd"), Exchange("e", "f")]
    check(chat, 100, ["aaaa", "bbbb", "cc", "dd", "e", "f"])
    check(chat, 24, ["cc", "dd", "e", "f"])
    check(chat, 11, ["e", "f"])
    check(chat, 1, [])


def test_what_became_of_an_edit_is_told_with_the_next_request() -> None:
    chat = [Exchange("one", "1", ("kept",)), Exchange("two", "2", ("undone",))]
    found = recent(chat, 100, len)
    assert found.messages[0].content == "Request: one"
    assert found.messages[2].content == "(kept)\nRequest: two"
    assert found.facts == ("undone",)
    assert recent(chat, 0, len) == Recalled((), ("undone",)), "facts outlive the cap"
    assert recent([], 100, len) == Recalled()


@given(
    st.lists(st.tuples(st.text("ab\n", max_size=9), st.text("ab\n", max_size=9)), max_size=12),
    st.integers(0, 120),
)
def test_never_over_the_limit_and_always_alternating(
    chat: list[tuple[str, str]], limit: int
) -> None:
    found = recent([Exchange(*pair) for pair in chat], limit, len).messages
    assert sum(len(message.content) for message in found) <= limit
    assert [m.role for m in found] == ["user", "assistant"] * (len(found) // 2)
    newest = [text for pair in chat for text in pair][len(chat) * 2 - len(found) :]
    assert [m.content.removeprefix("Request: ") for m in found] == newest
