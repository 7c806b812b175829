"""`pairwright map`: the repo map of a folder on standard output.

Exit code 0: printed, or there is nothing to print and stderr says why; 1: the folder cannot be
indexed, or the map of a manifest cannot be made again; 2: usage.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli import settings
from pairwright.cli.main import add_parser
from pairwright.config.index import Index

if TYPE_CHECKING:
    from pairwright.graph.types import Focus
    from pairwright.render.types import RepoMap
    from pairwright.workspace.manifest import MapManifest
    from pairwright.workspace.types import Snapshot

_TOKENS = 1024
_TOLD = 20
"""Differences that are named one by one."""


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
    parser.add_argument(
        "--manifest", type=Path, metavar="FILE", help="write down what the map was made from"
    )
    parser.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="FILE",
        help="make the map of a manifest again, or say what is different",
    )
    settings.add(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the map that `args` ask for; the exit code."""
    try:
        root = args.root.resolve(strict=True)
        if not root.is_dir():
            return _usage(f"{args.root} is not a folder")
        message = request_text(args)
        chat = [inside(root, name) for name in args.chat]
    except (OSError, UnicodeDecodeError) as error:
        return _usage(str(error))
    lost = [name for name, path in zip(args.chat, chat, strict=True) if path is None]
    if lost:
        return _usage(f"no such file below {root}: {', '.join(lost)}")
    given = settings.given(args)
    tokens = (
        given.map.tokens if given and args.source is None and args.tokens is None else args.tokens
    )
    wanted = _Wanted(message, tuple(path for path in chat if path is not None), tokens)
    before = _read(args.source) if args.source is not None else None
    if isinstance(before, str):
        return _usage(before)
    if before is not None and wanted != _Wanted("", (), None):
        return _usage("--from takes its request and budget from the manifest")
    return _map(root, given.index if given else Index(), wanted, before, args.manifest)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the arguments ask for. `tokens`: None = the usual budget."""

    message: str
    chat: tuple[str, ...]
    tokens: int | None

    def focus(self, snapshot: Snapshot) -> Focus:
        from pairwright.workspace.maps import focus_of

        return focus_of(snapshot, self.message, self.chat)

    @property
    def budget(self) -> int:
        return self.tokens if self.tokens is not None else _TOKENS * (1 if self.chat else 2)


def _map(
    root: Path, index: Index, wanted: _Wanted, before: MapManifest | None, manifest: Path | None
) -> int:
    from pairwright.config.environment import environment
    from pairwright.workspace.host import Host
    from pairwright.workspace.maps import repo_map
    from pairwright.workspace.remote import store

    cache = store(environment())
    host = Host(str(root), index, cache)
    try:
        snapshot = host.scan(progress if sys.stderr.isatty() else None)
        focus = before.focus if before else wanted.focus(snapshot)
        made = repo_map(snapshot, focus, before.budget if before else wanted.budget)
        found = _differences(before, made, snapshot) if before else []
        written = "" if found or manifest is None else _manifest(snapshot, focus, made)
    except OSError as error:
        return _failed(f"{root} cannot be indexed: {error}")
    finally:
        host.stop()
        cache.close()
    if found:
        return _failed("it would be another map:", *found)
    if manifest is not None:
        try:
            manifest.write_text(written, encoding="ascii")
        except OSError as error:
            return _failed(f"{manifest} cannot be written: {error.strerror}")
    _print(made)
    return 0


def _print(made: RepoMap) -> None:
    # File names need not be UTF-8; what cannot be printed is escaped.
    sys.stdout.buffer.write(made.text.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()
    if made.reason:
        print(made.reason, file=sys.stderr)


def _manifest(snapshot: Snapshot, focus: Focus, made: RepoMap) -> str:
    from pairwright.workspace.manifest import ESTIMATE, record, to_json

    return to_json(record(snapshot, focus, made, ESTIMATE))


def _read(path: Path) -> MapManifest | str:
    """The manifest at `path`, or why there is none."""
    from pairwright.workspace.manifest import NotAManifest, from_json

    try:
        return from_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    except ValueError as error:
        return f"{path}: {error if isinstance(error, NotAManifest) else 'it is no text'}"


def _differences(before: MapManifest, made: RepoMap, snapshot: Snapshot) -> list[str]:
    """Why `made` is not the map of `before`, a line each; empty if it is."""
    from pairwright.workspace.manifest import differences, same_text

    if same_text(before, made.text):
        return []
    found = list(islice(differences(before, snapshot), _TOLD + 1))
    if len(found) > _TOLD:
        found[_TOLD:] = ["and more"]
    return found or ["nothing that a manifest keeps is different"]


def _budget(word: str) -> int:
    number = int(word)
    if number < 0:
        raise argparse.ArgumentTypeError("a budget cannot be negative")
    return number


def request_text(args: argparse.Namespace) -> str:
    """What `--message` or `--message-file` ask for. Raises OSError."""
    if args.message_file is None:
        return str(args.message)
    raw: bytes = args.message_file.read_bytes()
    return raw.decode("utf-8-sig", "replace")


def inside(root: Path, name: str) -> str | None:
    """The path of the file `name` below `root`, given relative to it or to the working directory."""
    for place in (root / name, Path(name)):
        full = place.parent.resolve() / place.name
        if full.is_file() and full.is_relative_to(root):
            return full.relative_to(root).as_posix()
    return None


def progress(done: int, total: int) -> None:
    """One line of a terminal, written over and over."""
    end = "\n" if done >= total else ""
    print(f"\rindexing {done:,} of {total:,} files", end=end, file=sys.stderr, flush=True)


def _failed(*lines: str) -> int:
    print(f"pairwright map: {chr(10).join(lines)}", file=sys.stderr)
    return 1


def _usage(problem: str) -> int:
    print(f"pairwright map: {problem}", file=sys.stderr)
    return 2
