"""The unified diff formats: hunks of ` `, `-` and `+` lines below `---` and `+++` headers.

Line numbers are ignored: a hunk's place is where its context and its old lines stand. Headers may
be git's or lack a half, `@@` lines may be missing or say nothing, fences may be missing. Knows the
form only: which file a name means and where a hunk fits is for `paths` and `match`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from pairwright.edits.formats import names
from pairwright.edits.formats.names import Names
from pairwright.edits.formats.stream import Fences, Indent, Reader, quoted
from pairwright.edits.types import Block, Operation, Parsed

NOWHERE = "/dev/null"

_AT = re.compile(
    r"@@(?:[ \t]*-(\d{1,9})(?:,(\d{1,9}))?[ \t]+\+(\d{1,9})(?:,(\d{1,9}))?[ \t]*@@"
    r"| .*|\.\.\..*|@*)[^\n]*"
)
_GIT = re.compile(r"diff --git (.+)")
_EXTENDED = re.compile(
    r"(?:index [0-9a-f]|(?:old|new) mode \d|(?:new|deleted) file mode \d|(?:dis)?similarity index \d"
    r"|(?:copy|rename) (?:from|to) \S|Binary files .* differ|GIT binary patch)"
)
_PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/", "1/", "2/")
_OCTAL = re.compile(r"\\([0-7]{3}|[abtnvfr\"\\])")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_NOTE = re.compile(
    r"(?<![ \t])[ \t]+\((?:original|modified|updated|current|old|new|before|after|new file|deleted)\)",
    re.I,
)
_HEADERS = frozenset({"--- ", "+++ ", "---\t", "+++\t"})
# Lines that could begin an edit or a fence.
_STARTS = ("--- ", "+++ ", "@@", "diff ", "```", "~~~")
_AHEAD = 3
_LOOK_BACK = 3
_QUOTED = 6


def parse(reply: str, known: Sequence[str] = ()) -> Parsed:
    """The hunks of a whole `reply`, each a block. `known`: paths that exist."""
    stream = Stream(known)
    stream.feed(reply)
    return stream.close()


class Stream(Reader):
    """A reply that arrives in pieces. A hunk counts once the line behind it has come."""

    format = "udiff"

    def __init__(self, known: Sequence[str] = ()) -> None:
        super().__init__()
        self._names = Names.of(known)
        self._fences = Fences(self._shell)
        self._indent = Indent()
        self._waiting: deque[str] = deque()
        self._at = 0
        self._above: deque[str] = deque(maxlen=_LOOK_BACK)
        self._recent: deque[str] = deque(maxlen=_QUOTED)
        self._file: _File | None = None
        self._path: str | None = None
        self._hunk: _Hunk | None = None

    def _read(self, line: str) -> None:
        if self._waiting:
            self._follow(line)
            return
        if not line and self._file is None:
            self._at += 1
            self._recent.append(line)
            self._fences.blank()
            return
        if line[:1] in (" ", "\t") or self._indent.is_open:
            outside = self._file is None and self._fences.open is None
            line = self._indent.off(line, outside=outside)
        if line[:4] in _HEADERS:
            # A header is told from removed lines by what follows it.
            self._waiting.append(line)
        else:
            self._take(line)

    def _follow(self, line: str) -> None:
        """Take a line behind what may be a header."""
        waiting = self._waiting
        if not line and self._file is None:
            # No header goes on behind a blank line, so nothing need wait for more.
            self._drain()
            self._read(line)
            return
        outside = self._file is None and self._fences.open is None
        outside = outside and not any(one.startswith(_STARTS) for one in waiting)
        waiting.append(self._indent.off(line, outside=outside))
        if len(waiting) >= _AHEAD:
            self._take(waiting.popleft())
            while waiting and waiting[0][:4] not in _HEADERS:
                self._take(waiting.popleft())

    def _drain(self) -> None:
        while self._waiting:
            self._take(self._waiting.popleft())

    def _end(self) -> None:
        self._drain()
        self._finish_file()
        self._fences.close(is_edit=self._file is not None)

    def _take(self, line: str) -> None:
        self._at += 1
        self._recent.append(line)
        lead = line[:4]
        if (lead in _HEADERS or lead == "diff") and self._starts_file(line):
            return
        if self._file is None:
            self._outside(line)
        elif self._hunk is None:
            self._between(line)
        else:
            self._inside(line)

    # --- headers

    def _starts_file(self, line: str) -> bool:
        """Whether `line` was (a part of) a file's header."""
        if line.startswith("diff"):
            git = _GIT.fullmatch(line)
            if git is not None:
                self._finish_file()
                self._file = _File(self._at, git=git[1])
            return git is not None
        name = _name(line)
        is_old = line.startswith("-")
        if not name or not (self._is_old(name) if is_old else self._is_new()):
            return False
        file = self._file
        fits = file is not None and self._hunk is None and not file.hunks
        if file is None or not fits or (file.old if is_old else file.new) is not None:
            self._finish_file()
            file = self._file = _File(self._at)
        if is_old:
            file.old = _unquoted(name)
        else:
            file.new = _unquoted(name)
        return True

    def _is_new(self) -> bool:
        """Whether `+++ name` is a header and no line of a hunk."""
        if self._hunk is not None:
            return False
        # Its `---` has just been read as one, or there is none and a hunk follows.
        file = self._file
        is_due = file is not None and not file.hunks and file.new is None
        return is_due or self._follows(0, "@@", " ", "-", "+")

    def _is_old(self, name: str) -> bool:
        """Whether `--- name` is a header and no line of a hunk."""
        hunk = self._hunk
        if not self._follows(0, "+++ ", "+++\t"):
            return hunk is None and self._follows(0, "@@")
        if hunk is None:
            return True
        other = _name(self._waiting[0])
        if not other or not _namelike(name, self._names):
            return not hunk.wants() and self._follows(1, "@@")
        # The numbers of an @@ line are often wrong; two equal names are no accident.
        return not hunk.wants() or name.removeprefix("a/") == other.removeprefix("b/")

    def _follows(self, at: int, *starts: str) -> bool:
        return at < len(self._waiting) and self._waiting[at].startswith(starts)

    # --- lines

    def _outside(self, line: str) -> None:
        if line.startswith("@@") and self._opens(line):
            return
        if self._fences.see(line):
            return
        if line.strip():
            self._above.append(line)

    def _opens(self, line: str) -> bool:
        """Whether `@@` without a header begins a hunk: in a fence, of the file named above it."""
        if (self._fences.open is None and self._path is None) or not _AT.fullmatch(line):
            return False
        found = names.of_info(self._fences.info, self._names) if self._fences.info else None
        for read in (names.of_line, names.inside):
            for above in reversed(self._above):
                found = found or read(above, self._names)
        self._file = _File(self._at)
        self._file.new = found or self._path
        self._hunk = _Hunk.of(self._at, line)
        return True

    def _between(self, line: str) -> None:
        """Below a header, above its first hunk or behind one that has ended."""
        file = self._file
        assert file is not None
        if line.startswith("@@") and _AT.fullmatch(line):
            self._hunk = _Hunk.of(self._at, line)
        elif _EXTENDED.match(line):
            file.extended(line)
        elif self._fences.closes(line):
            self._leave()
        elif line[:1] in (" ", "+", "-", "\t") and file.named and not file.hunks:
            # The @@ line is missing.
            self._hunk = _Hunk(self._at)
            self._inside(line)
        elif line.strip():
            self._leave()
            self._outside(line)

    def _inside(self, line: str) -> None:
        hunk = self._hunk
        assert hunk is not None
        sign = line[:1]
        if sign in ("-", "+"):
            hunk.add(sign, line[1:])
        elif line.startswith("@@") and _AT.fullmatch(line):
            self._finish_hunk()
            self._hunk = _Hunk.of(self._at, line)
        elif self._fences.closes(line):
            self._leave()
        elif sign == " ":
            hunk.add(" ", line[1:])
        elif not line:
            hunk.add(" ", "")
        elif line.startswith("\\ "):
            # "\ No newline at end of file": the end of the file stays as it is.
            return
        elif self._fences.open is not None:
            # The blank in front of a context line was forgotten; a wrong line will not match.
            hunk.add(" ", line)
        else:
            self._leave()
            self._outside(line)

    # --- ends

    def _leave(self) -> None:
        """The diff has ended; its fence too, if one was open."""
        self._finish_file()
        if self._fences.open is not None:
            self._fences.close(is_edit=True)
        self._above.clear()

    def _finish_hunk(self) -> None:
        if self._hunk is not None and self._file is not None:
            hunk = self._hunk.trimmed()
            if hunk.changes:
                self._file.hunks.append(hunk)
            self._file.empty += not hunk.changes
        self._hunk = None

    def _finish_file(self) -> None:
        self._finish_hunk()
        file, self._file = self._file, None
        if file is None:
            return
        path, moved, operation = file.meaning(self._names)
        if path is None and not file.hunks:
            return
        if path is not None:
            self._path = moved or path
        if file.binary:
            self._fault(_BINARY.format(file.line, path), path)
        elif operation == "replace" and moved is None and not file.hunks:
            shown = quoted(list(self._recent), self._at) if self._tells else ""
            self._fault(f"{_NO_HUNK.format(path, file.line)}\n{shown}", path)
        else:
            self._blocks += file.blocks(path, moved, operation)


