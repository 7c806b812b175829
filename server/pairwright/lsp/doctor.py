"""What is installed and what would work: for `pairwright doctor` and for a client's health check.

Looks and never changes anything; the values of keys are never shown.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pairwright
from pairwright.config import paths
from pairwright.config.load import environment, provider_keys
from pairwright.config.schema import Settings
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.types import ModelError

State = Literal["ok", "warning", "error"]
_PACKAGES = ("pygls", "lsprotocol", "tree-sitter", "networkx", "scipy", "dulwich", "litellm")
_MARKS = {"ok": "ok     ", "warning": "warning", "error": "ERROR  "}


@dataclass(frozen=True, slots=True)
class Check:
    """`detail`: what was found, and for a warning or an error what to do."""

    name: str
    state: State
    detail: str


def checks(settings: Settings) -> tuple[Check, ...]:
    """Every check, in the order shown. Takes up to a second: it starts git and looks for a
    model."""
    return (
        Check("pairwright", "ok", pairwright.__version__),
        _python(),
        *_packages(),
        _grammars(),
        _git(),
        *_folders(),
        _keys(),
        _model(settings),
        Check("log", "ok", str(log_file())),
    )


def log_file() -> Path:
    """Where the server's log lies."""
    return paths.data_dir(environment()) / "logs" / "server.log"


def text(found: Sequence[Check]) -> str:
    """One line a check."""
    width = max(len(item.name) for item in found)
    return "".join(f"{_MARKS[c.state]}  {c.name:<{width}}  {c.detail}\n" for c in found)


def _python() -> Check:
    return Check("python", "ok", f"{platform.python_version()} ({sys.executable})")


def _packages() -> Iterator[Check]:
    missing = []
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    yield Check("packages", "ok", ", ".join(found))
    if missing:
        detail = f"missing: {', '.join(missing)}. Install Pairwright again with pip."
        yield Check("packages", "error", detail)


def _grammars() -> Check:
    from pairwright.tags.grammars import grammar
    from pairwright.tags.table import LANGUAGES

    broken = sorted(name for name, row in LANGUAGES.items() if grammar(row.grammar) is None)
    if broken:
        detail = f"no grammar for {', '.join(broken)}. Install tree-sitter-language-pack again."
        return Check("grammars", "error", detail)
    return Check("grammars", "ok", f"{len(LANGUAGES)} languages")


def _git() -> Check:
    found = shutil.which("git")
    if found is None:
        return Check("git", "warning", "not on PATH; checkpoints and the map work without it")
    try:
        answer = subprocess.run(
            [found, "--version"], capture_output=True, text=True, timeout=5, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Check("git", "warning", f"{found} does not run: {error}")
    return Check("git", "ok", answer.stdout.strip() or found)


def _folders() -> Iterator[Check]:
    env = environment()
    for name, path in (("cache", paths.cache_dir(env)), ("data", paths.data_dir(env))):
        nearest = next(parent for parent in (path, *path.parents) if parent.exists())
        if os.access(nearest, os.W_OK):
            yield Check(f"{name} folder", "ok", str(path))
        else:
            detail = f"{path} cannot be written. Make {nearest} writable."
            yield Check(f"{name} folder", "error", detail)


def _keys() -> Check:
    names = provider_keys()
    if not names:
        return Check("provider keys", "ok", "none in the environment")
    return Check("provider keys", "ok", f"{', '.join(names)} (values not shown)")


def _model(settings: Settings) -> Check:
    name = settings.model.name
    if name and name != "embedded":
        return Check("model", "ok", f"{name} (by pairwright.model.name; not asked now)")
    try:
        return Check("model", "ok", f"{asyncio.run(_answering(settings))} would answer")
    except ModelError as error:
        return Check("model", "warning", error.message)


async def _answering(settings: Settings) -> str:
    models = ConfiguredModels(settings.model, environment())
    try:
        return (await models.get()).info.name
    finally:
        await models.close()
