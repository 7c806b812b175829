"""Messages of checkpoints: readable, and read back whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pairwright.checkpoints.message import Message, one_line, parse, render

_ids = st.text("0123456789abcdef", min_size=40, max_size=40) | st.just("")
_words = st.text(max_size=60).map(one_line)
_paths = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


@given(
    st.builds(
        Message,
        kind=st.sampled_from(["before", "after", "undo"]),
        note=_words,
        proposal=_words,
        base=_ids,
        undoes=_ids,
        head=_ids,
        branch=_words,
        absent=st.lists(_paths, max_size=3).map(tuple),
        modes=st.lists(st.tuples(_paths, st.integers(0, 0o7777)), max_size=3).map(tuple),
        moves=st.lists(st.tuples(_paths, _paths), max_size=2).map(tuple),
    ),
    st.lists(_paths, max_size=3),
)
def test_what_is_rendered_is_read_back(message: Message, present: list[str]) -> None:
    assert parse(render(message, present)) == message


def test_a_message_reads_well() -> None:
    message = Message(
        kind="before",
        note="Rename the counter",
        proposal="p3-1f",
        head="a" * 40,
        branch="main",
        absent=("src/new.py",),
        modes=(("key.pem", 0o600),),
    )
    assert render(message, ["key.pem", "src/a\nb.py"]) == (
        "before: Rename the counter\n"
        "\n"
        "  key.pem\n"
        '  "src/a\\nb.py"\n'
        "  src/new.py (did not exist)\n"
        "\n"
        "Pairwright-Kind: before\n"
        "Pairwright-Proposal: p3-1f\n"
        f"Pairwright-Head: {'a' * 40}\n"
        "Pairwright-Branch: main\n"
        'Pairwright-Absent: "src/new.py"\n'
        'Pairwright-Mode: 0600 "key.pem"\n'
    )


def test_a_note_is_one_printable_line() -> None:
    assert one_line("\n  \n first\tline \x1b[31m\nsecond") == "first line  [31m"
    assert one_line("") == ""
    assert len(one_line("word " * 100)) <= 200
