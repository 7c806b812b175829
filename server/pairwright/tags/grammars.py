"""The grammar of a name: from the language pack, else from a wheel of its own. Knows no table and no file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import tree_sitter
from tree_sitter_language_pack import SupportedLanguage, get_language

_INFO = ".dist-info"


@cache
def grammar(name: str) -> tree_sitter.Language | None:
    """The grammar the language pack calls `name`, else that of a `tree-sitter-<name>` wheel, else None.

    Dashes and underscores are one. A name that a wheel with several grammars gives to one of them is found
    in the wheel of its first word too: `php_only`, `ocaml_interface`. A name or binary that this
    installation lacks, or of a version this tree-sitter cannot read, degrades to no tags, never to an
    error.
    """
    name = name.replace("-", "_")
    try:
        return get_language(name)  # type: ignore[no-any-return]
    except (LookupError, ImportError, OSError, ValueError, TypeError):
        pass
    for module, function in _places(name):
        found = _from_wheel(module, function)
        if found is not None:
            return found
    return None


def versions(names: Iterable[str]) -> str:
    """The versions that the grammars `names` come from: the pack's, and those of single wheels."""
    found = [version_of("tree-sitter-language-pack")]
    for name in sorted(set(names) - set(get_args(SupportedLanguage))):
        found.append(f"{name}{version_of('tree-sitter-' + name.replace('_', '-'))}")
    return "-".join(found)


@cache
def version_of(package: str) -> str:
    """The version of an installed package, "none" if it is not there."""
    # The name of its folder says it; importlib.metadata takes as long to import as a map to make.
    begin = package.replace("-", "_") + "-"
    for folder in sys.path:
        for name in _entries(folder):
            if name.startswith(begin) and name.endswith(_INFO):
                return name[len(begin) : -len(_INFO)]

    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@cache
def _entries(folder: str) -> tuple[str, ...]:
    try:
        return tuple(sorted(place.name for place in Path(folder).iterdir()))
    except OSError:
        return ()


def _places(name: str) -> Iterator[tuple[str, str]]:
    """Modules and functions of theirs that may give the grammar `name`, the likeliest first."""
    for part in (name, name.partition("_")[0]):
        module = f"tree_sitter_{part}"
        yield module, f"language_{name}"
        if part == name:
            yield module, "language"
        else:
            yield module, f"language_{name.partition('_')[2]}"


def _from_wheel(module_name: str, function: str) -> tree_sitter.Language | None:
    try:
        module: Any = import_module(module_name)
        return tree_sitter.Language(getattr(module, function)())
    except (AttributeError, ImportError, OSError, ValueError, TypeError):
        return None
