"""Which files of the workspace an import means, by names alone.

What is not certain is not resolved: a module that several files could be, and everything from outside of the
workspace, means no file. Knows no text. Pure.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from pairwright.tags.imports import Import

VERSION = 1
"""Raised whenever this code would find other files for the same import."""

MOST = 12
"""Files of one import, where a folder is imported."""

_ECMA_ENDS = (
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".cts",
    ".vue",
    ".svelte",
    ".astro",
    ".json",
)
_ECMA_FOLDERS = tuple(f"/index{end}" for end in _ECMA_ENDS[:8])
_WRITTEN_AS = (".js", ".jsx", ".mjs", ".cjs")
_NONE: Mapping[str, str] = MappingProxyType({})
_HEADER_FOLDERS = ("include", "inc")


class Places:
    """The files of a workspace by how their paths end. Paths are relative, with `/`. `modules`: names that stand for
    a folder, as a go.mod gives its own."""

    def __init__(self, paths: Iterable[str], modules: Mapping[str, str] = _NONE) -> None:
        self.known = frozenset(paths)
        self.modules = modules

    def first(self, paths: Iterable[str]) -> str | None:
        """The first of `paths` that there is."""
        return next((path for path in paths if path in self.known), None)

    def ending(self, tail: str, own: str = "") -> str | None:
        """The one file that ends with the whole parts of `tail`; of several the one that shares most folders with
        `own`, None if that is not one."""
        held = self._by_base.get(tail.rpartition("/")[2], ())
        found = [path for path in held if path == tail or path.endswith(f"/{tail}")]
        if len(found) < 2:
            return found[0] if found else None
        shared = [_shared(path, own) for path in found]
        best = max(shared)
        return found[shared.index(best)] if shared.count(best) == 1 else None

    def inside(self, folder: str, end: str) -> tuple[str, ...]:
        """The files directly in `folder` that end with `end`, sorted; MOST at most."""
        found = (path for path in self._by_folder.get(folder, ()) if path.endswith(end))
        return tuple(found)[:MOST]

    def folder(self, tail: str, end: str) -> tuple[str, ...]:
        """The files in the one folder that ends with the whole parts of `tail`; none if there are several."""
        found = [
            folder
            for folder in self._by_folder
            if (folder == tail or folder.endswith(f"/{tail}")) and self.inside(folder, end)
        ]
        return self.inside(found[0], end) if len(found) == 1 else ()

    @cached_property
    def _by_base(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.known):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def _by_folder(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.known):
            found.setdefault(path.rpartition("/")[0], []).append(path)
        return found


def resolved(item: Import, language: str | None, path: str, places: Places) -> tuple[str, ...]:
    """The files that `item`, an import of the file at `path`, means; sorted, without `path` itself."""
    rule = _RULES.get(language or "")
    found = set(rule(item, path, places)) if rule is not None else set()
    return tuple(sorted(found - {path}))


def _shared(path: str, own: str) -> int:
    count = 0
    for one, other in zip(path.split("/")[:-1], own.split("/")[:-1], strict=False):
        if one != other:
            break
        count += 1
    return count


def _joined(folder: str, name: str) -> str:
    """`name` seen from `folder`; empty where it leads out of the workspace."""
    path = posixpath.normpath(posixpath.join(folder, name))
    return "" if path.startswith("../") or path in (".", "..") else path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _some(path: str | None) -> Iterator[str]:
    if path:
        yield path


# --- languages


def _python(item: Import, path: str, places: Places) -> Iterator[str]:
    dots = len(item.module) - len(item.module.lstrip("."))
    parts = [part for part in item.module[dots:].split(".") if part]
    if dots:
        folder = _folder(path)
        for _ in range(dots - 1):
            if not folder:
                return
            folder = _folder(folder)
        yield from _python_in("/".join((*((folder,) if folder else ()), *parts)), item, places)
        return
    for root in _python_roots(path, places):
        if len(parts) == 1 and root and parts[0] in sys.stdlib_module_names:
            continue
        found = tuple(_python_in("/".join((*((root,) if root else ()), *parts)), item, places))
        if found:
            yield from found
            return
    if len(parts) > 1:
        yield from _python_anywhere("/".join(parts), item, path, places)


def _python_anywhere(tail: str, item: Import, path: str, places: Places) -> Iterator[str]:
    """The same below a folder that only the installation knows, if there is but one such module."""
    for end in (".py", "/__init__.py", ".pyi"):
        if found := places.ending(f"{tail}{end}", path):
            yield from _python_in(found.removesuffix(end), item, places)
            return
    # A package without a file of its own.
    names = (places.ending(f"{tail}/{name}.py", path) for name in item.names)
    yield from (one for one in names if one)


def _python_roots(path: str, places: Places) -> Iterator[str]:
    """Folders that absolute imports may start from: those around `path` that are no packages, the nearest first."""
    folder = _folder(path)
    while folder:
        if f"{folder}/__init__.py" not in places.known:
            yield folder
        folder = _folder(folder)
    yield ""


def _python_in(base: str, item: Import, places: Places) -> Iterator[str]:
    """What `base`, a module without its end, and the names taken from it are."""
    own = places.first((f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", f"{base}/__init__.pyi"))
    taken = [
        places.first((f"{base}/{name}.py", f"{base}/{name}/__init__.py")) for name in item.names
    ]
    yield from (one for one in taken if one)
    if own and (not item.names or not all(taken)):
        yield own


def _ecma(item: Import, path: str, places: Places) -> Iterator[str]:
    module = item.module.partition("?")[0]
    if module.startswith("."):
        base = _joined(_folder(path), module)
        yield from _some(places.first(_ecma_names(base)))
    elif module.startswith(("@/", "~/")):
        tails = _ecma_names(module[2:])
        yield from _some(next((p for tail in tails if (p := places.ending(tail, path))), None))
    elif "/" in module and not module.startswith(("@", "/")):
        bases = (name for root in ("", "src/") for name in _ecma_names(f"{root}{module}"))
        yield from _some(places.first(bases))


def _ecma_names(base: str) -> tuple[str, ...]:
    if not base:
        return ()
    bare = next((base.removesuffix(end) for end in _WRITTEN_AS if base.endswith(end)), None)
    written = (f"{bare}.ts", f"{bare}.tsx", f"{bare}.mts", f"{bare}.cts") if bare else ()
    ends = (f"{base}{end}" for end in (*_ECMA_ENDS, *_ECMA_FOLDERS))
    return (base, *written, *ends)


def _go(item: Import, path: str, places: Places) -> Iterator[str]:
    module = item.module
    # The longest name first: a module may lie inside of another.
    for name, folder in sorted(places.modules.items(), key=lambda one: (-len(one[0]), one)):
        if module == name or module.startswith(f"{name}/"):
            inside = posixpath.join(folder, module[len(name) + 1 :]).rstrip("/")
            found = places.inside(inside, ".go")
            yield from [one for one in found if not one.endswith("_test.go")]
            return


def _rust(item: Import, path: str, places: Places) -> Iterator[str]:
    parts = [part for part in item.module.split("::") if part and part != "*"]
    folder, stem = _folder(path), path.rpartition("/")[2].removesuffix(".rs")
    inner = folder if stem in ("mod", "lib", "main") else posixpath.join(folder, stem)
    while parts and parts[0] in ("self", "super", "crate"):
        head = parts.pop(0)
        if head == "super":
            inner = _folder(inner)
        elif head == "crate":
            inner = _crate(path, places)
        if parts and parts[0] != "super":
            break
    else:
        return
    for stop in range(len(parts), 0, -1):
        base = posixpath.join(inner, *parts[:stop])
        if found := places.first((f"{base}.rs", f"{base}/mod.rs")):
            yield found
            return


def _crate(path: str, places: Places) -> str:
    """The folder of the crate's root: the innermost around `path` with a lib.rs or a main.rs."""
    folder = _folder(path)
    while folder:
        if places.first((f"{folder}/lib.rs", f"{folder}/main.rs")):
            return folder
        folder = _folder(folder)
    return "src"


