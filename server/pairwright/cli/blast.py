"""`pairwright blast`: what static references lead to names of a repository.

Exit code 0: printed; 1: none of the names is defined there; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pairwright.cli import settings
from pairwright.cli.main import add_parser


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `blast`."""
    parser = add_parser(commands, "blast")
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the repository")
    parser.add_argument(
        "--depth", type=int, default=2, choices=range(1, 6), help="steps of references (2)"
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="names, exactly as defined")
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what leads to the names in `args`; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright blast: {args.root} is not a folder", file=sys.stderr)
        return 2
    from pairwright.config.load import environment
    from pairwright.engine.impact import impact, of_names, told
    from pairwright.workspace.host import Host
    from pairwright.workspace.remote import store

    index = settings.index_of(args)
    cache = store(environment())
    host = Host(str(args.root.resolve()), index, cache)
    try:
        snapshot = host.scan(None)
        changed = of_names(snapshot, args.names)
        text = told(snapshot, impact(snapshot, changed, depth=args.depth))
    finally:
        host.stop()
        cache.close()
    if text:
        sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    known = {item.definition.name for item in changed}
    missing = [name for name in args.names if name not in known]
    if missing:
        print(f"not defined in {args.root}: {', '.join(missing)}", file=sys.stderr)
    return 0 if text else 1
