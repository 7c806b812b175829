"""The records of files and what is carried over between them, as one Markdown document for the user.

Without names it is about the files that a model said something of, and the open ones. Blocking: run it in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairwright.engine import record_text
from pairwright.engine.chatfiles import named
from pairwright.engine.records import Records
from pairwright.engine.serve import sought

MOST = 200
"""Files of one document."""

NOTHING = (
    "No model has said anything of a file of this folder yet, and none of its files is open: name files to see their "
    "records."
)


@dataclass(frozen=True, slots=True)
class Page:
    """`text`: the document. `paths`: the files in it. `problems`: names that mean no file, a phrase each."""

    text: str
    paths: tuple[str, ...]
    problems: tuple[str, ...] = ()


def page(records: Records, names: Sequence[str] = (), notes: Sequence[str] = ()) -> Page:
    """The document about `names`: paths or ends of paths, folders, globs. `notes`: what is carried over."""
    problems: list[str] = []
    wanted = _named(records, names, problems) if names else records.spoken_of()
    found = [record for path in wanted if (record := records.of(path)) is not None][:MOST]
    if not names and not found and not notes:
        return Page(f"{NOTHING}\n", ())
    if len(wanted) > MOST:
        problems.append(f"only the first {MOST} of {len(wanted):,} files are shown")
    text = record_text.document(found, notes)
    if problems:
        text += "\n" + "".join(f"- {problem}\n" for problem in problems)
    return Page(text, tuple(record.path for record in found), tuple(problems))


def _named(records: Records, names: Sequence[str], problems: list[str]) -> tuple[str, ...]:
    snapshot = records.snapshot
    known = snapshot.paths()
    paths: dict[str, None] = {}
    for name in names:
        meant = sought(name, known, snapshot.root)
        if meant.path is not None:
            paths[meant.path] = None
            continue
        found = named(name, snapshot, "read")
        paths.update(dict.fromkeys(path for path in found.paths if not path.startswith("/")))
        if not found.paths:
            could = f"{name} could be {', '.join(meant.candidates)}" if meant.candidates else ""
            problems.append(could or found.problem)
    return tuple(paths)