def _jvm(item: Import, path: str, places: Places) -> Iterator[str]:
    parts = item.module.split(".")
    end = "." + path.rpartition(".")[2]
    ends = dict.fromkeys((end, ".java", ".kt", ".scala", ".groovy"))
    if parts[-1] in ("*", "_"):
        yield from places.folder("/".join(parts[:-1]), end)
        return
    # What stands behind a class is one of its members.
    for stop in (len(parts), len(parts) - 1):
        if stop < 2:
            return
        tail = "/".join(parts[:stop])
        if found := next((p for e in ends if (p := places.ending(tail + e, path))), None):
            yield found
            return


def _c(item: Import, path: str, places: Places) -> Iterator[str]:
    name = item.module.lstrip("<")
    if not item.module.startswith("<"):
        if (beside := _joined(_folder(path), name)) in places.known:
            yield beside
        else:
            yield from _some(places.ending(name.removeprefix("./"), path))
    elif "/" in name:
        yield from _some(places.ending(name, path))
    else:
        # A header of the system, unless a folder of headers holds one of that name.
        tails = (places.ending(f"{folder}/{name}", path) for folder in _HEADER_FOLDERS)
        yield from _some(next((one for one in tails if one), None))


def _php(item: Import, path: str, places: Places) -> Iterator[str]:
    if "\\" not in item.module:
        yield from _beside(item, path, places)
        return
    parts = item.module.strip("\\").split("\\")
    # The first parts of a namespace are often mapped to a folder of another name.
    for start in range(len(parts) - 1):
        if found := places.ending("/".join(parts[start:]) + ".php", path):
            yield found
            return


