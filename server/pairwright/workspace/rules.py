"""Which paths of a workspace are out: ignore files, git's index, `.pairwrightignore`, the exclude
setting.

In this order the first that speaks decides: the exclude setting, `.pairwrightignore` (nearest
first, so it can bring back what git ignores), git (tracked paths stay; then `.gitignore` nearest
first, then info/exclude), and last the folders that nobody wants. A nested repository starts git's
part anew. The user's global excludes file is not read: the index must be the same on every machine.
A subtree setting limits the index and nothing else: what lies outside it is not ignored.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pairwright.config.index import Index
from pairwright.workspace import history
from pairwright.workspace.ignore import EMPTY, Patterns

GIT_FILE = b".gitignore"
OWN_FILE = b".pairwrightignore"
_TELLING = frozenset((b".git", GIT_FILE, OWN_FILE))
_ENVIRONMENT = b"pyvenv.cfg"
_UNWANTED = frozenset(
    (
        b"node_modules",
        b"bower_components",
        b".venv",
        b"__pycache__",
        b".tox",
        b".nox",
        b".mypy_cache",
        b".ruff_cache",
        b".pytest_cache",
        b".hypothesis",
        b".gradle",
        b".terraform",
        b".hg",
        b".svn",
        b".jj",
    )
)
_MAX_RULE_BYTES = 1_000_000
_RULE_NAMES = (GIT_FILE.decode(), OWN_FILE.decode())
_GIT_RULES = ("index", "exclude", "HEAD")


class Verdict(Enum):
    """KEEP: in. DROP: out with all below. PEEK: a folder that is out, though single files below may
    be in."""

    KEEP = 1
    DROP = 2
    PEEK = 3


@dataclass(frozen=True, slots=True)
class _Level:
    """Patterns and how to make a workspace path relative to their folder: `lead + path[cut:]`."""

    patterns: Patterns
    cut: int
    lead: bytes = b""

    def match(self, path: bytes, is_dir: bool) -> bool | None:
        return self.patterns.match(self.lead + path[self.cut :], is_dir)


class Repository:
    """One work tree. `lead + path[cut:]` is a workspace path relative to its top."""

    def __init__(self, found: history.GitDir, cut: int, lead: bytes = b"") -> None:
        self.cut = cut
        self.lead = lead
        self._found = found
        self._tracked: history.Tracked | None = None
        self.exclude = _Level(_patterns_of(found.common / "info" / "exclude"), cut, lead)

    @property
    def tracked(self) -> history.Tracked:
        """The index, read at first need: only an ignored path asks for it."""
        if self._tracked is None:
            self._tracked = history.tracked(self._found)
        return self._tracked

    def relative(self, path: bytes) -> bytes:
        return self.lead + path[self.cut :]


@dataclass(frozen=True, slots=True)
class Folder:
    """What applies to the entries of one folder. `path` ends with a slash unless it is the root's,
    b""."""

    path: bytes
    own: tuple[_Level, ...]
    git: tuple[_Level, ...]
    repository: Repository | None
    lost: bool


class Rules:
    """The rules of one workspace, read from disk as they are met; made anew when a rule file
    changes."""

    def __init__(
        self, root: str, exclude: tuple[str, ...] = (), subtree: tuple[str, ...] = ()
    ) -> None:
        """`subtree`: folders relative to `root`; those that do not exist are passed over."""
        self._root = os.fsencode(root)
        self._subtree = _existing(Path(root), subtree)
        text = "\n".join(exclude)
        self._setting = Patterns(text.encode("utf-8", "surrogateescape"))
        self.top = self._enter_root(Path(root))
        self._known: dict[tuple[bytes, bool], Folder] = {}

    @classmethod
    def of(cls, root: str, settings: Index) -> Rules:
        """The rules of the folder `root` under `settings`."""
        return cls(root, settings.exclude, settings.subtree)

    def judge(self, folder: Folder, name: bytes, is_dir: bool) -> Verdict:
        """What becomes of the entry `name` of `folder`."""
        if name.lower() == b".git":
            return Verdict.DROP
        # Most folders have no patterns at all.
        is_ruled = folder.own or folder.git or folder.lost or self._setting
        if not is_ruled and not (is_dir and name in _UNWANTED):
            return Verdict.KEEP
        path = folder.path + name
        if (said := self._setting.match(path, is_dir)) is None:
            said = _first(folder.own, path, is_dir)
        if said is not None:
            return Verdict.DROP if said else Verdict.KEEP
        if not self._lost(folder, path, name, is_dir):
            return Verdict.KEEP
        repository = folder.repository
        if repository is not None:
            tracked, relative = repository.tracked, repository.relative(path)
            if is_dir and relative in tracked.links:
                return Verdict.KEEP
            if is_dir and tracked.any_below(relative):
                return Verdict.PEEK
            if not is_dir and relative in tracked:
                return Verdict.KEEP
        return Verdict.PEEK if is_dir and self._brings_back(folder, path) else Verdict.DROP

    def enter(self, folder: Folder, name: bytes, lost: bool, names: frozenset[bytes]) -> Folder:
        """The rules inside `name`, a folder whose entries are called `names`. `lost`: it was a
        PEEK."""
        path = folder.path + name + b"/"
        own, git, repository = folder.own, folder.git, folder.repository
        # A virtual environment, whatever it is called.
        lost = lost or _ENVIRONMENT in names
        if not names.isdisjoint(_TELLING):
            place = Path(os.fsdecode(self._root + b"/" + path))
            if b".git" in names and (found := history.git_dir(place)) is not None:
                repository = Repository(found, len(path))
                git = (repository.exclude,) if repository.exclude.patterns else ()
            own = _with(own, place, OWN_FILE, names, len(path))
            git = _with(git, place, GIT_FILE, names, len(path))
        return Folder(path, own, git, repository, lost)

    def covers(self, path: bytes, is_dir: bool) -> bool:
        """Whether `path` is in the subtree setting's reach; a folder is also when it leads there."""
        if not self._subtree:
            return True
        inside = path + b"/"
        return any(
            inside.startswith(top)
            if not is_dir
            else inside.startswith(top) or top.startswith(inside)
            for top in self._subtree
        )

    def indexed(self, path: str) -> bool:
        """Whether the file `path`, which need not exist, has a place in the index."""
        return self.covers(os.fsencode(path), False) and not self.ignored(path)

    def ignored(self, path: str) -> bool:
        """Whether the file `path`, which need not exist, is out."""
        folder = self.top
        parts = os.fsencode(path).split(b"/")
        for part in parts[:-1]:
            verdict = self.judge(folder, part, is_dir=True)
            if verdict is Verdict.DROP:
                return True
            folder = self._entered(folder, part, verdict is Verdict.PEEK)
        return self.judge(folder, parts[-1], is_dir=False) is Verdict.DROP

    def _entered(self, folder: Folder, name: bytes, lost: bool) -> Folder:
        key = (folder.path + name, lost or folder.lost)
        found = self._known.get(key)
        if found is None:
            names = _TELLING
            if os.path.lexists(self._root + b"/" + folder.path + name + b"/" + _ENVIRONMENT):
                names |= {_ENVIRONMENT}
            found = self._known[key] = self.enter(folder, name, lost, names)
        return found

    def _lost(self, folder: Folder, path: bytes, name: bytes, is_dir: bool) -> bool:
        if folder.lost:
            return True
        said = _first(folder.git, path, is_dir)
        if said is not None:
            return said
        if not is_dir:
            return False
        return name in _UNWANTED

    def _brings_back(self, folder: Folder, path: bytes) -> bool:
        """Whether a `!` pattern of ours names something below the folder `path`."""
        for level in (_Level(self._setting, 0), *folder.own):
            below = path[level.cut :] + b"/"
            if any(start.startswith(below) for start in level.patterns.reincluded):
                return True
        return False

    def _enter_root(self, root: Path) -> Folder:
        own = _with((), root, OWN_FILE, frozenset((OWN_FILE,)), 0)
        top = history.find_top(root)
        found = history.git_dir(top) if top is not None else None
        levels = None if top is None or found is None else _outer_levels(root, top, found)
        if top is None or found is None or levels is None:
            git = _with((), root, GIT_FILE, frozenset((GIT_FILE,)), 0)
            return Folder(b"", own, git, None, False)
        return Folder(b"", own, levels, Repository(found, 0, _between(root, top)), False)


