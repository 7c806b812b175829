"""Providers' keys that do not come from the environment: the client's secret storage, and a file of the user's own.

A key is asked for by the provider's name in litellm, or by the host of a server of one's own, and goes nowhere
else. Keys are never taken from settings: those travel through repositories and logs.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import stat
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pairwright.llm.types import ModelError

Secret = Callable[[str, bool], Awaitable[str]]
"""The client's secret storage: the key of a provider, empty = none. The flag: the last one was refused."""


class KeyFileError(Exception):
    """The file of keys is not used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class KeyFile:
    """Keys by provider in a JSON file that nobody else can read."""

    path: Path

    def read(self) -> Mapping[str, str]:
        """All keys; none where there is no file. Raises KeyFileError for a file that others can read or that
        holds something else."""
        try:
            with self.path.open("rb") as file:
                self._check(os.fstat(file.fileno()))
                found = json.loads(file.read())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise KeyFileError(f"{self.path} cannot be read: {error}") from error
        if not isinstance(found, dict):
            raise KeyFileError(f"{self.path} holds no keys. Delete it and store them again.")
        return {str(name): key for name, key in found.items() if isinstance(key, str)}

    def write(self, provider: str, key: str) -> None:
        """Store `key`, or forget the provider's where it is empty. Whole or not at all. Raises KeyFileError."""
        keys = dict(self.read())
        if key:
            keys[provider] = key
        else:
            keys.pop(provider, None)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Born with mode 0600.
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".keys-")
        except OSError as error:
            raise KeyFileError(f"{self.path} cannot be written: {error}") from error
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(keys, file, indent=1, sort_keys=True)
            Path(name).replace(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise KeyFileError(f"{self.path} cannot be written: {error}") from error

    def _check(self, found: os.stat_result) -> None:
        if os.name != "posix":
            return
        if found.st_uid != os.geteuid():
            raise KeyFileError(f"{self.path} belongs to somebody else and is not used.")
        if stat.S_IMODE(found.st_mode) & 0o077:
            raise KeyFileError(
                f"{self.path} can be read by others and is not used. Run `chmod 600 {self.path}`, and replace "
                "the keys in it if others are on this machine."
            )


class Keys:
    """Keys by provider, looked up when a model is chosen. What the client gave is kept until it is refused."""

    def __init__(self, file: KeyFile, secret: Secret | None = None) -> None:
        self._file = file
        self._secret = secret
        self._given: dict[str, str] = {}
        self._refused: set[str] = set()

    async def of(self, provider: str) -> str:
        """The key of `provider`; empty = none. Raises ModelError where the file may not be used."""
        key = self._given.get(provider) or await self._asked(provider)
        if key:
            self._given[provider] = key
            return key
        try:
            return (await asyncio.to_thread(self._file.read)).get(provider, "")
        except KeyFileError as error:
            raise ModelError("auth", str(error), retryable=False) from error

    def refuse(self, provider: str) -> None:
        """The provider did not take its key: ask the client for another one next time."""
        if self._given.pop(provider, None) is not None:
            self._refused.add(provider)

    async def _asked(self, provider: str) -> str:
        if self._secret is None:
            return ""
        key = await self._secret(provider, provider in self._refused)
        self._refused.discard(provider)
        return key


def owner(provider: str, api_base: str) -> str:
    """Under which name the key is stored: a server of one's own by its host, and never with a provider's key."""
    return (urlsplit(api_base).hostname or api_base) if api_base else provider
