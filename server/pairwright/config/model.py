"""Settings of the models: which answer, where they are, within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pairwright.config.family import Family, Format
from pairwright.config.words import doc


@dataclass(frozen=True, slots=True)
class Model:
    """Which model answers, and within which limits."""

    name: str = field(
        default="",
        metadata=doc(
            "The model, in litellm's form `provider/model` (`anthropic/claude-sonnet-4-5`, "
            "`openai/gpt-5`, `ollama_chat/qwen3-coder`), `embedded`, or `client` for one of the editor's own "
            "where it lends them. Empty: the embedded model if it was fetched, else a model server that answers "
            "on loopback. Short names as `sonnet` or `flash` are built in."
        ),
    )
    weak: str = field(
        default="",
        metadata=doc(
            "The model for commit messages and summaries. Empty: a small one of the same provider where one is "
            "known, else the main model."
        ),
    )
    editor: str = field(
        default="",
        metadata=doc(
            "The model that turns a plan of architect mode into edits. Empty: one of the same provider where "
            "that is known to do better, else the main model."
        ),
    )
    aliases: Mapping[str, str] = field(
        default_factory=dict,
        metadata=doc("Short names of your own, each with the model it means."),
    )
    overrides: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict,
        metadata=doc(
            "What is to hold for a model whatever the catalog says, by its name or a glob: "
            '`{"openai/my-*": {"window": 32768, "format": "whole"}}`. The fields are in docs/models.md.',
            fields=Family,
        ),
    )
    api_base: str = field(
        default="", metadata=doc("Address of an OpenAI-compatible server for the model.")
    )
    plain_http: bool = field(
        default=False,
        metadata=doc(
            "Send a key over http to a server that is not on this machine, where others on the network can read it."
        ),
    )
    path: str = field(
        default="",
        metadata=doc("A GGUF file to run as the embedded model instead of the fetched one."),
    )
    format: Format = field(
        default="", metadata=doc("Edit format; empty: the one the model is known to write best.")
    )
    max_output: int = field(
        default=0, metadata=doc("Most tokens of one answer; 0: by the model.", minimum=0)
    )
    window: int = field(
        default=0, metadata=doc("Context window in tokens; 0: as the catalog says.", minimum=0)
    )
    temperature: float | None = field(
        default=None,
        metadata=doc(
            "Sampling temperature; null: by the model, 0 for most, left out of the request for those that take "
            "none."
        ),
    )
    timeout: float = field(
        default=600.0,
        metadata=doc("Seconds until the first token after which a request fails.", minimum=1),
    )
    stall: float = field(
        default=120.0,
        metadata=doc(
            "Seconds without a token, once an answer has begun, after which it counts as stalled.",
            minimum=1,
        ),
    )
    keep_alive: int = field(
        default=0,
        metadata=doc(
            "How many times a provider's prefix cache is kept from expiring while you think, by a request for "
            "one token every 295 s; only where the provider has cache marks. Each costs what reading the "
            "cached prompt does. 0: never.",
            minimum=0,
            maximum=100,
        ),
    )
    proxy: str = field(
        default="",
        metadata=doc(
            "Address of a proxy for requests to models (`http://proxy:3128`); empty: HTTPS_PROXY and HTTP_PROXY "
            "of the environment. Loopback is never asked by a proxy. In a workspace that is not trusted it counts "
            "from `initializationOptions` and `--set` only."
        ),
    )
    ca_file: str = field(
        default="",
        metadata=doc(
            "A PEM file with the certificates that models' servers are checked by; empty: SSL_CERT_FILE of the "
            "environment, else the usual ones. In a workspace that is not trusted it counts from "
            "`initializationOptions` and `--set` only."
        ),
    )
    idle_stop: float = field(
        default=900.0,
        metadata=doc(
            "Seconds without a request after which the embedded model is stopped.", minimum=10
        ),
    )
    threads: int = field(
        default=0, metadata=doc("Threads of the embedded model; 0: one a core.", minimum=0)
    )
    extra: Mapping[str, Any] = field(
        default_factory=dict, metadata=doc("Further request parameters, passed on as they stand.")
    )
