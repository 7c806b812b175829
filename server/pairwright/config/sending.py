"""Settings of what leaves this machine: what a request may cost, what goes with it, what is kept back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pairwright.config.words import doc


@dataclass(frozen=True, slots=True)
class Budget:
    """What requests may cost, in US dollars, or in tokens where no price is known."""

    tell_cost: float = field(
        default=0.1,
        metadata=doc(
            "US dollars above which the estimate is shown before a request leaves.", minimum=0
        ),
    )
    tell_tokens: int = field(
        default=50_000,
        metadata=doc(
            "Tokens of a prompt without a known price above which it is shown.", minimum=0
        ),
    )
    ask_cost: float = field(
        default=0.5, metadata=doc("US dollars above which a request asks first.", minimum=0)
    )
    request_cost: float = field(
        default=0.0,
        metadata=doc(
            "Most US dollars of one request, its answer included; 0: no limit.", minimum=0
        ),
    )
    session_cost: float = field(
        default=5.0, metadata=doc("Most US dollars of one session; 0: no limit.", minimum=0)
    )
    day_cost: float = field(
        default=20.0,
        metadata=doc(
            "Most US dollars of one day, of all folders and servers; 0: no limit.", minimum=0
        ),
    )
    request_tokens: int = field(
        default=0,
        metadata=doc(
            "Most tokens of one prompt to a model that is not on this machine; what is more is left out, the "
            "map first. 0: by the model's window.",
            minimum=0,
        ),
    )
    session_tokens: int = field(
        default=2_000_000,
        metadata=doc("Most tokens of one session, read and written; 0: no limit.", minimum=0),
    )
    day_tokens: int = field(
        default=10_000_000,
        metadata=doc("Most tokens of one day, of all folders and servers; 0: no limit.", minimum=0),
    )
    count_tokens: Literal["unpriced", "all"] = field(
        default="unpriced",
        metadata=doc(
            "Which requests the token limits of a session and of a day are for: those to models without a known "
            "price, or all to models that are not on this machine."
        ),
    )


@dataclass(frozen=True, slots=True)
class Context:
    """What goes with a request beside the files it is about."""

    conventions: tuple[str, ...] = field(
        default=("CONVENTIONS.md", "AGENTS.md"),
        metadata=doc(
            "Files with the rules of a project, sent with every request to a model that is not small: those "
            "at the root, and for a bare name the nearest one above each file that is edited; empty: none."
        ),
    )
    web: Literal["ask", "never"] = field(
        default="ask",
        metadata=doc(
            "Web pages: `ask` fetches those given with a request, and those named in its words after a "
            "question; `never` fetches none."
        ),
    )


@dataclass(frozen=True, slots=True)
class Privacy:
    """What is kept from a model. Files under ignore rules never leave, whatever stands here."""

    redact: Literal["remote", "always", "never"] = field(
        default="remote",
        metadata=doc(
            "Hide keys, tokens and passwords behind numbered placeholders: from models that do not run on "
            "this machine, from all, or from none."
        ),
    )
    environment_files: bool = field(
        default=True,
        metadata=doc(
            "Values of `.env` files in the root, from twelve characters, count as secrets wherever they stand."
        ),
    )
