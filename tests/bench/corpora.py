"""What the benchmarks run on: packages from the index, made into git repositories on the spot.

Everything lies in one folder that survives runs: `PAIRWRIGHT_BENCH`, else the user's cache folder. An
environment with Aider is made there too, unless `AIDER_VENV` names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

AIDER = "aider-chat==0.86.2"


@dataclass(frozen=True)
class Corpus:
    """`name`: as printed. `root`: a git repository. `typed`: a file in it that is typed into. `anchor`: bytes of
    that file; what is typed goes in front of the first line after its middle that begins so. `line`: what is
    typed."""

    name: str
    root: Path
    typed: str
    language: str
    anchor: bytes
    line: bytes


def folder() -> Path:
    """The folder of the benchmarks."""
    named = os.environ.get("PAIRWRIGHT_BENCH")
    place = Path(named) if named else Path(platformdirs.user_cache_dir("pairwright-bench"))
    place.mkdir(parents=True, exist_ok=True)
    return place


def django() -> Corpus:
    """The Django wheel: about 900 Python files."""
    root = _repository("django", lambda place: _wheel("django==5.1.*", place))
    return Corpus("Django", root, "django/db/models/sql/query.py", *_PYTHON)


def home_assistant() -> Corpus:
    """The Home Assistant wheel: about 6,700 Python files."""
    root = _repository("homeassistant", lambda place: _wheel("homeassistant==2024.3.3", place))
    return Corpus("Home Assistant", root, "homeassistant/config_entries.py", *_PYTHON)


def linux() -> Corpus:
    """Debian's kernel source: about 55,000 C files. Needs `apt-get`; some 1.3 GB on disk."""
    root = _repository("linux", _kernel)
    line = b"\tret = compute_value(self, other);\n"
    return Corpus("Linux", root, "kernel/sched/fair.c", "c", b"\n\tif (", line)


_PYTHON = ("python", b"\n        if ", b"        value = compute(self, other)\n")
ALL: dict[str, Callable[[], Corpus]] = {
    "django": django,
    "home-assistant": home_assistant,
    "linux": linux,
}


def _repository(name: str, fill: Callable[[Path], None]) -> Path:
    """The folder `name`, filled and committed once."""
    place = folder() / name
    head = ["git", "rev-parse", "-q", "--verify", "HEAD"]
    if (place / ".git").is_dir() and not subprocess.run(
        head, cwd=place, capture_output=True
    ).returncode:
        return place
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    fill(place)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", name]):
        who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"]
        subprocess.run(["git", *who, *words], cwd=place, check=True)
    return place


def _wheel(requirement: str, place: Path) -> None:
    wheel(requirement, place, place.name)


def wheel(requirement: str, place: Path, name: str) -> None:
    """The files of the wheel `name` into the folder `place`."""
    wheels = folder() / "wheels"
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(wheels)]
    subprocess.run([*pip, requirement], check=True)
    with zipfile.ZipFile(max(wheels.glob(f"{name}-*.whl"))) as archive:
        archive.extractall(place)


def _kernel(place: Path) -> None:
    """The kernel's tree out of Debian's package, without installing it."""
    debs = folder() / "debs"
    debs.mkdir(exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", "linux-source-6.1"], cwd=debs, check=True)
    deb = max(debs.glob("linux-source-6.1*.deb"))
    unpacked = folder() / "debs" / "unpacked"
    subprocess.run(["dpkg-deb", "-x", str(deb), str(unpacked)], check=True)
    with tarfile.open(max(unpacked.rglob("linux-source-*.tar.xz"))) as archive:
        for member in archive:
            member.name = member.name.partition("/")[2]
            if member.name:
                archive.extract(member, place, filter="tar")
    shutil.rmtree(unpacked)
    # The package's own ignore file hides the whole tree.
    (place / ".gitignore").unlink()


def aider_python() -> Path:
    """The interpreter of an environment with Aider."""
    named = os.environ.get("AIDER_VENV")
    place = Path(named) if named else folder() / "aider-venv"
    python = place / "bin" / "python"
    if not (place / "bin" / "aider").exists():
        venv.create(place, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", AIDER], check=True)
    return python
