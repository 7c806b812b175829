"""Which checkpoints of a store are forgotten, and the removal of what only they held."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.checkpoints.objects import held_by, keep
from pairwright.checkpoints.types import Checkpoint, Limits

if TYPE_CHECKING:
    from dulwich.objects import Commit
    from dulwich.repo import Repo

_LOOSE = re.compile(r"[0-9a-f]{38}")


def kept(found: Sequence[Checkpoint], sizes: Sequence[int], limits: Limits, now: float) -> int:
    """How many of `found`, newest first, stay. `sizes`: bytes that each adds to the newer ones.
    The newest stays, and whatever a kept one needs to be taken back."""
    oldest = now - limits.days * 86400
    count, size = 1, sizes[0] if sizes else 0
    while count < min(len(found), limits.count) and found[count].time >= oldest:
        size += sizes[count] if sizes else 0
        if size > limits.size:
            break
        count += 1
    place = {checkpoint.id: index for index, checkpoint in enumerate(found)}
    at = 0
    while at < count:
        count = max(count, place.get(found[at].base, 0) + 1)
        at += 1
    return count


def size_of(objects: Path) -> int:
    """Bytes of all objects."""
    return sum(
        file.stat().st_size
        for folder in os.scandir(objects)
        if folder.is_dir()
        for file in os.scandir(folder.path)
    )


def sizes_of(repo: Repo, commits: Sequence[Commit]) -> list[int]:
    """Of each commit, newest first, the stored bytes that no newer one holds."""
    seen: set[bytes] = set()
    sizes = []
    for commit in commits:
        fresh = set(held_by(repo, commit)) - seen
        seen |= fresh
        sizes.append(sum(_stored(repo, id) for id in sorted(fresh)))
    return sizes


def drop_unreachable(repo: Repo, commits: Sequence[Commit]) -> None:
    """Delete the objects that no kept commit holds, and what dead writers left."""
    live = {id for commit in commits for id in held_by(repo, commit)}
    objects = Path(repo.path, "objects")
    # What `git gc` made here goes: what stays becomes loose again.
    packs = sorted(file for name in ("pack", "info") for file in (objects / name).rglob("*"))
    if packs:
        keep(repo, [repo.object_store[id] for id in sorted(live)])  # type: ignore[index]
        repo.object_store.close()
        for file in packs:
            if file.is_file():
                file.unlink(missing_ok=True)
    for file in sorted(objects.glob("[0-9a-f][0-9a-f]/*")):
        name = file.parent.name + file.name
        if not _LOOSE.fullmatch(file.name) or name.encode("ascii") not in live:
            file.unlink(missing_ok=True)


def _stored(repo: Repo, id: bytes) -> int:
    """Bytes an object takes on disk; of a packed one, its bare length."""
    name = id.decode("ascii")
    try:
        return Path(repo.path, "objects", name[:2], name[2:]).stat().st_size
    except FileNotFoundError:
        return len(repo.object_store[id].as_raw_string())  # type: ignore[index]
