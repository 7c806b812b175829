"""What a reply says about the file it changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.memory.notes_block import LONGEST_NOTE, MOST_NOTES, read, without

EDIT = """\
shop/cart.py
```python
<<<<<<< SEARCH
a
=======
b
>>>>>>> REPLACE
```
"""


def check(reply: str, purpose: str, *notes: str, rest: str | None = None) -> None:
    assert read(reply) == (purpose, notes)
    if rest is not None:
        assert without(reply) == rest


def test_a_block_behind_an_edit() -> None:
    check(
        f"{EDIT}\n```notes\npurpose: Adds up a cart.\n- `total` rounds once.\n- Prices are cents.\n```\n",
        "Adds up a cart.",
        "`total` rounds once.",
        "Prices are cents.",
        rest=f"{EDIT}\n",
    )


@pytest.mark.parametrize(
    "block",
    [
        "~~~ Notes\nPurpose: Adds up.\n* one\n2. two\n~~~",
        "```note\nPurpose:\nAdds up.\n\nNotes:\n1) one\n+ two\n```",
        "```notes\r\npurpose: Adds up.\r\n- one\r\n- two\r\n```\r\n",
        "```notes\nAdds\nup.\n- one\n- two\n```",
        "```notes\npurpose: Adds up.\n- one\n- two",
        "**Purpose:** Adds up.\n\n**Notes:**\n- one\n- two",
        "## Purpose\nAdds up.\n## Notes\n- one\n- two\n- one",
        "I changed it.\n\nPurpose: Adds up.\nNotes:\n  - one\n  - two",
    ],
)
def test_form_is_forgiven(block: str) -> None:
    check(f"{EDIT}{block}", "Adds up.", "one", "two")


def test_a_note_may_be_written_over_lines() -> None:
    check("```notes\n- one\n  goes on\n\nlost\n- two\n```", "", "one goes on", "two")


def test_what_is_missing_is_empty() -> None:
    for reply in ("", EDIT, "Done.", "```notes\n```", "```notes\npurpose: none\n- n/a\n```"):
        check(reply, "")
    check("```notes\npurpose: Adds up.\n```", "Adds up.")
    check("Note: the tests were not run.", "")


def test_text_of_a_file_says_nothing() -> None:
    inside = "docs/a.md\n````md\n```notes\npurpose: A lie.\n```\n````\n"
    check(inside, "", rest=inside)
    check(f"{inside}```notes\npurpose: True.\n```\n", "True.", rest=inside)
    searched = EDIT.replace("\nb\n", "\n```notes\npurpose: A lie.\n```\n")
    check(searched, "", rest=searched)


def test_the_last_block_counts() -> None:
    check("```notes\npurpose: One.\n```\n```notes\npurpose: Two.\n```", "Two.")


def test_bounds() -> None:
    many = "\n".join(f"- note {number}" for number in range(40))
    assert len(read(f"```notes\n{many}\n```")[1]) == MOST_NOTES
    (long_,) = read(f"```notes\n- {'word ' * 400}\n```")[1]
    assert len(long_) <= LONGEST_NOTE and long_.endswith("word…")
    check("```notes\n- a\x1b[31mb\u2028c\n```", "", "a [31mb c")


_LINES = st.sampled_from(
    (
        "```notes",
        "```",
        "~~~",
        "purpose: x",
        "- note",
        "Notes:",
        "",
        "text",
        "<<<<<<< SEARCH",
        "=======",
    )
)


@given(st.lists(st.one_of(_LINES, st.text(max_size=20))))
def test_nothing_is_an_error_and_nothing_is_read_twice(lines: list[str]) -> None:
    reply = "\n".join(lines)
    purpose, notes = read(reply)
    assert "\n" not in "".join((purpose, *notes))
    if any((purpose, notes)):
        assert len(without(reply)) < len(reply)
