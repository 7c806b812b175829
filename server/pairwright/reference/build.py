"""From a repository on disk to its index: the texts of the folder, their units, and the index they make together.

An index is kept in a file named by what it is made of, so what one version, clone or workspace has put together
serves all, and a search of what has not changed reads one file.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pairwright.config.schema import Index as Settings
from pairwright.reference.contents import Elsewhere, Progress, Stock, Text
from pairwright.reference.index import Index
from pairwright.reference.stored import key_of_texts, packed, unpacked
from pairwright.tags.files import is_isolated, tags_of
from pairwright.tags.types import Tags
from pairwright.text.document import Document
from pairwright.workspace.cache import Cache
from pairwright.workspace.codec import unpack_tags
from pairwright.workspace.derive import look
from pairwright.workspace.scan import tags_key

_log = logging.getLogger(__name__)

FOLDER = "references"
"""Where the files of indexes lie, beside the store."""

_KEPT = 40
"""Files of indexes; the ones longest unused go."""


@dataclass(frozen=True, slots=True)
class Built:
    """An index with what its texts are read by. `key`: see stored.key_of_texts. `made`: files that were parsed, the
    others were known."""

    index: Index
    root: str
    key: str
    made: int
    texts: Mapping[str, Text]
    _cache: Cache
    _limit: int = field(default=Settings().max_file_size)

    def tagged(self, path: str) -> tuple[Document, Tags] | None:
        """The text at `path` with its tags; None if it is not the one that the index was made of any more."""
        text = self.texts.get(path)
        seen = look(self.root, path, self._limit) if text is not None else None
        if text is None or seen is None or seen.data is None or seen.digest != text.digest:
            return None
        blob = self._cache.get(tags_key(text.digest, text.language))
        tags = unpack_tags(blob) if blob is not None else None
        if tags is None:
            if is_isolated(text.language):
                return None
            tags = tags_of(path, seen.data, text.language)
        return Document.of(path, seen.data), tags


def recalled(
    root: str, cache: Cache, subtree: tuple[str, ...] = (), before: Built | None = None
) -> Built | None:
    """The index of a folder if nothing has to be parsed or put together for it. `before`: what there was of it.
    Blocks for as long as it takes to look at the folder."""
    stock = Stock(root, Settings(subtree=subtree), cache)
    if stock.settle():
        return None
    texts = stock.texts
    key = key_of_texts(texts)
    if before is not None and (before.root, before.key) == (root, key):
        return before
    place = _place(cache, key)
    index = _read(place, key) if place is not None else None
    if index is None:
        return None
    return Built(index, root, key, 0, {text.path: text for text in texts}, cache)


def build(
    root: str,
    cache: Cache,
    subtree: tuple[str, ...] = (),
    progress: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    elsewhere: Elsewhere | None = None,
) -> Built:
    """The index of the folder `root` (absolute, links resolved), limited to `subtree`. Blocks; raises OSError,
    discover.Cancelled and what `elsewhere` raises."""
    settings = Settings(subtree=subtree)
    stock = Stock(root, settings, cache, progress, cancelled, elsewhere)
    stock.fill()
    texts = stock.texts
    key = key_of_texts(texts)
    place = _place(cache, key)
    index = _read(place, key) if place is not None else None
    if index is None:
        found = dict(stock.units())
        texts = tuple(found)
        key = key_of_texts(texts)
        index = Index.of({text.path: units for text, units in found.items()})
        if place is not None:
            _write(place.with_name(f"{key}.index"), packed(index, key))
    return Built(index, root, key, stock.made, {text.path: text for text in texts}, cache)


def _place(cache: Cache, key: str) -> Path | None:
    return cache.path.parent / FOLDER / f"{key}.index" if cache.path else None


def _read(place: Path, key: str) -> Index | None:
    try:
        blob = place.read_bytes()
        os.utime(place)
    except OSError:
        return None
    return unpacked(blob, key)


def _write(place: Path, blob: bytes) -> None:
    """Keep an index; one that cannot be kept is put together again the next time."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = place.with_name(f"{place.name}.{os.getpid()}")
        fresh.write_bytes(blob)
        fresh.replace(place)
        old = sorted(place.parent.iterdir(), key=lambda one: one.stat().st_mtime_ns)
        for one in old[:-_KEPT]:
            one.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("the index of a reference is not kept: %s", error)
