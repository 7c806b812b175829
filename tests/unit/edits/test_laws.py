"""Laws of all formats: an edit written down and read again is done as meant, whatever the file's line ends and
encoding, and no other byte changes; no text makes a reader raise; work grows with the text and no faster."""

from __future__ import annotations

import codecs
import difflib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pairwright.edits.diff import apply
from pairwright.edits.feedback import feedback
from pairwright.edits.formats.registry import PARSERS, read
from pairwright.edits.lines import body, split
from pairwright.edits.plan import plan
from pairwright.edits.types import Target
from pairwright.text.encoding import Decoded, decode, encode

PATH = "src/app.py"
ENDS = {
    "lf": ["\n"],
    "crlf": ["\r\n"],
    "cr": ["\r"],
    "mixed": ["\n", "\r\n"],
    "all": ["\n", "\r\n", "\r"],
}
# Codec, mark, what the first line declares, and letters it has.
ENCODINGS = {
    "utf-8": ("utf-8", b"", "", "aé日😀\u2028\x0c"),
    "utf-8 with a mark": ("utf-8", codecs.BOM_UTF8, "", "aé日😀\u2028"),
    "utf-16-le": ("utf-16-le", codecs.BOM_UTF16_LE, "", "aé日😀"),
    "utf-16-be": ("utf-16-be", codecs.BOM_UTF16_BE, "", "aé日😀"),
    "latin-1": ("latin-1", b"", "# coding: latin-1", "aéüß"),
    "cp1252": ("cp1252", b"", "# coding: cp1252", "aé€“"),
    "shift_jis": ("shift_jis", b"", "# coding: shift_jis", "a日本語ｶﾅ表"),
    "gbk": ("gbk", b"", "# coding: gbk", "a汉字测试"),
    "undeclared": ("cp1252", b"", "# text", "aéüß"),
}


@dataclass(frozen=True)
class Edit:
    """Lines `start:stop` of `lines` (each with its end) become `new`."""

    lines: list[str]
    start: int
    stop: int
    new: list[str]
    codec: str
    bom: bytes

    @property
    def raw(self) -> bytes:
        return self.bom + "".join(self.lines).encode(self.codec)

    @property
    def before(self) -> list[str]:
        return [line.rstrip("\r\n") for line in self.lines]

    @property
    def after(self) -> list[str]:
        return [*self.before[: self.start], *self.new, *self.before[self.stop :]]


@st.composite
def edits(draw: st.DrawFn, encodings: tuple[str, ...] = tuple(ENCODINGS)) -> Edit:
    """A file of any kind and a change of a few of its lines."""
    codec, bom, first, letters = ENCODINGS[draw(st.sampled_from(encodings))]
    ends = ENDS[draw(st.sampled_from(tuple(ENDS)))]
    words = st.text(letters + "b =+-", max_size=5)
    rows = [first] if first else []
    rows += [f"{at} {draw(words)}." for at in range(draw(st.integers(3, 9)))]
    lines = [row + draw(st.sampled_from(ends)) for row in rows]
    if draw(st.booleans()):
        lines[-1] = rows[-1]
    start = draw(st.integers(1, len(lines)))
    stop = min(draw(st.integers(start, start + 2)), len(lines))
    new = [f"new {word}." for word in draw(st.lists(words, min_size=start == stop, max_size=3))]
    edit = Edit(lines, start, stop, new, codec, bom)
    # A few bytes of another encoding may happen to be UTF-8 (C5 96 is one letter there): then they are that.
    assume(codec.startswith("utf") or edit.raw.isascii() or not _is_utf8(edit.raw))
    return edit


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def as_blocks(edit: Edit) -> str:
    return f"{PATH}\n```python\n{_block(edit)}```\n"


def as_fenced_blocks(edit: Edit) -> str:
    return f"```python\n{PATH}\n{_block(edit)}```\n"


def _block(edit: Edit) -> str:
    low, high = edit.start - 1, min(edit.stop + 1, len(edit.lines))
    old = edit.before[low:high]
    new = [*edit.before[low : edit.start], *edit.new, *edit.before[edit.stop : high]]
    rows = ("<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE", "")
    return "\n".join(rows)


def as_diff(edit: Edit) -> str:
    rows = difflib.unified_diff(edit.before, edit.after, f"a/{PATH}", f"b/{PATH}", lineterm="")
    return "```diff\n" + "\n".join(rows) + "\n```\n"


def as_simple_diff(edit: Edit) -> str:
    rows = difflib.unified_diff(edit.before, edit.after, PATH, PATH, n=2, lineterm="")
    return "\n".join("@@ ... @@" if row.startswith("@@") else row for row in rows) + "\n"


