"""Which references a user has: folders, installed packages and clones, each with its revision and licence.

One list for all workspaces, a JSON file that is replaced whole. Nothing is ever cloned or added unasked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from pairwright.reference import clone
from pairwright.reference.clone import Refusal
from pairwright.reference.licence import of_folder, of_metadata

Kind = Literal["folder", "package", "git"]
MEGABYTES = 200
"""Most that a clone may take on disk, unless the user says otherwise."""

_FILE = "references.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_URL = re.compile(r"(https|ssh|git|file)://|[\w.-]+@[\w.-]+:")


@dataclass(frozen=True, slots=True)
class Root:
    """One reference. `source`: what the user named. `path`: its folder, absolute. `subtree`: folders in it that it
    is limited to. `revision`: the commit of a clone, the version of a package, `working tree` of a folder."""

    name: str
    kind: Kind
    source: str
    path: str
    subtree: tuple[str, ...]
    revision: str
    licence: str


class Library:
    """The list. `data`: the folder of the file; `cache`: where clones go; `env`: for the git command."""

    def __init__(self, data: Path, cache: Path, env: Mapping[str, str]) -> None:
        self._file = data / _FILE
        self._clones = cache / "references"
        self._env = env

    def roots(self) -> tuple[Root, ...]:
        """All references by name; a damaged file gives none."""
        try:
            rows = json.loads(self._file.read_text(encoding="utf-8"))
            found = [Root(**{**row, "subtree": tuple(row["subtree"])}) for row in rows]
        except (OSError, ValueError, TypeError, KeyError):
            return ()
        return tuple(sorted(found, key=lambda root: root.name))

    def add(
        self,
        source: str,
        *,
        name: str = "",
        revision: str = "",
        megabytes: int = MEGABYTES,
        site: str = "",
    ) -> Root | Refusal:
        """Add the folder, package or git URL `source`. `revision`: what to check out of a URL, else what its HEAD is
        now; the commit is recorded either way. `site`: the folder of installed packages to look in. Blocks."""
        if _URL.match(source):
            found = self._cloned(source, name, revision, megabytes)
        elif Path(source).expanduser().is_dir():
            found = _folder(Path(source).expanduser().resolve(), name, source)
        else:
            found = _package(source, name, site)
        if isinstance(found, Refusal):
            return found
        if not _NAME.match(found.name):
            return Refusal(f"{found.name!r} is no name for a reference: letters, digits, . _ and -")
        if any(root.name == found.name for root in self.roots()):
            return Refusal(f"there is a reference {found.name} already; remove it or give a name")
        self._write((*self.roots(), found))
        return found

    def remove(self, name: str) -> Root | Refusal:
        """Take `name` off the list; a clone of ours is deleted, a folder or package stays as it is."""
        gone = next((root for root in self.roots() if root.name == name), None)
        if gone is None:
            return Refusal(f"there is no reference {name}")
        self._write(tuple(root for root in self.roots() if root.name != name))
        place = Path(gone.path)
        is_shared = any(root.path == gone.path for root in self.roots())
        if gone.kind == "git" and place.parent == self._clones.resolve() and not is_shared:
            shutil.rmtree(place, ignore_errors=True)
        return gone

    def _cloned(self, url: str, name: str, revision: str, megabytes: int) -> Root | Refusal:
        done = clone.clone(url, revision, self._clones, megabytes * 1_000_000, self._env)
        if isinstance(done, Refusal):
            return done
        path, commit = done
        called = name or url.rstrip("/").rpartition("/")[2].removesuffix(".git")
        return Root(called, "git", url, str(path), (), commit, of_folder(path))

    def _write(self, roots: tuple[Root, ...]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        text = json.dumps([asdict(root) for root in roots], indent=1, ensure_ascii=True)
        fresh = self._file.with_name(f"{_FILE}.{os.getpid()}")
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(self._file)


def _folder(path: Path, name: str, source: str) -> Root:
    return Root(name or path.name, "folder", source, str(path), (), "working tree", of_folder(path))


def _package(source: str, name: str, site: str) -> Root | Refusal:
    """The folders of an installed distribution, of `site` or of the interpreter that runs this."""
    try:
        if site:
            found = next(iter(metadata.distributions(name=source, path=[site])), None)
        else:
            found = metadata.distribution(source)
    except (metadata.PackageNotFoundError, ValueError):
        found = None
    if found is None:
        return Refusal(f"{source} is no folder, no git URL and no installed package")
    files = found.files or []
    tops = sorted({file.parts[0] for file in files if len(file.parts) > 1 and file.suffix == ".py"})
    place = Path(str(found.locate_file(""))).resolve()
    tops = [top for top in tops if top.isidentifier() and (place / top).is_dir()]
    if not tops:
        return Refusal(f"{source} has no folder of Python files")
    fields = {
        key: found.metadata.get_all(key) or []
        for key in ("License-Expression", "Classifier", "License")
    }
    licence = of_metadata(fields)
    root, subtree = (place / tops[0], ()) if len(tops) == 1 else (place, tuple(tops))
    called = name or found.metadata["Name"]
    return Root(called, "package", source, str(root), subtree, found.version, licence)
