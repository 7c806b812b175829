"""Settings of the checks of an edit: syntax, lint, tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pairwright.config.words import doc


@dataclass(frozen=True, slots=True)
class Checks:
    """What a proposed edit is held to before it is shown, and after it is accepted."""

    syntax: bool = field(
        default=True,
        metadata=doc(
            "Syntax errors that an edit brings in go back to the model, in every language."
        ),
    )
    lint: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict,
        metadata=doc(
            "Commands that look at a changed file, by language or glob, as lists of words (no shell): "
            '`{"python": ["ruff", "check", "--output-format=concise", "--stdin-filename", "{path}", "-"]}`. '
            "`{file}` stands for a copy that holds the proposed text, `{path}` for its path in the "
            "workspace; without `{file}` the text comes on stdin. Only what is not said of the text before counts."
        ),
    )
    run_lint: Literal["auto", "ask", "off"] = field(
        default="auto",
        metadata=doc("Whether they run. Nothing runs where the workspace is not trusted."),
    )
    test: tuple[str, ...] = field(
        default=(), metadata=doc('The command that runs the tests: `["pytest", "-q"]`.')
    )
    run_test: Literal["ask", "auto", "off"] = field(
        default="ask",
        metadata=doc(
            "Whether tests run for an edit; a failure that the edit brought in goes back to the model."
        ),
    )
    test_when: Literal["after", "before"] = field(
        default="after",
        metadata=doc(
            "`after`: when an edit was accepted, in the workspace. `before`: when it is about to be proposed, in a "
            "copy of the workspace."
        ),
    )
    scratch_tree: bool = field(
        default=False,
        metadata=doc(
            "Lint in a copy of the whole workspace, for commands that need the files around the changed ones."
        ),
    )
    timeout: float = field(
        default=30.0,
        metadata=doc("Seconds after which a lint command is ended.", minimum=1),
    )
    test_timeout: float = field(
        default=600.0, metadata=doc("Seconds after which the tests are ended.", minimum=1)
    )
    keep_environment: tuple[str, ...] = field(
        default=(),
        metadata=doc(
            "Environment variables that these commands see although their names say that they hold a key, "
            "a token or a password."
        ),
    )