def as_whole(edit: Edit) -> str:
    return f"{PATH}\n````python\n" + "".join(row + "\n" for row in edit.after) + "````\n"


def as_patch(edit: Edit) -> str:
    rows = list(difflib.unified_diff(edit.before, edit.after, n=2, lineterm=""))[2:]
    text = "".join("@@\n" if row.startswith("@@") else row + "\n" for row in rows)
    return f"*** Begin Patch\n*** Update File: {PATH}\n{text}*** End Patch\n"


RENDER: dict[str, Callable[[Edit], str]] = {
    "diff": as_blocks,
    "diff-fenced": as_fenced_blocks,
    "editor-diff": as_blocks,
    "editor-diff-fenced": as_fenced_blocks,
    "editor-whole": as_whole,
    "patch": as_patch,
    "symbol": as_blocks,
    "udiff": as_diff,
    "udiff-simple": as_simple_diff,
    "whole": as_whole,
}


def check(format: str, reply: str, edit: Edit) -> None:
    """`reply` does `edit`; every byte of the file's other lines stays."""
    text = decode(edit.raw)
    assert isinstance(text, Decoded) and encode(text.data, text.codec, text.bom) == edit.raw
    parsed = read(reply, format, (PATH,))
    assert parsed.problems == () and parsed.format == format
    done = plan(parsed.blocks, {PATH: Target(PATH, text.data)}, chat=(PATH,))
    assert done.problems == ()
    (change,) = done.changes
    assert change.after is not None and apply(text.data, change.hunks) == change.after
    raw = encode(change.after, text.codec, text.bom)
    said = [body(line).decode() for line in split(change.after)]
    assert said == edit.after
    above, below = _bytes(edit, edit.lines[: edit.start]), _bytes(edit, edit.lines[edit.stop :])
    if edit.stop == len(edit.lines):
        # A last line without an end gets one where new lines follow it, and new last lines have none.
        above = above if edit.start < len(edit.lines) else _bytes(edit, edit.lines[:-1])
        is_open = not edit.lines[-1].endswith(("\n", "\r"))
        assert change.after.endswith((b"\n", b"\r")) != is_open
        above = _bytes(edit, edit.lines[: edit.start - 1]) if is_open else above
    assert raw.startswith(edit.bom + above) and raw.endswith(below)


def _bytes(edit: Edit, lines: list[str]) -> bytes:
    return "".join(lines).encode(edit.codec)


@pytest.mark.parametrize("format", sorted(PARSERS))
@settings(max_examples=60)
@given(edit=edits(tuple(name for name in ENCODINGS if name != "undeclared")))
def test_an_edit_is_done_as_meant_in_every_format(format: str, edit: Edit) -> None:
    if edit.after != edit.before:
        check(format, RENDER[format](edit), edit)


@settings(max_examples=15)
@given(edit=edits(("undeclared",)))
def test_an_encoding_that_must_be_guessed(edit: Edit) -> None:
    if edit.after != edit.before:
        text = decode(edit.raw)
        guessed = text.codec if isinstance(text, Decoded) else ""
        # The bytes are what counts: a wrong guess reads other letters and writes the same bytes.
        if guessed == edit.codec:
            check("diff", as_blocks(edit), edit)
        elif guessed:
            assert isinstance(text, Decoded)
            assert encode(text.data, text.codec, text.bom) == edit.raw


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("is_open", [False, True])
def test_a_definition_in_every_kind_of_file(name: str, ends: str, is_open: bool) -> None:
    codec, bom, first, letters = ENCODINGS[name]
    rows = [first or "# text", "def one():", f"    return '{letters[1]}'", "", "def two():"]
    rows += ["    return 2", "", "def three():", "    return 3"]
    kinds = ENDS[ends]
    if len(kinds) > 2:
        # An empty line behind a lone carriage return would join it.
        kinds = kinds[1:]
    lines = [row + kinds[at % len(kinds)] for at, row in enumerate(rows)]
    if is_open:
        lines[-1] = rows[-1]
    edit = Edit(lines, 5, 6, ["    x = 2", "    return x"], codec, bom)
    reply = (
        f"{PATH}\n```python\n<<<<<<< DEFINITION two\ndef two():\n    x = 2\n    return x\n"
        ">>>>>>> REPLACE\n```\n"
    )
    check("symbol", reply, edit)


