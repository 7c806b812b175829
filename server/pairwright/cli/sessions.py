"""`pairwright sessions`: the conversations of a folder; one of them as Markdown; delete one.

Exit code 0: done; 1: there is no such conversation, or the disk failed; 2: usage.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path

from pairwright.checkpoints.place import folder_of
from pairwright.cli.main import add_parser
from pairwright.config.load import environment
from pairwright.config.paths import data_dir
from pairwright.engine.session import Sessions
from pairwright.memory.chat import title_of
from pairwright.memory.markdown import markdown
from pairwright.memory.store import Listed, Store


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = add_parser(commands, "sessions")
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="DIR", help="the workspace folder"
    )
    parser.add_argument("--delete", action="store_true", help="remove the one named")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.add_argument("session", nargs="?", metavar="ID", help="print this one as Markdown")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what `args` ask for; the exit code."""
    if args.delete and not args.session:
        print("pairwright sessions: --delete needs the ID of one", file=sys.stderr)
        return 2
    try:
        return asyncio.run(_run(args, sessions_of(args.root.resolve())))
    except OSError as error:
        print(f"pairwright sessions: {error}", file=sys.stderr)
        return 1


def sessions_of(root: Path) -> Sessions:
    """The conversations of the folder `root`, a real path."""
    data = data_dir(environment())
    return Sessions(Store(data / "sessions" / folder_of(data, str(root)).name))


async def _run(args: argparse.Namespace, sessions: Sessions) -> int:
    if args.session is None:
        found = await sessions.listed()
        _print(_json(found) if args.json else "\n".join(map(_line, found)) or "None yet.")
        return 0
    chat = await sessions.opened(args.session)
    for problem in sessions.take_problems():
        print(problem, file=sys.stderr)
    if not chat.exchanges:
        print(f"pairwright sessions: there is no conversation {args.session}", file=sys.stderr)
        return 1
    if args.delete:
        await sessions.delete(args.session)
        _print(f"Deleted: {chat.title}")
        return 0
    _print(markdown(chat).removesuffix("\n"))
    return 0


def _print(text: str) -> None:
    # What was pasted into a conversation may be no valid UTF-8.
    sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "backslashreplace"))
    sys.stdout.flush()


def _line(one: Listed) -> str:
    when = datetime.fromtimestamp(one.updated).strftime("%Y-%m-%d %H:%M")
    turns = "1 turn" if one.turns == 1 else f"{one.turns} turns"
    return f"{one.session}  {when}  {turns:>9}  {title_of(one.first.request)}"


def _json(found: tuple[Listed, ...]) -> str:
    tree = [
        {
            "session": one.session,
            "title": title_of(one.first.request),
            "turns": one.turns,
            "created": one.created,
            "updated": one.updated,
        }
        for one in found
    ]
    return json.dumps(tree, indent=2)