_NO_HUNK = (
    "The diff for {} on line {} of the reply has no line that begins with + or -, so it changes "
    "nothing. Put - before each old line and + before each new one, below an @@ line."
)
_BINARY = (
    "The diff on line {} of the reply is of a binary file ({}), which cannot be edited as text."
)


class _Hunk:
    """Lines with their signs. `old`, `new`: how many lines the @@ line still promises, or None."""

    __slots__ = ("changes", "line", "lines", "new", "old")

    def __init__(self, line: int, old: int | None = None, new: int | None = None) -> None:
        self.line, self.old, self.new = line, old, new
        self.lines: list[tuple[str, str]] = []
        self.changes = 0

    @classmethod
    def of(cls, number: int, line: str) -> _Hunk:
        at = _AT.fullmatch(line)
        if at is None or at[1] is None:
            return cls(number)
        return cls(number, int(at[2] or 1), int(at[4] or 1))

    def add(self, sign: str, text: str) -> None:
        self.lines.append((sign, text))
        self.changes += sign != " "
        if self.old is not None and sign != "+":
            self.old -= 1
        if self.new is not None and sign != "-":
            self.new -= 1

    def wants(self) -> bool:
        """Whether the numbers of the @@ line say that lines of both kinds are still to come."""
        return (self.old or 0) > 0 and (self.new or 0) > 0

    def trimmed(self) -> _Hunk:
        """Without the blank lines that only part it from what follows."""
        while self.lines and self.lines[-1] == (" ", "") and (self.old is None or self.old < 0):
            self.lines.pop()
            if self.old is not None:
                self.old += 1
        return self

    def half(self, sign: str) -> tuple[str, ...]:
        return tuple(text for mark, text in self.lines if mark in (" ", sign))


