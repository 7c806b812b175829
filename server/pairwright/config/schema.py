"""The tree of settings: the one source of defaults, docs/settings.md and editor schemas.

Branches with much to say have modules of their own; whoever wants one takes it from here. Features get their own
branch as an argument and never the whole tree. Reading and validating is `config.load`'s business; nothing here
touches a file or the environment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pairwright.config.checks import Checks
from pairwright.config.index import Index as Index
from pairwright.config.keeping import Checkpoints as Checkpoints
from pairwright.config.keeping import Git as Git
from pairwright.config.keeping import History as History
from pairwright.config.model import Model as Model
from pairwright.config.sending import Budget as Budget
from pairwright.config.sending import Context as Context
from pairwright.config.sending import Privacy as Privacy
from pairwright.config.task import Task
from pairwright.config.words import doc


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
