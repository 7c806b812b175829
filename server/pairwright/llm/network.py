"""The environment of the model process: the user's own, what settings say of the network, and flags that keep
libraries offline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pairwright.config.schema import Model as Settings
from pairwright.llm import counting

# Never sent to a proxy: the embedded model and servers of the user's own live there.
_NO_PROXY = "127.0.0.1,localhost,::1"


@dataclass(frozen=True, slots=True)
class Network:
    """How models are reached. `proxy`: its address; `ca_file`: certificates to check servers by; empty: as the
    environment says."""

    proxy: str = ""
    ca_file: str = ""

    @classmethod
    def of(cls, settings: Settings) -> Network:
        """What `settings` say."""
        file = str(Path(settings.ca_file).expanduser()) if settings.ca_file else ""
        return cls(settings.proxy, file)


def without_login(address: str) -> str:
    """The address of a proxy without the name and password it may hold."""
    scheme, mark, rest = address.rpartition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}"


def child_env(env: Mapping[str, str], network: Network = Network()) -> dict[str, str]:
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
    if network.proxy:
        for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
            flags[name] = network.proxy
    if network.ca_file:
        flags["SSL_CERT_FILE"] = network.ca_file
    # A key that is set to nothing is no key; litellm takes it for one.
    kept = {k: v for k, v in env.items() if v or not k.endswith("_API_KEY")}
    return {**kept, **flags}
