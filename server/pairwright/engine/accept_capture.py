"""What a checkpoint holds of a file: the bytes on disk, or those an open buffer would be saved as.

Reads the disk; call it from a worker thread. Knows no store and no editor.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pairwright.checkpoints.types import LINK, Files, FileState
from pairwright.text.encoding import Decoded, decode, encode
from pairwright.workspace.types import Snapshot


@dataclass(frozen=True, slots=True)
class Captured:
    """`files`: path -> state, sorted. `unprotected`: files no state can be given for -> why."""

    files: Files
    unprotected: Mapping[str, str]


def capture(snapshot: Snapshot, paths: Sequence[str], links: Sequence[str] = ()) -> Captured:
    """The states of `paths` right now, and of the directories that would have to be made for them.
    A path in `links` is taken as the link it is, if it is one; any other link stands for the file
    it leads to."""
    files: dict[str, FileState] = {}
    unprotected: dict[str, str] = {}
    for path in paths:
        try:
            files[path] = _state(snapshot, path, path in links)
        except (OSError, UnicodeError) as error:
            unprotected[path] = _reason(error)
            continue
        if files[path].data is None:
            files.update({folder: FileState(None) for folder in missing(snapshot.root, path)})
    return Captured({path: files[path] for path in sorted(files)}, unprotected)


def changed(snapshot: Snapshot, path: str, before: FileState, after: bytes | None) -> FileState:
    """The state of `path` once its text became `after`: encoded as it was before, with the mode it
    has on disk. Raises UnicodeError where the encoding lacks a character."""
    if after is None:
        return FileState(None)
    disk = snapshot.on_disk(path)
    mode = disk.mode & 0o7777 if disk else before.mode
    old = decode(before.data) if before.data is not None and before.mode != LINK else None
    if isinstance(old, Decoded):
        return FileState(encode(after, old.codec, old.bom), mode)
    return FileState(encode(after, "utf-8", b""), mode)


def text_of(state: FileState) -> bytes | None:
    """The text of a state as UTF-8, None if there is none: absent, a link, or not decodable."""
    if state.data is None or state.mode == LINK:
        return None
    decoded = decode(state.data)
    return decoded.data if isinstance(decoded, Decoded) else None


def missing(root: str, path: str) -> list[str]:
    """Directories of `path` that do not exist, outermost first, each with a `/` behind it."""
    parts = path.split("/")[:-1]
    folders = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
    return [f"{folder}/" for folder in folders if not Path(root, folder).is_dir()]


def _state(snapshot: Snapshot, path: str, as_link: bool) -> FileState:
    place = Path(snapshot.root, path)
    if as_link and place.is_symlink():
        target = str(place.readlink()).encode("utf-8", "surrogateescape")
        return FileState(target, LINK)
    buffer = snapshot.buffers.get(path)
    disk = snapshot.on_disk(path)
    mode = disk.mode & 0o7777 if disk else 0o644
    if buffer is None and disk is None and os.path.lexists(place):
        raise PermissionError(errno.EACCES, "it stands there but cannot be read")
    if buffer is None:
        return FileState(disk.raw, mode) if disk else FileState(None)
    if disk is None or disk.codec is None:
        return FileState(encode(buffer.document.data, "utf-8", b""), mode)
    return FileState(encode(buffer.document.data, disk.codec, disk.bom), mode)


def _reason(error: OSError | UnicodeError) -> str:
    if isinstance(error, OSError):
        return f"cannot be read ({error.strerror or error})"
    return "holds characters its encoding cannot save"
