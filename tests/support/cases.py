"""The edit cases: reading them, laying out their files, and judging what came of one.

How a case is run and judged stands in the collection's README; what is common to every door is here.
Knows no door and nothing of the product.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Case = dict[str, Any]
_FOLDER = Path(__file__).parents[1] / "cases"


def load(name: str) -> list[Case]:
    """The cases of a file of tests/cases."""
    found: list[Case] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return found


def form(case: Case) -> str:
    """The edit format of the reply."""
    return str(case.get("edit_format", case["format"]))


def bytes_of(value: Any) -> bytes:
    """A text or `{"b64"}` of a case as bytes."""
    return value.encode() if isinstance(value, str) else base64.b64decode(value["b64"])


@dataclass(frozen=True)
class Place:
    """Where a case is run. `work`: the checkout; `root`: the workspace folder; `spare`: beside it."""

    work: Path
    spare: Path
    root: Path
    ignored: frozenset[str]

    @property
    def env(self) -> dict[str, str]:
        """What a shell of the user's has."""
        return {
            **os.environ,
            "CASE_TMP": str(self.spare),
            "HOME": str(self.spare / "home"),
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def sh(self, line: str) -> int:
        """Run `line` as the user at a terminal; its exit code."""
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.work, env=self.env, capture_output=True
        )
        return done.returncode

    def tree(self) -> dict[str, bytes]:
        """Every file by its path, git's and the unchecked ones left out."""
        found = {}
        for path in sorted(self.work.rglob("*")):
            parts = path.relative_to(self.work).parts
            name = "/".join(parts)
            if ".git" not in parts and path.is_file() and name not in self.ignored:
                found[name] = path.read_bytes()
        return found

    def git(self) -> tuple[bytes, ...]:
        """Index, HEAD and refs; empty where there is no repository."""
        folder = self.work / ".git"
        names = ("index", "HEAD", "packed-refs") if folder.is_dir() else ()
        held = [folder / name for name in names if (folder / name).is_file()]
        held += sorted(path for path in (folder / "refs").rglob("*") if path.is_file())
        return tuple(path.read_bytes() for path in held)


def lay_out(case: Case, folder: Path) -> Place:
    """Write the files of `case` below `folder` and run its setup."""
    work, spare = folder / "work", folder / "spare"
    (spare / "home").mkdir(parents=True)
    work.mkdir()
    for path, value in case["files"].items():
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_bytes(bytes_of(value))
    ignored = frozenset((*case.get("ignore_paths", ()), *case.get("unchecked", ())))
    place = Place(work, spare, work / case.get("root", "."), ignored)
    for line in case.get("setup", ()):
        assert place.sh(line) == 0, line
    return place


@dataclass(frozen=True)
class Result:
    """What a door made of a case. `error`: the words of the refusal, None = applied. `before`, `after`: the
    texts by path before the request and at the end; `safe`: what must stand after a refusal."""

    error: str | None
    before: dict[str, bytes]
    after: dict[str, bytes]
    safe: dict[str, bytes]


def fits(outcome: Case, result: Result) -> bool:
    """Whether `result` is this outcome."""
    if "error_contains" in outcome:
        said = (result.error or "").lower()
        some = outcome["error_any"]
        return (
            result.error is not None
            and result.after == result.safe
            and all(word.lower() in said for word in outcome["error_contains"])
            and (not some or any(word.lower() in said for word in some))
        )
    wanted = dict(result.before)
    for path, value in (outcome.get("files") or outcome.get("buffers") or {}).items():
        if value is None:
            wanted.pop(path, None)
        else:
            wanted[path] = bytes_of(value)
    return result.error is None and result.after == wanted


def judge(case: Case, place: Place, result: Result) -> None:
    """Fail unless `result` is an outcome the case allows."""
    outcomes = [case["expect"], *case.get("also_ok", ())]
    assert any(fits(one, result) for one in outcomes), (result.error, result.after)
    for line in case.get("checks", ()):
        assert place.sh(line) == 0, line
