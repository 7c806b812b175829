"""Aider's reader and matcher of SEARCH/REPLACE blocks, timed in Aider's own environment.

    python aider_apply.py JOBS.json      -> one JSON line: [[seconds, files changed as wanted], ...], one a job

A job is {"files": {path: text}, "reply": text, "after": {path: text}}. Nothing of the import is counted.
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

from aider.coders import editblock_coder as coder  # type: ignore[import-not-found]


def main() -> None:
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(json.dumps([timed(job) for job in jobs]))


def timed(job: dict[str, dict[str, str]]) -> tuple[float, int]:
    files = dict(job["files"])
    began = time.process_time()
    blocks = coder.find_original_update_blocks(job["reply"], coder.DEFAULT_FENCE, list(files))
    for path, before, after in blocks:
        files[path] = (
            coder.do_replace(path, files[path], before, after, coder.DEFAULT_FENCE) or files[path]
        )
    seconds = time.process_time() - began
    return seconds, sum(files[path] == text for path, text in job["after"].items())


if __name__ == "__main__":
    main()
