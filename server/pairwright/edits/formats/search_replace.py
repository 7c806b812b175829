"""The SEARCH/REPLACE format: blocks between `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`.

A state machine over lines, so that a reply can be read while it arrives. Knows the form only: which
file a name means and where a SEARCH matches is for `paths` and `match`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pairwright.edits.formats import markers, names
from pairwright.edits.formats.markers import DIVIDER, END, FALSE_HEAD, HEAD
from pairwright.edits.formats.names import Names
from pairwright.edits.formats.stream import Reader, is_shell, language_of
from pairwright.edits.types import Block, Parsed

Split = tuple[tuple[str, ...], tuple[str, ...]]

# The file name stands at most so many lines above the head.
_LOOK_BACK = 3
# More possible dividers than this are not tried out one by one.
_MOST_SPLITS = 16
_QUOTED = 6
# Marks a fence with an edit in it: what follows the edit there may name the next file.
_EDIT_FENCE = -(1 << 60)
# A longer line is no marker.
_LONGEST_MARKER = 200
_CLOSING_TAG = ("</source>", "</code>", "</pre>", "</codeblock>", "</sourcecode>")


def parse(reply: str, known: Sequence[str] = ()) -> Parsed:
    """The blocks of a whole `reply`. `known`: paths that exist, which help to tell a name from
    prose."""
    stream = Stream(known)
    stream.feed(reply)
    return stream.close()


class Stream(Reader):
    """A reply that arrives in pieces. A block counts once its end marker's line has ended, or with
    `close` if the reply ends behind it."""

    format = "diff"

    def __init__(self, known: Sequence[str] = ()) -> None:
        super().__init__()
        self._names = Names.of(known)
        self._path: str | None = None
        self._above: deque[str] = deque(maxlen=_LOOK_BACK)
        self._fence: str | None = None
        self._fence_indent = ""
        self._fence_lines = 0
        self._commands: list[str] | None = None
        self._is_console = False
        self._open: _Open | None = None
        self._indented = 0

    def _end(self) -> None:
        """An open block is a problem, never an edit."""
        if self._open is not None:
            self._malformed(self._open, _CUT_OFF)
            self._open = None
        if self._indented and not self._blocks and not self._problems:
            self._fault(_INDENTED.format(self._indented))

    def _read(self, line: str) -> None:
        if self._open is None:
            self._outside(line)
            return
        opened = self._open
        if len(line) > _LONGEST_MARKER:
            opened.add(line)
        elif ">" in line and (end := END.fullmatch(line)) and end[1] in (opened.indent, ""):
            self._open = None
            self._finish(opened, line)
        elif "<" in line and (head := HEAD.fullmatch(line)) and head[1] in (opened.indent, ""):
            self._malformed(
                opened,
                f"another block begins on line {self._line} before its end marker >>>>>>> REPLACE",
                line,
            )
            self._open = _Open(self._line, line, head[1], opened.path)
        else:
            opened.add(line)

    def _outside(self, line: str) -> None:
        if not line:
            self._blank()
            return
        is_short = len(line) <= _LONGEST_MARKER
        if is_short and "<" in line and (head := HEAD.fullmatch(line)):
            if self._fence is None or head[1] in ("", self._fence_indent):
                self._begin(line, head[1], head[2])
                return
            self._indented = self._indented or self._line
        elif is_short and line.startswith("<<<") and FALSE_HEAD.fullmatch(line):
            self._fault(_FALSE_HEAD.format(self._line, line.strip()))
        if fence := markers.fence(line):
            self._toggle(*fence)
        else:
            self._fence_lines += 1
            if self._commands is not None:
                self._commands.append(line)
        text = line.strip()
        # Several blank lines count as one.
        is_blank = not text and bool(self._above) and not self._above[-1].strip()
        if not is_blank and not (text[:2] == "</" and text.lower() in _CLOSING_TAG):
            self._above.append(line)

    def _blank(self) -> None:
        self._fence_lines += 1
        if self._commands is not None:
            self._commands.append("")
        if not self._above or self._above[-1].strip():
            self._above.append("")

    def _begin(self, line: str, indent: str, behind: str | None) -> None:
        name = names.of_line(behind, self._names) if behind else None
        name = name or self._name()
        if name is not None:
            self._path = name
        self._above.clear()
        self._commands = None
        self._fence_lines = _EDIT_FENCE
        self._open = _Open(self._line, line, indent, self._path)

    def _name(self) -> str | None:
        """The name nearest above the head: first as a line of its own, then inside prose."""
        for read in (names.of_line, names.inside):
            for line in reversed(self._above):
                if name := read(line, self._names):
                    return name
        return None

    def _toggle(self, indent: str, marks: str, info: str) -> None:
        is_bare = not info or info.isspace()
        if self._fence is not None and is_bare and marks.startswith(self._fence):
            if self._commands is not None:
                self._command(self._commands)
            if self._fence_lines > 1:
                self._above.clear()
            self._fence, self._fence_indent, self._commands = None, "", None
            return
        if self._fence is not None and self._commands is not None and is_bare:
            return
        self._fence, self._fence_indent, self._fence_lines = marks, indent, 0
        self._commands = None
        if info and is_shell(info):
            self._commands = []
            self._is_console = language_of(info) in ("console", "terminal")

    def _command(self, lines: list[str]) -> None:
        typed = [line[2:] for line in map(str.lstrip, lines) if line.startswith("$ ")]
        if typed:
            lines = typed
        elif self._is_console:
            return
        text = "\n".join(lines).strip()
        if text:
            self._shell.append(text)

    def _finish(self, opened: _Open, line: str) -> None:
        at = opened.sevens or opened.others
        if not at:
            self._malformed(
                opened,
                f"no divider ======= parts the old lines from the new before line {self._line}",
                line,
            )
            return
        if len(at) > _MOST_SPLITS:
            self._malformed(
                opened,
                f"{len(at)} lines in it could be the divider =======; write smaller blocks",
                line,
            )
            return
        readings: list[Split] = [
            (tuple(opened.lines[:cut]), tuple(opened.lines[cut + 1 :])) for cut in at
        ]
        search, replace = readings[0]
        splits = tuple(readings) if len(readings) > 1 else ()
        self._blocks.append(Block(opened.path, search, replace, opened.line, splits))

    def _malformed(self, opened: _Open, what: str, line: str = "") -> None:
        where = f" for {opened.path}" if opened.path else ""
        block = f"The SEARCH/REPLACE block{where} on line {opened.line} of the reply"
        self._fault(f"{block} is malformed: {what}.\n{_quote(opened, line)}", opened.path)


_CUT_OFF = "the reply ends inside it, cut off (incomplete) before its end marker >>>>>>> REPLACE"
_FALSE_HEAD = (
    "Line {} of the reply is no marker: {}. A block begins with <<<<<<< SEARCH, seven characters and "
    "the word."
)
_INDENTED = (
    "The reply has a SEARCH marker on line {} that does not start in the first column, so no edit "
    "was read. "
    "Write <<<<<<< SEARCH, ======= and >>>>>>> REPLACE at the start of their lines."
)


class _Open:
    """A block whose end has not come: its lines, and which of them could be the divider."""

    __slots__ = ("head", "indent", "line", "lines", "others", "path", "sevens")

    def __init__(self, line: int, head: str, indent: str, path: str | None) -> None:
        self.line, self.head, self.indent, self.path = line, head, indent, path
        self.lines: list[str] = []
        self.sevens: list[int] = []
        self.others: list[int] = []

    def add(self, line: str) -> None:
        divider = (
            DIVIDER.fullmatch(line) if "=====" in line and len(line) < _LONGEST_MARKER else None
        )
        if divider is not None and divider[1] in (self.indent, ""):
            (self.sevens if len(divider[2]) == 7 else self.others).append(len(self.lines))
        self.lines.append(line.removeprefix(self.indent) if self.indent else line)


def _quote(opened: _Open, line: str) -> str:
    """The block's head, its last lines and the bad line, with a marker under that."""
    shown = [_short(text) for text in opened.lines[-_QUOTED:]]
    if len(opened.lines) > _QUOTED:
        shown.insert(0, "...")
    last = [_short(line)] if line else []
    rows = [opened.head.strip(), *shown, *last]
    return "\n".join(
        [*rows, "^" * max(len(rows[-1].strip()), 3) + (" here" if line else " the reply ends here")]
    )


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"
