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
from pairwright.llm.catalog import resolved
from pairwright.llm.keys import KeyFile, KeyFileError
from pairwright.llm.models import ConfiguredModels
from pairwright.llm.network import Network, without_login
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
        _network(settings),
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
    try:
        stored = sorted(KeyFile(paths.keys_file(environment())).read())
    except KeyFileError as error:
        return Check("provider keys", "warning", str(error))
    found = [f"{name} in the environment" for name in provider_keys()]
    found += [f"{name} stored" for name in stored]
    detail = f"{', '.join(found)} (values not shown)" if found else "none"
    return Check("provider keys", "ok", detail)


def _network(settings: Settings) -> Check:
    network, env = Network.of(settings.model), environment()
    if network.ca_file and not Path(network.ca_file).is_file():
        detail = f"pairwright.model.ca_file names no file: {network.ca_file}"
        return Check("network", "error", detail)
    proxy = network.proxy or env.get("HTTPS_PROXY") or env.get("https_proxy") or "none"
    certificates = network.ca_file or env.get("SSL_CERT_FILE") or "the usual ones"
    return Check("network", "ok", f"proxy {without_login(proxy)}, certificates {certificates}")


def _model(settings: Settings) -> Check:
    name = resolved(settings.model.name, settings.model.aliases)
    if name and name != "embedded":
        others = (("weak", settings.model.weak), ("editor", settings.model.editor))
        roles = "".join(f", {role} {other}" for role, other in others if other)
        return Check("model", "ok", f"{name}{roles} (by pairwright.model; not asked now)")
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
