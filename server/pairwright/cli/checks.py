"""The checks that `pairwright edit` is told on the command line: who types a command there vouches for it."""

from __future__ import annotations

import argparse
import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairwright.config.schema import Settings
    from pairwright.engine.checks import Checks

_KEYED = re.compile(r"([\w.*?/\[\]!-]+)=(.+)", re.DOTALL)


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "--lint",
        action="append",
        default=[],
        type=lint,
        metavar="[GLOB=]COMMAND",
        help="hold changed files to a command: it gets the text on stdin, or in {file}; see checks.md",
    )
    parser.add_argument(
        "--test",
        default=(),
        type=words,
        metavar="COMMAND",
        help="hold the edit to the tests, run in a copy of the folder before it is shown",
    )
    parser.add_argument(
        "--unchecked",
        action="store_true",
        help="with --yes, apply also what checks have something against",
    )


def lint(text: str) -> tuple[str, tuple[str, ...]]:
    """`GLOB=COMMAND` (or a language), or a command for every file, as (key, words)."""
    found = _KEYED.fullmatch(text)
    # A command may begin with a variable of the shell's, which there is none of.
    key, command = (found[1], found[2]) if found else ("*", text)
    return key, words(command)


def words(text: str) -> tuple[str, ...]:
    """A command as its words, quoted as in a shell. Raises ArgumentTypeError."""
    try:
        found = tuple(shlex.split(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be read: {error}") from error
    if not found:
        raise argparse.ArgumentTypeError("the command is empty")
    return found


def checks_of(args: argparse.Namespace, settings: Settings) -> Checks:
    """What the edit is held to: what was named here, beside the commands of `settings` where those vouch for the
    workspace. Tests run before the edit is shown, since a command ends with it."""
    from pairwright.config.load import environment
    from pairwright.engine.checks import Checks
    from pairwright.workspace.run import Commands

    own = settings.checks if settings.trusted else replace(settings.checks, lint={}, test=())
    lint, test = dict(getattr(args, "lint", ())), getattr(args, "test", ())
    checks = replace(
        own,
        lint={**own.lint, **lint},
        run_lint="auto" if lint else own.run_lint,
        test=test or own.test,
        run_test="auto" if test else own.run_test,
        test_when="before",
    )
    return Checks(checks, Commands(environment(), checks.keep_environment), trusted=True)
