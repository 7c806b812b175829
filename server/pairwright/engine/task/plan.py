"""The plan of a task: which files, in what order, with what promised of each; and what is wrong with one.

Pure: texts of files and the rules of the workspace come in as functions. How a plan is written is the business of
`document`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pairwright.edits.paths import unsafe

Action = Literal["create", "modify", "delete"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a plan. `purpose`: what it is for, one line. `contract`: signatures it promises, one each.
    `depends`: paths of the plan or of the workspace. `checks`: commands that must succeed once it is written."""

    path: str
    action: Action
    purpose: str = ""
    contract: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """`notes`: lines about the design as a whole. `entries`: as written, which is not the order they are done in."""

    title: str = ""
    notes: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    def entry(self, path: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.path == path), None)


@dataclass(frozen=True, slots=True)
class Place:
    """What a plan is held against. `exists`: whether a file stands there, `refused`: why the path may not be written
    or sent, `paths`: every file there is."""

    exists: Callable[[str], bool]
    refused: Callable[[str], str | None]
    paths: Sequence[str] = ()


def faults(plan: Plan, place: Place) -> tuple[str, ...]:
    """What is wrong with `plan`, a line each, for the user and the model; empty if it can be carried out."""
    if not plan.entries:
        return ("The plan names no file. Write one heading for each file that is to be changed.",)
    known = {folded(path): path for path in place.paths}
    names = frozenset(entry.path for entry in plan.entries)
    found: list[str] = []
    seen: dict[str, str] = {}
    for entry in plan.entries:
        twin = seen.setdefault(folded(entry.path), entry.path)
        if twin is not entry.path:
            same = "twice" if twin == entry.path else f"beside {twin}, the same but for case"
            found.append(f"{entry.path} is in the plan {same}: give each file one heading.")
            continue
        found += _of_path(entry, place, known, names)
        found += _of_dependencies(entry, place, names)
    return tuple(found)


def _of_path(
    entry: Entry, place: Place, known: dict[str, str], names: frozenset[str]
) -> Iterable[str]:
    path = entry.path
    if reason := unsafe(path) or place.refused(path):
        yield f"{path}: {reason}"
        return
    exists = place.exists(path)
    if entry.action == "create" and exists:
        yield f"{path} exists already: write `modify` to change it."
    elif entry.action == "create" and place.exists(twin := known.get(folded(path), path)):
        yield f"{path} differs from {twin} only in case: write {twin}, or another name."
    elif entry.action != "create" and not exists:
        hint = "write `create` if it is new" if entry.action == "modify" else "leave it out"
        yield f"{path} does not exist, so it cannot be {_PAST[entry.action]}: {hint}."
    above = path.rpartition("/")[0]
    while above:
        if above in names or place.exists(above):
            yield f"{path} would lie below the file {above}."
        above = above.rpartition("/")[0]


_PAST = {"modify": "modified", "delete": "deleted", "create": "created"}


def _of_dependencies(entry: Entry, place: Place, names: frozenset[str]) -> Iterable[str]:
    for needed in entry.depends:
        if needed == entry.path:
            # What is modified does need the text that it has.
            if entry.action != "modify":
                yield f"{entry.path} depends on itself."
        elif needed not in names and not place.exists(needed):
            yield (
                f"{entry.path} depends on {needed}, which is neither in the plan nor in the workspace: write its "
                "full path, or leave it out."
            )


def folded(path: str) -> str:
    """`path` as a file system that ignores case and composed letters knows it."""
    return unicodedata.normalize("NFC", path).casefold()


def order(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """The paths of `plan`, those first that others need; files that need each other stand together, as one group.
    What is free to come first comes as written. A file is deleted behind all that is written."""
    import networkx as nx

    at = {entry.path: index for index, entry in enumerate(plan.entries)}
    deletes = {entry.path for entry in plan.entries if entry.action == "delete"}
    needs = nx.DiGraph()
    needs.add_nodes_from(at)
    for entry in plan.entries:
        if entry.path not in deletes:
            # What is deleted is needed by nobody who is right; it still stands while others are written.
            uses = (path for path in entry.depends if path in at and path not in deletes)
            needs.add_edges_from((path, entry.path) for path in uses)
    groups = [tuple(sorted(group, key=at.__getitem__)) for group in _groups(needs)]
    number = {path: index for index, group in enumerate(groups) for path in group}
    joined = nx.DiGraph()
    joined.add_nodes_from(range(len(groups)))
    joined.add_edges_from((number[a], number[b]) for a, b in needs.edges if number[a] != number[b])
    by_first = nx.lexicographical_topological_sort(
        joined, key=lambda index: (groups[index][0] in deletes, at[groups[index][0]])
    )
    return tuple(groups[index] for index in by_first)


def _groups(needs: object) -> Iterable[Iterable[str]]:
    import networkx as nx

    found: Iterable[Iterable[str]] = nx.strongly_connected_components(needs)
    return found


def cycles(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """The groups of files that need each other."""
    return tuple(group for group in order(plan) if len(group) > 1)


def needed(plan: Plan, paths: Sequence[str]) -> tuple[str, ...]:
    """What `paths` depend on: themselves left out, direct dependencies first, then what those need, as written."""
    found: dict[str, None] = {}
    level = list(paths)
    while level:
        deeper: list[str] = []
        for path in level:
            entry = plan.entry(path)
            for other in entry.depends if entry else ():
                if other not in found and other not in paths:
                    found[other] = None
                    deeper.append(other)
        level = deeper
    return tuple(found)


def users(plan: Plan, paths: Sequence[str]) -> tuple[str, ...]:
    """The files of `plan` that name one of `paths` as what they need, as written."""
    wanted = frozenset(paths)
    return tuple(entry.path for entry in plan.entries if wanted.intersection(entry.depends))


def blocked(plan: Plan, path: str, lost: Sequence[str]) -> str:
    """The first path of `lost` that `path` needs, however far; empty if none."""
    wanted = frozenset(lost)
    return next((other for other in needed(plan, (path,)) if other in wanted), "")
