"""`pairwright commit`: commit what is staged, with a message by the model or your own.

Exit code 0: committed (or said what would be); 1: not committed, the reason on stderr; 2: usage.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli import settings
from pairwright.cli.main import add_parser

if TYPE_CHECKING:
    from pairwright.config.schema import Settings
    from pairwright.engine.commit import Told


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `commit`."""
    parser = add_parser(commands, "commit")
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the repository")
    parser.add_argument("-m", "--message", default="", metavar="TEXT", help="the message to use")
    parser.add_argument("--model", default="", metavar="NAME", help="the model that writes it")
    parser.add_argument("--api-base", default="", metavar="URL", help="its server's address")
    parser.add_argument("--dry-run", action="store_true", help="print the message, commit nothing")
    parser.add_argument("--no-verify", action="store_true", help="leave out the hooks that refuse")
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Commit what `args` say; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright commit: {args.root} is not a folder", file=sys.stderr)
        return 2
    from dataclasses import replace

    found = settings.of_model(settings.of(args), args)
    if args.no_verify:
        found = replace(found, git=replace(found.git, verify=False))
    told = asyncio.run(_commit(args.root.resolve(), args.message, args.dry_run, found))
    if told.problem:
        print(f"The message is made by rule: {told.problem}", file=sys.stderr)
    if told.state == "planned":
        print(told.text, end="")
        return 0
    print(told.message, file=sys.stdout if told.state == "committed" else sys.stderr)
    return 0 if told.state == "committed" else 1


async def _commit(root: Path, message: str, dry: bool, found: Settings) -> Told:
    from pairwright.cli.commits import clerk

    async with clerk(root, found) as one:
        return await one.staged(root, message, dry=dry, sure=True)
