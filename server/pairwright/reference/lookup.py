"""Definitions of names in a repository that is not the workspace: exact names, whole texts, no model.

The same index as the workspace's, on another root. Answers are bounded, so that they can go into a prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairwright.graph.types import Focus
from pairwright.tags.names import signature
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Snippet:
    """One definition. `line`: of its name, from 1. `text`: its lines, cut behind `most` of them. `references`:
    static references to the name in that repository."""

    path: str
    name: str
    kind: str
    line: int
    signature: str
    text: str
    references: int


def lookup(
    snapshot: Snapshot, names: Sequence[str], *, most: int = 40, limit: int = 20
) -> tuple[Snippet, ...]:
    """Where `names` are defined in `snapshot`, at most `limit` places a name and `most` lines a place.

    Names come in the order asked for; the places of one name by the rank of their file, so the definition that
    the repository itself leans on comes first.
    """
    ranks = {
        path: place
        for place, (path, _) in enumerate(snapshot.rank(Focus(names=tuple(names))).files)
    }
    found: list[Snippet] = []
    for name in dict.fromkeys(names):
        references = sum(count for _, count in snapshot.graph().referrers(name))
        places = sorted(snapshot.graph().definers(name), key=lambda path: (ranks[path], path))
        snippets = [
            snippet
            for path in places
            for snippet in _in_file(snapshot, path, name, most, references)
        ]
        found += snippets[:limit]
    return tuple(found)


def _in_file(snapshot: Snapshot, path: str, name: str, most: int, references: int) -> list[Snippet]:
    document = snapshot.document(path)
    if document is None:
        return []
    lines, data = document.lines, document.data
    found = []
    for item in snapshot.tags(path).defs:
        if item.name != name:
            continue
        first = lines.line_at(item.start)
        last = min(lines.line_at(max(item.start, item.end - 1)), first + most - 1)
        text = data[lines.start(first) : lines.end(last, data)].decode("utf-8", "replace")
        line = lines.line_at(item.name_start) + 1
        found.append(Snippet(path, name, item.kind, line, signature(item, data), text, references))
    return found