class _File:
    """A file's part of a diff, as its header lines name it."""

    __slots__ = (
        "binary",
        "deleted",
        "empty",
        "git",
        "hunks",
        "line",
        "made",
        "moved",
        "new",
        "old",
    )

    def __init__(self, line: int, git: str = "") -> None:
        self.line, self.git = line, git
        self.old: str | None = None
        self.new: str | None = None
        self.moved: dict[str, str] = {}
        self.made = self.deleted = self.binary = False
        self.hunks: list[_Hunk] = []
        self.empty = 0

    @property
    def named(self) -> bool:
        return self.old is not None or self.new is not None

    def extended(self, line: str) -> None:
        """Take one of git's header lines."""
        self.made = self.made or line.startswith("new file")
        self.deleted = self.deleted or line.startswith("deleted file")
        self.binary = self.binary or line.startswith(("Binary", "GIT binary"))
        if line.startswith("rename "):
            _, side, name = line.split(" ", 2)
            self.moved[side] = _unquoted(name.strip())

    def meaning(self, known: Names) -> tuple[str | None, str | None, Operation]:
        """The path meant, the one it moves to, and what happens to it."""
        old, new = self._pair(known)
        if self.moved.keys() >= {"from", "to"}:
            return self.moved["from"], self.moved["to"], "replace"
        if self.made or old == NOWHERE:
            return (new if new != NOWHERE else None), None, "create"
        if self.deleted or new == NOWHERE:
            return old, None, "delete"
        return (new or old), None, "replace"

    def _pair(self, known: Names) -> tuple[str | None, str | None]:
        """Both names without the prefixes that diff programs put before them."""
        old, new = self.old, self.new
        if old is None and new is None and self.git:
            old, new = _halves(self.git)
        old, new = (_without_note(name, known) if name else name for name in (old, new))
        both = [name for name in (old, new) if name is not None and name != NOWHERE]
        is_prefixed = bool(both) and all(name.startswith(_PREFIXES) for name in both)
        if is_prefixed and not any(known.has(name) for name in both):
            old, new = (
                name[2:] if name is not None and name != NOWHERE else name for name in (old, new)
            )
        return old, new

    def blocks(self, path: str | None, moved: str | None, operation: Operation) -> list[Block]:
        """One block a hunk, and one for what happens to the file as a whole."""
        if operation == "create":
            made = tuple(line for hunk in self.hunks for line in hunk.half("+"))
            return [Block(path, (), made, self.line, operation="create")]
        if operation == "delete":
            gone = tuple(line for hunk in self.hunks for line in hunk.half("-"))
            return [Block(path, gone, (), self.line, operation="delete")]
        found = [Block(path, hunk.half("-"), hunk.half("+"), hunk.line) for hunk in self.hunks]
        if moved is not None:
            found.insert(0, Block(path, (), (), self.line, operation="move", to=moved))
        return found


