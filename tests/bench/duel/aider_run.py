"""Aider on one edit after another, in Aider's own environment; its import and start are not timed.

    python aider_run.py BASE FORMAT      reads one JSON object a line, {root, path, request}; writes {seconds, reply}

BASE is the address of the model's server, its key comes in the environment as OPENAI_API_KEY. Everything else is
what `aider --yes-always` does by default.
"""

import contextlib
import io
import json
import os
import sys
import time

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["OPENAI_API_BASE"] = sys.argv[1]

from aider.main import main as aider  # type: ignore[import-not-found]

FLAGS = [
    "--yes-always",
    "--no-check-update",
    "--no-show-model-warnings",
    "--analytics-disable",
    "--no-show-release-notes",
    "--no-detect-urls",
    "--no-suggest-shell-commands",
    "--no-pretty",
    "--no-gitignore",
]


def edited(root: str, path: str, request: str) -> dict[str, object]:
    """One edit, with what Aider printed and what the model said in all its passes."""
    os.chdir(root)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        words = ["--model", "openai/embedded", "--edit-format", sys.argv[2], *FLAGS, path]
        coder = aider(words, input=None, output=None, return_coder=True)
        began = time.perf_counter()
        coder.run(with_message=request)
        seconds = time.perf_counter() - began
    replies = [m["content"] for m in coder.done_messages + coder.cur_messages]
    return {"seconds": seconds, "messages": replies, "printed": said.getvalue()}


def main() -> None:
    out = sys.stdout
    for line in sys.stdin:
        try:
            answer = edited(**json.loads(line))
        except (Exception, SystemExit) as error:
            answer = {"seconds": None, "messages": [], "printed": repr(error)}
        out.write(json.dumps(answer) + "\n")
        out.flush()


main()
