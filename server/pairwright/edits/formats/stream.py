"""What every format's reader shares: a reply that arrives in pieces, read line by line, and the
shell commands in its fences.

Knows lines and fences and no format. A reader costs the same for every line however many came
before.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from pairwright.edits.formats import markers
from pairwright.edits.types import Block, Parsed, Problem

# Format faults beyond this are counted, not described.
_MOST_FAULTS = 20
# Characters parted into lines at a time, so that a long reply is never held as lines.
_SLICE = 1 << 16
_SHELLS = re.compile("(?:ba|z|fi)?sh|shell|console|terminal|cmd|bat|batch|powershell|ps1|pwsh")


class Reader(ABC):
    """`feed` gives the blocks that a piece completed, `close` all there was."""

    format = ""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._line = 0
        self._blocks: list[Block] = []
        self._problems: list[Problem] = []
        self._faults = 0
        self._shell: list[str] = []

    def feed(self, chunk: str) -> tuple[Block, ...]:
        """Read `chunk`; the blocks it completed."""
        before = len(self._blocks)
        for at in range(0, len(chunk), _SLICE):
            self._part(chunk[at : at + _SLICE])
        return tuple(self._blocks[before:])

    def _part(self, chunk: str) -> None:
        self._pieces.append(chunk)
        if "\n" not in chunk:
            return
        text = "".join(self._pieces)
        lines = text.split("\n")
        self._pieces = [lines.pop()]
        if "\r" in text:
            lines = [line.rstrip("\r") for line in lines]
        read = self._read
        for line in lines:
            self._line += 1
            read(line)

    def close(self) -> Parsed:
        """The reply has ended: everything it held."""
        rest = "".join(self._pieces)
        self._pieces = []
        if rest:
            # Only lone carriage returns: a reply of the old Mac kind, read as lines too.
            lines = rest.split("\r") if self._line == 0 else [rest.rstrip("\r")]
            for line in lines:
                self._line += 1
                self._read(line)
        self._end()
        if self._faults > _MOST_FAULTS:
            more = self._faults - _MOST_FAULTS
            self._problems.append(
                Problem("edit-format", f"{more} more blocks are malformed in the same ways.")
            )
        return Parsed(
            tuple(self._blocks), tuple(self._problems), tuple(self._shell), format=self.format
        )

    @abstractmethod
    def _read(self, line: str) -> None:
        """One line without its end; `_line` is its number from 1."""

    @abstractmethod
    def _end(self) -> None:
        """There are no more lines."""

    @property
    def _tells(self) -> bool:
        """Whether the next fault is described, not only counted."""
        return self._faults < _MOST_FAULTS

    def _fault(self, message: str, path: str | None = None) -> None:
        self._faults += 1
        if self._faults <= _MOST_FAULTS:
            self._problems.append(Problem("edit-format", message, path))


class Indent:
    """Takes the indentation of a fence (one in a list) off the lines in it, if the first of them has it."""

    def __init__(self) -> None:
        self._marks = ""
        self._blanks: str | None = None
        self._is_sure = False

    @property
    def is_open(self) -> bool:
        """Whether the lines that come may lose some."""
        return self._blanks is not None

    def off(self, line: str, *, outside: bool) -> str:
        """The next `line` of a reply, without the indentation of the fence around it. `outside`: no fence and
        no edit is open."""
        blanks = self._blanks
        if blanks is None:
            if outside and line[:1] in (" ", "\t") and (fence := markers.fence(line)):
                self._blanks, self._marks, self._is_sure = fence[0], fence[1], False
                return line[len(fence[0]) :]
            return line
        inner = line.removeprefix(blanks)
        if inner.startswith(self._marks) and not inner.strip(self._marks[0] + " \t"):
            self._blanks = None
            return inner
        if not self._is_sure and line.strip():
            self._is_sure = inner is not line and line.startswith(blanks)
            if not self._is_sure:
                self._blanks = None
        return inner if self._is_sure else line


class Fences:
    """Which fence is open in the prose around the edits. `commands` collects the shell commands."""

    def __init__(self, commands: list[str]) -> None:
        self._all = commands
        self.open: str | None = None
        self.indent = ""
        self.info = ""
        self._lines: list[str] | None = None

    @property
    def holds_commands(self) -> bool:
        """Whether the open fence says that shell commands are in it."""
        return self._lines is not None

    def holds_edit(self) -> None:
        """The open fence has an edit in it: nothing of it is a command."""
        self._lines = None

    def see(self, line: str) -> bool:
        """Take a line of prose; whether it opened or closed a fence."""
        fence = markers.fence(line)
        if fence is None:
            if self._lines is not None:
                self._lines.append(line)
            return False
        indent, marks, info = fence
        info = info.strip()
        if self.open is not None:
            if info or not marks.startswith(self.open):
                return False
            self.close()
            return True
        self.open, self.indent, self.info = marks, indent, info
        self._lines = [] if info and is_shell(info) else None
        return True

    def blank(self) -> None:
        """Take an empty line of prose."""
        if self._lines is not None:
            self._lines.append("")

    def closes(self, line: str) -> bool:
        """Whether `line` ends the open fence."""
        if self.open is None or self.open not in line:
            return False
        fence = markers.fence(line)
        return fence is not None and not fence[2].strip() and fence[1].startswith(self.open)

    def close(self, *, is_edit: bool = False) -> None:
        """The fence has ended. `is_edit`: what stood in it is no command."""
        if self._lines is not None and not is_edit:
            lines = [line.lstrip() for line in self._lines]
            typed = [line[2:] for line in lines if line.startswith("$ ")]
            is_console = self.info.lower().startswith(("console", "terminal"))
            text = "\n".join(typed or ([] if is_console else self._lines)).strip()
            if text:
                self._all.append(text)
        self.open, self.indent, self.info, self._lines = None, "", "", None


def language_of(info: str) -> str:
    """The language that the text behind the fence characters names, in lower case."""
    return info.split(" ", 1)[0].strip("{}").lower()


def is_shell(info: str) -> bool:
    """Whether a fence with `info` behind its characters holds commands."""
    return _SHELLS.fullmatch(language_of(info)) is not None


def quoted(lines: list[str], number: int) -> str:
    """The last `lines` of a reply up to line `number`, the bad one marked."""
    shown = [line if len(line) <= 200 else line[:200] + "…" for line in lines]
    return "\n".join([*shown, "^" * max(len(shown[-1].strip()) if shown else 3, 3) + " here"])
