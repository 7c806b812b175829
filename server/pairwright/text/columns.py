"""Columns in the client's unit to byte offsets and back: used by the coordinate door only.

The three position encodings of LSP 3.17. Input past the end of a line or of the text is clamped, as the
specification asks; a column inside a character rounds down to the character's start.
"""

from __future__ import annotations

from typing import Literal

from pairwright.text.document import Document

Unit = Literal["utf-8", "utf-16", "utf-32"]


def to_offset(document: Document, line: int, column: int, unit: Unit) -> int:
    """Byte offset of (`line`, `column`), both from 0, `column` in `unit`s."""
    lines, data = document.lines, document.data
    if line < 0:
        return 0
    if line >= lines.count:
        return lines.size
    start, end = lines.start(line), lines.end(line, data)
    if column <= 0:
        return start
    row = data[start:end]
    if unit == "utf-8":
        at = min(column, len(row))
        while at > 0 and at < len(row) and row[at] & 0xC0 == 0x80:
            at -= 1
        return start + at
    if row.isascii():
        return start + min(column, len(row))
    return start + _bytes_of(row, column, unit)


def to_column(document: Document, offset: int, unit: Unit) -> tuple[int, int]:
    """(`line`, `column`) of byte `offset`; `column` in `unit`s."""
    lines = document.lines
    offset = max(0, min(offset, lines.size))
    line = lines.line_at(offset)
    start = lines.start(line)
    row = document.data[start:offset]
    if unit == "utf-8" or row.isascii():
        return line, offset - start
    text = row.decode("utf-8", "surrogatepass")
    if unit == "utf-32":
        return line, len(text)
    return line, len(text) + sum(1 for char in text if char > "\uffff")


def _bytes_of(row: bytes, column: int, unit: Unit) -> int:
    """Bytes of the first `column` units of `row`."""
    text = row.decode("utf-8", "surrogatepass")
    if unit == "utf-32":
        return len(text[:column].encode("utf-8", "surrogatepass"))
    units = size = 0
    for char in text:
        width = 2 if char > "\uffff" else 1
        if units + width > column:
            break
        units += width
        size += len(char.encode("utf-8", "surrogatepass"))
    return size
