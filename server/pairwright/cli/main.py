"""The `pairwright` command: one module a subcommand, loaded only when it is the one asked for."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

import pairwright

_HELP = {
    "serve": "run the language server",
    "map": "print the repo map of a folder",
    "ask": "ask a model about a folder; the answer streams to the terminal",
    "edit": "have a model edit files; shown as a diff, applied after a yes",
    "context": "print what a model needs for an edit, to paste into a chat",
    "apply": "apply the edit blocks of a reply to files",
    "undo": "take back the last accept or apply",
    "checkpoints": "list what can be taken back, or show what one changed",
    "restore": "bring files back as a checkpoint holds them",
    "sessions": "list conversations, print or delete one",
    "forget": "remove every trace of a folder from this machine",
    "commit": "commit what is staged, with a message by the model",
    "blast": "print what static references lead to names",
    "overview": "draw a whole repository: clusters, what is used most, where it starts",
    "lookup": "print where names are defined in another repository",
    "task": "plan a longer piece of work and carry it out file by file",
    "records": "print what is known of files, and what models said of them",
    "reference": "add, list, remove and search repositories to look things up in",
    "store": "write what was worked out here where other machines read it",
    "tags": "print the definitions and references of files",
    "model": "fetch, list or remove local models",
    "editor": "print where the plugin of an editor is, or copy it",
    "doctor": "check the installation",
}


class Refused(Exception):
    """The command line cannot be carried out; the text says why, for the user. The exit code is 2."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="pairwright", description="An AI pair programmer behind every LSP editor."
    )
    version = f"pairwright {pairwright.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, text in _HELP.items():
        # `serve` must not pay for what the other commands import.
        if name == chosen:
            importlib.import_module(f"pairwright.cli.{name}").add(commands)
        else:
            commands.add_parser(name, help=text)
    args = parser.parse_args(words)
    try:
        return int(args.run(args))
    except Refused as refused:
        print(f"pairwright {args.command}: {refused}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 141


def add_parser(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str
) -> argparse.ArgumentParser:
    """The parser of subcommand `name` with its line of help; for the `add` of each module."""
    return commands.add_parser(name, help=_HELP[name], description=_HELP[name].capitalize() + ".")


async def asked(question: str, options: Sequence[str]) -> str | None:
    """Put a question to the person at the terminal; the option chosen, None where there is nobody."""
    # Not at the top: `serve` and `map` start without it.
    import asyncio

    if not sys.stdin.isatty():
        return None
    print(f"{question} [{'/'.join(options)}] ", end="", file=sys.stderr, flush=True)
    answer = (await asyncio.to_thread(sys.stdin.readline)).strip().lower()
    return next((one for one in options if answer and one.lower().startswith(answer)), None)
