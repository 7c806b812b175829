"""Titles for groups of paths: the folder most of a group lies in. Pure text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


def titled(clusters: Sequence[Sequence[str]]) -> list[str]:
    """A title for each cluster of paths: the deepest folder that holds most of it; where that says
    nothing or is taken, the folders or files below it that are most its own."""
    everything = [path for files in clusters for path in files]
    whole = _common(everything)
    sizes = Counter(folder for path in everything for folder in (*_folders(path), path))
    titles: list[str] = []
    for files in clusters:
        folder = _home(files)
        title = _shown(folder, whole)
        if len(folder) <= len(whole) or title in titles:
            parts = Counter(_child(path, folder) for path in files if _within(path, folder))
            # What lies here wholly says more than what lies here as well.
            best = sorted(parts, key=lambda part: (-(parts[part] ** 2) / sizes[part], part))[:2]
            title = ", ".join(_shown(part, whole) for part in best)
        titles.append(title)
    return titles


def _home(files: Sequence[str]) -> str:
    """The deepest folder that holds at least six of ten files."""
    counts = Counter(folder for path in files for folder in _folders(path))
    fit = [folder for folder, count in counts.items() if count * 10 >= len(files) * 6]
    return max(fit, key=lambda folder: (len(folder), folder), default="")


def _folders(path: str) -> Iterable[str]:
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _common(paths: Sequence[str]) -> str:
    """The deepest folder that holds nine of ten paths."""
    counts = Counter(folder for path in paths for folder in _folders(path))
    fit = [folder for folder, count in counts.items() if count * 10 >= len(paths) * 9]
    return max(fit, key=lambda folder: (len(folder), folder), default="")


def _within(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _shown(folder: str, whole: str) -> str:
    return folder[len(whole) + 1 :] if whole and folder.startswith(whole + "/") else folder or "."


def _child(path: str, folder: str) -> str:
    """The folder or file right below `folder` on the way to `path`."""
    start = len(folder) + 1 if folder else 0
    end = path.find("/", start)
    return path if end < 0 else path[:end]
