"""`pairwright commit`: commit what is staged, with a message by the model or your own.

Exit code 0: committed (or said what would be); 1: not committed, the reason on stderr; 2: usage.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli.main import add_parser, asked

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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Commit what `args` say; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright commit: {args.root} is not a folder", file=sys.stderr)
        return 2
    from dataclasses import replace

    from pairwright.config.schema import Settings

    plain = Settings()
    settings = replace(
        plain,
        model=replace(plain.model, name=args.model, api_base=args.api_base),
        git=replace(plain.git, verify=not args.no_verify),
    )
    told = asyncio.run(_commit(args.root.resolve(), args.message, args.dry_run, settings))
    if told.problem:
        print(f"The message is made by rule: {told.problem}", file=sys.stderr)
    if told.state == "planned":
        print(told.text, end="")
        return 0
    print(told.message, file=sys.stdout if told.state == "committed" else sys.stderr)
    return 0 if told.state == "committed" else 1


async def _commit(root: Path, message: str, dry: bool, settings: Settings) -> Told:
    from pairwright.checkpoints.place import folder_of
    from pairwright.checkpoints.repo import Store
    from pairwright.config.load import environment
    from pairwright.config.paths import data_dir
    from pairwright.engine.commit import Clerk, Desk
    from pairwright.engine.door import Door
    from pairwright.engine.spend import kept
    from pairwright.llm.models import ConfiguredModels
    from pairwright.workspace.cache import Cache
    from pairwright.workspace.host import Host

    env = environment()
    models = ConfiguredModels(settings.model, env)
    # Not scanned: only its ignore rules are asked.
    host = Host(str(root), settings.index, Cache(None))
    door = Door(lambda: settings.privacy, kept(data_dir(env), str(root), lambda: settings.budget))
    desk = Desk(lambda: settings, env, models, door, host.snapshot, asked, lambda event: None)
    clerk = Clerk(desk, Store(folder_of(data_dir(env), str(root)), str(root)))
    try:
        return await clerk.staged(root, message, dry=dry, sure=True)
    finally:
        await models.close()
        host.stop()
