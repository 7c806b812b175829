"""What may be said of a model by name: the fields of the catalog's rows and of `pairwright.model.overrides`.

Says what the fields mean; knows no model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pairwright.config.words import doc

Format = Literal[
    "",
    "diff",
    "diff-fenced",
    "udiff",
    "udiff-simple",
    "whole",
    "patch",
    "symbol",
    "editor-diff",
    "editor-diff-fenced",
    "editor-whole",
]


@dataclass(frozen=True, slots=True)
class Family:
    """A row of the catalog."""

    format: Format = field(default="diff", metadata=doc("Edit format it writes best."))
    long_format: Format = field(
        default="",
        metadata=doc("Edit format where a file has more than 200 lines; empty: the same."),
    )
    reminder: Literal["system", "user", "none"] = field(
        default="user", metadata=doc("Where the rules of the format are repeated.")
    )
    temperature: float | None = field(
        default=0.0, metadata=doc("Sampling temperature; null: it takes none.")
    )
    reasoning_tag: str = field(
        default="", metadata=doc("Tag in which it thinks aloud, as `think`; empty: none.")
    )
    reasoning_open: bool = field(
        default=False, metadata=doc("Its answer begins inside that tag and only closes it.")
    )
    prefix: str = field(default="", metadata=doc("A line its system message begins with."))
    system: bool = field(
        default=True,
        metadata=doc(
            "It takes a system message; else that goes before the first message of yours."
        ),
    )
    streaming: bool = field(default=True, metadata=doc("It answers piece by piece."))
    prefill: bool | None = field(
        default=None,
        metadata=doc("It goes on with an answer that was begun; null: by litellm's table."),
    )
    images: bool | None = field(
        default=None, metadata=doc("It sees pictures; null: by litellm's table.")
    )
    small: bool | None = field(
        default=None,
        metadata=doc(
            "It gets the short prompt; null: by the size in the name of a model on this machine."
        ),
    )
    cache: bool | None = field(
        default=None, metadata=doc("Its provider takes cache marks; null: by the provider.")
    )
    session_key: bool | None = field(
        default=None, metadata=doc("Its provider takes `prompt_cache_key`; null: by the provider.")
    )
    weak: str = field(
        default="", metadata=doc("Model of the same provider for commit messages and summaries.")
    )
    editor: str = field(
        default="", metadata=doc("Model of the same provider that turns its plans into edits.")
    )
    window: int = field(
        default=0, metadata=doc("Context window in tokens; 0: by litellm's table.", minimum=0)
    )
    max_output: int = field(
        default=0, metadata=doc("Most tokens of one answer; 0: by litellm's table.", minimum=0)
    )
    price_in: float | None = field(
        default=None,
        metadata=doc("US dollars a token read; null: by litellm's table.", minimum=0),
    )
    price_out: float | None = field(
        default=None,
        metadata=doc("US dollars a token written; null: by litellm's table.", minimum=0),
    )
    api_base: str = field(default="", metadata=doc("Address of the server that has it."))
    extra: Mapping[str, Any] = field(
        default_factory=dict, metadata=doc("Further request parameters, passed on as they stand.")
    )
