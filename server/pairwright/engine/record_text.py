"""A record as text: one line, its signatures, or all of it; and many records as a Markdown document.

Says of itself that it is no text of the file. Pure: values in, text out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairwright.memory.files import Export, Record, Uses

_LINE = 160
_NAMES = 8
_USERS = 8
_OWN = frozenset(("__future__",))


def line(record: Record) -> str:
    """What the file is for, in one line: a model's word, else its own documentation, else what it defines."""
    said = record.purpose or record.facts.about or _defined(record.facts.exports)
    text = f"{record.path}: {said}" if said else f"{record.path}: {_lines(record)}"
    text = " ".join(text.split())
    return text if len(text) <= _LINE else f"{text[: _LINE - 1]}…"


def signatures(record: Record) -> str:
    """What the file offers: the lines and the signature of each definition."""
    rows = [_row(item, doc=False) for item in record.facts.exports]
    return "\n".join((f"{record.path} ({_lines(record)}; signatures only)", *rows))


def whole(record: Record) -> str:
    """All of a record."""
    facts = record.facts
    parts = [f"{record.path} ({_lines(record)}; a record of it, not its text)"]
    if said := record.purpose or facts.about:
        parts.append(f"Purpose: {said}")
    parts += [_row(item) for item in facts.exports]
    if imports := [_import(item) for item in record.imports if item.module not in _OWN]:
        parts.append(f"Imports: {'; '.join(imports)}")
    if record.used_by:
        parts.append(f"Used by: {_users(record.used_by)}")
    parts += [f"Note: {note}" for note in record.notes]
    return "\n".join(parts)


def document(records: Iterable[Record], notes: Sequence[str] = ()) -> str:
    """The records of several files, and what is carried over from one to the next, as one Markdown document."""
    parts = ["# Records of files"]
    if notes:
        parts.append("## Carried over\n\n" + "\n".join(f"- {note}" for note in notes))
    parts += [_section(record) for record in records]
    return "\n\n".join(parts) + "\n"


def _section(record: Record) -> str:
    facts = record.facts
    head = f"## {record.path}\n\n{facts.language}, {_lines(record)}, content {record.digest[:12]}"
    parts = [head if facts.trust == "whole" else f"{head}, read in part"]
    if record.purpose:
        parts.append(f"{record.purpose}\n\n_Said by {record.model}._")
    elif facts.about:
        parts.append(facts.about)
    if record.notes:
        parts.append("\n".join(f"- {note}" for note in record.notes))
    if (checked := record.verification) is not None and checked.dropped:
        named = ", ".join(f"`{name}`" for name in checked.dropped)
        parts.append(
            f"Of {checked.claimed} names that {record.model} used, {checked.confirmed} are in the file; left out "
            f"with their sentences: {named}."
        )
    if facts.exports:
        rows = "\n".join(_row(item) for item in facts.exports)
        parts.append(f"```{facts.language}\n{rows}\n```")
    if inside := record.depends_on:
        parts.append(f"Imports {', '.join(inside)}.")
    if record.used_by:
        parts.append(f"Used by {_users(record.used_by, len(record.used_by))}.")
    return "\n\n".join(parts)


def _row(item: Export, *, doc: bool = True) -> str:
    deep = "  " * item.name.count(".")
    said = f"  # {item.doc}" if doc and item.doc else ""
    return f"{item.first}-{item.last} {deep}{item.signature}{said}"


def _import(item: Uses) -> str:
    where = (
        f"{item.module.lstrip('<')} [{', '.join(item.resolved)}]" if item.resolved else item.module
    )
    if not item.names:
        return where
    more = f" and {len(item.names) - _NAMES} more" if len(item.names) > _NAMES else ""
    return f"{where}: {', '.join(item.names[:_NAMES])}{more}"


def _users(users: Sequence[tuple[str, int]], most: int = _USERS) -> str:
    named = ", ".join(f"{path} ({count})" for path, count in users[:most])
    return f"{named} and {len(users) - most} more files" if len(users) > most else named


def _defined(exports: Sequence[Export]) -> str:
    outer = [item.name for item in exports if "." not in item.name]
    return f"defines {', '.join(outer[:_NAMES])}" if outer else ""


def _lines(record: Record) -> str:
    count = record.facts.loc
    return f"{count} line" if count == 1 else f"{count:,} lines"
