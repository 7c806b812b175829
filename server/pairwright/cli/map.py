"""`pairwright map`: the repo map of a folder on standard output.

Exit code 0: printed, or there is nothing to print and stderr says why; 1: the folder cannot be
indexed; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pairwright.cli.main import add_parser

_TOKENS = 1024


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `map`."""
    parser = add_parser(commands, "map")
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the folder")
    parser.add_argument(
        "--tokens",
        type=_budget,
        metavar="N",
        help=f"the budget ({_TOKENS}; twice that without --chat)",
    )
    parser.add_argument(
        "--chat",
        action="append",
        default=[],
        metavar="FILE",
        help="a file that is sent whole: the map shows what belongs to it",
    )
    request = parser.add_mutually_exclusive_group()
    request.add_argument("--message", default="", metavar="TEXT", help="what is asked for")
    request.add_argument("--message-file", type=Path, metavar="FILE", help="the same from a file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the map that `args` ask for; the exit code."""
    try:
        root = args.root.resolve(strict=True)
        if not root.is_dir():
            return _usage(f"{args.root} is not a folder")
        message = _message(args)
        chat = [_inside(root, name) for name in args.chat]
    except (OSError, UnicodeDecodeError) as error:
        return _usage(str(error))
    lost = [name for name, path in zip(args.chat, chat, strict=True) if path is None]
    if lost:
        return _usage(f"no such file below {root}: {', '.join(lost)}")
    tokens = args.tokens if args.tokens is not None else _TOKENS * (1 if chat else 2)
    return _print_map(root, tokens, tuple(path for path in chat if path is not None), message)


def _print_map(root: Path, tokens: int, chat: tuple[str, ...], message: str) -> int:
    from pairwright.config.load import environment
    from pairwright.config.paths import cache_dir
    from pairwright.config.schema import Index
    from pairwright.workspace.cache import Cache
    from pairwright.workspace.host import Host
    from pairwright.workspace.maps import focus_of, repo_map

    cache = Cache(cache_dir(environment()) / "index")
    host = Host(str(root), Index(), cache)
    try:
        snapshot = host.scan(_progress if sys.stderr.isatty() else None)
        made = repo_map(snapshot, focus_of(snapshot, message, chat), tokens)
    except OSError as error:
        print(f"pairwright map: {root} cannot be indexed: {error}", file=sys.stderr)
        return 1
    finally:
        host.stop()
        cache.close()
    # File names need not be UTF-8; what cannot be printed is escaped.
    sys.stdout.buffer.write(made.text.encode("utf-8", "backslashreplace"))
    if made.text and not made.text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.flush()
    if made.reason:
        print(made.reason, file=sys.stderr)
    return 0


def _budget(word: str) -> int:
    number = int(word)
    if number < 0:
        raise argparse.ArgumentTypeError("a budget cannot be negative")
    return number


def _message(args: argparse.Namespace) -> str:
    if args.message_file is None:
        return str(args.message)
    raw: bytes = args.message_file.read_bytes()
    return raw.decode("utf-8-sig", "replace")


def _inside(root: Path, name: str) -> str | None:
    """The path of the file `name` below `root`, given relative to it or to the working directory."""
    for place in (root / name, Path(name)):
        full = place.parent.resolve() / place.name
        if full.is_file() and full.is_relative_to(root):
            return full.relative_to(root).as_posix()
    return None


def _progress(done: int, total: int) -> None:
    end = "\n" if done >= total else ""
    print(f"\rindexing {done:,} of {total:,} files", end=end, file=sys.stderr, flush=True)


def _usage(problem: str) -> int:
    print(f"pairwright map: {problem}", file=sys.stderr)
    return 2
