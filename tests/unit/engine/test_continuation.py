"""How a reply that was cut off and its continuation are joined; whole turns are in test_turn_checks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.engine.continuation import Joining, overlap, runs_away, split
from pairwright.engine.events import Event, Said

REPLY = """\
I change both.

c.py
```python
<<<<<<< SEARCH
def f():
    # ---
    # ---
    return 1
=======
def f():
    # ---
    # ---
    return 10
>>>>>>> REPLACE
```

c.py
```python
<<<<<<< SEARCH
    return 2
=======
    return 20
>>>>>>> REPLACE
```

Run it:

```sh
python c.py
```
"""
CUTS = {
    "in prose": "I change",
    "in SEARCH, mid-line": "    # -",
    "in SEARCH, at a line that occurs again": "SEARCH\ndef f():\n    # ---\n",
    "in REPLACE, mid-line": "    return 1",
    "in REPLACE, at a line end": "=======\ndef f():\n",
    "at the divider": "    return 1\n====",
    "behind a block, in the fence": ">>>>>>> REPLACE\n",
    "in the closing fence": ">>>>>>> REPLACE\n``",
    "between blocks": "```\n\n",
    "in the shell fence": "```sh\n",
}


def at(mark: str) -> int:
    """Where the reply is cut: behind the first `mark`."""
    return REPLY.index(mark) + len(mark)


# --- pieces


@pytest.mark.parametrize("cut", CUTS)
def test_a_continuation_from_the_next_line_is_the_reply(cut: str) -> None:
    base, _ = split(REPLY[: at(CUTS[cut])])
    more = REPLY[len(base) :]
    if base:
        assert base + more[overlap(base, more) :] == REPLY


@given(st.integers(1, len(REPLY) - 1), st.integers(1, 9))
def test_what_is_said_again_is_left_out(cut: int, repeated: int) -> None:
    base, _ = split(REPLY[:cut])
    rows = base.splitlines(keepends=True)
    again = "".join(rows[-repeated:])
    more = REPLY[len(base) :]
    if sum(map(str.isalnum, again)) < 4 or base.count(again) > 1:
        return
    assert base + (again + more)[overlap(base, again + more) :] == REPLY


def test_a_fence_that_is_opened_again_is_left_out() -> None:
    base, more = REPLY[: at("=======\ndef f():\n")], REPLY[at("=======\ndef f():\n") :]
    for opened in ("```python\n", "```\n"):
        assert (opened + more)[overlap(base, opened + more) :] == more
    behind, rest = REPLY[: at(">>>>>>> REPLACE\n")], REPLY[at(">>>>>>> REPLACE\n") :]
    assert rest.startswith("```\n") and overlap(behind, rest) == 0, "this one closes the fence"


def test_a_reply_without_a_line_end_is_gone_on_with() -> None:
    assert split("Yes, be") == ("", "Yes, be")
    assert overlap("Yes, be", "cause it is.") == 0
    assert overlap("Yes, be", "Yes, because") == len("Yes, be")


def test_a_reply_that_repeats_itself_runs_away() -> None:
    assert runs_away("a = 1\n" + "    x += 1\n" * 200)
    assert not runs_away("x" * 1199) and not runs_away("".join(map(str, range(1000))))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_what_is_shown_of_a_continuation_is_new(size: int) -> None:
    shown: list[Event] = []
    base, rest = "first\nsecond\n", "thr"
    joining = Joining(base, rest, shown.append)
    more = "second\nthree\nfour\n"
    for start in range(0, len(more), size):
        joining(Said(more[start : start + size]))
    joining.end()
    assert "".join(event.text for event in shown if isinstance(event, Said)) == "ee\nfour\n"
    assert joining.skip == len("second\n")
