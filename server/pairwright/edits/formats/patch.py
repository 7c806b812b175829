"""The patch format that OpenAI's models write (V4A): Add, Update and Delete sections between
`*** Begin Patch` and `*** End Patch`.

A section of Update holds hunks; `@@ line` names a line that stands above its hunk. The markers
around the patch, fences and a shell's here-document may be there or not. Knows the form only.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from pairwright.edits.formats.stream import Fences, Indent, Reader, quoted
from pairwright.edits.types import Block, Parsed, Where

_BEGIN = re.compile(r"\*{3} ?Begin Patch[ \t:]*", re.I)
_END = re.compile(r"\*{3} ?End Patch[ \t:]*", re.I)
_ACTION = re.compile(
    r"\*{3} ?(Add|Create|New|Update|Modify|Edit|Delete|Remove) File:?[ \t]*(.*)", re.I
)
_MOVE = re.compile(r"\*{3} ?(?:Move|Rename)(?: File)? to:?[ \t]*(.+)", re.I)
_EOF = re.compile(r"\*{3} ?End of File[ \t:]*", re.I)
_RANGE = re.compile(r"@@[ \t]*-\d+(?:,\d+)?[ \t]+\+\d+(?:,\d+)?[ \t]*@@.*")
_HERE = re.compile(r"(?:apply_patch|applypatch|cat)\b.*<<-?[ \t]*['\"]?(\w+)['\"]?.*")
_QUOTED = 6


def parse(reply: str, known: Sequence[str] = ()) -> Parsed:
    """The hunks and file operations of a whole `reply`. `known` changes nothing here: a path stands
    behind its marker."""
    stream = Stream(known)
    stream.feed(reply)
    return stream.close()


class Stream(Reader):
    """A reply that arrives in pieces. A hunk counts once the line behind it has come."""

    format = "patch"

    def __init__(self, known: Sequence[str] = ()) -> None:
        super().__init__()
        self._fences = Fences(self._shell)
        self._indent = Indent()
        self._recent: deque[str] = deque(maxlen=_QUOTED)
        self._is_open = False
        self._here: str | None = None
        self._file: _File | None = None

    def _read(self, line: str) -> None:
        if not line and self._file is None:
            self._fences.see(line)
            return
        if line[:1] in (" ", "\t") or self._indent.is_open:
            outside = self._file is None and self._fences.open is None
            line = self._indent.off(line, outside=outside)
        if line.startswith("***") and self._marker(line.rstrip()):
            return
        if self._file is not None:
            self._inside(line, self._file)
            return
        if "<<" in line and (here := _HERE.fullmatch(line.strip())):
            self._here = here[1]
        self._fences.see(line)

    def _end(self) -> None:
        self._finish()
        self._fences.close(is_edit=self._is_open)

    def _marker(self, line: str) -> bool:
        """Whether `line` was one of the format's markers."""
        if _BEGIN.fullmatch(line):
            self._finish()
            self._is_open = True
        elif _END.fullmatch(line):
            # One that is quoted before any patch closes nothing.
            self._finish()
            if self._is_open and self._fences.open is not None:
                self._fences.close(is_edit=True)
            self._is_open = False
        elif action := _ACTION.fullmatch(line):
            self._finish()
            self._open(action[1].lower(), action[2])
        elif self._file is not None and (move := _MOVE.fullmatch(line)):
            self._file.to = _path(move[1])
        elif self._file is not None and _EOF.fullmatch(line):
            self._file.at_end()
        else:
            return False
        return True

    def _open(self, word: str, name: str) -> None:
        self._recent.clear()
        path = _path(name)
        if not path:
            self._fault(_NAMELESS.format(self._line))
            return
        kind = "add" if word in ("add", "create", "new") else "update"
        self._file = _File(path, "delete" if word in ("delete", "remove") else kind, self._line)

    def _inside(self, line: str, file: _File) -> None:
        if self._fences.closes(line):
            self._finish()
            self._fences.close(is_edit=True)
            return
        if self._here is not None and line.strip() == self._here:
            self._finish()
            self._here = None
            return
        self._recent.append(line)
        if file.kind == "update":
            is_fine = self._updated(line, file)
        elif file.kind == "add" and line.startswith("+"):
            file.added.append(line[1:])
            is_fine = True
        else:
            is_fine = not line.strip()
        if is_fine or self._ends(line, file):
            return
        rule = _ADD if file.kind == "add" else _UPDATE if file.kind == "update" else _DELETE
        where = f"{file.path}: line {self._line} of the reply {rule}"
        self._fault(f"{where}\n{quoted(list(self._recent), self._line)}", file.path)
        self._file = None

    def _updated(self, line: str, file: _File) -> bool:
        """Take a line of an Update section; whether it belongs into one."""
        if line.startswith("@@"):
            scope = "" if _RANGE.fullmatch(line) else line[2:].strip().removesuffix("@@").strip()
            file.scope(scope, self._line)
        elif line[:1] in (" ", "-", "+"):
            file.line(line[0], line[1:], self._line)
        elif not line:
            file.line(" ", "", self._line)
        else:
            return False
        return True

    def _ends(self, line: str, file: _File) -> bool:
        """Whether `line` is prose behind a patch without end marker."""
        if self._is_open or self._fences.open is not None or not file.is_whole():
            return False
        self._finish()
        self._fences.see(line)
        return True

    def _finish(self) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        blocks = file.blocks()
        if not blocks:
            self._fault(_NOTHING.format(file.path, file.number), file.path)
        self._blocks += blocks


