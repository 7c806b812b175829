"""The tree of settings: the one source of defaults, docs/settings.md and editor schemas.

Features get their own branch as an argument and never the whole tree. Reading and validating is
`config.load`'s business; nothing here touches a file or the environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pairwright.config.checks import Checks

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


def _doc(text: str, **extra: Any) -> dict[str, Any]:
    return {"doc": text, **extra}


@dataclass(frozen=True, slots=True)
class Model:
    """Which model answers, and within which limits."""

    name: str = field(
        default="",
        metadata=_doc(
            "The model, in litellm's form `provider/model` (`anthropic/claude-sonnet-4-5`, "
            "`openai/gpt-5`, `ollama_chat/qwen3-coder`), or `embedded`. Empty: the embedded model if it "
            "was fetched, else a model server that answers on loopback."
        ),
    )
    api_base: str = field(
        default="", metadata=_doc("Address of an OpenAI-compatible server for the model.")
    )
    path: str = field(
        default="",
        metadata=_doc("A GGUF file to run as the embedded model instead of the fetched one."),
    )
    format: Format = field(
        default="", metadata=_doc("Edit format; empty: the one the model is known to write best.")
    )
    max_output: int = field(
        default=0, metadata=_doc("Most tokens of one answer; 0: by the model.", minimum=0)
    )
    window: int = field(
        default=0, metadata=_doc("Context window in tokens; 0: as the catalog says.", minimum=0)
    )
    temperature: float | None = field(
        default=0.0, metadata=_doc("Sampling temperature; null leaves it out of the request.")
    )
    timeout: float = field(
        default=600.0,
        metadata=_doc(
            "Seconds without a byte from the model after which a request fails.", minimum=1
        ),
    )
    idle_stop: float = field(
        default=900.0,
        metadata=_doc(
            "Seconds without a request after which the embedded model is stopped.", minimum=10
        ),
    )
    threads: int = field(
        default=0, metadata=_doc("Threads of the embedded model; 0: one a core.", minimum=0)
    )
    extra: Mapping[str, Any] = field(
        default_factory=dict, metadata=_doc("Further request parameters, passed on as they stand.")
    )


@dataclass(frozen=True, slots=True)
class Map:
    """The repo map."""

    tokens: int | None = field(
        default=None,
        metadata=_doc("Budget in tokens; 0 turns the map off; null: by the model.", minimum=0),
    )
    hover: Literal["compact", "full", "off"] = field(
        default="compact", metadata=_doc("What hovering over a name shows of the map.")
    )


@dataclass(frozen=True, slots=True)
class Symbols:
    """Answers of the index to standard requests; off by default, since a language server gives them too."""

    document: bool = field(default=False, metadata=_doc("Answer textDocument/documentSymbol."))
    workspace: bool = field(
        default=False,
        metadata=_doc(
            "Answer workspace/symbol: names of the whole index by a few of their letters."
        ),
    )
    definition: bool = field(
        default=False,
        metadata=_doc(
            "Answer textDocument/definition by name: every definition of it, the likeliest first."
        ),
    )
    references: bool = field(
        default=False,
        metadata=_doc("Answer textDocument/references by name; types are not resolved."),
    )


@dataclass(frozen=True, slots=True)
class Index:
    """What is indexed."""

    exclude: tuple[str, ...] = field(
        default=(), metadata=_doc("Further gitignore-style patterns to leave out.")
    )
    subtree: tuple[str, ...] = field(
        default=(),
        metadata=_doc(
            "Folders, relative to the workspace folder, to which the index is limited; empty: all. "
            "A workspace folder that holds none of them is indexed whole."
        ),
    )
    max_file_size: int = field(
        default=2_000_000,
        metadata=_doc("Files above this many bytes are listed without tags.", minimum=1000),
    )
    workers: int = field(
        default=0, metadata=_doc("Worker processes of the first scan; 0: one a core.", minimum=0)
    )


@dataclass(frozen=True, slots=True)
class Apply:
    """What happens to an edit once the model has answered."""

    mode: Literal["review", "at-once"] = field(
        default="review",
        metadata=_doc(
            "`review`: hunks are proposed and wait for you. `at-once`: applied, with undo."
        ),
    )
    save_clean: bool = field(
        default=True,
        metadata=_doc(
            "Clients with our protocol save the documents of an accept that held no unsaved text before it."
        ),
    )
    lenses: bool = field(
        default=True,
        metadata=_doc("Code lenses above hunks that wait for you, where the client shows lenses."),
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """One request to a model and what follows from it."""

    reflections: int = field(
        default=3,
        metadata=_doc(
            "How often a failed edit is sent back for correction.", minimum=0, maximum=10
        ),
    )
    confirm_cost: float = field(
        default=0.5, metadata=_doc("US dollars above which a request asks first.", minimum=0)
    )


@dataclass(frozen=True, slots=True)
class Privacy:
    """What is kept from a model. Files under ignore rules never leave, whatever stands here."""

    redact: Literal["remote", "always", "never"] = field(
        default="remote",
        metadata=_doc(
            "Hide keys, tokens and passwords behind numbered placeholders: from models that do not run on "
            "this machine, from all, or from none."
        ),
    )
    environment_files: bool = field(
        default=True,
        metadata=_doc(
            "Values of `.env` files in the root, from twelve characters, count as secrets wherever they stand."
        ),
    )


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """Checkpoints around every accept."""

    keep_days: int = field(
        default=30, metadata=_doc("Days after which a checkpoint may be pruned.", minimum=1)
    )
    keep_count: int = field(
        default=500, metadata=_doc("Most checkpoints of one workspace.", minimum=1)
    )
    keep_megabytes: int = field(
        default=200,
        metadata=_doc("Megabytes on disk above which the oldest of a workspace go.", minimum=1),
    )


@dataclass(frozen=True, slots=True)
class Git:
    """Commits in your own repository; off by default."""

    mode: Literal["checkpoints", "commit"] = field(
        default="checkpoints",
        metadata=_doc(
            "`checkpoints`: nothing is ever written to your repository. `commit`: every accepted edit "
            "becomes a commit of its files as well, by the git command."
        ),
    )
    commit_dirty: bool = field(
        default=True,
        metadata=_doc(
            "In commit mode, your own uncommitted work in the files of an edit is committed first, under "
            "your name. Off: an edit of such files stays uncommitted."
        ),
    )
    verify: bool = field(
        default=True,
        metadata=_doc("Run the hooks that may refuse a commit (pre-commit, commit-msg)."),
    )
    author: Literal["user", "tagged"] = field(
        default="user",
        metadata=_doc(
            "Author of the commit of an edit: you, or you with `(Pairwright)` behind the name."
        ),
    )
    committer: Literal["user", "tagged"] = field(
        default="user", metadata=_doc("Its committer: you, or you with `(Pairwright)` behind.")
    )
    co_author: bool = field(
        default=True,
        metadata=_doc("End its message with a `Co-authored-by` line that names the model."),
    )
    message: Literal["model", "request"] = field(
        default="model",
        metadata=_doc(
            "Who writes the message of a commit: the model, or the first line of the request."
        ),
    )
    language: str = field(
        default="", metadata=_doc("Language of commit messages, as a word; empty: English.")
    )
    timeout: float = field(
        default=120.0,
        metadata=_doc("Seconds that a git command may take, its hooks included.", minimum=1),
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
        metadata=_doc(
            "Carry out an `AI!` or `AI?` comment when the file is saved that it was written in. Off: the code "
            "action or lens at the comment does."
        ),
    )


@dataclass(frozen=True, slots=True)
class Log:
    """Logging."""

    level: Literal["error", "warning", "info", "debug"] = field(
        default="info",
        metadata=_doc("Least level that is logged. Prompts are never logged below debug."),
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
    privacy: Privacy = field(default_factory=Privacy)
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    git: Git = field(default_factory=Git)
    watch: Watch = field(default_factory=Watch)
    presets: tuple[Preset, ...] = field(
        default=(),
        metadata=_doc(
            "Requests of your own, offered as code actions on a selection: `{title, prompt, mode}`, with `mode` "
            "`edit` (the default) or `ask`."
        ),
    )
    checks: Checks = field(default_factory=Checks)
    trusted: bool = field(
        default=False,
        metadata=_doc(
            "You vouch for this workspace: its lint and test commands, and those a reply suggests, may be run. "
            "Taken from `initializationOptions` and `--set` only, so that no file of a repository can say it."
        ),
    )
    log: Log = field(default_factory=Log)
