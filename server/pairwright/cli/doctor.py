"""`pairwright doctor`: what is installed, which model would answer, where files lie."""

from __future__ import annotations

import argparse

from pairwright.cli.main import add_parser


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `doctor`."""
    parser = add_parser(commands, "doctor")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print every check; 1 if one of them is an error."""
    import json
    from dataclasses import asdict

    from pairwright.config.load import Layer, assignments, load
    from pairwright.lsp import doctor

    values, problems = assignments(args.set)
    loaded = load([Layer("--set", values)])
    found = [doctor.Check("settings", "error", text) for text in (*problems, *loaded.problems)]
    found.extend(doctor.checks(loaded.settings))
    if args.json:
        print(json.dumps([asdict(item) for item in found], indent=2))
    else:
        print(doctor.text(found), end="")
    return int(any(item.state == "error" for item in found))
