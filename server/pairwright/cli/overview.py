"""`pairwright overview`: a picture of a whole repository, as SVG or HTML.

Exit code 0: written; 1: nothing to show, or it cannot be written; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pairwright.cli import settings
from pairwright.cli.main import add_parser


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `overview`."""
    parser = add_parser(commands, "overview")
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the repository")
    parser.add_argument("--title", metavar="TEXT", help="the heading (the folder's name)")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="an .svg or .html file; without it SVG goes to standard output",
    )
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw what `args` ask for; the exit code."""
    output: Path | None = args.output
    if not args.root.is_dir():
        return _failed(f"{args.root} is not a folder", 2)
    if output is not None and output.suffix.lower() not in (".svg", ".html"):
        return _failed(f"{output} should end in .svg or .html", 2)
    from pairwright.config.load import environment
    from pairwright.graph.overview import overview
    from pairwright.render.chart_svg import html, svg
    from pairwright.workspace.host import Host
    from pairwright.workspace.remote import store

    root = args.root.resolve()
    index = settings.index_of(args)
    cache = store(environment())
    host = Host(str(root), index, cache)
    try:
        snapshot = host.scan(_progress if sys.stderr.isatty() else None)
        _say("clustering")
        found = overview(snapshot.graph())
    finally:
        host.stop()
        cache.close()
    if not found.clusters:
        return _failed(f"nothing is defined in {root}: there is nothing to draw", 1)
    draw = html if output is not None and output.suffix.lower() == ".html" else svg
    text = draw(found, args.title or root.name or str(root))
    if output is None:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.flush()
        return 0
    try:
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        return _failed(f"{output} cannot be written: {error}", 1)
    _say(f"{output}: {found.count:,} files in {len(found.clusters)} clusters")
    return 0


def _progress(done: int, total: int) -> None:
    end = "\n" if done >= total else ""
    print(f"\rindexing {done:,} of {total:,} files", end=end, file=sys.stderr, flush=True)


def _say(words: str) -> None:
    if sys.stderr.isatty():
        print(words, file=sys.stderr, flush=True)


def _failed(problem: str, code: int) -> int:
    print(f"pairwright overview: {problem}", file=sys.stderr)
    return code
