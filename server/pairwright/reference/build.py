"""From a repository on disk to its index: the workspace's own scan, then the units of each text.

Units are kept by content beside the tags, so what one workspace, branch or version has worked out serves all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pairwright.config.schema import Index as Settings
from pairwright.reference.content import RECIPE, Unit, pack, units_of, unpack
from pairwright.reference.index import Index
from pairwright.tags.files import recipe
from pairwright.workspace.cache import Cache, key_of
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

_SLICE = 200


@dataclass(frozen=True, slots=True)
class Built:
    """An index with the snapshot that its texts are read from. `made`: files of which units were worked out,
    the others were known."""

    index: Index
    snapshot: Snapshot
    made: int


def build(
    root: str,
    cache: Cache,
    subtree: tuple[str, ...] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Built:
    """The index of the folder `root` (absolute, links resolved), limited to `subtree`. Blocks; raises OSError."""
    host = Host(root, Settings(subtree=subtree), cache)
    try:
        snapshot = host.scan(progress)
        files, made = _units(root, snapshot, cache)
    finally:
        host.stop()
    return Built(Index.of(files), snapshot, made)


def _units(root: str, snapshot: Snapshot, cache: Cache) -> tuple[dict[str, tuple[Unit, ...]], int]:
    seen = cache.seen(root, recipe())
    paths = snapshot.paths()
    files: dict[str, tuple[Unit, ...]] = {}
    made = 0
    for at in range(0, len(paths), _SLICE):
        part = paths[at : at + _SLICE]
        keys = {p: _key(seen[p].digest, seen[p].language) for p in part if p in seen}
        known = cache.get_many(sorted(set(keys.values())))
        fresh: dict[bytes, bytes] = {}
        for path in part:
            if path in seen and seen[path].language is None:
                continue
            blob = known.get(keys.get(path, b""))
            units = unpack(blob) if blob is not None else None
            if units is None:
                found = snapshot.tagged(path)
                if found is None:
                    continue
                document, tags = found
                key = _key(document.digest, tags.language)
                # Of a file that is too young to be trusted by its time the content may be known all the same.
                blob = cache.get(key) if path not in seen else None
                units = unpack(blob) if blob is not None else None
                if units is None:
                    units = units_of(document.data, tags)
                    fresh[key] = pack(units)
                    made += tags.language is not None
            if units:
                files[path] = units
        cache.put_many(fresh)
    return files, made


def _key(digest: str, language: str | None) -> bytes:
    return key_of(digest, f"{recipe()}-{RECIPE}", f"units {language or ''}")