_NAMELESS = "Line {} of the reply names no file. Write the path behind the colon."
_ADD = "is no line of a new file: each begins with +."
_UPDATE = "is no line of a hunk: each begins with a blank, - or +."
_DELETE = "follows a Delete File line, which has no lines of its own."
_NOTHING = "{}: its section on line {} of the reply holds no line that begins with + or -."


class _Hunk:
    __slots__ = ("at_end", "line", "lines", "scopes")

    def __init__(self, line: int, scopes: tuple[str, ...]) -> None:
        self.line, self.scopes = line, scopes
        self.lines: list[tuple[str, str]] = []
        self.at_end = False

    @property
    def changes(self) -> bool:
        return any(sign != " " for sign, _ in self.lines)

    def half(self, sign: str) -> tuple[str, ...]:
        return tuple(text for mark, text in self.lines if mark in (" ", sign))


class _File:
    """One section: `kind` is add, update or delete."""

    __slots__ = ("_hunk", "_scopes", "added", "hunks", "kind", "number", "path", "to")

    def __init__(self, path: str, kind: str, number: int) -> None:
        self.path, self.kind, self.number = path, kind, number
        self.to: str | None = None
        self.added: list[str] = []
        self.hunks: list[_Hunk] = []
        self._hunk: _Hunk | None = None
        self._scopes: list[str] = []

    def scope(self, text: str, line: int) -> None:
        """An `@@` line: the hunk before it has ended."""
        self._close()
        if text:
            self._scopes.append(text)

    def line(self, sign: str, text: str, number: int) -> None:
        if self._hunk is None:
            self._hunk = _Hunk(number, tuple(self._scopes))
            self._scopes = []
        self._hunk.lines.append((sign, text))

    def at_end(self) -> None:
        if self._hunk is not None:
            self._hunk.at_end = True
        self._close()

    def is_whole(self) -> bool:
        """Whether what came so far could be all."""
        return self.kind != "update" or bool(self.hunks) or bool(self._hunk and self._hunk.changes)

    def blocks(self) -> list[Block]:
        self._close()
        if self.kind == "add":
            return [Block(self.path, (), tuple(self.added), self.number, operation="create")]
        if self.kind == "delete":
            return [Block(self.path, (), (), self.number, operation="delete")]
        found = []
        if self.to is not None:
            found.append(Block(self.path, (), (), self.number, operation="move", to=self.to))
        for index, hunk in enumerate(self.hunks):
            where = Where(hunk.scopes, hunk.at_end, below=index > 0, there=True)
            found.append(Block(self.path, hunk.half("-"), hunk.half("+"), hunk.line, where=where))
        return found

    def _close(self) -> None:
        hunk, self._hunk = self._hunk, None
        if hunk is None:
            return
        while hunk.lines and hunk.lines[-1] == (" ", ""):
            hunk.lines.pop()
        if hunk.changes:
            self.hunks.append(hunk)


def _path(text: str) -> str:
    """A path as written behind a marker, without quotes."""
    text = text.strip().strip("*").strip()
    for mark in ("`", '"', "'"):
        if len(text) > 2 and text.startswith(mark) and text.endswith(mark):
            return text[1:-1].strip()
    return text
