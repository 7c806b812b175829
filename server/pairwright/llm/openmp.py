"""Where the embedded engine finds OpenMP's run-time library on a machine that has none.

xllamacpp's wheel needs `libgomp.so.1` of the system, which a bare Debian 12 lacks (seen). Other
wheels carry a copy under another name, among them the small one that the extra `local` asks for. A
folder with that copy under its plain name goes before the child's library path; the loader looks by
file name only.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from pathlib import Path

NAME = "libgomp.so.1"


def with_openmp(env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """`env` for the engine's process; `folder`: where the link may be made. Unchanged where the
    system has the library, where no wheel carries it, or where the folder cannot be written."""
    changed = dict(env)
    if sys.platform != "linux" or _system_has_it():
        return changed
    carried = _carried()
    if carried is None or not _link(folder / NAME, carried):
        return changed
    known = env.get("LD_LIBRARY_PATH")
    changed["LD_LIBRARY_PATH"] = f"{folder}:{known}" if known else str(folder)
    return changed


def _system_has_it() -> bool:
    try:
        ctypes.CDLL(NAME)
    except OSError:
        return False
    return True


def _carried() -> Path | None:
    """A copy of the library inside an installed wheel."""
    for entry in sys.path:
        found = sorted(Path(entry).glob("*.libs/libgomp-*.so*")) if entry else []
        if found:
            return found[0]
    return None


def _link(link: Path, target: Path) -> bool:
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists() or link.resolve() != target.resolve():
            fresh = link.with_name(f".{link.name}.fresh")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(target)
            fresh.replace(link)
    except OSError:
        return False
    return True
