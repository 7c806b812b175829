"""First and second map of a repository, alternating with Aider's in the same run.

Ours is timed as whole processes (`pairwright map` from its start to its end), Aider's as the call that makes the
map, without its imports.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.bench.corpora import Corpus, aider_python, folder
from tests.bench.table import Figure, ms, ratio, under

SERVER = Path(__file__).parents[2] / "server"
TOKENS = 1024
COLD_GOAL = {"Django": 5.0, "Home Assistant": 15.0}


def maps(corpus: Corpus, runs: int) -> list[Figure]:
    """First map from nothing and second with what the first left behind."""
    compiled()
    cold, warm, first, second = [], [], [], []
    goal = COLD_GOAL.get(corpus.name)
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(map_process(corpus.root, cache))
            warm.append(map_process(corpus.root, cache))
        if goal is not None:
            one, two = aider(corpus.root)
            first.append(one)
            second.append(two)
    warmly = f"warm start to the first map, {corpus.name}"
    if goal is None:
        return [
            Figure(f"first map, cold, {corpus.name}", "-", ms(median(cold)), None),
            Figure(warmly, "-", ms(median(warm)), None),
        ]
    return [
        ratio(f"first map, cold, {corpus.name}", goal, median(cold), median(first)),
        ratio(f"second map, warm process start, {corpus.name}", 1, median(warm), median(second)),
        under(warmly, 500, median(warm))
        if corpus.name == "Django"
        else Figure(warmly, "-", ms(median(warm)), None),
    ]


def aider(root: Path) -> tuple[float, float]:
    """Seconds of Aider's first and second map."""
    script = Path(__file__).with_name("aider_map.py")
    run = [str(aider_python()), str(script), str(root), str(TOKENS)]
    done = subprocess.run(run, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    one, two, _ = json.loads(done.stdout.splitlines()[-1])
    return one, two


def compiled() -> None:
    """Have bytecode of all that a map needs, as behind the first start of an installation: where none
    is written, every process that is timed would compile."""
    words = [sys.executable, "-m", "compileall", "-q", str(SERVER)]
    subprocess.run(words, env=environment(), check=True)
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "one.py").write_text("def one(): ...\n", encoding="utf-8")
        words = [sys.executable, "-m", "pairwright", "map", "--root", place]
        env = {**environment(), "PAIRWRIGHT_CACHE": f"{place}/cache"}
        subprocess.run(words, env=env, check=True, stdout=subprocess.DEVNULL)


def environment() -> dict[str, str]:
    env = {**os.environ, "PYTHONPATH": str(SERVER)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**env, "PYTHONPYCACHEPREFIX": str(folder() / "bytecode")}


def map_process(root: Path, cache: str) -> float:
    """Seconds of one `pairwright map`."""
    env = {**environment(), "PAIRWRIGHT_CACHE": cache}
    words = [sys.executable, "-m", "pairwright", "map"]
    words += ["--root", str(root), "--tokens", str(TOKENS)]
    began = time.perf_counter()
    done = subprocess.run(words, env=env, capture_output=True, check=True)
    seconds = time.perf_counter() - began
    assert len(done.stdout) > TOKENS, "the map is suspiciously short"
    return seconds
