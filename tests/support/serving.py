"""Starting the real server for a test: its own cache and data folders, and what clients
announce."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "pairwright", "serve"]

HELIX: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": False},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": False},
        "executeCommand": {"dynamicRegistration": False},
        "workspaceFolders": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
            "failureHandling": "abort",
            "normalizesLineEndings": False,
        },
    },
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "refactor"]}},
            "dataSupport": True,
            "disabledSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
    },
    "window": {"workDoneProgress": True},
}
"""Helix: no showDocument, no hierarchical symbols, `abort` on failure."""


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
