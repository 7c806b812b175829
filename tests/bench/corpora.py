"""What the benchmarks run on: packages from the index, made into git repositories on the spot.

Everything lies in one folder that survives runs: `PAIRWRIGHT_BENCH`, else the user's cache folder. An
environment with Aider is made there too, unless `AIDER_VENV` names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import platformdirs

AIDER = "aider-chat==0.86.2"


def folder() -> Path:
    """The folder of the benchmarks."""
    named = os.environ.get("PAIRWRIGHT_BENCH")
    place = Path(named) if named else Path(platformdirs.user_cache_dir("pairwright-bench"))
    place.mkdir(parents=True, exist_ok=True)
    return place


def django() -> Path:
    """The Django wheel, unpacked and committed: about 900 Python files."""
    return _wheel("django==5.1.*")


def _wheel(requirement: str) -> Path:
    place = folder() / requirement.split("=")[0]
    head = ["git", "rev-parse", "-q", "--verify", "HEAD"]
    if (place / ".git").is_dir() and not subprocess.run(
        head, cwd=place, capture_output=True
    ).returncode:
        return place
    wheels = folder() / "wheels"
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(wheels)]
    subprocess.run([*pip, requirement], check=True)
    wheel = max(wheels.glob(f"{place.name}-*.whl"))
    shutil.rmtree(place, ignore_errors=True)
    zipfile.ZipFile(wheel).extractall(place)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", wheel.name]):
        who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
        subprocess.run(["git", *who, *words], cwd=place, check=True)
    return place


def aider_python() -> Path:
    """The interpreter of an environment with Aider."""
    named = os.environ.get("AIDER_VENV")
    place = Path(named) if named else folder() / "aider-venv"
    python = place / "bin" / "python"
    if not (place / "bin" / "aider").exists():
        venv.create(place, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", AIDER], check=True)
    return python
