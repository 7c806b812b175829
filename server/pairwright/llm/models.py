"""Which model answers: the one the settings name, else the embedded one, else a server on loopback.

Implements `engine.ports.Models`. A provider's key found in the environment is named to the user and
never used unasked. Owns the model process and the embedded engine.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pairwright.config import paths
from pairwright.config.schema import Model as Settings
from pairwright.llm import catalog, counting, errors
from pairwright.llm.artifact import QWEN
from pairwright.llm.catalog import EMBEDDED, Known
from pairwright.llm.embedded import EmbeddedModel, Engine, Load
from pairwright.llm.engine_child import MISSING
from pairwright.llm.openmp import with_openmp
from pairwright.llm.process import Child
from pairwright.llm.remote import RemoteModel, Target
from pairwright.llm.types import Model, ModelError

PROBE_TIMEOUT = 0.8
# Never sent to a proxy: the embedded model and servers of the user's own live there.
_NO_PROXY = "127.0.0.1,localhost,::1"


@dataclass(frozen=True, slots=True)
class Server:
    """A model server looked for on loopback. `window`: what it takes unless it is told otherwise, 0
    = unknown."""

    name: str
    base: str
    window: int = 0


LOOPBACK = (
    Server("Ollama", "http://127.0.0.1:11434/v1", catalog.OLLAMA_WINDOW),
    Server("LM Studio", "http://127.0.0.1:1234/v1"),
    Server("llama.cpp", "http://127.0.0.1:8080/v1"),
)


class ConfiguredModels:
    """The models of one server. `env`: the whole environment, as `config.load` read it. `configure`
    may be called at any time; requests under way end with the old settings."""

    def __init__(
        self, settings: Settings, env: Mapping[str, str], *, servers: Sequence[Server] = LOOPBACK
    ) -> None:
        self._settings = settings
        self._env = dict(env)
        self._servers = tuple(servers)
        self._secrets = errors.secrets_of(env)
        self._child = Child("pairwright.llm.child", child_env(env))
        self._engine: Engine | None = None
        self._retired: list[Engine] = []
        self._known: dict[str, Known] = {}

    def configure(self, settings: Settings) -> None:
        """Use `settings` from the next `get` on."""
        self._settings = settings

    def warm(self) -> None:
        """Start the model process and its slow imports in the background, if a request is to be
        expected."""
        self._warming = asyncio.ensure_future(self._warm())

    async def get(self, role: Literal["main", "weak", "editor"] = "main") -> Model:
        """The model for `role`; all roles have one model so far. Raises ModelError with what to
        do."""
        settings = self._settings
        if settings.name == EMBEDDED or (not settings.name and self._can_embed(settings)):
            return await self._embedded(settings)
        if settings.name:
            return await self._named(settings)
        servers = (Server("", settings.api_base),) if settings.api_base else self._servers
        return await self._found(settings, servers)

    async def close(self) -> None:
        """End all processes."""
        for engine in (*self._retired, *([self._engine] if self._engine else [])):
            await engine.close()
        await self._child.close()

    async def _warm(self) -> None:
        with contextlib.suppress(ModelError):
            await self._child.call("warm")

    # --- embedded

    def gguf(self, settings: Settings) -> Path:
        """The file the embedded model runs: the setting's, else the fetched one."""
        if settings.path:
            return Path(settings.path).expanduser()
        return paths.models_dir(self._env) / QWEN.name

    def _can_embed(self, settings: Settings) -> bool:
        if settings.api_base:
            return False
        return bool(settings.path) or (self.gguf(settings).is_file() and _has_xllamacpp())

    async def _embedded(self, settings: Settings) -> Model:
        path = self.gguf(settings)
        if not path.is_file():
            raise ModelError("auth", _no_file(path, settings), retryable=False)
        if not _has_xllamacpp():
            raise ModelError("auth", MISSING, retryable=False)
        info = catalog.embedded(settings)
        load = Load(path, info.window, settings.threads, settings.idle_stop)
        if self._engine is None or self._engine.load != load:
            if self._engine is not None:
                self._engine.retire()
                self._retired.append(self._engine)
            cache = paths.cache_dir(self._env)
            env = with_openmp(self._env, cache / "lib")
            self._engine = Engine(load, env, cache / "logs" / "engine.log")
        target = Target("openai/embedded", timeout=settings.timeout, extra=settings.extra)
        return EmbeddedModel(self._child, self._engine, info, target)

    # --- over HTTP

    async def _named(self, settings: Settings) -> Model:
        name = settings.name
        known = await self._describe(name)
        if not known.provider:
            if not settings.api_base:
                raise errors.unknown_provider(name)
            name = f"openai/{name}"
            known = await self._describe(name)
        if known.missing and not settings.api_base and "api_key" not in settings.extra:
            raise errors.missing_key(settings.name, known.missing)
        return self._remote(name, known, settings, settings.api_base)

    async def _found(self, settings: Settings, servers: Sequence[Server]) -> Model:
        bases = [server.base for server in servers]
        listed = await self._child.call("probe", bases=bases, timeout=PROBE_TIMEOUT)
        for server, ids in zip(servers, listed, strict=True):
            choice = choose(ids)
            if choice is not None:
                name = f"openai/{choice}"
                known = await self._describe(name)
                # A key in the environment is meant for a provider, not for whoever listens here.
                return self._remote(name, known, settings, server.base, server.window, key="none")
        if settings.api_base:
            text = f"{settings.api_base} listed no model. Start the model server, or set pairwright.model.name."
            raise ModelError("transport", text, retryable=False)
        raise ModelError("auth", nothing(self._env), retryable=False)

    def _remote(
        self,
        name: str,
        known: Known,
        settings: Settings,
        base: str,
        window: int = 0,
        key: str = "",
    ) -> RemoteModel:
        info = catalog.remote(name, known, settings, api_base=base, window=window)
        target = Target(name, base, key, settings.timeout, settings.extra)
        return RemoteModel(self._child, info, target, self._secrets)

    async def _describe(self, name: str) -> Known:
        if name not in self._known:
            value = await self._child.call("describe", model=name)
            self._known[name] = Known(**{**value, "missing": tuple(value["missing"])})
        return self._known[name]


