"""`pairwright records`: what is known of files, as Markdown: definitions, imports, users, and what models said.

Exit code 0: printed; 1: a name means no file, or nothing is known; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pairwright.cli import settings
from pairwright.cli.main import add_parser

_CARRIED = 20


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `records`."""
    parser = add_parser(commands, "records")
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="the workspace folder"
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="a path, the end of one, a folder or a glob; without any, the files that a model said something of",
    )
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the records that `args` ask for; the exit code."""
    if not args.root.is_dir():
        print(f"pairwright records: {args.root} is not a folder", file=sys.stderr)
        return 2
    from pairwright.cli.map import progress
    from pairwright.config.load import environment
    from pairwright.config.paths import data_dir
    from pairwright.engine.record_page import page
    from pairwright.engine.records import Notebook, place_of
    from pairwright.memory.shelf import Shelf
    from pairwright.workspace.host import Host
    from pairwright.workspace.remote import store

    root = args.root.resolve()
    index = settings.index_of(args)
    cache = store(environment())
    # Looking makes no file.
    place = place_of(data_dir(environment()), str(root))
    shelf = Shelf(place if place.exists() else None)
    host = Host(str(root), index, cache)
    try:
        snapshot = host.scan(progress if sys.stderr.isatty() else None)
        made = page(Notebook(shelf).at(snapshot), args.files, _carried(root))
    finally:
        host.stop()
        shelf.close()
        cache.close()
    if not made.paths:
        reason = "; ".join(made.problems) or made.text.strip()
        print(f"pairwright records: {reason}", file=sys.stderr)
        return 1
    for problem in made.problems:
        print(f"pairwright records: {problem}", file=sys.stderr)
    sys.stdout.buffer.write(made.text.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    return 1 if made.problems else 0


def _carried(root: Path) -> tuple[str, ...]:
    """What the newest task carries over from file to file; none without one."""
    from pairwright.checkpoints.place import folder_of
    from pairwright.config.load import environment
    from pairwright.config.paths import data_dir
    from pairwright.engine.task.journal import Journal

    data = data_dir(environment())
    found = Journal(data / "tasks" / folder_of(data, str(root)).name).listed()
    return found[0].notes(_CARRIED) if found else ()