def is_rule(path: str) -> bool:
    """Whether a change of the file `path` may move other files in or out."""
    parts = path.split("/")
    return parts[-1] in _RULE_NAMES or (".git" in parts and parts[-1] in _GIT_RULES)


def _existing(root: Path, subtree: tuple[str, ...]) -> tuple[bytes, ...]:
    """The folders of a subtree setting that exist below `root`, each with a slash at its end; none
    when `root` itself is among them."""
    found: set[bytes] = set()
    for name in subtree:
        place = (root / name).resolve()
        if place == root:
            return ()
        if place.is_relative_to(root) and place.is_dir():
            found.add(os.fsencode(place.relative_to(root)) + b"/")
    return tuple(sorted(found))


def _between(root: Path, top: Path) -> bytes:
    """The path of `root` below `top`, with a slash at its end; b"" if they are the same."""
    return b"" if root == top else os.fsencode(root.relative_to(top).as_posix()) + b"/"


def _outer_levels(root: Path, top: Path, found: history.GitDir) -> tuple[_Level, ...] | None:
    """Git's rules at `root` in the work tree `top`, nearest first; None when they ignore `root`
    itself, for a folder that the user opened is wanted."""
    parts = _between(root, top).split(b"/")[:-1]
    exclude = Repository(found, 0).exclude.patterns
    seen: list[Patterns] = []
    for depth in range(len(parts) + 1):
        place = top / os.fsdecode(b"/".join(parts[:depth]))
        seen.append(_patterns_of(place / os.fsdecode(GIT_FILE)))
        if depth == len(parts):
            break
        rules = [(seen[up], b"/".join(parts[up : depth + 1])) for up in range(depth, -1, -1)]
        rules.append((exclude, b"/".join(parts[: depth + 1])))
        answers = (patterns.match(path, True) for patterns, path in rules)
        if next((said for said in answers if said is not None), False):
            return None
    levels = [
        _Level(seen[up], 0, b"".join(part + b"/" for part in parts[up:]))
        for up in range(len(parts), -1, -1)
    ]
    levels.append(_Level(exclude, 0, b"".join(part + b"/" for part in parts)))
    return tuple(level for level in levels if level.patterns)


def _first(levels: tuple[_Level, ...], path: bytes, is_dir: bool) -> bool | None:
    for level in levels:
        said = level.match(path, is_dir)
        if said is not None:
            return said
    return None


def _with(
    levels: tuple[_Level, ...], place: Path, file: bytes, names: frozenset[bytes], cut: int
) -> tuple[_Level, ...]:
    if file not in names:
        return levels
    patterns = _patterns_of(place / os.fsdecode(file))
    return (_Level(patterns, cut), *levels) if patterns else levels


def _patterns_of(path: Path) -> Patterns:
    """The patterns of a file; none when it is no regular file, cannot be read or is absurdly
    large."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_RULE_BYTES:
            return EMPTY
        return Patterns(path.read_bytes())
    except OSError:
        return EMPTY
