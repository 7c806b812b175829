"""A conversation as a document."""

from __future__ import annotations

from datetime import UTC

from pairwright.memory.chat import Chat, Exchange, Fact, Opened, Summary
from pairwright.memory.markdown import markdown


def test_every_word_and_what_became_of_it() -> None:
    chat = Chat(
        Opened("talk", 1_700_000_000.0, "before", 2),
        (
            Exchange("Round it.\nAnd test it.", "I do.\n", mode="edit", proposal="p1", id="a"),
            Exchange("Why?", "```\nx\n```", model="m", at=1_700_000_100.0, id="b"),
        ),
        (Fact("accepted", "a.py", "c0ffee0011", "p1"), Fact("undone", "a.py", "", "p1")),
        Summary("They round.", "a"),
    )
    expected = """\
# Round it.

Conversation `talk`, 2 turns, begun 2023-11-14 22:13, forked from `before` after turn 2.

Summary of the turns up to number 1, as it is sent to the model:

> They round.

## 1. edit

> Round it.
> And test it.

### Answer

I do.

### What became of its edits

- a.py: accepted (checkpoint c0ffee0)
- a.py: undone

## 2. ask, 2023-11-14 22:15

> Why?

### Answer (m)

```
x
```
"""
    assert markdown(chat, UTC) == expected
