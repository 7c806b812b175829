"""The tree of settings: the one source of defaults, docs/settings.md and editor schemas.

Features get their own branch as an argument and never the whole tree. Reading and validating is
`config.load`'s business; nothing here touches a file or the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pairwright.config.checks import Checks
from pairwright.config.family import Family, Format
from pairwright.config.index import Index as Index
from pairwright.config.task import Task
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
            "of the environment. Loopback is never asked by a proxy."
        ),
    )
    ca_file: str = field(
        default="",
        metadata=doc(
            "A PEM file with the certificates that models' servers are checked by; empty: SSL_CERT_FILE of the "
            "environment, else the usual ones."
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


@dataclass(frozen=True, slots=True)
class Map:
    """The repo map."""

    tokens: int | None = field(
        default=None,
        metadata=doc("Budget in tokens; 0 turns the map off; null: by the model.", minimum=0),
    )
    hover: Literal["compact", "full", "off"] = field(
        default="compact", metadata=doc("What hovering over a name shows of the map.")
    )


@dataclass(frozen=True, slots=True)
class Symbols:
    """Answers of the index to standard requests; off by default, since a language server gives them too."""

    document: bool = field(default=False, metadata=doc("Answer textDocument/documentSymbol."))
    workspace: bool = field(
        default=False,
        metadata=doc(
            "Answer workspace/symbol: names of the whole index by a few of their letters."
        ),
    )
    definition: bool = field(
        default=False,
        metadata=doc(
            "Answer textDocument/definition by name: every definition of it, the likeliest first."
        ),
    )
    references: bool = field(
        default=False,
        metadata=doc("Answer textDocument/references by name; types are not resolved."),
    )


@dataclass(frozen=True, slots=True)
class Apply:
    """What happens to an edit once the model has answered."""

    mode: Literal["review", "at-once"] = field(
        default="review",
        metadata=doc(
            "`review`: hunks are proposed and wait for you. `at-once`: applied, with undo."
        ),
    )
    save_clean: bool = field(
        default=True,
        metadata=doc(
            "Clients with our protocol save the documents of an accept or undo that held no unsaved text before it."
        ),
    )
    lenses: bool = field(
        default=True,
        metadata=doc("Code lenses above hunks that wait for you, where the client shows lenses."),
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to a model and what follows from it."""

    reflections: int = field(
        default=3,
        metadata=doc("How often a failed edit is sent back for correction.", minimum=0, maximum=10),
    )
    look_ups: int = field(
        default=3,
        metadata=doc(
            "How often in a turn the model may ask to see files, definitions, uses, search results or a part of the "
            "map, which it gets without a question; 0: it is not told how to ask.",
            minimum=0,
            maximum=10,
        ),
    )
    accept_plan: Literal["ask", "auto"] = field(
        default="ask",
        metadata=doc(
            "Mode architect: `ask` shows the plan and waits for your yes, `auto` has it edited at once."
        ),
    )


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


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Checkpoints around every accept."""

    keep_days: int = field(
        default=30, metadata=doc("Days after which a checkpoint may be pruned.", minimum=1)
    )
    keep_count: int = field(
        default=500, metadata=doc("Most checkpoints of one workspace.", minimum=1)
    )
    keep_megabytes: int = field(
        default=200,
        metadata=doc("Megabytes on disk above which the oldest of a workspace go.", minimum=1),
    )


@dataclass(frozen=True, slots=True)
class History:
    """What is kept of conversations."""

    persist: bool = field(
        default=True,
        metadata=doc(
            "Keep conversations in the user's data folder, so that they can be gone on with after a restart."
        ),
    )
    keep_days: int = field(
        default=90,
        metadata=doc("Days after its last turn after which a conversation is removed.", minimum=1),
    )
    summarize: bool = field(
        default=True,
        metadata=doc(
            "Let the weak model summarise the older part of a long conversation, in the background. Off: it is "
            "left out."
        ),
    )


@dataclass(frozen=True, slots=True)
class Git:
    """Commits in your own repository; off by default."""

    mode: Literal["checkpoints", "commit"] = field(
        default="checkpoints",
        metadata=doc(
            "`checkpoints`: nothing is ever written to your repository. `commit`: every accepted edit "
            "becomes a commit of its files as well, by the git command."
        ),
    )
    commit_dirty: bool = field(
        default=True,
        metadata=doc(
            "In commit mode, your own uncommitted work in the files of an edit is committed first, under "
            "your name. Off: an edit of such files stays uncommitted."
        ),
    )
    verify: bool = field(
        default=True,
        metadata=doc("Run the hooks that may refuse a commit (pre-commit, commit-msg)."),
    )
    author: Literal["user", "tagged"] = field(
        default="user",
        metadata=doc(
            "Author of the commit of an edit: you, or you with `(Pairwright)` behind the name."
        ),
    )
    committer: Literal["user", "tagged"] = field(
        default="user", metadata=doc("Its committer: you, or you with `(Pairwright)` behind.")
    )
    co_author: bool = field(
        default=True,
        metadata=doc("End its message with a `Co-authored-by` line that names the model."),
    )
    message: Literal["model", "request"] = field(
        default="model",
        metadata=doc(
            "Who writes the message of a commit: the model, or the first line of the request."
        ),
    )
    language: str = field(
        default="", metadata=doc("Language of commit messages, as a word; empty: English.")
    )
    timeout: float = field(
        default=120.0,
        metadata=doc("Seconds that a git command may take, its hooks included.", minimum=1),
    )


@dataclass(frozen=True, slots=True)
class Preset:
    """A named request of the user's, offered as a code action."""

    title: str
    prompt: str
    mode: Literal["ask", "edit"] = "edit"


