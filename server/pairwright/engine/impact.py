"""What a change may break: the definitions it touches, and what static references lead to them.

Reads the index of one snapshot and changes nothing. The walk itself is `graph.blast`; here changes
become definitions, and results become words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pairwright.engine.proposals import Proposal, ProposedFile
from pairwright.graph.blast import Blast, Index, Reach, blast, site_of, touched
from pairwright.tags.types import Definition, Tags
from pairwright.workspace.types import Snapshot

UNSEEN = "Calls by reflection, by registration or from outside the workspace do not show."

# Parsing holds the interpreter: a larger text is only looked at if its tags are there already.
_PARSED_HERE = 256 * 1024
_LINES = 40
_SAME_NAME = 20


@dataclass(frozen=True, slots=True)
class Changed:
    """A definition that a change touches. `now`: the same in the snapshot's text, if that is another
    than the one that was changed. `hunks`: ids of the hunks that touch it. `gone`: no definition of that name is left
    in its file."""

    path: str
    definition: Definition
    now: Definition
    hunks: tuple[str, ...] = ()
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """`changed`: by file and place. `blast`: what leads to them."""

    changed: tuple[Changed, ...]
    blast: Blast


def index_of(snapshot: Snapshot) -> Index:
    """The questions of a blast, answered by `snapshot`."""
    return Index(snapshot.tags, snapshot.referrers, snapshot.definers)


def impact(
    snapshot: Snapshot,
    changed: Iterable[Changed],
    *,
    depth: int = 2,
    check: Callable[[], None] = lambda: None,
) -> Impact:
    """What leads to `changed`; see graph.blast.blast."""
    kept = tuple(sorted(changed, key=lambda item: (item.path, item.definition.start)))
    sites = [site_of(item.path, item.now) for item in kept]
    found = blast(sites, index_of(snapshot), depth=depth, check=check)
    return Impact(kept, found)


def of_names(snapshot: Snapshot, names: Iterable[str]) -> tuple[Changed, ...]:
    """The definitions of `names`, as if they were to change: of each name those of the first 20
    files."""
    return tuple(
        Changed(path, item, item)
        for name in sorted(set(names))
        for path in snapshot.definers(name)[:_SAME_NAME]
        for item in snapshot.tags(path).defs
        if item.name == name
    )


def of_spans(
    snapshot: Snapshot, path: str, spans: Sequence[tuple[int, int]]
) -> tuple[Changed, ...]:
    """The definitions that the byte ranges `spans` of the file at `path` touch."""
    document = snapshot.document(path)
    if document is None:
        return ()
    found = touched(snapshot.tags(path), document.data, spans)
    return tuple(Changed(path, item, item) for item in found)


def of_proposal(snapshot: Snapshot, proposal: Proposal) -> tuple[Changed, ...]:
    """The definitions that the pending hunks of `proposal` touch or take away."""
    return tuple(item for file in proposal.files for item in _of_file(snapshot, file))


def _of_file(snapshot: Snapshot, file: ProposedFile) -> Iterator[Changed]:
    before = file.before
    if before is None or not file.pending:
        return
    document = snapshot.document(file.at)
    here = snapshot.tags(file.at)
    is_same = document is not None and document.data == before
    tags = here if is_same else _parsed(snapshot, file.at, before)
    left = _names_left(snapshot, file)
    hunks: dict[Definition, list[str]] = {}
    for hunk in file.pending:
        for item in touched(tags, before, [(hunk.hunk.start, hunk.hunk.end)]):
            hunks.setdefault(item, []).append(hunk.id)
    for item, ids in hunks.items():
        gone = left is not None and item.name not in left
        yield Changed(file.at, item, _placed(here, item), tuple(ids), gone)


def _names_left(snapshot: Snapshot, file: ProposedFile) -> frozenset[str] | None:
    """The names that the file defines once all is accepted; None if that is not looked at."""
    after = file.after
    if after is None:
        return frozenset()
    if len(after) > _PARSED_HERE:
        return None
    return frozenset(item.name for item in _parsed(snapshot, file.path, after).defs)


def _parsed(snapshot: Snapshot, path: str, data: bytes) -> Tags:
    return snapshot.tags_of(path, data if len(data) <= _PARSED_HERE else b"")


def _placed(here: Tags, item: Definition) -> Definition:
    """`item` in the text of the moment: the nearest definition of its name, else itself."""
    same = [other for other in here.defs if other.name == item.name]
    return min(same, key=lambda other: (abs(other.start - item.start), other.start), default=item)


def told(snapshot: Snapshot, found: Impact) -> str:
    """`found` in words, a line each; empty if no definition is touched."""
    if not found.changed:
        return ""
    reached = found.blast.reached
    lines = [f"Touches {_listed(found.changed)}."]
    if reached:
        lines.append("Static references lead to it from:")
        lines += [f"  {_reach(snapshot, item)}" for item in reached[:_LINES]]
    else:
        lines.append("No static references lead to it.")
    if len(reached) > _LINES:
        lines.append(f"  and {len(reached) - _LINES} more places")
    lines += notes(found.blast)
    return "\n".join((*lines, UNSEEN))


def notes(found: Blast) -> list[str]:
    """What was left out of `found`, in sentences."""
    said = [
        f"{count} more files use the name {name}, which many files define: they were not followed."
        for name, count in found.unclear
    ]
    if found.more:
        said.append(f"{found.more} more files refer to these names and were not looked at.")
    return said


def _listed(changed: Sequence[Changed]) -> str:
    words = [f"{item.definition.name}{' (goes away)' if item.gone else ''}" for item in changed]
    few = list(dict.fromkeys(words))
    more = f" and {len(few) - 12} more" if len(few) > 12 else ""
    return ", ".join(few[:12]) + more


def _reach(snapshot: Snapshot, item: Reach) -> str:
    document = snapshot.document(item.path)
    line = document.lines.line_at(item.at) + 1 if document else 0
    name = item.definition.name if item.definition else "top level"
    via = ", ".join(item.via)
    steps = "" if item.depth == 1 else f", {item.depth} steps away"
    count = f" ({item.references})" if item.references > 1 else ""
    return f"{item.path}:{line} {name} names {via}{count}{steps}"
