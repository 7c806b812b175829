"""`pairwright editor`: where the plugin of an editor is, or a copy of it for a plugin manager. Starts no editor.

Exit code 0: printed or copied; 1: not, stderr says why; 2: usage.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from pairwright.cli.main import add_parser

EDITORS = ("nvim",)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand and its options."""
    parser = add_parser(commands, "editor")
    parser.add_argument("editor", choices=EDITORS, help="the editor")
    parser.add_argument(
        "--copy",
        type=Path,
        metavar="DIR",
        help="copy the plugin to DIR, in the place of an older copy",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the plugin's folder, or copy it; the exit code."""
    source = plugin(args.editor)
    if source is None:
        print(
            f"pairwright editor: this installation has no plugin for {args.editor}.",
            file=sys.stderr,
        )
        return 1
    if args.copy is None:
        print(source)
        return 0
    try:
        copy(source, args.copy)
    except OSError as error:
        print(f"pairwright editor: {error}", file=sys.stderr)
        return 1
    print(args.copy.resolve())
    return 0


def plugin(editor: str) -> Path | None:
    """The folder of an editor's plugin, of the wheel or of the checkout; None where neither has it."""
    package = Path(str(files("pairwright")))
    found = (package / "editors" / editor, package.parents[1] / "editors" / editor)
    return next((one for one in found if one.is_dir()), None)


def copy(source: Path, target: Path) -> None:
    """Make `target` a copy of `source`. Raises FileExistsError where something else is there, OSError."""
    if target.exists():
        is_ours = (target / "lua" / "pairwright").is_dir()
        if not is_ours and (not target.is_dir() or any(target.iterdir())):
            raise FileExistsError(
                f"{target} is there and is no copy of the plugin: nothing was changed"
            )
        shutil.rmtree(target)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
