"""A file with settings of the user's: JSON or TOML, the tree that an editor sends. Knows no setting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pairwright.config import paths


class UnusableFile(Exception):
    """The file cannot be used; the text says why, for the user."""


def usual(env: Mapping[str, str]) -> Path | None:
    """The file of the user's configuration folder, None where there is none. Raises UnusableFile where there are
    two."""
    found = [path for path in paths.settings_files(env) if path.is_file()]
    if len(found) > 1:
        names = " and ".join(str(path) for path in found)
        raise UnusableFile(f"there are {names}: keep one of them")
    return found[0] if found else None


def read(path: Path) -> dict[str, Any]:
    """What stands in `path`, TOML where its name ends so, else JSON. Raises UnusableFile."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnusableFile(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UnusableFile(f"{path} is no text in UTF-8") from error
    try:
        found = _parsed(text, is_toml=path.suffix.lower() == ".toml")
    except ValueError as error:
        raise UnusableFile(f"{path}: {error}") from error
    if not isinstance(found, dict):
        raise UnusableFile(f"{path} holds no object with settings")
    return found


def _parsed(text: str, is_toml: bool) -> object:
    """Raises ValueError, with the line."""
    if is_toml:
        import tomllib

        return tomllib.loads(text)
    return json.loads(text) if text.strip() else {}
