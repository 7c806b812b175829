"""Snippets of the references for a request: text with its place, revision and licence, under a cap of tokens.

Text under a licence that is unknown or copyleft is described and not shown, unless the user allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pairwright.reference.build import Built
from pairwright.reference.index import FLOOR, Hit
from pairwright.reference.library import Root
from pairwright.reference.licence import is_permissive
from pairwright.tags.names import signature
from pairwright.text.estimate import estimate

_LINES = 60


@dataclass(frozen=True, slots=True)
class Snippet:
    """One definition of a reference. `first`, `last`: lines of `text`, from 1; of the definition where `text` is
    empty. `why`: why there is no text, or that it was cut. `share`: see index.Hit."""

    reference: str
    path: str
    first: int
    last: int
    name: str
    kind: str
    signature: str
    text: str
    why: str
    revision: str
    licence: str
    share: float


def search(
    built: Sequence[tuple[Root, Built]],
    request: str,
    *,
    limit: int = 5,
    tokens: int = 2000,
    all_licences: bool = False,
    count: Callable[[str], int] = estimate,
    floor: float = FLOOR,
) -> tuple[Snippet, ...]:
    """The best `limit` definitions of all references, best first, their texts in at most `tokens` together.

    Empty means that nothing matches. A text that does not fit is cut at a line; one of which nothing fits is left
    out and its place told.
    """
    hits = [
        (root, one, hit) for root, one in built for hit in one.index.search(request, limit, floor)
    ]
    hits.sort(key=lambda item: (-item[2].share, item[0].name, item[2].path, item[2].index))
    found: list[Snippet] = []
    left = tokens
    for root, one, hit in hits:
        if len(found) == limit:
            break
        snippet = snippet_of(
            root, one, hit, left if all_licences or is_permissive(root.licence) else None, count
        )
        if snippet is not None:
            found.append(snippet)
            left -= count(snippet.text) if snippet.text else 0
    return tuple(found)


def snippet_of(
    root: Root, one: Built, hit: Hit, left: int | None, count: Callable[[str], int]
) -> Snippet | None:
    """The text of `hit`; None if the file has changed since and it is not there any more. `left`: None = its
    licence forbids."""
    tagged = one.tagged(hit.path)
    if tagged is None:
        return None
    document, tags = tagged
    if hit.index >= len(tags.defs) or tags.defs[hit.index].name != hit.name:
        return None
    item, lines = tags.defs[hit.index], document.lines
    first = lines.line_at(item.start)
    last = lines.line_at(max(item.start, item.end - 1))
    text, why, head = "", f"not shown: its licence is {root.licence}", ""
    if left is not None:
        head = signature(item, document.data)
        shown = document.data[lines.start(first) : lines.end(last, document.data)]
        text, why = _fit(shown.decode("utf-8", "replace"), left, count)
    shown_last = first + len(text.splitlines()) - 1 if text else last
    place = (root.name, hit.path, first + 1, shown_last + 1)
    return Snippet(
        *place, hit.name, hit.kind, head, text, why, root.revision, root.licence, hit.share
    )


def _fit(text: str, left: int, count: Callable[[str], int]) -> tuple[str, str]:
    rows = text.splitlines(keepends=True)
    take = min(len(rows), _LINES)
    while take and count("".join(rows[:take])) > left:
        take = take * 3 // 4
    if take == 0:
        return "", "not shown: no room"
    return "".join(rows[:take]), "" if take == len(rows) else f"cut: {take} of {len(rows)} lines"


def page(found: Sequence[Snippet], request: str) -> str:
    """The snippets as Markdown, for a user."""
    rows = [
        f"# References for: {request.strip().splitlines()[0][:100]}"
        if request.strip()
        else "# References"
    ]
    for one in found:
        place = f"{one.reference}/{one.path}:{one.first}-{one.last}"
        rows.append(
            f"\n## {one.kind} {one.name}\n\n{place}, revision {one.revision}, licence {one.licence}"
        )
        if one.why:
            rows.append(f"({one.why})")
        if one.text:
            fence = "`" * max(3, _longest_run(one.text) + 1)
            rows.append(f"\n{fence}\n{one.text.rstrip()}\n{fence}")
    return "\n".join(rows if found else [*rows, "", "No match."]) + "\n"


def _longest_run(text: str) -> int:
    import re

    return max((len(run) for run in re.findall(r"`+", text)), default=0)
