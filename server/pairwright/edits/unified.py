"""A file's change as a unified diff, for people to read. Line ends show only where they differ."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pairwright.edits.lines import body, end_of, offsets, split
from pairwright.edits.types import FileChange, Hunk

CONTEXT = 3
_SHOWN_ENDS = {b"\r\n": "␍␊", b"\n": "␊", b"\r": "␍", b"": ""}
_NO_END = "\\ No newline at end of file"


def unified(change: FileChange, context: int = CONTEXT) -> str:
    """The diff of `change` with path headers; `/dev/null` stands for a file that is not there."""
    before, after = change.before or b"", change.after or b""
    hunks: Sequence[Hunk] = change.hunks
    if change.before is None or change.after is None:
        hunks = (Hunk(0, len(before), after),) if before or after else ()
    header = [
        f"--- a/{change.path}" if change.before is not None else "--- /dev/null",
        f"+++ b/{change.path}" if change.after is not None else "+++ /dev/null",
    ]
    return "\n".join((*header, *_hunks(before, hunks, context))) + "\n"


def _hunks(before: bytes, hunks: Sequence[Hunk], context: int) -> Iterator[str]:
    lines = split(before)
    at = offsets(lines)
    spans = [(bisect_left(at, h.start), bisect_left(at, h.end), split(h.new)) for h in hunks]
    ends = {end_of(line) for line in (*lines, *(line for _, _, new in spans for line in new))}
    mixed = len(ends - {b""}) > 1
    grown = 0
    for group in _grouped(spans, context):
        first, last = max(group[0][0] - context, 0), min(group[-1][1] + context, len(lines))
        rows: list[str] = []
        done = first
        for start, stop, new in group:
            rows += _rows(" ", lines[done:start], mixed)
            rows += _rows("-", lines[start:stop], mixed)
            rows += _rows("+", new, mixed)
            done = stop
        rows += _rows(" ", lines[done:last], mixed)
        growth = sum(len(new) - (stop - start) for start, stop, new in group)
        size = last - first
        yield f"@@ -{_span(first, size)} +{_span(first + grown, size + growth)} @@"
        yield from rows
        grown += growth


Span = tuple[int, int, list[bytes]]


def _grouped(spans: Sequence[Span], context: int) -> Iterator[list[Span]]:
    """`spans` whose contexts meet, together."""
    group: list[Span] = []
    for span in spans:
        if group and span[0] - group[-1][1] > 2 * context:
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def _rows(mark: str, lines: Sequence[bytes], mixed: bool) -> Iterator[str]:
    for line in lines:
        end = end_of(line)
        text = body(line).decode("utf-8", "replace")
        yield mark + text + (_SHOWN_ENDS[end] if mixed else "")
        if not end:
            yield _NO_END


def _span(first: int, size: int) -> str:
    return f"{first + 1 if size else first},{size}"
