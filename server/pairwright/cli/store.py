"""`pairwright store`: the derived values of this machine, written where others read them.

Exit code 0: done; 1: it could not be written; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pairwright.cli.main import add_parser


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `store`."""
    parser = add_parser(commands, "store")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    publish = actions.add_parser(
        "publish", help="index folders and write all derived values to an address"
    )
    publish.add_argument("url", metavar="URL", help="a folder, or an address that fsspec knows")
    publish.add_argument(
        "--root",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder to index first; none: what the store has",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Index what `args` name and publish the store; the exit code."""
    lost = [root for root in args.root if not root.is_dir()]
    if lost:
        print(f"pairwright store: {lost[0]} is not a folder", file=sys.stderr)
        return 2
    from pairwright.cli.map import progress
    from pairwright.config.load import environment
    from pairwright.config.schema import Index
    from pairwright.workspace.host import Host
    from pairwright.workspace.remote import publish, store

    cache = store(environment())
    try:
        for root in args.root:
            host = Host(str(root.resolve()), Index(), cache)
            try:
                host.scan(progress if sys.stderr.isatty() else None)
            finally:
                host.stop()
        report = _writing if sys.stderr.isatty() else None
        packs = publish(cache.everything(), cache.size(), args.url, report)
    except (OSError, ValueError, ImportError) as error:
        print(f"pairwright store: {args.url} cannot be written: {error}", file=sys.stderr)
        return 1
    finally:
        cache.close()
    print(f"{packs} packs at {args.url}")
    return 0


def _writing(done: int, total: int) -> None:
    """One line of a terminal, written over and over."""
    end = "\n" if done >= total else ""
    print(f"\rwriting part {done:,} of {total:,}", end=end, file=sys.stderr, flush=True)
