"""Settings of the commands: those of the user's file, then `--set`, then a command's own options.

Only a file of the user's configuration folder counts unasked, never one of the folder that is worked in. Where the
server falls back to the last good value, a command refuses: what limits its cost must not be lost by a slip.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pairwright.cli.main import Refused

if TYPE_CHECKING:
    from pairwright.config.index import Index
    from pairwright.config.schema import Settings


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of a command that has settings."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="settings in JSON or TOML; else those of your configuration folder, see settings.md",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting that wins over those of the file, such as git.mode=commit",
    )


def of(args: argparse.Namespace) -> Settings:
    """The settings that `args` mean. Raises Refused; a key that is no setting is named on stderr."""
    from pairwright.config.load import Layer, assignments, load, section

    path = _file(args)
    layers = []
    if path is not None:
        layers.append(Layer(str(path), section(_read(path))))
    values, problems = assignments(args.set)
    loaded = load((*layers, Layer("--set", values)))
    if wrong := (*problems, *loaded.refused):
        raise Refused(" ".join(wrong))
    for unknown in loaded.unknown:
        print(f"pairwright: {unknown}", file=sys.stderr)
    return loaded.settings


def given(args: argparse.Namespace) -> Settings | None:
    """The settings that `args` mean, None where nothing is set, so that nothing is imported for it. Raises
    Refused."""
    return of(args) if args.set or _file(args) is not None else None


def index_of(args: argparse.Namespace) -> Index:
    """Those of the index alone. Raises Refused."""
    from pairwright.config.index import Index

    found = given(args)
    return found.index if found else Index()


def of_model(settings: Settings, args: argparse.Namespace) -> Settings:
    """`settings` with the model that `--model` and `--api-base` name."""
    from dataclasses import replace

    name, base = getattr(args, "model", ""), getattr(args, "api_base", "")
    model = settings.model
    if name and name != model.name:
        from pairwright.llm.models import for_another

        model = for_another(model, name)
    return replace(settings, model=replace(model, api_base=base or model.api_base))


def _file(args: argparse.Namespace) -> Path | None:
    from pairwright.config.environment import environment
    from pairwright.config.file import UnusableFile, usual

    try:
        named: Path | None = args.settings
        return named if named is not None else usual(environment())
    except UnusableFile as error:
        raise Refused(str(error)) from error


def _read(path: Path) -> dict[str, object]:
    from pairwright.config.file import UnusableFile, read

    try:
        return read(path)
    except UnusableFile as error:
        raise Refused(str(error)) from error
