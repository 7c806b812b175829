"""Settings of long tasks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pairwright.config.words import doc


@dataclass(frozen=True, slots=True)
class Task:
    """Long tasks, file by file."""

    review: Literal["file", "task", "end"] = field(
        default="end",
        metadata=doc(
            "When you look at what a task wrote: `file`, each file is proposed and waits; `task`, each is applied at "
            "once, with a checkpoint, since you agreed to the plan; `end`, all of it is one proposal."
        ),
    )
    retries: int = field(
        default=2,
        metadata=doc("Further tries at a file that failed.", minimum=0, maximum=5),
    )
    on_failure: Literal["skip", "stop", "ask"] = field(
        default="skip",
        metadata=doc(
            "What follows when a file failed for good: `skip` goes on with the files that do not need it, `stop` "
            "ends the run, `ask` asks."
        ),
    )
    run_checks: Literal["ask", "run", "off"] = field(
        default="ask",
        metadata=doc(
            "Whether the `check` commands of a plan run, in a copy of the workspace; in a trusted workspace only."
        ),
    )
    check_timeout: float = field(
        default=120.0, metadata=doc("Seconds that a `check` command may take.", minimum=1)
    )
    step_timeout: float = field(
        default=1_800.0,
        metadata=doc("Seconds that one try at a file may take.", minimum=1),
    )
    knowledge_tokens: int = field(
        default=1_700,
        metadata=doc(
            "Most tokens of what one step is told of other files: records of those that are there, and what those "
            "to come are to define.",
            minimum=0,
        ),
    )
    reference_tokens: int = field(
        default=1_000,
        metadata=doc("Most tokens of snippets of references in one step.", minimum=0),
    )
    carried_notes: int = field(
        default=10,
        metadata=doc(
            "Most lines that the steps leave for those that follow.", minimum=0, maximum=50
        ),
    )
    tokens: int = field(
        default=0,
        metadata=doc(
            "Tokens, read and written, after which a task stops and asks to be resumed; 0: no limit.",
            minimum=0,
        ),
    )
    references: Literal["on", "off"] = field(
        default="on", metadata=doc("Whether a step is shown snippets of the references.")
    )
