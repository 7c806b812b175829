"""`pairwright reference`: repositories to look things up in: add, list, remove, index, search, relate.

Exit code 0: done; 1: refused, or nothing matches; 2: usage.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from pairwright.cli.main import add_parser

if TYPE_CHECKING:
    from pairwright.reference.build import Built
    from pairwright.reference.cluster import Cluster
    from pairwright.reference.library import Library, Root
    from pairwright.workspace.cache import Cache


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of `reference`."""
    parser = add_parser(commands, "reference")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    one = actions.add_parser("add", help="a folder, an installed package or a git URL")
    one.add_argument("source", metavar="FOLDER|PACKAGE|URL")
    one.add_argument("--name", default="", help="what to call it")
    one.add_argument("--revision", default="", help="what to check out of a URL; its HEAD")
    one.add_argument(
        "--megabytes", type=int, default=200, metavar="N", help="most that a clone takes"
    )
    one.add_argument("--site", default="", metavar="DIR", help="the site-packages to look in")
    actions.add_parser("list", help="what there is").add_argument("--json", action="store_true")
    actions.add_parser("remove", help="take one off the list").add_argument("name")
    build = actions.add_parser("build", help="bring indexes up to date")
    build.add_argument("names", nargs="*")
    build.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)
    build.add_argument(
        "--dask", default="", metavar="ADDRESS", help="let the workers of a Dask cluster do it"
    )
    relate = actions.add_parser("relate", help="find the files most like one that is planned")
    relate.add_argument("path", help="of the planned file")
    relate.add_argument("--purpose", default="", help="what it is for, in words")
    relate.add_argument(
        "--contract", action="append", default=[], metavar="SIGNATURE", help="what it has to define"
    )
    relate.add_argument("--in", dest="names", action="append", default=[], metavar="NAME")
    relate.add_argument("--json", action="store_true")
    search = actions.add_parser("search", help="find definitions by what they do")
    search.add_argument("text", nargs="+", help="what is looked for, in words")
    search.add_argument("--in", dest="names", action="append", default=[], metavar="NAME")
    search.add_argument("--limit", type=int, default=5, metavar="N")
    search.add_argument("--tokens", type=int, default=2000, metavar="N")
    search.add_argument("--all-licences", action="store_true", help="show text under any licence")
    search.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what `args` ask for; the exit code."""
    from pairwright.config.load import environment
    from pairwright.config.paths import cache_dir, data_dir
    from pairwright.reference.cluster import Cluster
    from pairwright.reference.library import Library
    from pairwright.workspace.remote import store

    env = environment()
    library = Library(data_dir(env), cache_dir(env), env)
    match args.action:
        case "add":
            return _add(library, args)
        case "list":
            return _list(library, args.json)
        case "remove":
            return _remove(library, args.name)
    chosen = [root for root in library.roots() if not args.names or root.name in args.names]
    lost = sorted(set(args.names) - {root.name for root in chosen})
    if lost or not chosen:
        return _failed(f"there is no reference {', '.join(lost)}".rstrip())
    cache = store(env)
    try:
        is_told = args.action == "build" and args.progress
        cluster = Cluster(args.dask) if args.action == "build" and args.dask else None
        built = _built(chosen, cache, is_told, cluster)
        if built is None:
            return 1
        if args.action == "relate":
            return _relate(built, cache, args)
        return _search(built, args) if args.action == "search" else 0
    finally:
        cache.close()


def _add(library: Library, args: argparse.Namespace) -> int:
    from pairwright.reference.library import Root

    done = library.add(
        args.source,
        name=args.name,
        revision=args.revision,
        megabytes=args.megabytes,
        site=args.site,
    )
    if not isinstance(done, Root):
        return _failed(done.reason)
    print(_line(done))
    return 0


def _list(library: Library, as_json: bool) -> int:
    roots = library.roots()
    print(
        json.dumps([asdict(r) for r in roots], indent=2)
        if as_json
        else "\n".join(map(_line, roots))
    )
    return 0


def _remove(library: Library, name: str) -> int:
    from pairwright.reference.library import Root

    done = library.remove(name)
    if not isinstance(done, Root):
        return _failed(done.reason)
    print(f"removed: {_line(done)}")
    return 0


def _line(root: Root) -> str:
    return f"{root.name}  {root.kind}  {root.revision}  {root.licence}  {root.path}"


def _built(
    roots: list[Root], cache: Cache, is_told: bool = False, cluster: Cluster | None = None
) -> list[tuple[Root, Built]] | None:
    """The indexes of `roots`. `is_told`: files done and to do go to stdout, a line each, for a program."""
    from pairwright.reference.build import build
    from pairwright.reference.cluster import Unusable

    found = []
    try:
        for root in roots:
            tell = partial(_tell, root.name) if is_told else None
            one = build(root.path, cache, root.subtree, tell, elsewhere=cluster)
            found.append((root, one))
            size = len(one.index.places)
            print(f"{root.name}: {size} definitions, {one.made} files read", file=sys.stderr)
    except (OSError, Unusable) as error:
        _failed(f"{root.name} cannot be indexed: {error}")
        return None
    return found


def _tell(name: str, done: int, total: int) -> None:
    print(json.dumps([name, done, total]), flush=True)


def _relate(built: list[tuple[Root, Built]], cache: Cache, args: argparse.Namespace) -> int:
    from pairwright.engine.references import target_of
    from pairwright.reference.relations import relations

    found = relations(target_of(args.path, args.contract, args.purpose), built, cache)
    if args.json:
        print(json.dumps([asdict(one) for one in found], indent=2))
    for one in () if args.json else found:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in one.parts)
        print(f"{one.confidence:.2f}  {one.kind}  {one.reference}/{one.path}  ({parts})")
        print(f"      {'; '.join(one.aspects)}\n      {one.suggestion}")
    if not found:
        print("No match.")
    return 0 if found else 1


def _search(built: list[tuple[Root, Built]], args: argparse.Namespace) -> int:
    from pairwright.reference.search import page, search

    request = " ".join(args.text)
    found = search(
        built, request, limit=args.limit, tokens=args.tokens, all_licences=args.all_licences
    )
    if args.json:
        print(json.dumps([asdict(one) for one in found], indent=2))
    else:
        sys.stdout.buffer.write(page(found, request).encode("utf-8", "backslashreplace"))
    return 0 if found else 1


def _failed(reason: str) -> int:
    print(f"pairwright reference: {reason}", file=sys.stderr)
    return 1
