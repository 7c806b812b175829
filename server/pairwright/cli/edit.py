"""`pairwright edit`: see `cli.ask`."""

from __future__ import annotations

import argparse

from pairwright.cli import checks
from pairwright.cli.ask import arguments, run


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `edit`."""
    parser = arguments(commands, "edit")
    parser.add_argument("--yes", action="store_true", help="apply without asking")
    parser.add_argument(
        "--unprotected", action="store_true", help="go on where no checkpoint can be made"
    )
    checks.add(parser)
    parser.set_defaults(run=lambda args: run(args, "edit"))
