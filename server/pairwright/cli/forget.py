"""`pairwright forget`: remove every trace of a folder (or of all) from this machine. The folder itself stays.

Exit code 0: removed, or there was nothing; 1: not, stderr says why; 2: usage.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from pairwright.cli.main import add_parser, asked
from pairwright.config.load import environment
from pairwright.config.paths import cache_dir, data_dir
from pairwright.engine.forget import Trace, of_all, of_root


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = add_parser(commands, "forget")
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="the workspace folder"
    )
    parser.add_argument("--all", action="store_true", help="everything kept of any folder")
    parser.add_argument(
        "--keep-checkpoints", action="store_true", help="leave what `pairwright undo` needs"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print what there is, remove nothing"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show what is kept and remove it after a yes; the exit code."""
    if args.all and args.keep_checkpoints:
        print("pairwright forget: --all does not keep checkpoints", file=sys.stderr)
        return 2
    env = environment()
    data, cache = data_dir(env), cache_dir(env)
    root = str(args.root.resolve())
    found = (
        of_all(data, cache) if args.all else of_root(data, cache, root, not args.keep_checkpoints)
    )
    if not found:
        print("Nothing is kept." if args.all else f"Nothing is kept of {root}.")
        return 0
    print("All that is kept:" if args.all else f"Kept of {root}:")
    for trace in found:
        print(f"  {trace.what}")
    if args.dry_run:
        return 0
    if not args.yes and asyncio.run(asked("Remove it?", ("yes", "no"))) != "yes":
        print("Nothing was removed: say --yes to remove it.", file=sys.stderr)
        return 1
    return _removed(found)


def _removed(found: Sequence[Trace]) -> int:
    code = 0
    for trace in found:
        try:
            trace.remove()
        except OSError as error:
            print(f"pairwright forget: {trace.what}: {error}", file=sys.stderr)
            code = 1
    if code == 0:
        print("Removed.")
    return code
