"""What the commands that change files share: the desk of one folder, without an editor."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pairwright.checkpoints.place import folder_of
from pairwright.checkpoints.repo import Store
from pairwright.cli.commits import Recorded, following
from pairwright.config.load import environment
from pairwright.config.paths import data_dir
from pairwright.config.schema import Settings
from pairwright.edits.types import FileChange
from pairwright.engine.accept_change import carry_out
from pairwright.engine.change import Carried, Desk, Stamp, Work
from pairwright.engine.disk_editor import DiskEditor
from pairwright.engine.journal import FolderJournal
from pairwright.engine.proposals_store import Proposals
from pairwright.engine.recover import recover
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot


def _ignored(checkpoint: str, paths: Sequence[str]) -> None:
    """No commit mode."""


def desk_of(
    root: Path,
    settings: Settings,
    host: Host | None = None,
    recorded: Recorded = _ignored,
) -> Desk:
    """The desk of the folder `root`: its files on disk, its checkpoints and its proposals. `host`: one that knows the
    folder already; `recorded`: see `cli.commits`."""
    real = str(root.resolve())
    data = data_dir(environment())
    folder = folder_of(data, real)
    host = host or Host(real, settings.index, Cache(None))
    journal = FolderJournal(data / "proposals" / folder.name)
    return Desk(
        proposals=Proposals(journal, lambda: secrets.token_hex(2)),
        snapshot=host.snapshot,
        editor=DiskEditor(host.snapshot),
        store=Store(folder, real),
        now=time.time,
        announce=lambda paths: None,
        recorded=recorded,
    )


def around(place: Path) -> Path:
    """The nearest folder from `place` upwards that has checkpoints; `place` if none has."""
    data = data_dir(environment())
    here = place.resolve()
    for folder in (here, *here.parents):
        if (folder_of(data, str(folder)) / "HEAD").is_file():
            return folder
    return place


async def changed(
    root: Path,
    settings: Settings,
    changes: Sequence[FileChange],
    note: str,
    unprotected: bool,
    proposal: str = "",
) -> Carried:
    """Do `changes` to the files below `root`, between two checkpoints as the server does, and as a commit where
    `settings` say so. `proposal`: what they are called, a new name if empty."""
    stamp = Stamp("after", note, proposal or fresh_name())
    async with following(root, settings) as recorded:
        return await _carried(desk_of(root, settings, None, recorded), changes, stamp, unprotected)


def fresh_name() -> str:
    """A name for a proposal that no journal keeps. Commit mode knows by it that a change is an edit."""
    return f"cli-{secrets.token_hex(4)}"


async def _carried(
    desk: Desk, changes: Sequence[FileChange], stamp: Stamp, unprotected: bool
) -> Carried:
    await told(desk)
    sources = [change.moved_from for change in changes if change.moved_from is not None]
    paths = tuple(sorted({*sources, *(change.path for change in changes)}))

    def plan(snapshot: Snapshot) -> Work:
        return Work(changes=tuple(changes), paths=paths)

    async with desk.lock:
        return await carry_out(desk, plan, stamp, lambda end: None, unprotected)


async def told(desk: Desk) -> None:
    """Bring to an end what a kill cut short, and say so."""
    for text in await recover(desk):
        print(text, file=sys.stderr)
