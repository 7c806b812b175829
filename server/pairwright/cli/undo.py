"""`pairwright undo`: take back the last accept, a whole turn, or one of the list.

Exit code 0: done (or it could be, in a dry run); 1: refused, with the reason and both sides of every
conflict on stderr and nothing changed; 2: usage. Files open in an editor with unsaved text: undo
there.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from pairwright.cli import settings
from pairwright.cli.commits import following
from pairwright.cli.desk import around, desk_of, told
from pairwright.cli.main import add_parser
from pairwright.engine.undo import How, UndoResult, redo, undo


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = add_parser(commands, "undo")
    parser.add_argument("--root", type=Path, default=Path(), help="the workspace folder, or below")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    parser.add_argument("--turn", action="store_true", help="all accepts of the same request")
    parser.add_argument("--redo", action="store_true", help="take the last undo back")
    parser.add_argument(
        "--unprotected", action="store_true", help="go on where no checkpoint can be made"
    )
    parser.add_argument(
        "target", nargs="?", metavar="ID", help="a checkpoint or proposal; default the last accept"
    )
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Take back what `args` name; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright undo: {args.root}: no such folder", file=sys.stderr)
        return 2
    how = How(turn=args.turn, dry=args.dry_run, unprotected=args.unprotected)
    return shown(asyncio.run(_run(args, how)))


async def _run(args: argparse.Namespace, how: How) -> UndoResult:
    root, found = around(args.root), settings.of(args)
    async with following(root, found) as recorded:
        desk = desk_of(root, found, None, recorded)
        await told(desk)
        return await (redo(desk, how) if args.redo else undo(desk, args.target, how))


def shown(result: UndoResult) -> int:
    """Print an outcome; the exit code."""
    if result.state == "planned":
        print(result.plan, end="")
        return 0
    good = result.state == "done"
    print(result.message, file=sys.stdout if good else sys.stderr)
    if result.warning:
        print(result.warning, file=sys.stderr)
    for conflict in result.conflicts:
        if conflict.line:
            print(f"{conflict.path}, line {conflict.line}, now:", file=sys.stderr)
            print(_indented(conflict.now), file=sys.stderr)
            print("undo would bring back:", file=sys.stderr)
            print(_indented(conflict.wanted), file=sys.stderr)
    if result.conflicts and result.way_out:
        paths = " ".join(dict.fromkeys(conflict.path for conflict in result.conflicts))
        command = f"pairwright restore {result.way_out[:8]} {paths}"
        print(f"To bring these files back whole: {command}", file=sys.stderr)
    return 0 if good else 1


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines()) or "    (nothing)"
