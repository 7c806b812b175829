"""The journal on disk: one file a key in a folder of the user's own.

Each file is written under another name and moved, so that a kill leaves the old value or the new
one. Knows nothing about what the values mean."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

_SUFFIX = ".entry"
_FRESH = ".fresh-"


class FolderJournal:
    """Implements the Journal port. Raises OSError where the folder cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, key: str, value: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp makes the file readable by the user alone.
        handle, name = tempfile.mkstemp(prefix=_FRESH, dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(value)
            Path(name).replace(self._path(key))
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise

    def delete(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def items(self) -> Mapping[str, bytes]:
        """Every entry that can be read, sorted by key."""
        found: dict[str, bytes] = {}
        if self._folder.is_dir():
            for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
                if not path.name.startswith(_FRESH) and path.is_file():
                    found[unquote(path.name.removesuffix(_SUFFIX))] = path.read_bytes()
        return {key: found[key] for key in sorted(found)}

    def _path(self, key: str) -> Path:
        return self._folder / (quote(key, safe="") + _SUFFIX)
