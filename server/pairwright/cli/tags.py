"""`pairwright tags --json PATH…`: the definitions and references of files, for people and scripts."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pairwright.tags.languages import language_of
from pairwright.tags.types import Tags
from pairwright.text.encoding import Undecodable, decode
from pairwright.text.lines import LineIndex
from pairwright.workspace.apart import Apart


def add(subparsers: Any) -> None:
    """Register the command with `argparse`'s sub-parsers."""
    parser = subparsers.add_parser(
        "tags", help="print the definitions and references of files", description=__doc__
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder to walk")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tags of `args.paths`; 1 if one of them could not be read."""
    with Apart() as apart:
        found, status = _read(args.paths, apart)
    _show(found, as_json=args.json)
    return status


def _read(paths: list[str], apart: Apart) -> tuple[dict[str, dict[str, object]], int]:
    """What was found by path, and the exit status."""
    here = Path.cwd()
    found: dict[str, dict[str, object]] = {}
    status = 0
    for path, is_named in _files(paths):
        try:
            raw = path.read_bytes()
        except OSError as error:
            print(f"pairwright tags: {path}: {error.strerror}", file=sys.stderr)
            status = 1
            continue
        decoded = decode(raw)
        if isinstance(decoded, Undecodable):
            print(f"pairwright tags: {path} {decoded.reason}", file=sys.stderr)
            continue
        if not is_named and language_of(str(path), decoded.data) is None:
            continue
        key = os.path.relpath(path, here).replace(os.sep, "/")
        tags = apart.tags(key, decoded.data)
        if tags.problem:
            print(f"pairwright tags: {path} {tags.problem}", file=sys.stderr)
        found[key] = _row(tags, decoded.data)
    return found, status


def _files(paths: list[str]) -> Iterator[tuple[Path, bool]]:
    """The files at and below `paths`, sorted within each folder, and whether they were named themselves.
    Hidden folders are left out and links to folders not followed."""
    for given in map(Path, paths):
        if not given.is_dir():
            yield given, True
            continue
        for folder, folders, names in os.walk(given):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                path = Path(folder, name)
                if path.is_file():
                    yield path, False


def _row(tags: Tags, data: bytes) -> dict[str, object]:
    lines = LineIndex.of(data)
    defs = [[item.name, item.kind, lines.line_at(item.name_start) + 1] for item in tags.defs]
    return {"defs": defs, "refs": list(tags.ref_names)}


def _show(found: dict[str, dict[str, object]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found, ensure_ascii=True))
        return
    for path, tags in found.items():
        for name, kind, line in tags["defs"]:  # type: ignore[attr-defined]
            print(f"{path}:{line}: {kind} {name}")