ODD = st.sampled_from(
    [
        *("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "<<<<<<< DEFINITION A.f", "```", "~~~~"),
        *("```python app.py", "--- a/app.py", "+++ b/app.py", "@@ -1,2 +1 @@", "@@", "-x", "+y"),
        *("*** Begin Patch", "*** Update File: app.py", "*** Add File:", "*** End Patch", " z"),
        *("diff --git a/x b/y", "rename from x", "app.py", "`app.py`:", "\x00", "\ud800", "\r"),
        *(
            "*** Move to: ",
            "*** Delete File: app.py",
            "*** End of File",
            "\\ No newline",
            "...",
            "",
        ),
        *("\u2028", "1. **`app.py`**", "[a](b)", "cat <<EOF", "EOF", "$ ls", "<<<<<<< DELETE f"),
    ]
)
ANY = st.one_of(
    st.text(),
    st.lists(st.one_of(ODD, st.text(max_size=9)), max_size=30).map("\n".join),
    st.lists(ODD, max_size=30).map("\r\n".join),
    st.lists(ODD, max_size=30).map("".join),
)


@pytest.mark.parametrize("format", ["diff", "udiff", "patch", "symbol", "whole"])
@given(reply=ANY, text=ANY)
def test_no_reply_makes_anything_raise(format: str, reply: str, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    targets = {"app.py": Target("app.py", data), "x": Target("x", b"z\n")}
    parsed = read(reply, format, tuple(targets))
    for approximate in (False, True):
        done = plan(parsed.blocks, targets, chat=("app.py",), approximate=approximate)
        assert not (done.changes and done.problems)
        assert bool(feedback(parsed, done)) == bool(parsed.problems or done.problems)
        for change in done.changes:
            if change.before is not None and change.after is not None:
                assert apply(change.before, change.hunks) == change.after


FLOODS = {
    "heads": "<<<<<<< SEARCH\n",
    "dividers": "<<<<<<< SEARCH\n" + "=======\n" * 50,
    "lone dividers": "=======\n",
    "ends": ">>>>>>> REPLACE\n",
    "half blocks": "<<<<<<< SEARCH\n=======\n",
    "blocks": "a/b c.py (x)\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
    "names": "**`1. # - File: [x](" + "y" * 250 + "\n",
    "names above heads": ("(" * 290 + "\n") * 3 + "<<<<<<< SEARCH\nx\n",
    "fences": "```\n",
    "other fences": "~~~\n````\n```\n",
    "commands": "```bash\nx\n```\n",
    "hunks": "@@\n",
    "headers": "--- a/app.py\n+++ b/app.py\n",
    "old halves": "--- a/app.py\n",
    "sections": "*** Update File: app.py\n@@ f\n-x\n+y\n",
    "git": "diff --git a b c d\n",
    "definitions": "app.py\n<<<<<<< DEFINITION A.f\nx\n>>>>>>> REPLACE\n",
    "listings": "app.py\n```\nx\n```\n",
    "nested listings": "README.md\n```\n```python\nx\n```\n",
    "blanks behind a marker": "<<<<<<< SEARCH\nx\n>>>>>>> REPLACE" + " " * 150 + "x\n",
    "blank lines": "\n",
    "returns": "\r",
    "blanks": " ",
    "ticks": "`",
    "one line": "x",
    "signs": "=",
}


@pytest.mark.parametrize("format", ["diff", "udiff", "patch", "symbol", "whole"])
@pytest.mark.parametrize("piece", FLOODS.values(), ids=FLOODS)
def test_twice_the_flood_is_twice_the_work(format: str, piece: str) -> None:
    """Counted in calls, which no busy machine changes."""
    pieces = 6_000 // len(piece) + 2
    one, two = _calls(format, piece * pieces), _calls(format, piece * 2 * pieces)
    assert two <= 2.3 * one + 300


def _calls(format: str, reply: str) -> int:
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        PARSERS[format](reply, ("app.py",))
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("format", ["diff", "udiff", "patch", "symbol", "whole"])
@pytest.mark.parametrize("piece", ["x", "`", "=", " ", "<<<<<<< ", "[", "**", "a/", "@", "(", '"'])
def test_a_long_line_ends(format: str, piece: str) -> None:
    """What takes the square of a line's length never ends here."""
    line = piece * (300_000 // len(piece))
    parsed = read(
        f"{line}\n--- {line}\n+++ {line}\n@@ {line}\n```{line}\n{line}", format, ("app.py",)
    )
    assert all(block.path != line for block in parsed.blocks) or "/" in line


def test_a_long_run_of_blanks_in_a_name_ends() -> None:
    name = "a" + " " * 300_000 + "b"
    parsed = read(f"--- {name}\n+++ {name}\n@@\n-x\n+y\n", "udiff", ("app.py",))
    assert [block.path for block in parsed.blocks] == [name]
