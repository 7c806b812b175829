"""Which commits of the user's repository Pairwright made, and for which change: a file of lines
beside the checkpoints, in the user's data folder.

Nothing about it stands in the user's repository. A line that cannot be read is passed over.
Blocking."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairwright.checkpoints.commit import Made
from pairwright.checkpoints.commit_index import Entries, as_json, of_json

_NAME = "commits.jsonl"
# What is older is history of the user's repository, not something to take back.
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Record:
    """The commits of one change in one repository. `change`: id of the checkpoint behind it, also
    when it was taken back and made again: the last one holds. `top`:
    the work tree. `branch`: full name, empty for a detached HEAD. `staged`: what the index held
    before. `made`: oldest first."""

    change: str
    top: str
    branch: str
    staged: Entries
    made: tuple[Made, ...]


def append(folder: Path, record: Record) -> None:
    """Add `record`, on disk when this returns. Raises OSError."""
    line = json.dumps(_as_json(record)).encode() + b"\n"
    handle = os.open(folder / _NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, line)
        os.fsync(handle)
    finally:
        os.close(handle)


def records(folder: Path, change: str) -> tuple[Record, ...]:
    """What was committed for `change`, one a repository."""
    return tuple(one for one in _all(folder) if one.change == change)


def tidy(folder: Path) -> None:
    """Forget the oldest lines of a long file. Raises OSError."""
    found = _all(folder)
    if len(found) > 2 * _MOST:
        kept = b"".join(json.dumps(_as_json(one)).encode() + b"\n" for one in found[-_MOST:])
        fresh = folder / f"{_NAME}.new"
        fresh.write_bytes(kept)
        fresh.chmod(0o600)
        fresh.replace(folder / _NAME)


def _all(folder: Path) -> Sequence[Record]:
    try:
        lines = (folder / _NAME).read_bytes().splitlines()
    except OSError:
        return ()
    return [one for one in map(_record, lines) if one is not None]


def _as_json(record: Record) -> dict[str, Any]:
    return {
        "change": record.change,
        "top": record.top,
        "branch": record.branch,
        "staged": as_json(record.staged),
        "made": [
            {
                "id": one.id,
                "parent": one.parent,
                "own": one.own,
                "subject": one.subject,
                "entries": as_json(one.entries),
            }
            for one in record.made
        ],
    }


def _record(line: bytes) -> Record | None:
    try:
        raw = json.loads(line)
        made = tuple(
            Made(m["id"], m["parent"], m["own"], m["subject"], of_json(m["entries"]))
            for m in raw["made"]
        )
        return Record(raw["change"], raw["top"], raw["branch"], of_json(raw["staged"]), made)
    except (ValueError, TypeError, KeyError):
        return None
