"""The folder of a store: where it lies, how a new one comes into being, who may read it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from pairwright.text.hashing import digest


def folder_of(data: Path, root: str) -> Path:
    """Where the checkpoints of the workspace at `root` (absolute) live below the user's data
    folder: a digest of the path, and its last part for the reader."""
    tail = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(root).name).strip("-.")[:40] or "root"
    return data / "checkpoints" / f"{digest(os.fsencode(root))[:16]}-{tail}"


def create(path: Path, root: str) -> None:
    """An empty repository at `path` for the workspace `root`. It is built beside its place and
    moved there, so that no half one is ever found. Raises OSError."""
    from dulwich.repo import Repo

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        repo = Repo.init_bare(
            fresh, default_branch=b"checkpoints", shared_repository="0600", format=0
        )
        repo.close()
        about = f"Pairwright checkpoints of {root or path.name}\n"
        replace(fresh / "description", about.encode("utf-8", "surrogateescape"))
        make_private(fresh)
        try:
            fresh.rename(path)
        except OSError:
            # Another server was first, or something that is no repository stands there.
            if not (path / "HEAD").is_file():
                path.rename(_free(path.with_name(f"{path.name}.damaged")))
                fresh.rename(path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, durably, for the user alone. Raises OSError."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def flush(path: Path) -> None:
    """What is in the file `path` survives a power cut from here on."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_folder(folder: Path) -> None:
    """What was renamed in `folder` survives a power cut, where the system can promise that."""
    # Windows opens no directories.
    with contextlib.suppress(PermissionError):
        flush(folder)


def make_private(folder: Path) -> None:
    """Nobody but the user may look into `folder`."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)


def _free(path: Path) -> Path:
    """`path`, or the first of its numbered variants that does not exist."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}{number}")
    return free
