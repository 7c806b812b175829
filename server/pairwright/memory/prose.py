"""An answer without its edit blocks: the prose stays, and a note says which file each edit was of.

What a model reads of older turns teaches it a form. Where another form is wanted now, and in summaries, edits are
told instead of shown. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pairwright.edits.formats import patch, search_replace, symbol, unified, whole
from pairwright.edits.formats.markers import DIVIDER, END, HEAD, fence
from pairwright.edits.formats.registry import read
from pairwright.edits.formats.stream import Reader
from pairwright.edits.paths import normal

_READERS: Mapping[str, tuple[Callable[[Sequence[str]], Reader], ...]] = MappingProxyType(
    {
        "diff": (search_replace.Stream,),
        "patch": (patch.Stream,),
        "symbol": (symbol.Stream, search_replace.Stream),
        "udiff": (unified.Stream,),
        "whole": (whole.Stream,),
    }
)
# These tell a block only by the line behind it.
_LATE = ("udiff", "patch")
_HEADER = re.compile(
    r"\s*(?:--- |\+\+\+ |\*{3} ?\w|@@|diff --git |index [0-9a-f]|rename |similarity |(?:new|deleted) file mode)"
)


def family(format: str) -> str:
    """Formats whose answers look alike have one name."""
    bare = format.removeprefix("editor-")
    return "udiff" if bare == "udiff-simple" else bare


def written_in(answer: str, format: str, known: Sequence[str] = ()) -> str:
    """The edit format that `answer`, asked for in `format`, is written in; empty if it holds no edit."""
    parsed = read(answer, format, known)
    return parsed.format if parsed.blocks else ""


def prose(
    answer: str, format: str, known: Sequence[str] = (), state: Callable[[str], str] = lambda _: ""
) -> str:
    """`answer`, whose edits are in `format`, with a line in place of each edit. `known`: paths that exist.
    `state`: what became of the edit of a path, in words."""
    if not format:
        return answer
    lines = answer.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[str] = []
    at = 0
    for region in _regions(lines, format, known):
        found += lines[at : region.start]
        found += [_note(path, state) for path in region.paths]
        at = region.end
    found += lines[at:]
    kept = [line for line in found if not _is_marker(line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


@dataclass(frozen=True, slots=True)
class _Region:
    """Lines `start:end` (from 0) hold edits of `paths`."""

    start: int
    end: int
    paths: tuple[str, ...]


def _note(path: str, state: Callable[[str], str]) -> str:
    became = state(path) if path else ""
    what = f"edit of {path}" if path else "an edit"
    return f"({what}, {became})" if became else f"({what})"


def _is_marker(line: str) -> bool:
    return any(sign.fullmatch(line) for sign in (HEAD, DIVIDER, END, symbol.HEAD))


def _regions(lines: Sequence[str], format: str, known: Sequence[str]) -> list[_Region]:
    merged: list[_Region] = []
    for start, end, path in sorted(_blocks(lines, family(format), known)):
        low, high = _above(lines, start, path), _below(lines, end)
        if merged and not any(line.strip() for line in lines[merged[-1].end : low]):
            last = merged.pop()
            paths = tuple(dict.fromkeys((*last.paths, path)))
            merged.append(_Region(last.start, max(last.end, high), paths))
        else:
            merged.append(_Region(low, high, (path,)))
    return merged


def _blocks(lines: Sequence[str], form: str, known: Sequence[str]) -> list[tuple[int, int, str]]:
    """First line, line behind the last, and path of each block, by the readers of the format."""
    found: list[tuple[int, int, str]] = []
    for make in _READERS[form.partition("-")[0]]:
        reader = make(known)
        ends: list[int] = []
        for number, line in enumerate(lines):
            end = number if reader.format in _LATE else number + 1
            ends += [end] * len(reader.feed(f"{line}\n"))
        blocks = reader.close().blocks
        ends += [len(lines)] * (len(blocks) - len(ends))
        for block, end in zip(blocks, ends, strict=True):
            found.append((block.line - 1, end, normal(block.path) if block.path else ""))
    return _blocks(lines, "whole", known) if form == "symbol" and not found else found


def _above(lines: Sequence[str], start: int, path: str) -> int:
    """`start` moved up over what belongs to a block: headers, one fence, one line with the path."""
    at, low = start, start
    fences = names = 0
    while at > 0:
        line = lines[at - 1]
        if fence(line) and fences == 0:
            fences = 1
        elif path and names == 0 and path in line and len(line.strip()) <= len(path) + 10:
            names = 1
        elif (line.strip() and not _HEADER.match(line)) or line.strip() == "---":
            break
        at -= 1
        low = at if line.strip() else low
    return low


def _below(lines: Sequence[str], end: int) -> int:
    """`end` moved down over the end of a patch and the end of the fence."""
    while end < len(lines) and lines[end].startswith("***"):
        end += 1
    if end < len(lines):
        closing = fence(lines[end])
        if closing is not None and not closing[2].strip():
            end += 1
    return end
