"""`pairwright checkpoints`: the list, newest first; with an id, what that one changed, as a diff."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from pairwright.checkpoints.types import CheckpointError
from pairwright.cli.desk import around, desk_of
from pairwright.cli.main import add_parser
from pairwright.config.schema import Settings
from pairwright.engine.undo_text import changes_of, entries, whole_id


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = add_parser(commands, "checkpoints")
    parser.add_argument("--root", type=Path, default=Path(), help="the workspace folder, or below")
    parser.add_argument("--limit", type=int, default=50, help="at most so many (50)")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.add_argument("--folder", action="store_true", help="print where they are kept")
    parser.add_argument("checkpoint", nargs="?", metavar="ID", help="show what this one changed")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what `args` ask for; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright checkpoints: {args.root}: no such folder", file=sys.stderr)
        return 2
    store = desk_of(around(args.root), Settings()).store
    if args.folder:
        print(store.path)
        return 0
    try:
        if args.checkpoint is not None:
            text = changes_of(store, whole_id(store, args.checkpoint))
            if text is None:
                print(f"There is no checkpoint {args.checkpoint}.", file=sys.stderr)
                return 1
            _print(text)
            return 0
        found = entries(store, max(args.limit, 0))
    except CheckpointError as error:
        print(f"pairwright checkpoints: {error}", file=sys.stderr)
        return 1
    if args.json:
        tree = [{**asdict(one.checkpoint), "undone": one.undone} for one in found]
        print(json.dumps(tree, indent=2))
        return 0
    _print("".join(f"{one.text}\n" for one in found))
    return 0


def _print(text: str) -> None:
    # Names of files need not be UTF-8.
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
