"""Starting the real server for a test: its own cache and data folders."""

from __future__ import annotations

import os
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "pairwright", "serve"]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a server that keeps its files below `folder`."""
    path = os.pathsep.join(
        part for part in (str(REPOSITORY / "server"), os.environ.get("PYTHONPATH")) if part
    )
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PAIRWRIGHT_CACHE": str(folder / "cache"),
        "PAIRWRIGHT_DATA": str(folder / "data"),
        "PAIRWRIGHT_MODELS": str(folder / "models"),
    }
