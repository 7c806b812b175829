"""To which servers a key of the environment may go: its provider's own, this machine, those the user vouches for.

An editor merges files of the workspace into what it sends as settings, so an address that came from there says
nothing about who wants the key to go to it. A key that was stored is bound to its host already (`llm.keys`).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping
from typing import Any

from pairwright.llm.types import ModelError

_PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("api.anthropic.com",),
    "azure": (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"),
    "azure_ai": (".services.ai.azure.com", ".models.ai.azure.com", ".inference.ai.azure.com"),
    "cohere": ("api.cohere.com", "api.cohere.ai"),
    "cohere_chat": ("api.cohere.com", "api.cohere.ai"),
    "deepseek": ("api.deepseek.com",),
    "fireworks_ai": ("api.fireworks.ai",),
    "gemini": ("generativelanguage.googleapis.com",),
    "groq": ("api.groq.com",),
    "mistral": ("api.mistral.ai", "codestral.mistral.ai"),
    "openai": ("api.openai.com",),
    "openrouter": ("openrouter.ai",),
    "together_ai": ("api.together.xyz", "api.together.ai"),
    "xai": ("api.x.ai",),
}
"""Hosts of the providers; a leading dot stands for any name below."""

_AMBIENT = ("bedrock", "sagemaker", "vertex_ai")
"""Providers that are signed in to by more than a key, which cannot be kept out of a request."""

# What libraries read as a host in different ways is no host here.
_ADDRESS = re.compile(
    r"(https?)://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:[/?#][^\s\\]*)?"
)
_BASE_NAME = re.compile(r"_(?:API_BASE|BASE_URL|API_HOST)$")
_PLACE = re.compile(r"[A-Za-z0-9-]*")
_REROUTES = frozenset(
    {
        "api_base",
        "base_url",
        "client",
        "context_window_fallback_dict",
        "custom_llm_provider",
        "fallbacks",
        "model_list",
    }
)


def host(address: str) -> str:
    """The host of a URL in lower case; empty where it is not plain which one is meant."""
    found = _ADDRESS.fullmatch(address.strip())
    return found[2].strip("[]").lower() if found else ""


def is_loopback(address: str) -> bool:
    """Whether a URL points at this machine."""
    name = host(address)
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def is_plain(address: str) -> bool:
    """Whether others on the network can read what goes to `address`."""
    return not address.strip().lower().startswith("https://") and not is_loopback(address)


def is_vouched(
    provider: str, address: str, own: Collection[str] | None, env: Mapping[str, str]
) -> bool:
    """Whether the key that `env` has for `provider` may go to `address`. `own`: hosts the user vouches for, None =
    all; a variable such as `OPENAI_API_BASE` vouches too."""
    if own is None:
        return True
    name = host(address)
    named = {host(value) for key, value in env.items() if _BASE_NAME.search(key)}
    if name and (name in own or name in named):
        return True
    known = _PROVIDERS.get(provider, ())
    return any(name == one or (one.startswith(".") and name.endswith(one)) for one in known)


def has_key(env: Mapping[str, str]) -> bool:
    """Whether there is any key in `env`; which of them a provider takes only the model process knows."""
    return any(value and name.endswith("_API_KEY") for name, value in env.items())


def is_ambient(provider: str) -> bool:
    """See `_AMBIENT`."""
    return provider.startswith(_AMBIENT)


def check_extra(extra: Mapping[str, Any]) -> None:
    """Raises ModelError for a request parameter that says where the request goes: only `api_base` does."""
    for name, value in sorted(extra.items()):
        places = name.endswith(("_location", "region_name")) and not _PLACE.fullmatch(str(value))
        if name in _REROUTES or name.endswith("_endpoint") or places:
            text = f"pairwright.model.extra: `{name}` would say where a request goes; use pairwright.model.api_base."
            raise ModelError("refused", text, retryable=False)


def unsent(address: str, plain: bool) -> str:
    """Why the environment's key did not go to `address`, and what to do."""
    name = host(address) or address
    if plain:
        return (
            f"The key of the environment was not sent to {name}, since others could read it on the way: use https, "
            "or set pairwright.model.plain_http."
        )
    return (
        f"The key of the environment was not sent to {name}, which is not its provider's own address and may come "
        f"from a file of the workspace. To send one, store it: `pairwright model key {address}`."
    )