def _beside(item: Import, path: str, places: Places) -> Iterator[str]:
    """A path seen from the file's folder, else from the root."""
    seen = _joined(_folder(path), item.module)
    yield from _some(places.first(one for one in (seen, item.module) if one))


def _rooted(item: Import, path: str, places: Places) -> Iterator[str]:
    """A path seen from a folder that only the build knows."""
    yield from _some(places.ending(item.module, path))


def _ending(*ends: str) -> Callable[[Import, str, Places], Iterator[str]]:
    """Names with `.` or `/` between the folders, to which one of `ends` is added; or a path beside the file."""

    def rule(item: Import, path: str, places: Places) -> Iterator[str]:
        if item.module.startswith("."):
            base = _joined(_folder(path), item.module)
            yield from _some(places.first((base, *(f"{base}{end}" for end in ends))))
            return
        name = item.module if "/" in item.module else item.module.replace(".", "/")
        tails = (places.ending(f"{name}{end}", path) for end in ends)
        yield from _some(next((one for one in tails if one), None))

    return rule


def _dart(item: Import, path: str, places: Places) -> Iterator[str]:
    kind, colon, rest = item.module.partition(":")
    if not colon:
        yield from _beside(item, path, places)
    elif kind == "package":
        yield from _some(places.ending(f"lib/{rest.partition('/')[2]}", path))


def _sheet(item: Import, path: str, places: Places) -> Iterator[str]:
    base = _joined(_folder(path), item.module)
    folder, _, name = base.rpartition("/")
    names = (f"{folder}/{mark}{name}{end}".lstrip("/") for mark in ("", "_") for end in _SHEETS)
    yield from _some(places.first(names))


_SHEETS = ("", ".scss", ".sass", ".less", ".css")
_RULES: Mapping[str, Callable[[Import, str, Places], Iterator[str]]] = MappingProxyType(
    {
        **dict.fromkeys(("python", "starlark"), _python),
        **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte", "astro"), _ecma),
        **dict.fromkeys(("c", "cpp", "objc", "cuda"), _c),
        **dict.fromkeys(("java", "kotlin", "scala", "groovy"), _jvm),
        **dict.fromkeys(("css", "scss", "less"), _sheet),
        **dict.fromkeys(("bash", "zig", "solidity", "julia"), _beside),
        **dict.fromkeys(("lua", "luau"), _ending(".lua", "/init.lua", ".luau")),
        "go": _go,
        "rust": _rust,
        "php": _php,
        "dart": _dart,
        "ruby": _ending(".rb"),
        "haskell": _ending(".hs"),
        "proto": _rooted,
    }
)
