"""Settings of what is kept of the work: checkpoints, conversations, commits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pairwright.config.words import doc


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
        metadata=doc(
            "Days after which a conversation or a long task is removed in which nothing has happened since.",
            minimum=1,
        ),
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
