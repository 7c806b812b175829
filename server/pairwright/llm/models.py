"""Which model answers in which role: the one the settings name, else the embedded one, else a server on loopback.

Implements `engine.ports.Models`. A provider's key found in the environment is named to the user and
never used unasked. Owns the model process and the embedded engine.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from pairwright.config import paths
from pairwright.config.schema import Model as Settings
from pairwright.llm import addresses, catalog, errors, offers
from pairwright.llm.addresses import is_loopback
from pairwright.llm.artifact import QWEN
from pairwright.llm.catalog import EMBEDDED, Known
from pairwright.llm.embedded import EmbeddedModel, Engine, Load
from pairwright.llm.engine_child import MISSING
from pairwright.llm.keys import KeyFile, Keys, Secret, owner
from pairwright.llm.lent import Lender, is_lent, lent
from pairwright.llm.network import Network, child_env
from pairwright.llm.openmp import with_openmp
from pairwright.llm.process import Child
from pairwright.llm.remote import RemoteModel, Target
from pairwright.llm.types import Model, ModelError

_MODULE = "pairwright.llm.child"
PROBE_TIMEOUT = 0.8


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
    """The models of one server. `env`: the whole environment, as `config.load` read it. `secret`: the client's
    secret storage; `lender`: the client, where it lends models; `own`: hosts that the user vouches for, None = all.
    `configure` may be called at any time; requests under way end with the old settings."""

    def __init__(
        self,
        settings: Settings,
        env: Mapping[str, str],
        *,
        servers: Sequence[Server] = LOOPBACK,
        secret: Secret | None = None,
        lender: Lender | None = None,
        own: Collection[str] | None = None,
    ) -> None:
        self._settings = settings
        self._env = dict(env)
        self._servers = tuple(servers)
        self._secrets = errors.secrets_of(env)
        self._lender = lender
        self._own = own
        self._keys = Keys(KeyFile(paths.keys_file(env)), secret)
        self._network = Network.of(settings)
        self._child = Child(_MODULE, child_env(env, self._network))
        self._engine: Engine | None = None
        self._retired: list[Engine | Child] = []
        self._known: dict[str, Known] = {}

    def configure(self, settings: Settings) -> None:
        """Use `settings` from the next `get` on."""
        self._settings = settings
        network = Network.of(settings)
        if network != self._network:
            self._network = network
            self._child.retire()
            self._retired.append(self._child)
            self._child = Child(_MODULE, child_env(self._env, network))

    async def get(self, role: Literal["main", "weak", "editor"] = "main") -> Model:
        """The model for `role`: the one the settings name for it, else what the catalog has for the main model
        and the same provider serves, else the main model. Raises ModelError with what to do."""
        settings = self._settings
        named = {"weak": settings.weak, "editor": settings.editor}.get(role, "")
        if named:
            return await self._model(for_another(settings, named))
        main = await self._model(settings)
        return main if role == "main" else await self._companion(main, role)

    async def _model(self, settings: Settings) -> Model:
        if (file := self._network.ca_file) and not Path(file).is_file():
            raise ModelError(
                "transport", f"pairwright.model.ca_file names no file: {file}.", retryable=False
            )
        name = catalog.resolved(settings.name, settings.aliases)
        settings = replace(settings, name=name)
        if is_lent(name):
            return await lent(self._lender, settings)
        if name == EMBEDDED or (not name and self._can_embed(settings)):
            return await self._embedded(settings)
        if name:
            return await self._named(settings)
        servers = (Server("", settings.api_base),) if settings.api_base else self._servers
        return await self._found(settings, servers)

    async def close(self) -> None:
        """End all processes."""
        engines = [self._engine] if self._engine else []
        for process in (*self._retired, *engines, self._child):
            await process.close()

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
            raise ModelError("auth", offers.no_file(path, settings.path), retryable=False)
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
        target = Target(
            "openai/embedded", timeout=settings.timeout, stall=settings.stall, extra=settings.extra
        )
        return EmbeddedModel(self._child, self._engine, info, target)

    # --- over HTTP

    async def _named(self, settings: Settings) -> Model:
        name = settings.name
        base = catalog.family(name, settings.overrides).api_base or settings.api_base
        known = await self._describe(name)
        if not known.provider:
            if not base:
                raise errors.unknown_provider(name)
            name = f"openai/{name}"
            known = await self._describe(name)
        extra = {**catalog.family(name, settings.overrides).extra, **settings.extra}
        addresses.check_extra(extra)
        key, whose = "", owner(known.provider, base)
        # What the environment holds comes first, then what was stored for this provider or this host.
        has_own = bool(base) and not is_loopback(base)
        if "api_key" not in settings.extra and (has_own or (known.missing and not base)):
            key = await self._keys.of(whose)
        if known.missing and not (key or base or "api_key" in settings.extra):
            raise errors.missing_key(name, known.missing, known.provider)
        if has_own and key and addresses.is_plain(base) and not settings.plain_http:
            raise errors.readable_key(addresses.host(base) or base)
        unsent = self._unsent(known, settings, base) if has_own and not key else ""
        model = self._remote(name, known, settings, base, key="none" if unsent else key)
        if unsent:
            return replace(model, unsent=unsent)
        return replace(model, refused=partial(self._keys.refuse, whose)) if key else model

    def _unsent(self, known: Known, settings: Settings, base: str) -> str:
        """Why the environment's key does not go to `base`; empty if it does, or there is none. Raises ModelError
        where it could not be kept back."""
        is_ambient = addresses.is_ambient(known.provider)
        if known.missing or not (is_ambient or addresses.has_key(self._env)):
            return ""
        is_plain = addresses.is_plain(base) and not settings.plain_http
        if not is_plain and addresses.is_vouched(known.provider, base, self._own, self._env):
            return ""
        why = addresses.unsent(base, is_plain)
        if is_ambient:
            raise ModelError("auth", why, retryable=False)
        return why

    async def _companion(self, main: Model, role: Literal["weak", "editor"]) -> Model:
        """What the catalog has for `role` beside `main`, if litellm's table knows it too."""
        if not isinstance(main, RemoteModel) or main.target.api_base:
            return main
        name = main.target.model
        other = catalog.companion(name, role, catalog.family(name, self._settings.overrides))
        known = await self._describe(other) if other else Known()
        if not known.window or (known.missing and not main.target.key):
            return main
        settings = for_another(self._settings, other)
        model = self._remote(other, known, settings, "", key=main.target.key)
        return replace(model, refused=main.refused)

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
        raise ModelError(
            "auth", offers.nothing(self._env, self._lender is not None), retryable=False
        )

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
        extra = {**catalog.family(name, settings.overrides).extra, **settings.extra}
        target = Target(name, base, key, settings.timeout, settings.stall, extra)
        return RemoteModel(self._child, info, target, self._secrets)

    async def _describe(self, name: str) -> Known:
        if name not in self._known:
            value = await self._child.call("describe", model=name)
            self._known[name] = Known(**{**value, "missing": tuple(value["missing"])})
        return self._known[name]


def choose(ids: Sequence[str]) -> str | None:
    """Of the models a server lists the one to use: coding models first, then by name; no embedding
    models."""
    chat = [
        i
        for i in ids
        if not any(word in i.lower() for word in ("embed", "rerank", "whisper", "tts"))
    ]
    return min(chat, key=lambda i: ("cod" not in i.lower(), i), default=None)


def for_another(settings: Settings, name: str) -> Settings:
    """`settings` for the model `name` of another role: what limits and shapes the main model does not hold for it,
    and its server only where the provider is the same."""
    name = catalog.resolved(name, settings.aliases)
    main = catalog.resolved(settings.name, settings.aliases)
    is_same = name.partition("/")[0] == main.partition("/")[0]
    return replace(
        settings,
        name=name,
        api_base=settings.api_base if is_same else "",
        format="",
        window=0,
        max_output=0,
        temperature=None,
        extra={},
    )


def _has_xllamacpp() -> bool:
    return importlib.util.find_spec("xllamacpp") is not None
