"""`pairwright context`: what a model needs for an edit, on standard output, to paste into a chat in a browser.

Its answer goes to `pairwright apply` with the same format. Exit code 0: printed; 1: not printed, stderr says why;
2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli import settings
from pairwright.cli.main import add_parser
from pairwright.cli.map import progress, request_text
from pairwright.cli.names import files
from pairwright.edits.formats.registry import PARSERS

if TYPE_CHECKING:
    from pairwright.engine.door import Manifest
    from pairwright.engine.events import Stop
    from pairwright.engine.paper import Sheet

_TOKENS = 32_000


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `context`."""
    parser = add_parser(commands, "context")
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the folder")
    parser.add_argument(
        "--chat", action="append", default=[], metavar="FILE", help="a file that may be edited"
    )
    parser.add_argument(
        "--read", action="append", default=[], metavar="FILE", help="a file for reference only"
    )
    parser.add_argument(
        "--tokens",
        type=_positive,
        default=_TOKENS,
        metavar="N",
        help=f"the most the text may take ({_TOKENS:,})",
    )
    parser.add_argument(
        "--map-tokens", type=int, metavar="N", help="the budget of the map in it; 0 leaves it out"
    )
    parser.add_argument(
        "--format", choices=sorted(PARSERS), default="diff", help="how edits are asked for (diff)"
    )
    request = parser.add_mutually_exclusive_group()
    request.add_argument(
        "-m", "--message", default="", metavar="TEXT", help="what is asked for; else write it below"
    )
    request.add_argument("--message-file", type=Path, metavar="FILE", help="the same from a file")
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the text that `args` ask for; the exit code."""
    try:
        root = args.root.resolve(strict=True)
        if not root.is_dir():
            return _usage(f"{args.root} is not a folder")
        message = request_text(args)
    except OSError as error:
        return _usage(str(error))
    return _printed(root, message, args)


def _printed(root: Path, message: str, args: argparse.Namespace) -> int:
    from pairwright.engine.events import Stop

    try:
        made = _made(root, message, args)
    except OSError as error:
        return _failed(f"{root} cannot be indexed: {error}")
    if isinstance(made, str):
        return _usage(made)
    if isinstance(made, Stop):
        return _failed(made.message)
    sys.stdout.buffer.write(made.text.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    print(_summary(made.manifest), file=sys.stderr)
    return 0


def _made(root: Path, message: str, args: argparse.Namespace) -> Sheet | Stop | str:
    """The text, or why there is none; a string where a name is no file."""
    import asyncio

    from pairwright.config.load import environment
    from pairwright.engine.context import Turn
    from pairwright.engine.paper import paper
    from pairwright.workspace.host import Host
    from pairwright.workspace.remote import store

    found = settings.of(args)
    cache = store(environment())
    host = Host(str(root), found.index, cache)
    try:
        snapshot = host.scan(progress if sys.stderr.isatty() else None)
        chat, lost = files(root, args.chat, snapshot, "edit")
        read, more = files(root, args.read, snapshot, "read")
        if lost or more:
            return "; ".join((*lost, *more))
        turn = Turn("edit", message, chat=chat, read_only=read)
        asked = paper(
            turn,
            snapshot,
            format=args.format,
            tokens=args.tokens,
            map_tokens=found.map.tokens if args.map_tokens is None else args.map_tokens,
            conventions=found.context.conventions,
        )
        return asyncio.run(asked)
    finally:
        host.stop()
        cache.close()


def _summary(manifest: Manifest) -> str:
    """What is in the text, in a line."""
    parts = ", ".join(f"{name} {count:,}" for name, count in manifest.tokens)
    left_out = f"; left out to fit: {', '.join(manifest.left_out)}" if manifest.left_out else ""
    count = len(manifest.hidden)
    hidden = f"; {count} secret{'' if count == 1 else 's'} hidden" if count else ""
    return f"about {manifest.total:,} tokens ({parts}){left_out}{hidden}"


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise argparse.ArgumentTypeError("a budget must be positive")
    return number


def _failed(message: str) -> int:
    print(f"pairwright context: {message}", file=sys.stderr)
    return 1


def _usage(problem: str) -> int:
    print(f"pairwright context: {problem}", file=sys.stderr)
    return 2
