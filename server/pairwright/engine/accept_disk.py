"""Bytes, links and modes put back on disk for files no editor holds.

Only for what a WorkspaceEdit cannot say: the exact bytes and mode of a deleted file, a link, a file
without text. Every write is checked against what is expected to stand there and is whole or not at
all. Paths were judged by `Snapshot.allowed` before. Blocking: call it from a worker thread."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pairwright.checkpoints.types import LINK, FileState

_STAGED = ".pairwright-"


def standing(root: str, path: str) -> FileState:
    """What stands at `path`, a link as a link. Raises OSError where it cannot be read."""
    place = Path(root, path)
    if place.is_symlink():
        return FileState(str(place.readlink()).encode("utf-8", "surrogateescape"), LINK)
    try:
        return FileState(place.read_bytes(), place.stat().st_mode & 0o7777)
    except (FileNotFoundError, NotADirectoryError):
        return FileState(None)


def put(root: str, path: str, state: FileState, expected: FileState) -> str:
    """Bring `path` to `state` if it still is as `expected` (modes aside); empty, or why not."""
    place = Path(root, path)
    try:
        found = standing(root, path)
        if found.data != expected.data or (found.mode == LINK) != (expected.mode == LINK):
            return f"{path} was changed on disk at the same moment"
        if state.data is None:
            if found.data is not None:
                place.unlink()
            return ""
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(place, state, found.data is None)
    except FileExistsError:
        return f"{path} appeared on disk at the same moment"
    except OSError as error:
        return f"{path} cannot be written ({error.strerror or error})"
    return ""


def _write(place: Path, state: FileState, is_new: bool) -> None:
    assert state.data is not None
    fresh = Path(tempfile.mkdtemp(prefix=_STAGED, dir=place.parent))
    try:
        made = fresh / "file"
        if state.mode == LINK:
            made.symlink_to(state.data.decode("utf-8", "surrogateescape"))
        else:
            made.write_bytes(state.data)
            made.chmod(state.mode)
        if is_new:
            _appear(made, place)
        else:
            made.replace(place)
    finally:
        (fresh / "file").unlink(missing_ok=True)
        fresh.rmdir()


def _appear(made: Path, place: Path) -> None:
    """Move `made` to `place`, where nothing may stand. Raises FileExistsError."""
    try:
        # Unlike a rename, a hard link never replaces what someone else just put there.
        os.link(made, place, follow_symlinks=False)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        # A file system without hard links.
        if place.exists() or place.is_symlink():
            raise FileExistsError from None
        made.replace(place)


def set_mode(root: str, path: str, mode: int) -> str:
    """Give `path` its permission bits; empty, or why not."""
    try:
        Path(root, path).chmod(mode)
    except OSError as error:
        return f"the permissions of {path} could not be set to {mode:o} ({error.strerror or error})"
    return ""


def remove_empty(root: str, folders: Sequence[str]) -> None:
    """Remove those of `folders` that are empty, deepest first."""
    for folder in sorted(folders, key=lambda name: (-name.count("/"), name)):
        with contextlib.suppress(OSError):
            Path(root, folder).rmdir()


def remove_staged(root: str, paths: Sequence[str]) -> None:
    """Remove what a killed writer staged beside `paths`: here, and in `workspace.write`."""
    for folder in sorted({Path(root, path).resolve().parent for path in paths}):
        for place in sorted(folder.glob(f"{_STAGED}*")):
            name = place.name.removeprefix(_STAGED)
            with contextlib.suppress(OSError):
                if re.fullmatch(r"[0-9a-f]{16}", name) and place.is_file():
                    place.unlink()
                elif re.fullmatch(r"[a-z0-9_]{8}", name) and place.is_dir():
                    shutil.rmtree(place)
