"""Folders of copies in which a command can look at texts that are on no disk yet.

What is written there never reaches the workspace. Blocking; run it in a thread. Knows no texts and no commands.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

MOST_FILES = 20_000
MOST_BYTES = 500_000_000
"""What a copy of a workspace may hold."""

_PACKAGES = frozenset(
    ("node_modules", "bower_components", "vendor", ".bundle", ".yarn", ".pnp.cjs", ".env", "deps")
)
"""What is installed or set up in a workspace and is mostly ignored."""


class TooLarge(Exception):
    """The workspace is more than is copied."""


def folder(files: Mapping[str, bytes]) -> str:
    """A new folder that holds `files` (relative path, bytes) alone; links resolved. Raises OSError."""
    with contextlib.ExitStack() as failing:
        place = _made(failing)
        _written(Path(place), files)
        failing.pop_all()
    return place


def tree(root: str, paths: Sequence[str], files: Mapping[str, bytes | None]) -> str:
    """A new folder that holds copies of the files `paths` of `root`, with `files` in place of theirs (None: left
    out). Packages that are installed in `root` itself are linked to; nothing else that is ignored is there, and no
    .git. Raises OSError and TooLarge."""
    if len(paths) > MOST_FILES:
        raise TooLarge
    with contextlib.ExitStack() as failing:
        place = _made(failing)
        _copied(Path(root), Path(place), [path for path in paths if path not in files])
        _written(Path(place), {path: data for path, data in files.items() if data is not None})
        _linked(root, Path(place), {path.partition("/")[0] for path in (*paths, *files)})
        failing.pop_all()
    return place


def _made(failing: contextlib.ExitStack) -> str:
    """A new folder, which goes again if what fills it fails."""
    place = os.path.realpath(tempfile.mkdtemp(prefix="pairwright-"))
    failing.callback(remove, place)
    return place


def remove(place: str) -> None:
    """Take the folder away; a link in it is only a link."""
    shutil.rmtree(place, onerror=_retried)


def _retried(run: object, path: str, _error: object) -> None:
    """A command may have left folders that nobody may write to."""
    with contextlib.suppress(OSError):
        Path(path).parent.chmod(stat.S_IRWXU)
        if Path(path).is_dir() and not Path(path).is_symlink():
            Path(path).chmod(stat.S_IRWXU)
            shutil.rmtree(path, ignore_errors=True)
        else:
            Path(path).unlink(missing_ok=True)


def _written(place: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        target.unlink(missing_ok=True)
        target.write_bytes(data)
        if mode is not None:
            target.chmod(mode)


def _copied(root: Path, place: Path, paths: Sequence[str]) -> None:
    """Copies, never hard links: a command that writes in place would write into the workspace."""
    total = 0
    for source, path in _plain(root, paths):
        total += source.stat().st_size
        if total > MOST_BYTES:
            raise TooLarge
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def _plain(root: Path, paths: Sequence[str]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        source = root / path
        with contextlib.suppress(OSError):
            if stat.S_ISREG(source.lstat().st_mode):
                yield source, path


def _linked(root: str, place: Path, known: set[str]) -> None:
    """Caches and builds are not linked to: they belong to other texts, and commands write into them."""
    with os.scandir(root) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name not in known and (entry.name in _PACKAGES or _is_venv(entry)):
                (place / entry.name).symlink_to(entry.path)


def _is_venv(entry: os.DirEntry[str]) -> bool:
    return (Path(entry.path) / "pyvenv.cfg").is_file()
