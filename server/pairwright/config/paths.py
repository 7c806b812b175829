"""Where files of the product live on this machine. Names folders; creates none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from platformdirs import PlatformDirs

_APP = "pairwright"


def cache_dir(env: Mapping[str, str]) -> Path:
    """What may be deleted at any time: indexes, logs of the local model, fetched models.
    `PAIRWRIGHT_CACHE` names another folder."""
    named = env.get("PAIRWRIGHT_CACHE")
    return Path(named).expanduser() if named else Path(_dirs().user_cache_dir)


def data_dir(env: Mapping[str, str]) -> Path:
    """What must not be lost: checkpoints, proposals, history. `PAIRWRIGHT_DATA` names another
    folder."""
    named = env.get("PAIRWRIGHT_DATA")
    return Path(named).expanduser() if named else Path(_dirs().user_data_dir)


def keys_file(env: Mapping[str, str]) -> Path:
    """The providers' keys that were stored by hand. `PAIRWRIGHT_CONFIG` names another folder."""
    named = env.get("PAIRWRIGHT_CONFIG")
    return (Path(named).expanduser() if named else Path(_dirs().user_config_dir)) / "keys.json"


def settings_files(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Where settings of the command line may stand, beside the providers' keys."""
    folder = keys_file(env).parent
    return folder / "settings.json", folder / "settings.toml"


def models_dir(env: Mapping[str, str]) -> Path:
    """Where fetched models are kept. `PAIRWRIGHT_MODELS` names another folder."""
    named = env.get("PAIRWRIGHT_MODELS")
    return Path(named).expanduser() if named else cache_dir(env) / "models"


def typed(path: Path) -> str:
    """`path` as a user would type it: `~` for the home folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)


def _dirs() -> PlatformDirs:
    return PlatformDirs(_APP, appauthor=False)
