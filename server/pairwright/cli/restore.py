"""`pairwright restore`: files exactly as a checkpoint holds them. What stands there is recorded first.

Exit codes as those of `pairwright undo`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from pairwright.checkpoints.types import CheckpointError
from pairwright.cli import settings
from pairwright.cli.desk import around, desk_of, told
from pairwright.cli.main import add_parser
from pairwright.cli.undo import shown
from pairwright.engine.undo import How, UndoResult, restore
from pairwright.engine.undo_text import whole_id


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = add_parser(commands, "restore")
    parser.add_argument("--root", type=Path, default=Path(), help="the workspace folder, or below")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    parser.add_argument(
        "--unprotected", action="store_true", help="go on where no checkpoint can be made"
    )
    parser.add_argument("checkpoint", metavar="ID", help="an id of `pairwright checkpoints`")
    parser.add_argument("files", nargs="*", metavar="FILE", help="only these; default all it holds")
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Restore what `args` name; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright restore: {args.root}: no such folder", file=sys.stderr)
        return 2
    how = How(dry=args.dry_run, unprotected=args.unprotected)
    try:
        return shown(asyncio.run(_run(args, how)))
    except CheckpointError as error:
        print(f"pairwright restore: {error}", file=sys.stderr)
        return 1


async def _run(args: argparse.Namespace, how: How) -> UndoResult:
    root = around(args.root)
    desk = desk_of(root, settings.of(args))
    await told(desk)
    id = whole_id(desk.store, args.checkpoint) or args.checkpoint
    return await restore(desk, id, [_below(root, args.root, name) for name in args.files], how)


def _below(root: Path, here: Path, name: str) -> str:
    """`name`, given relative to `here`, relative to `root`."""
    place = Path(here, name)
    full = place.parent.resolve() / place.name
    return (
        full.relative_to(root.resolve()).as_posix() if full.is_relative_to(root.resolve()) else name
    )