@dataclass(frozen=True, slots=True)
class Watch:
    """Comments that ask for something (`AI!`, `AI?`)."""

    auto: bool = field(
        default=False,
        metadata=doc(
            "Carry out an `AI!` or `AI?` comment when the file is saved that it was written in. Off: the code "
            "action or lens at the comment does."
        ),
    )


@dataclass(frozen=True, slots=True)
class Reference:
    """Repositories to look things up in."""

    licences: Literal["permissive", "all"] = field(
        default="permissive",
        metadata=doc(
            "Whose text is shown: `permissive`, that under a licence which is known to allow reuse, the rest is "
            "described only; `all`, any."
        ),
    )
    tokens: int = field(
        default=2000, metadata=doc("Most tokens of the snippets of one search.", minimum=100)
    )
    judge: Literal["off", "model"] = field(
        default="off",
        metadata=doc(
            "Who has the last word on which references a step of a task is shown: the scores, or `model`, which is "
            "shown the best five of them, once for each file of the plan."
        ),
    )


@dataclass(frozen=True, slots=True)
class Log:
    """Logging."""

    level: Literal["error", "warning", "info", "debug"] = field(
        default="info",
        metadata=doc("Least level that is logged. Prompts are never logged below debug."),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole tree, section `pairwright`."""

    model: Model = field(default_factory=Model)
    map: Map = field(default_factory=Map)
    symbols: Symbols = field(default_factory=Symbols)
    index: Index = field(default_factory=Index)
    apply: Apply = field(default_factory=Apply)
    turn: Turn = field(default_factory=Turn)
    budget: Budget = field(default_factory=Budget)
    context: Context = field(default_factory=Context)
    privacy: Privacy = field(default_factory=Privacy)
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    history: History = field(default_factory=History)
    git: Git = field(default_factory=Git)
    watch: Watch = field(default_factory=Watch)
    presets: tuple[Preset, ...] = field(
        default=(),
        metadata=doc(
            "Requests of your own, offered as code actions on a selection: `{title, prompt, mode}`, with `mode` "
            "`edit` (the default) or `ask`."
        ),
    )
    checks: Checks = field(default_factory=Checks)
    trusted: bool = field(
        default=False,
        metadata=doc(
            "You vouch for this workspace: its lint and test commands, and those a reply suggests, may be run. "
            "Taken from `initializationOptions` and `--set` only, so that no file of a repository can say it."
        ),
    )
    reference: Reference = field(default_factory=Reference)
    task: Task = field(default_factory=Task)
    log: Log = field(default_factory=Log)
