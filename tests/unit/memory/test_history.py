"""What is sent again: the cap, cuts that come rarely, the newest turn always, one edit format in view."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairwright.memory.chat import Chat, Exchange, Fact, Opened, Summary, grown
from pairwright.memory.history import NOTE, cap, due, recalled, shortened

BLOCK = "a.py\n```python\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n```"


def chat(*exchanges: Exchange) -> Chat:
    made = Chat(Opened("s", 0.0))
    for at, exchange in enumerate(exchanges):
        made = grown(made, _named(exchange, at))
    return made


def _named(exchange: Exchange, at: int) -> Exchange:
    return Exchange(
        exchange.request,
        exchange.answer,
        exchange.told,
        format=exchange.format,
        proposal=exchange.proposal,
        edited=exchange.edited,
        id=f"t{at}",
    )


def check(made: Chat, limit: int, expected: list[str], format: str = "diff") -> None:
    found = recalled(made, limit, len, format)
    assert [m.content.removeprefix("Request: ") for m in found] == expected


def said(*sizes: int) -> Chat:
    """Exchanges that cost so many characters each."""
    return chat(*(Exchange("q", "x" * (size - len("Request: q") - 4)) for size in sizes))


def starts(made: Chat, limit: int) -> list[str]:
    """The id of the first turn sent, as the conversation grows."""
    found = []
    for many in range(1, len(made.exchanges) + 1):
        part = Chat(made.opened, made.exchanges[:many])
        left = due(part, limit, len, "diff")
        found.append(part.exchanges[len(left.exchanges) if left else 0].id)
    return found


def test_the_cap_follows_the_window() -> None:
    assert [cap(n) for n in (4_096, 32_768, 65_536, 200_000)] == [1024, 2048, 4096, 8192]


def test_turns_are_sent_whole_and_in_order() -> None:
    check(chat(Exchange("aa", "bb"), Exchange("c", "d")), 100, ["aa", "bb", "c", "d"])


def test_the_oldest_go_at_once_down_to_half_and_then_nothing_moves_for_a_while() -> None:
    assert starts(said(*[20] * 10), 100) == ["t0"] * 5 + ["t4"] * 4 + ["t8"]


def test_a_turn_larger_than_the_cap_is_shortened_and_never_lost() -> None:
    made = chat(Exchange("old", "o"), Exchange("new " * 200, "answer " * 200))
    found = recalled(made, 200, len, "diff")
    assert [m.role for m in found[-2:]] == ["user", "assistant"]
    assert found[-2].content.startswith("Request: new new")
    assert found[-1].content.startswith("answer")
    assert sum(len(m.content) for m in found) <= 200


def test_a_large_answer_loses_its_edits_before_its_words() -> None:
    answer = f"I change it.\n\n{BLOCK}\n\nThat is all."
    made = chat(Exchange("do", answer, format="diff", edited=("a.py",)))
    check(made, 2 * len(answer) + 8, ["do", "I change it.\n\n(edit of a.py)\n\nThat is all."])
    check(made, 4 * len(answer), ["do", answer])


def test_an_answer_in_another_format_is_told_and_not_shown() -> None:
    answer = f"I change it.\n\n{BLOCK}"
    made = chat(Exchange("do", answer, format="diff", proposal="p1", edited=("a.py",)))
    check(made, 1000, ["do", answer], "diff")
    check(made, 1000, ["do", answer], "editor-diff")
    check(made, 1000, ["do", "I change it.\n\n(edit of a.py)"], "udiff")
    accepted = grown(made, Fact("accepted", "a.py", "c0ffee", "p1", id="f"))
    check(accepted, 1000, ["do", "I change it.\n\n(edit of a.py, accepted)"], "whole")


def test_what_was_told_stays_with_its_request() -> None:
    made = chat(Exchange("one", "1"), Exchange("two", "2", ("a.py: accepted",)))
    check(made, 100, ["one", "1", "(a.py: accepted)\nRequest: two", "2"])


def test_the_summary_stands_first_and_covers_what_went() -> None:
    made = said(*[20] * 6)
    head = due(made, 100, len, "diff")
    assert head is not None and head.summary == ""
    assert [e.id for e in head.exchanges] == ["t0", "t1", "t2", "t3"] and head.through == "t3"
    summarised = grown(made, Summary("It began.", head.through, id="s"))
    found = recalled(summarised, 200, len, "diff")
    assert found[0].role == "user" and found[0].content.startswith(f"{NOTE}\nIt began.\n\nRequest:")
    assert len(found) == 4
    assert due(summarised, 200, len, "diff") is None


def test_the_next_summary_goes_on_from_the_last() -> None:
    made = grown(said(*[20] * 12), Summary("It began.", "t3", id="s"))
    head = due(made, 100, len, "diff")
    assert head is not None and head.summary == "It began."
    assert head.exchanges[0].id == "t4"


@given(
    st.lists(st.tuples(st.text("ab\n", max_size=9), st.text("ab\n", max_size=90)), max_size=12),
    st.integers(250, 500),
    st.integers(-1, 11),
)
def test_never_over_the_limit_and_always_alternating(
    pairs: list[tuple[str, str]], limit: int, through: int
) -> None:
    made = chat(*(Exchange(*pair) for pair in pairs))
    if 0 <= through < len(pairs):
        made = grown(made, Summary("s" * limit, f"t{through}", id="s"))
    found = recalled(made, limit, len, "diff")
    # The blank lines behind the summary are not counted with it.
    assert sum(len(message.content) for message in found) <= limit + 2
    assert [m.role for m in found] == ["user", "assistant"] * (len(found) // 2)
    if len(pairs) > made.summarised:
        assert found, "the newest turn is always there"


@given(st.text("ab c\n", max_size=60), st.integers(15, 60))
def test_a_shortened_text_fits(text: str, limit: int) -> None:
    found = shortened(text, limit, len)
    assert len(found) <= limit
    assert (
        found == text
        if len(text) <= limit
        else text.startswith(found.removesuffix("… (shortened)"))
    )
