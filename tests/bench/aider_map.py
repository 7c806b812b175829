"""Aider's repo map, timed in Aider's own environment: run by its interpreter, prints one JSON line.

    python aider_map.py ROOT TOKENS      -> [seconds of the first map, seconds of the second, its length]

The first map starts without a tag cache. Nothing of the import is counted.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from aider.io import InputOutput  # type: ignore[import-not-found]
from aider.repomap import RepoMap  # type: ignore[import-not-found]


class Model:
    """What the map asks of a model: a count of tokens, as cheap as can be."""

    info: dict[str, object] = {}  # noqa: RUF012

    def token_count(self, text: str) -> float:
        return len(text) / 4


def main() -> None:
    root, tokens = Path(sys.argv[1]), int(sys.argv[2])
    for cache in root.glob(".aider.tags.cache*"):
        shutil.rmtree(cache)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    files = [str(root / name) for name in listed.stdout.decode().split("\0") if name]
    io = InputOutput(yes=True, pretty=False, fancy_input=False)
    maps = RepoMap(
        map_tokens=tokens,
        root=str(root),
        main_model=Model(),
        io=io,
        refresh="always",
        map_mul_no_files=1,
    )
    seconds = []
    text = ""
    for _ in range(2):
        began = time.perf_counter()
        text = maps.get_repo_map([], files, set(), set(), force_refresh=True) or ""
        seconds.append(time.perf_counter() - began)
    for cache in root.glob(".aider.tags.cache*"):
        shutil.rmtree(cache)
    print(json.dumps([*seconds, len(text)]))


if __name__ == "__main__":
    main()
