"""`pairwright model key [PROVIDER]`: keys of providers in a file that only the user can read."""

from __future__ import annotations

import argparse
import getpass
import sys

from pairwright.config import paths
from pairwright.config.load import environment
from pairwright.llm.keys import KeyFile, KeyFileError, owner

_TEXT = "store a provider's key in a file of your own (mode 0600); without PROVIDER, list what is stored"


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    verb = verbs.add_parser(
        "key",
        help=_TEXT,
        description=f"{_TEXT[0].upper()}{_TEXT[1:]}. The key is asked for at the terminal without being shown, or "
        "read from standard input. A key in the environment comes before it.",
    )
    verb.add_argument(
        "provider",
        nargs="?",
        metavar="PROVIDER",
        help="the provider as in a model's name (anthropic, openai, gemini), or the address of a server of your own",
    )
    verb.add_argument("--remove", action="store_true", help="forget the provider's key")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do it; the exit code."""
    file = KeyFile(paths.keys_file(environment()))
    try:
        return _list(file) if args.provider is None else _set(file, args.provider, args.remove)
    except KeyFileError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _list(file: KeyFile) -> int:
    for name in sorted(file.read()):
        print(name)
    return 0


def _set(file: KeyFile, provider: str, remove: bool) -> int:
    name = owner(provider, provider if "://" in provider else "")
    key = "" if remove else _read(name)
    if not key and not remove:
        print("error: no key was given; nothing was stored", file=sys.stderr)
        return 1
    file.write(name, key)
    what = "forgotten" if remove else "stored"
    print(f"The key of {name} is {what} in {file.path}.", file=sys.stderr)
    return 0


def _read(name: str) -> str:
    if sys.stdin.isatty():
        return getpass.getpass(f"Key of {name} (not shown): ").strip()
    return sys.stdin.readline().strip()
