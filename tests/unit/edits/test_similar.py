"""The last rung: what is similar enough, what is too doubtful, and what stays of the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.diff import apply
from pairwright.edits.formats.search_replace import parse
from pairwright.edits.match import Text
from pairwright.edits.plan import plan
from pairwright.edits.similar import RUNG, similar
from pairwright.edits.types import Block, Plan, Target

TEXT = """\
class Pump:
    def start(self, speed):
        # Old pumps need the valve open first.
        self.valve.open()
        self.motor.run(speed)
        log.info("pump %s runs at %s", self.name, speed)
        return self.motor.speed

    def stop(self):
        self.motor.halt()
        self.valve.close()
        log.info("pump %s stands", self.name)
        return 0
"""


def check(search: str, replace: str, old: str, new: str, text: str = TEXT) -> None:
    """SEARCH is found approximately, and changes `old`, which stands once in `text`, to `new`."""
    found = similar(Text.of(text.encode()), _lines(search), _lines(replace))
    assert found is not None and found.rung == RUNG
    lines = text.encode().splitlines(keepends=True)
    assert found.search == tuple(line.rstrip(b"\r\n") for line in lines[found.start : found.stop])
    after = [*lines[: found.start], *(line + b"\n" for line in found.replace), *lines[found.stop :]]
    assert text.count(old) == 1
    assert b"".join(after).decode() == text.replace(old, new)


def refuse(search: str, replace: str, text: str = TEXT) -> None:
    assert similar(Text.of(text.encode()), _lines(search), _lines(replace)) is None


def _lines(text: str) -> tuple[bytes, ...]:
    return tuple(text.encode().split(b"\n")[: -1 if text.endswith("\n") else None])


START = """\
    def start(self, speed):
        self.valve.open()
        self.motor.run(speed)
        log.info("pump %s runs at %s", self.name, speed)
        return self.motor.speed
"""


def test_a_line_left_out_of_search_stays() -> None:
    text = TEXT.replace("Old pumps need the valve open first.", "Open first.")
    check(
        START,
        START.replace("run(speed)", "run(speed * 2)"),
        "self.motor.run(speed)",
        "self.motor.run(speed * 2)",
        text,
    )


def test_a_line_misremembered_stays_unless_it_is_what_changes() -> None:
    wrong = TEXT[TEXT.index("    def stop") :].replace("pump %s stands", "pump %s stopped")
    check(wrong, wrong.replace("return 0", "return None"), "return 0", "return None")
    check(
        wrong,
        wrong.replace("%s stopped", "%s is off"),
        'log.info("pump %s stands"',
        'log.info("pump %s is off"',
    )


def test_indentation_moves_with_the_place() -> None:
    wrong = TEXT[TEXT.index("    def stop") :].replace("stands", "stopped")
    flush = "".join(line[4:] + "\n" for line in wrong.splitlines())
    check(flush, flush.replace("return 0", "return None"), "return 0", "return None")


def test_new_lines_between_two_that_stand() -> None:
    wrong = TEXT[TEXT.index("    def stop") :].replace("stands", "stopped")
    new = wrong.replace("        self.valve", "        self.cool()\n        self.valve")
    check(
        wrong,
        new,
        "self.motor.halt()\n",
        "self.motor.halt()\n        self.cool()\n",
    )


@pytest.mark.parametrize(
    ("search", "replace"),
    [
        # The first line, the last line is another one.
        (START.replace("start", "begin"), START.replace("run", "go")),
        (START.replace("motor.speed", "motor.rate"), START.replace("run", "go")),
        # Too little is alike.
        (
            "    def stop(self):\n        a = b\n        c = d\n        e = f\n        return 0\n",
            "x\n",
        ),
        # Too few lines to go by.
        ("    def stop(self):\n        return 0\n", "x\n"),
        # A line of the file stands where the change is.
        (
            START.replace('        log.info("pump %s runs at %s", self.name, speed)\n', ""),
            START.replace('        log.info("pump %s runs at %s", self.name, speed)\n', "").replace(
                "run(speed)\n        return self.motor.speed", "go()\n        return 1"
            ),
        ),
        # Nothing changes.
        (START, START),
    ],
)
def test_refused(search: str, replace: str) -> None:
    refuse(search, replace)


def test_of_two_that_are_as_similar_none_is_meant() -> None:
    text = TEXT + TEXT.replace("Old pumps", "New pumps")
    refuse(START, START.replace("run", "go"), text)


def _planned(search: str, replace: str, *, approximate: bool) -> Plan:
    reply = f"a.py\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"
    targets = {"a.py": Target("a.py", TEXT.encode())}
    return plan(parse(reply).blocks, targets, approximate=approximate)


def test_a_plan_guesses_only_when_told_to_and_marks_it() -> None:
    wrong = TEXT[TEXT.index("    def stop") :].replace("stands", "stopped")
    new = wrong.replace("return 0", "return None")
    assert "not in the file" in _planned(wrong, new, approximate=False).problems[0].message
    (change,) = _planned(wrong, new, approximate=True).changes
    assert [hunk.approximate for hunk in change.hunks] == [True]
    # What fits as it stands is no guess.
    (change,) = _planned("        return 0\n", "        return 1\n", approximate=True).changes
    assert [hunk.approximate for hunk in change.hunks] == [False]


def test_what_stands_there_already_is_not_done_again() -> None:
    done = TEXT[TEXT.index("    def stop") :]
    before = done.replace("return 0", "return 0  # stands still").replace("stands", "stopped")
    planned = _planned(before, done, approximate=True)
    assert planned.changes == ()
    assert "already stand there" in planned.problems[0].message


LINE = st.sampled_from(["a = 1", "    b = 2", "c(d)", "", "}", "    return x", "\tq"])


@given(
    st.lists(LINE, max_size=30),
    st.lists(LINE, max_size=8).map(tuple),
    st.lists(LINE, max_size=8).map(tuple),
)
def test_hunks_make_the_text_and_only_lines_of_the_place_change(
    text: list[str], search: tuple[str, ...], replace: tuple[str, ...]
) -> None:
    data = "".join(line + "\n" for line in text).encode()
    targets = {"a.py": Target("a.py", data)}
    done = plan((Block("a.py", search, replace, 1),), targets, approximate=True)
    for change in done.changes:
        assert apply(data, change.hunks) == change.after
        for hunk in change.hunks:
            gone = data[hunk.start : hunk.end].splitlines()
            assert len(gone) <= len(search) + len(search) // 5 + 1
