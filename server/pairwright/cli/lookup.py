"""`pairwright lookup`: where names are defined in another repository, with their text.

Exit code 0: found; 1: none of the names is defined there; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pairwright.cli.main import add_parser


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `lookup`."""
    parser = add_parser(commands, "lookup")
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the repository")
    parser.add_argument("--lines", type=int, default=40, metavar="N", help="most lines a place")
    parser.add_argument("names", nargs="+", metavar="NAME", help="names, exactly as defined")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the definitions that `args` ask for; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright lookup: {args.root} is not a folder", file=sys.stderr)
        return 2
    from pairwright.config.load import environment
    from pairwright.config.schema import Index
    from pairwright.reference.lookup import lookup
    from pairwright.workspace.host import Host
    from pairwright.workspace.remote import store

    cache = store(environment())
    host = Host(str(args.root.resolve()), Index(), cache)
    try:
        found = lookup(host.scan(None), args.names, most=max(1, args.lines))
    finally:
        host.stop()
        cache.close()
    for item in found:
        print(f"{item.path}:{item.line}: {item.kind} {item.name}, {item.references} references")
        print(item.text, end="\n\n")
    missing = [name for name in args.names if all(item.name != name for item in found)]
    if missing:
        print(f"not defined in {args.root}: {', '.join(missing)}", file=sys.stderr)
    return 0 if found else 1
