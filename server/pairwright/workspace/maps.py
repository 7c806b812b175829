"""From a snapshot and a request to its map: where ranking, texts and rendering meet.

The command line, the editor's commands and every turn make their maps here. Knows no models:
counting comes in as a function.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from pairwright.graph.focus import focus_words, mentioned_paths
from pairwright.graph.types import Focus, Ranking
from pairwright.render.map import render
from pairwright.render.types import RepoMap, Source
from pairwright.tags.words import terms
from pairwright.text.estimate import estimate_rows
from pairwright.workspace.types import Snapshot


def focus_of(
    snapshot: Snapshot, message: str = "", chat: Iterable[str] = (), open_: Iterable[str] = ()
) -> Focus:
    """What a request is about: its files, the open buffers, its words, and the names and paths in
    them.

    Of `open_` only files of the index count, and none that is in the `chat`.
    """
    paths, sent = snapshot.paths(), frozenset(chat)
    return Focus(
        chat=tuple(sorted(sent)),
        open_=tuple(path for path in sorted(set(open_) - sent) if _holds(paths, path)),
        names=focus_words(message),
        paths=mentioned_paths(message, paths),
        words=tuple(terms(message)),
        lead=len(terms(message.strip().partition("\n")[0])),
    )


def _holds(paths: tuple[str, ...], path: str) -> bool:
    """Whether `path` is among the sorted `paths`."""
    at = bisect_left(paths, path)
    return at < len(paths) and paths[at] == path


def repo_map(
    snapshot: Snapshot,
    focus: Focus,
    budget: int,
    count: Callable[[str], int] = estimate_rows,
    beside: RepoMap | None = None,
) -> RepoMap:
    """The map of `snapshot` for `focus` in at most `budget` tokens, as `count` measures it.

    `beside`: another map in the same prompt, of whose definitions none is shown again; bare paths
    are left to it as well. Ranks and reads files: not for the event loop.
    """
    skip = {item.place for item in beside.shown} if beside is not None else ()
    ranking = snapshot.rank(focus) if budget > 0 else Ranking((), ())
    return render(
        ranking,
        source_of(snapshot),
        budget,
        count,
        chat=focus.chat,
        skip=skip,
        paths=beside is None,
        guess=estimate_rows,
    )


def source_of(snapshot: Snapshot) -> Callable[[str], Source | None]:
    """What the renderer asks for a file: its text with the tags of exactly that text."""

    def source(path: str) -> Source | None:
        found = snapshot.tagged(path)
        return None if found is None else Source(*found)

    return source