def _name(header: str) -> str:
    """What a `---` or `+++` line names, without the date that a tab parts from it; empty if nothing."""
    name = header[4:].lstrip(" \t").partition("\t")[0].rstrip(" ")
    return "" if name[:1].isspace() else name


def _without_note(name: str, known: Names) -> str:
    """`name` without what models put behind it: `app.py (modified)`."""
    return name if known.has(name) else _NOTE.sub("", name) or name


def _halves(git: str) -> tuple[str | None, str | None]:
    """The two names behind `diff --git`, which may hold blanks: equal but for the prefix."""
    if git.startswith('"'):
        first, _, second = git[1:].partition('" ')
        return _unquoted(f'"{first}"'), _unquoted(second)
    middle = len(git) // 2
    if git[middle : middle + 1] == " " and git[2:middle] == git[middle + 3 :]:
        return git[:middle], git[middle + 1 :]
    first, _, second = git.partition(" ")
    return first or None, second or None


def _unquoted(name: str) -> str:
    """A name without the quotes and escapes that git puts around odd ones."""
    name = name.strip().strip("`")
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    raw, at = bytearray(), 0
    inner = name[1:-1]
    for match in _OCTAL.finditer(inner):
        raw += inner[at : match.start()].encode("utf-8", "surrogatepass")
        code = match[1]
        raw.append(_ESCAPES[code] if code in _ESCAPES else int(code, 8) & 0xFF)
        at = match.end()
    raw += inner[at:].encode("utf-8", "surrogatepass")
    return raw.decode("utf-8", "replace")


def _namelike(name: str, known: Names) -> bool:
    bare = name[2:] if name.startswith(_PREFIXES) else name
    return (
        name == NOWHERE or known.has(bare) or known.has(name) or names.of_line(bare, known) == bare
    )
