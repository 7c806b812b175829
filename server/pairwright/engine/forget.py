"""Everything that is kept of a workspace folder on this machine, and its removal. Blocking.

The folder itself is never touched. What is kept of all folders in one (the index, views shown as files) goes as a
whole: it is made again when it is needed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pairwright.checkpoints.place import folder_of
from pairwright.config.schema import Budget
from pairwright.engine.records import place_of
from pairwright.engine.spend import FILE, kept, scope
from pairwright.workspace.cache import Cache

_META = re.compile(r"<!-- pairwright(?:-task)? (\{.*?\}) -->")
_VIEWS = ("documents", "proposals", "sent")


@dataclass(frozen=True, slots=True)
class Trace:
    """`what`: for the user, with a number. `paths`: files and folders that go whole. `more`: removes what is no file
    of its own."""

    what: str
    paths: tuple[Path, ...] = ()
    more: Callable[[], object] = lambda: None

    def remove(self) -> None:
        """Take it away. Raises OSError."""
        for path in self.paths:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        self.more()


def of_root(data: Path, cache: Path, root: str, checkpoints: bool = True) -> tuple[Trace, ...]:
    """What is kept of the folder `root`, which need not exist any more. `checkpoints`: them too, and with them
    every undo."""
    folder = folder_of(data, root)
    stores = _beside(folder) if checkpoints else ()
    chats, proposals = data / "sessions" / folder.name, data / "proposals" / folder.name
    asked = tuple(path for path in _requests(cache) if _root_of(path) == root)
    tasks, told = data / "tasks" / folder.name, place_of(data, root)
    records = tuple(sorted(told.parent.glob(f"{told.name}*")))
    own = (
        Trace(f"{_many(chats, 'jsonl')} conversations", _there(chats)),
        Trace(f"{_many(proposals, 'entry')} proposals", _there(proposals)),
        Trace(f"the checkpoints, {_size(stores)}: nothing can be undone any more", stores),
        Trace(f"{len(asked)} request documents and plans", asked),
        Trace(f"{_many(tasks, 'jsonl')} long tasks", _there(tasks)),
        Trace("what models said of its files", records),
    )
    found = [one for one in own if one.paths]
    if found:
        found += _views(cache)
        if (data / FILE).exists():
            what = "the names of its conversations in the list of spendings"
            found.append(Trace(what, more=partial(_spent, data, root)))
    if _is_indexed(cache, root):
        found += _index(cache)
    return tuple(found)


def of_all(data: Path, cache: Path) -> tuple[Trace, ...]:
    """What is kept of all folders. Models that were fetched and stored keys stay."""
    chats, stores = data / "sessions", data / "checkpoints"
    ledger = tuple(sorted(data.glob(f"{FILE}*")))
    found = (
        Trace("all conversations", _there(chats)),
        Trace("all proposals", _there(data / "proposals")),
        Trace(f"all checkpoints, {_size(_there(stores))}", _there(stores)),
        Trace("all request documents", _there(cache / "requests")),
        Trace("all long tasks", (*_there(data / "tasks"), *_there(cache / "tasks"))),
        Trace("what models said of files", _there(data / "records")),
        Trace("the list of spendings, and with it what counts for today's limit", ledger),
        *_views(cache),
        *_index(cache),
    )
    return tuple(one for one in found if one.paths)


def _views(cache: Path) -> list[Trace]:
    views = tuple(cache / name for name in _VIEWS if (cache / name).exists())
    return [Trace("views shown as files, of all folders", views)] if views else []


def _index(cache: Path) -> list[Trace]:
    index = _there(cache / "index")
    return [Trace("the index of all folders: made again at the next start", index)] if index else []


def _is_indexed(cache: Path, root: str) -> bool:
    if not (cache / "index").is_dir():
        return False
    index = Cache(cache / "index")
    try:
        return index.knows(root)
    finally:
        index.close()


def _spent(data: Path, root: str) -> None:
    ledger = kept(data, root, Budget).ledger
    ledger.forget(f"{scope(root)}/")
    ledger.close()


def _there(path: Path) -> tuple[Path, ...]:
    return (path,) if path.exists() else ()


def _beside(folder: Path) -> tuple[Path, ...]:
    """The store, and what was set aside of it or left half made."""
    if not folder.parent.is_dir():
        return ()
    names = (folder.name, f"{folder.name}.", f".{folder.name}-")
    found = (
        p for p in folder.parent.iterdir() if p.name == names[0] or p.name.startswith(names[1:])
    )
    return tuple(sorted(found))


def _requests(cache: Path) -> list[Path]:
    """Documents in which something is asked for, or planned."""
    return [path for name in ("requests", "tasks") for path in sorted((cache / name).glob("*.md"))]


def _root_of(path: Path) -> str:
    """The folder a request document is about; empty if it does not say."""
    try:
        found = _META.search(path.read_text(encoding="utf-8", errors="replace"))
        return str(json.loads(found[1]).get("root", "")) if found else ""
    except (OSError, ValueError, AttributeError):
        return ""


def _many(folder: Path, suffix: str) -> int:
    return len(list(folder.glob(f"*.{suffix}"))) if folder.is_dir() else 0


def _size(paths: Sequence[Path]) -> str:
    total = 0
    for path in paths:
        for base, _, names in os.walk(path):
            total += sum(Path(base, name).lstat().st_size for name in names)
    return f"{total / 1_000_000:.1f} MB"