def child_env(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of the model process: the user's own (keys, proxies, certificates), offline
    flags set, loopback kept away from proxies."""
    flags = {
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MODE": "PRODUCTION",
        "LITELLM_LOG": "ERROR",
        "LITELLM_TELEMETRY": "False",
        "DO_NOT_TRACK": "1",
        "TIKTOKEN_CACHE_DIR": str(counting.data()),
        # A hundred equal pieces are an error to litellm; they may be a long rule or an empty table.
        "REPEATED_STREAMING_CHUNK_LIMIT": "1000000",
    }
    for name in ("NO_PROXY", "no_proxy"):
        flags[name] = ",".join(v for v in (env.get(name), _NO_PROXY) if v)
    # A key that is set to nothing is no key; litellm takes it for one.
    kept = {k: v for k, v in env.items() if v or not k.endswith("_API_KEY")}
    return {**kept, **flags}


def choose(ids: Sequence[str]) -> str | None:
    """Of the models a server lists the one to use: coding models first, then by name; no embedding
    models."""
    chat = [
        i
        for i in ids
        if not any(word in i.lower() for word in ("embed", "rerank", "whisper", "tts"))
    ]
    return min(chat, key=lambda i: ("cod" not in i.lower(), i), default=None)


def nothing(env: Mapping[str, str]) -> str:
    """What to do when there is no model at all: a download or a key."""
    set_ = sorted(k for k, v in env.items() if k.endswith("_API_KEY") and v)
    offer = (
        f"{', '.join(set_)} is set: set pairwright.model.name to use it "
        "(for example anthropic/claude-sonnet-4-5)."
        if set_
        else "Or set pairwright.model.name (for example anthropic/claude-sonnet-4-5) with the provider's key in "
        "the environment, or start Ollama, LM Studio or llama.cpp."
    )
    return (
        "No model yet. `pairwright model fetch` downloads a local one: 1.1 GB once, no account, about 10 to "
        "40 s to the first words on two cores; it explains code, writes commit messages and makes small edits "
        f"of a selection. {offer} The map, hover, apply and checkpoints work without a model."
    )


def _no_file(path: Path, settings: Settings) -> str:
    if settings.path:
        return f"pairwright.model.path names no file: {path}. Correct it, or clear it to use the fetched model."
    return (
        f"The embedded model is not there yet ({path}). Run `pairwright model fetch` (1.1 GB once), or set "
        "pairwright.model.path to a GGUF file."
    )


def _has_xllamacpp() -> bool:
    return importlib.util.find_spec("xllamacpp") is not None
