"""The whole-file format: a file's path, then a fence with its complete new text.

A fence that names no file is an example and no edit, unless it is the only listing of the reply.
Fences inside a listing are told from its end by their info strings; where they cannot be, the
listing is refused. Knows the form only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pairwright.edits.formats import markers, names
from pairwright.edits.formats.markers import END, HEAD
from pairwright.edits.formats.names import Names
from pairwright.edits.formats.stream import Fences, Reader, quoted
from pairwright.edits.types import Block, Parsed

_LOOK_BACK = 3
_QUOTED = 6
_FOREIGN = frozenset({"diff", "patch", "udiff"})
_LONGEST_MARKER = 200
_MARKDOWN = (".md", ".mdx", ".markdown", ".rmd", ".qmd", ".rst", ".txt", ".adoc")


def parse(reply: str, known: Sequence[str] = ()) -> Parsed:
    """The listings of a whole `reply`. `known`: paths that exist."""
    stream = Stream(known)
    stream.feed(reply)
    return stream.close()


class Stream(Reader):
    """A reply that arrives in pieces. A listing counts once its fence has closed."""

    format = "whole"

    def __init__(self, known: Sequence[str] = ()) -> None:
        super().__init__()
        self._names = Names.of(known)
        self._fences = Fences(self._shell)
        self._above: deque[str] = deque(maxlen=_LOOK_BACK)
        self._listing: _Listing | None = None
        # The first listing without a name, and how many there are.
        self._nameless: _Listing | None = None
        self._nameless_count = 0
        self._foreign = 0
        # The listing just ended, if its text may hold fences of its own.
        self._last: _Listing | None = None
        self._texts: dict[str, tuple[str, ...]] = {}

    def _read(self, line: str) -> None:
        if self._listing is not None:
            self._inside(line, self._listing)
            return
        was_open = self._fences.open is not None
        if self._fences.see(line) and not was_open:
            self._begin()
        elif not was_open and line.strip():
            self._above.append(line)

    def _begin(self) -> None:
        """A fence has opened outside any other: a listing, unless it holds commands or a diff."""
        language = self._fences.info.split(" ", 1)[0].lower()
        path = names.of_info(self._fences.info, self._names) if self._fences.info else None
        for read in (names.of_line, names.inside):
            for above in reversed(self._above):
                path = path or read(above, self._names)
        self._above.clear()
        if language in _FOREIGN:
            self._foreign = self._foreign or self._line
            self._last = None
        elif not self._fences.holds_commands or path is not None:
            if path is None and not self._fences.info and self._last is not None:
                self._unclear(self._last)
            self._listing = _Listing(path, self._line, self._fences.indent)

    def _inside(self, line: str, listing: _Listing) -> None:
        fence = markers.fence(line)
        if fence is None:
            listing.add(line)
        elif listing.inner is not None:
            listing.add(line)
            if not fence[2].strip() and fence[1].startswith(listing.inner):
                listing.inner = None
        elif self._fences.closes(line):
            self._listing = None
            self._fences.close(is_edit=True)
            self._finish(listing)
        else:
            listing.add(line)
            if fence[2].strip():
                listing.inner = fence[1]
                listing.nested = True

    def _unclear(self, listing: _Listing) -> None:
        """A bare fence behind `listing` may be the end of what looked like its end."""
        self._last = None
        self._blocks = [block for block in self._blocks if block.line != listing.line]
        self._fault(_NESTED.format(listing.path, listing.line), listing.path)

    def _finish(self, listing: _Listing) -> None:
        path, text = listing.path, tuple(listing.lines)
        self._last = listing if path is not None and path.lower().endswith(_MARKDOWN) else None
        if listing.marker:
            self._fault(_MARKER.format(listing.marker), path)
        elif path is None:
            self._nameless = self._nameless or listing
            self._nameless_count += 1
        elif path not in self._texts:
            self._texts[path] = text
            self._blocks.append(Block(path, (), text, listing.line, operation="whole"))
        elif self._texts[path] != text:
            self._fault(_TWICE.format(path, listing.line), path)

    def _end(self) -> None:
        if self._listing is not None:
            listing = self._listing
            name = listing.path or "a file without a name"
            told = (_NESTED if listing.nested else _CUT).format(name, listing.line)
            shown = quoted(listing.lines[-_QUOTED:], self._line)
            self._fault(f"{told}\n{shown}", listing.path)
        self._fences.close(is_edit=self._listing is not None)
        if self._blocks or self._faults:
            return
        if self._foreign:
            self._fault(_FOREIGN_FORMAT.format(self._foreign))
        elif (first := self._nameless) is not None and self._nameless_count == 1:
            self._blocks.append(Block(None, (), tuple(first.lines), first.line, operation="whole"))
        elif first is not None:
            self._fault(_NAMELESS.format(self._nameless_count, first.line))


_CUT = (
    "The listing of {} on line {} of the reply is cut off: its closing fence is missing, so nothing "
    "of it was used. Send the file again as a whole."
)
_NESTED = (
    "The listing of {} on line {} of the reply has fences inside it, and where it ends is not clear. "
    "Put four backticks around it."
)
_MARKER = (
    "The listing holds the marker line {}, which never goes into a file. Send the complete text of "
    "the file without markers."
)
_TWICE = "{}: the listing on line {} of the reply is its second, and the two differ. Send it once."
_FOREIGN_FORMAT = (
    "Line {} of the reply begins a diff, but a whole file was expected, so nothing was applied. Send "
    "the complete new text of each file: its path alone on a line, then a fence with the text."
)
_NAMELESS = (
    "{} listings, the first on line {} of the reply, have no file name, so nothing was applied. Write "
    "the path of the file alone on the line above each fence."
)


class _Listing:
    """A file's text as it comes. `inner`: the fence open inside it; `nested`: there was one."""

    __slots__ = ("indent", "inner", "line", "lines", "marker", "nested", "path")

    def __init__(self, path: str | None, line: int, indent: str) -> None:
        self.path, self.line, self.indent = path, line, indent
        self.lines: list[str] = []
        self.inner: str | None = None
        self.nested = False
        self.marker = ""

    def add(self, line: str) -> None:
        line = line.removeprefix(self.indent) if self.indent else line
        is_short = line[:1] in ("<", ">") and len(line) < _LONGEST_MARKER
        if is_short and not self.marker and (HEAD.fullmatch(line) or END.fullmatch(line)):
            self.marker = line.strip()
        self.lines.append(line)
