"""From a reply to changes: one place a block, all or nothing, every other byte as it was."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pairwright.edits.diff import apply
from pairwright.edits.formats.search_replace import parse
from pairwright.edits.plan import plan
from pairwright.edits.types import Block, Plan, Target
from pairwright.text.encoding import Undecodable, decode


def block(search: str, replace: str, path: str = "a.py") -> str:
    """One block; lines end with LF."""
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def planned(files: Mapping[str, str], reply: str, chat: tuple[str, ...] | None = None) -> Plan:
    """The plan of `reply`, which must parse, for `files`."""
    parsed = parse(reply, tuple(files))
    assert parsed.problems == ()
    targets = {path: Target(path, text.encode()) for path, text in files.items()}
    return plan(parsed.blocks, targets, chat=tuple(files) if chat is None else chat)


def check(files: Mapping[str, str], reply: str, after: Mapping[str, str]) -> None:
    """`reply` changes `files` to `after`, which names the changed ones only; its hunks do the
    same."""
    result = planned(files, reply)
    assert [problem.message for problem in result.problems] == []
    found = {c.path: (c.after or b"").decode() for c in result.changes}
    assert found == dict(after)
    assert result.passed == tuple(range(len(parse(reply).blocks)))
    for change in result.changes:
        if change.before is not None:
            assert apply(change.before, change.hunks) == change.after
        assert (change.before is None) == (change.path not in files)


def refuse(files: Mapping[str, str], reply: str, *says: str, kind: str = "edit-match") -> Plan:
    """`reply` changes nothing; the one reason is of `kind` and says all of `says`."""
    result = planned(files, reply)
    assert result.changes == ()
    assert [problem.kind for problem in result.problems] == [kind]
    for word in says:
        assert word in result.problems[0].message
    return result


def test_blocks_in_any_order_on_the_text_before() -> None:
    check(
        {"a.py": "A\nB\nC\n", "b.py": "x\n"},
        block("C\n", "c\n") + block("x\n", "y\n", "b.py") + block("A\n", "a\na2\n"),
        {"a.py": "a\na2\nB\nc\n", "b.py": "y\n"},
    )


def test_a_block_on_what_an_earlier_one_wrote() -> None:
    check(
        {"a.py": "A\nB\n"},
        block("A\n", "A\ndef f():\n    0\n") + block("def f():\n    0\n", "def f():\n    1\n"),
        {"a.py": "A\ndef f():\n    1\nB\n"},
    )
    check({}, block("", "x\ny\n") + block("y\n", "z\n"), {"a.py": "x\nz\n"})
    refuse({"a.py": "A\n"}, block("N\n", "M\n") + block("A\n", "N\n"), "not in the file")


def test_a_later_block_beside_a_second_stage() -> None:
    check(
        {"a.py": "A\nB\nC\n"},
        block("A\n", "A\nN\n") + block("N\n", "N1\nN2\n") + block("B\n", "b\n") + block("C\n", ""),
        {"a.py": "A\nN1\nN2\nb\n"},
    )
    refuse(
        {"a.py": "A\nB\n"},
        block("A\n", "A\nN\n") + block("N\nB\n", "M\n") + block("B\n", "b\n"),
        "overlaps",
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("A\nB\n", "x\n"), ("B\nC\n", "y\n")),
        (("A\nB\nC\n", "A\nb\nC\n"), ("B\n", "x\n")),
        (("A\n", "a\n"), ("A\nB\n", "A\nb\n")),
        (("A\nB\n", "A\nb\n"), ("A\n", "")),
        # Two insertions at one point.
        (("A\n", "A\nx\n"), ("A\n", "A\ny\n")),
        (("A\nB\n", "A\nx\nB\n"), ("A\nB\n", "A\ny\nB\n")),
        (("B\n", "y\nB\n"), ("A\nB\n", "A\nx\nB\n")),
    ],
)
def test_blocks_that_meet_are_refused(first: tuple[str, str], second: tuple[str, str]) -> None:
    for one, other in ((first, second), (second, first)):
        result = refuse({"a.py": "A\nB\nC\n"}, block(*one) + block(*other), "overlaps", "a.py")
        assert result.passed == (0,)
        assert result.problems[0].block == 1


@pytest.mark.parametrize(
    ("first", "second", "after"),
    [
        # Shared lines that both keep.
        (("A\nB\n", "a\nB\n"), ("B\nC\n", "B\nc\n"), "a\nB\nc\n"),
        (("A\n", "A\nx\n"), ("A\nB\nC\n", "A\nB\nc\n"), "A\nx\nB\nc\n"),
        # One behind A, one before B: the order is clear, whichever comes first.
        (("A\n", "A\nx\n"), ("B\n", "y\nB\n"), "A\nx\ny\nB\nC\n"),
        (("B\n", "y\nB\n"), ("A\n", "A\nx\n"), "A\nx\ny\nB\nC\n"),
        # The same block twice is one block.
        (("B\n", "b\n"), ("B\n", "b\n"), "A\nb\nC\n"),
    ],
)
def test_blocks_that_only_touch_are_both_done(
    first: tuple[str, str], second: tuple[str, str], after: str
) -> None:
    check({"a.py": "A\nB\nC\n"}, block(*first) + block(*second), {"a.py": after})


def test_all_or_nothing_over_all_files() -> None:
    files = {"a.py": "A\n", "b.py": "B\n"}
    result = refuse(files, block("A\n", "a\n") + block("Z\n", "z\n", "b.py"), "b.py")
    assert result.passed == (0,)


def test_ambiguity_names_the_lines() -> None:
    refuse(
        {"a.py": "x = 1\ny\nx = 1\n"},
        block("x = 1\n", "x = 2\n"),
        "a.py",
        "more than one place",
        "lines 1, 3",
        "3 | x = 1",
    )


def test_the_range_asked_about_settles_an_ambiguity() -> None:
    blocks = parse(block("x\n", "z\n")).blocks
    targets = {"a.py": Target("a.py", b"x\ny\nx\n")}
    result = plan(blocks, targets, within={"a.py": (4, 5)})
    assert [change.after for change in result.changes] == [b"x\ny\nz\n"]


@pytest.mark.parametrize(
    ("search", "replace", "says"),
    [
        ("y := 99\n", "z\n", ("closest is line 3", "y := 2")),
        ("Q\n", "z\n", ("Nothing in it is similar", "1 | f() {")),
        ("f() {\n\tx := 1\n\ty := 9\n}\n", "z\n", ("closest are lines 1-4", ">    3 |", "y := 2")),
        ("x :=\n", "z\n", ("part of a line", "2 |")),
        ("  the task\n", "  z\n", ("no-break space (U+00A0)", "line 5")),
        ("\tx := 1\n y := 2\n", "z\n", ("Only blanks differ", "lines 2-3", "→")),
        ("nope\n", "}\nthe\u00a0task\n", ("already stand there", "lines 4-5")),
    ],
)
def test_a_miss_is_explained(search: str, replace: str, says: tuple[str, ...]) -> None:
    text = "f() {\n\tx := 1\n\ty := 2\n}\nthe\u00a0task\n"
    refuse({"a.py": text}, block(search, replace), "a.py", "not in the file", *says)


def test_a_miss_names_the_file_that_has_the_lines_and_never_edits_it() -> None:
    files = {"a.py": "alpha\n", "b.py": "one\nbeta gamma\n"}
    refuse(files, block("beta gamma\n", "x\n"), "These lines are in b.py, line 2")
    refuse(
        files, block("beta gamma\n", "x\n", "lib/c.py"), "no such file", "in b.py", kind="edit-path"
    )


def test_an_empty_search_creates_or_fills_and_nothing_else() -> None:
    check({}, block("", "x\n", "d/n.py"), {"d/n.py": "x\n"})
    check({}, block("", "", "d/__init__.py"), {"d/__init__.py": ""})
    check({}, block("\n", "x\n", "n.py"), {"n.py": "x\n"})
    check({"a.py": ""}, block("", "x\n"), {"a.py": "x\n"})
    check({"a.py": "\r\n"}, block("", "x\ny\n"), {"a.py": "x\r\ny\r\n"})
    refuse({"a.py": "A\n"}, block("", "x\n"), "a.py", "empty SEARCH", "not empty")
    refuse({"a.py": "A\n\nB\n"}, block("\n", "x\n"), "a.py", "empty SEARCH")
    refuse({}, block("", "x\n") + block("", "y\n"), "already wrote")
    refuse({"a.py": "A\n"}, block("A\n", "") + block("", "y\n"), "not empty")


def test_a_new_file_does_not_go_below_a_file() -> None:
    refuse({"a.py": "A\n"}, block("", "x\n", "a.py/b.py"), "a.py is a file", kind="edit-path")


def test_deleting_everything_leaves_an_empty_file() -> None:
    check({"a.py": "A\nB\n"}, block("A\nB\n", ""), {"a.py": ""})
    check({"a.py": "A"}, block("A\n", ""), {"a.py": ""})


@pytest.mark.parametrize(
    ("text", "search", "replace", "after"),
    [
        ("a\r\nb\r\n", "b\n", "b\nc\n", "a\r\nb\r\nc\r\n"),
        ("a\r\nb\nc\r\n", "b\n", "B\n", "a\r\nB\nc\r\n"),
        ("a\r\nb\nc\r\n", "a\n", "A\nx\n", "A\r\nx\r\nb\nc\r\n"),
        ("a\r\nb\nc\nd\n", "a\n", "a\nx\n", "a\r\nx\nb\nc\nd\n"),
        ("a\rb\r", "b\n", "B\nc\n", "a\rB\rc\r"),
        ("a\nb", "b\n", "b\nc\n", "a\nb\nc"),
        ("a\nb", "a\nb\n", "a\n", "a"),
        ("a\nb", "b\n", "c\n", "a\nc"),
        ("a\r\nb", "b\n", "b\nc\n", "a\r\nb\r\nc"),
        ("a\nb\n", "b\n", "c\n", "a\nc\n"),
        ("a", "a\n", "a\nb\n", "a\nb"),
        ("p 'x\ry'\nn=1\n", "n=1\n", "n=2\n", "p 'x\ry'\nn=2\n"),
        # A lone CR in the reply is the line end it is in the file.
        ("p 'x\ry'\nn=1\n", "p 'x\ry'\n", "p 'x\rz'\n", "p 'x\rz'\nn=1\n"),
        ("a\x0cb\n\u2028\n", "\u2028\n", "\x85\n", "a\x0cb\n\x85\n"),
        # Kept lines keep their own blanks and ends.
        ("  a;   \r\n  b;\n", "  a;\n  b;\n", "  a;\n  c;\n", "  a;   \r\n  c;\n"),
        ("a  \nb\n", "a\nb\n", "a\nx\nb\n", "a  \nx\nb\n"),
        ("a &amp; b\n", "a &amp; b\n", "x &lt; y\n", "x &lt; y\n"),
    ],
)
def test_bytes_around_the_change_stay(text: str, search: str, replace: str, after: str) -> None:
    check({"a.py": text}, block(search, replace), {"a.py": after})


def test_hunks_are_as_small_as_the_change() -> None:
    result = planned(
        {"a.py": "".join(f"{n}\n" for n in range(9))},
        block("1\n2\n3\n4\n5\n6\n", "1\ntwo\n3\n4\n5\n6\nnew\n"),
    )
    hunks = result.changes[0].hunks
    assert [(hunk.start, hunk.end, hunk.new) for hunk in hunks] == [
        (4, 6, b"two\n"),
        (14, 14, b"new\n"),
    ]


def test_a_reply_that_changes_nothing_says_so() -> None:
    refuse({"a.py": "A\n"}, block("A\n", "A\n"), "a.py", "change nothing")
    check({"a.py": "A\nB\n"}, block("A\n", "A\n") + block("B\n", "b\n"), {"a.py": "A\nb\n"})
    assert plan((), {}) == Plan((), (), ())


def test_targets_that_may_not_be_edited() -> None:
    blocks = parse(block("A\n", "a\n")).blocks
    for target, says in (
        (Target("a.py", b"A\n", editable=False), "read-only"),
        (Target("a.py", None, unreadable="is not UTF-8 at byte 3"), "not UTF-8"),
        (Target("a.py", None), "encoding"),
    ):
        (problem,) = plan(blocks, {"a.py": target}).problems
        assert problem.kind == "edit-path" and problem.path == "a.py"
        assert "a.py" in problem.message and says in problem.message
    refused = plan(
        blocks, {"a.py": Target("a.py", b"A\n")}, allowed=lambda path: f"{path} is taboo."
    )
    assert refused.changes == ()
    assert "a.py is taboo" in refused.problems[0].message


def test_bytes_without_text_are_no_target() -> None:
    text = decode(b"\x01\x83\x00\n")
    assert isinstance(text, Undecodable)
    blocks = parse(block("A\n", "a\n")).blocks
    (problem,) = plan(blocks, {"a.py": Target("a.py", None, unreadable=text.reason)}).problems
    assert "UTF-8" in problem.message


def test_a_block_without_a_name_is_for_the_only_chat_file() -> None:
    nameless = "<<<<<<< SEARCH\nA\n=======\na\n>>>>>>> REPLACE\n"
    check({"a.py": "A\n"}, nameless, {"a.py": "a\n"})
    refuse({"a.py": "A\n", "b.py": "A\n"}, nameless, "file name", kind="edit-format")
    refuse({"a.py": ""}, nameless.replace("A\n", ""), "file name", kind="edit-format")


def test_dividers_are_told_apart_by_the_file() -> None:
    check(
        {"a.md": "Todo\n\nx\n"},
        block("Todo\n", "Road\n=======\n", "a.md"),
        {"a.md": "Road\n=======\n\nx\n"},
    )
    check(
        {"a.md": "T\n=====\nx\n"},
        block("T\n=====\n", "U\n=====\n", "a.md"),
        {"a.md": "U\n=====\nx\n"},
    )
    check({}, block("", "Road\n=======\n", "n.md"), {"n.md": "Road\n=======\n"})
    text = "T\n=======\nx\n"
    refuse(
        {"a.md": text},
        block("T\n=======\nx\n", "T\n=======\ny\n", "a.md"),
        "a.md",
        "=======",
        "divider",
    )
    refuse({"a.md": "other\n"}, block("T\n", "U\n=======\n", "a.md"), "none of the readings fits")


CONFLICT = "a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> feature\nb\n"


def test_a_merge_conflict_is_taken_whole() -> None:
    half = CONFLICT.removeprefix("a\n").removesuffix("b\n")
    check({"a.py": CONFLICT}, block(half, "y\n"), {"a.py": "a\ny\nb\n"})
    refuse({"a.py": CONFLICT}, block("<<<<<<< HEAD\nx\n=======\ny\n", "z\n"), "a.py", "divider")


@pytest.mark.parametrize(
    ("path", "replace"),
    [
        ("a.py", "x\n=======\n"),
        ("a.py", "=======\nx\n"),
        ("a.md", "=======\nx\n"),
        ("a.md", "\n=======\n"),
        ("a.py", "<<<< SEARCH\n"),
        ("a.py", ">>>>>>>>>>> REPLACE\n"),
        ("a.py", ">>>>>>> REPLACE it\n"),
    ],
)
def test_no_marker_line_is_written(path: str, replace: str) -> None:
    result = planned({path: "A\nB\n"}, block("A\n", replace, path))
    assert result.changes == ()
    assert result.problems[0].kind in ("edit-format", "edit-match")
    assert "marker" in result.problems[0].message or "divider" in result.problems[0].message


@pytest.mark.parametrize(
    "line",
    [
        "# ... rest of the code unchanged ...",
        "# ...",
        "    // ... existing code ...",
        "/* rest of the file stays the same */",
        "<!-- ... rest of the page ... -->",
        "# rest of code unchanged",
        "// … remaining methods …",
        "-- (rest of the query unchanged)",
        "# existing code here",
        "# keep existing code",
        "# the rest of the function remains unchanged",
        "// other methods unchanged",
        "{/* ... other fields ... */}",
        "[rest of the file unchanged]",
        "    # same as before",
        "...existing code...",
        "[... rest of the code ...]",
        "    // unchanged",
        "    /* other fields omitted */",
        "    // No changes below this line",
        '    " ... rest of the vimscript',
        "    {- ... rest unchanged ... -}",
        "    '''... rest of docstring'''",
        "    // etc.",
        "    # (no changes)",
        "    // ... and so on",
        "    # ...snip...",
        "% ... rest of the chapter",
        "; ... rest of file",
        "// ... (keep existing imports)",
        "    # The rest remains the same.",
        "-- ... remaining columns ...",
        "(* ... rest unchanged ... *)",
    ],
)
def test_placeholders_for_dropped_code_are_refused(line: str) -> None:
    refuse(
        {"a.py": "A\nB\nC\n"},
        block("A\nB\nC\n", f"a\n{line}\n"),
        "a.py",
        "placeholder",
        line.strip()[:20],
    )


@pytest.mark.parametrize(
    ("search", "replace"),
    [
        # Nothing is dropped.
        ("A\n", "A\n# ... rest of the code unchanged ...\n"),
        # It stood there before.
        ("A\n# ...\n", "a\n# ...\n"),
        ("B\n", "...\n"),
        ("B\n", "# Keep the same order as upstream.\n"),
        ("B\n", "# the rest is history\n"),
        ("B\n", 'print("# ... rest of the code")\n'),
        ("B\n", "# wait...\n"),
        ("B\n", "# The rest of the arguments are keywords.\n"),
        ("B\n", "# existing code paths\n"),
        ("B\n", "// unchanged lines are skipped\n"),
        ("B\n", "// other code points\n"),
        ("B\n", "    ...\n"),
    ],
)
def test_comments_that_are_no_placeholders_pass(search: str, replace: str) -> None:
    result = planned({"a.py": "A\n# ...\nB\n"}, block(search, replace))
    assert result.problems == ()
    assert len(result.changes) == 1


def test_the_order_of_changes_is_that_of_the_reply() -> None:
    reply = block("", "x\n", "z.py") + block("", "x\n", "b.py")
    assert [change.path for change in planned({}, reply).changes] == ["z.py", "b.py"]


LINE = st.text(st.sampled_from("ab \t<=>#é\u2028\x0c"), max_size=6)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, int, int, list[str]]:
    """A text with any line ends, a range of its lines, and new lines for them."""
    lines = draw(st.lists(LINE, min_size=1, max_size=10))
    # A lone CR before an LF would be one line end, so the two are not mixed here.
    kinds = draw(st.sampled_from([["\n"], ["\r"], ["\n", "\r\n"]]))
    ends = [draw(st.sampled_from(kinds)) for _ in lines]
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    if draw(st.booleans()):
        text = text.removesuffix(ends[-1])
    start = draw(st.integers(0, len(lines) - 1))
    stop = draw(st.integers(start + 1, len(lines)))
    return text, start, stop, draw(st.lists(LINE, max_size=5))


def _split(text: str) -> list[str]:
    """By the three line ends only, ends kept; written anew here so that it can disagree."""
    lines, line = [], ""
    for at, char in enumerate(text):
        line += char
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            lines.append(line)
            line = ""
    return [*lines, line] if line else lines


@given(edits())
def test_an_edit_written_as_a_block_is_done_as_meant(edit: tuple[str, int, int, list[str]]) -> None:
    text, start, stop, new = edit
    lines = _split(text)
    stop = min(stop, len(lines))
    assume(start < stop)
    search = [line.rstrip("\r\n") for line in lines[start:stop]]
    assume(any(line.strip() for line in search))
    reply = block("".join(f"{line}\n" for line in search), "".join(f"{line}\n" for line in new))
    parsed = parse(reply)
    assert len(parsed.blocks) == 1 and not parsed.blocks[0].splits and parsed.problems == ()
    result = plan(parsed.blocks, {"a.py": Target("a.py", text.encode())})
    bodies = [line.rstrip("\r\n") for line in lines]
    windows = [at for at in range(len(lines)) if bodies[at : at + len(search)] == search]
    if len(windows) > 1:
        assert result.changes == () and "more than one place" in result.problems[0].message
    elif new == search:
        assert "change nothing" in result.problems[0].message
    else:
        assert result.problems == ()
        (change,) = result.changes
        after = (change.after or b"").decode()
        bodies[start:stop] = new
        assert [line.rstrip("\r\n") for line in _split(after)] == _bodies(bodies, text)
        # Lines around the edit keep every byte; only a last one may get or lose its end.
        assert after.startswith("".join(lines[:start])) or stop == len(lines)
        assert after.endswith("".join(lines[stop:]))
        if after and bodies and bodies[-1]:
            assert after.endswith(("\n", "\r")) == text.endswith(("\n", "\r"))


def _bodies(bodies: list[str], text: str) -> list[str]:
    """A last empty line shows only if the text ends its lines."""
    if bodies and not bodies[-1] and not text.endswith(("\n", "\r")):
        return bodies[:-1]
    return bodies


@given(
    st.lists(
        st.builds(
            Block,
            st.sampled_from([None, "a.py", "b.py", "new.py", "../x", "A.PY"]),
            st.lists(st.sampled_from(["a", "b", "", " a", "c\rd"]), max_size=3).map(tuple),
            st.lists(st.sampled_from(["a", "b", "", "=======", ">>>>>>> REPLACE"]), max_size=3).map(
                tuple
            ),
            st.just(1),
        ),
        max_size=5,
    ),
    st.lists(st.sampled_from(["a\n", "b\r\n", "\n", " a\n", "\tb", "c\r", "d"]), max_size=8).map(
        "".join
    ),
)
def test_planning_never_raises_and_hunks_make_the_result(blocks: list[Block], text: str) -> None:
    targets = {
        path: Target(path, data.encode()) for path, data in {"a.py": text, "b.py": "b\n"}.items()
    }
    result = plan(blocks, targets, chat=("a.py",))
    failed = {problem.block for problem in result.problems}
    assert set(result.passed).isdisjoint(failed)
    assert not (result.changes and result.problems)
    for change in result.changes:
        assert b">>>>>>> REPLACE" not in (change.after or b"")
        if change.before is not None:
            assert change.before != change.after
            assert apply(change.before, change.hunks) == change.after


def test_a_thousand_blocks_over_two_hundred_files() -> None:
    text = "".join(f"line {n}\n" for n in range(500))
    files = {f"d/f{n}.py": text for n in range(200)}
    reply = "".join(
        block(f"line {n}\n", f"new {n}\n", path) for path in files for n in (3, 99, 250, 400, 498)
    )
    targets = {path: Target(path, data.encode()) for path, data in files.items()}
    result = plan(parse(reply, tuple(files)).blocks, targets, chat=tuple(files))
    assert len(result.changes) == 200 and result.problems == ()


def test_a_shift_of_indentation_carries_no_marker_into_a_file() -> None:
    block = Block(None, ("b",), (">>>>>>> REPLACE",), 1)
    result = plan((block,), {"a.py": Target("a.py", b"\tb")}, chat=("a.py",))
    assert not result.changes
    assert "marker" in result.problems[0].message


UNDERLINED = "Intro\n\nTitle\n=======\n\nOld\nEnd\n"


@pytest.mark.parametrize(
    ("search", "new"),
    [
        ("Title\n=======\nOld\n", "Title\n=======\nNew\n"),
        ("Title\n=======\n\nOlder\n", "New\n"),
        ("Title\n", "Other\n=======\n"),
    ],
)
def test_a_heading_is_never_taken_for_a_longer_search_that_stands_nowhere(
    search: str, new: str
) -> None:
    """What was read as the divider is the heading's underline, in the file as in the block."""
    refuse({"a.md": UNDERLINED}, block(search, new, "a.md"), "a.md", "divider")


def test_a_search_that_begins_with_the_underline_is_one_reading() -> None:
    reply = block("=======\n\nOld\n", "=======\n\nNew\n", "a.md")
    check({"a.md": UNDERLINED}, reply, {"a.md": UNDERLINED.replace("Old", "New")})
