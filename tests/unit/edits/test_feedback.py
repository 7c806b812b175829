"""What the model is told, word for word."""

from __future__ import annotations

import pytest
from tests.support.expect import golden

from pairwright.edits.feedback import feedback
from pairwright.edits.formats.registry import read
from pairwright.edits.formats.search_replace import parse
from pairwright.edits.plan import plan
from pairwright.edits.types import Target

FILES = {
    "src/server.py": (
        "import os\n\n\ndef start(port):\n    print('starting', port)\n    return port\n\n\n"
        "def stop(port):\n    print('stopping', port)\n    return port\n"
    ),
    "src/client.py": "TIMEOUT = 5\nRETRIES = 3\n",
    "docs/notes.md": "Title\n=======\n\nthe\u00a0task\n",
}


def _block(path: str, search: str, replace: str) -> str:
    return f"{path}\n```\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n```\n\n"


CASES = {
    "no-match": _block(
        "src/server.py", "def start(port):\n    print('start', port)\n", "def start():\n"
    ),
    "part-of-a-line": _block("src/client.py", "TIMEOUT\n", "SECONDS\n"),
    "nothing-similar": _block("src/client.py", "class Zebra:\n", "class Lion:\n"),
    "ambiguous": _block("src/server.py", "    return port\n", "    return None\n"),
    "already-there": _block("src/client.py", "TIMEOUT = 4\n", "TIMEOUT = 5\n"),
    "other-file": _block("src/server.py", "RETRIES = 3\n", "RETRIES = 4\n"),
    "odd-characters": _block("docs/notes.md", "  the task\n", "  a task\n"),
    "divider": _block("docs/notes.md", "Title\n=======\n", "Name\n=======\n"),
    "unknown-file": _block("src/servers.py", "import os\n", "import sys\n"),
    "not-empty": _block("src/client.py", "", "X = 1\n"),
    "placeholder": _block(
        "src/client.py", "TIMEOUT = 5\nRETRIES = 3\n", "X = 1\n# ... rest of code ...\n"
    ),
    "outside": _block("../escape.py", "", "X = 1\n"),
    "no-divider": "src/client.py\n<<<<<<< SEARCH\nTIMEOUT = 5\nTIMEOUT = 6\n>>>>>>> REPLACE\n",
    "cut-off": _block("src/client.py", "TIMEOUT = 5\n", "TIMEOUT = 6\n")
    + "src/server.py\n<<<<<<< SEARCH\nimport os\n",
    "some-passed": _block("src/client.py", "TIMEOUT = 5\n", "TIMEOUT = 6\n")
    + _block("src/server.py", "import sys\n", "import re\n")
    + _block("src/server.py", "import os\n", "import re\n"),
    "overlap": _block("src/client.py", "TIMEOUT = 5\n", "A\n")
    + _block("src/client.py", "TIMEOUT = 5\n", "B\n"),
    "long-block": _block("src/client.py", "".join(f"line {n}\n" for n in range(60)), "x\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_feedback(name: str) -> None:
    parsed = parse(CASES[name], tuple(FILES))
    targets = {path: Target(path, text.encode()) for path, text in FILES.items()}
    golden(
        f"edits/feedback-{name}.txt",
        feedback(parsed, plan(parsed.blocks, targets, chat=tuple(FILES))),
    )


OTHERS = {
    "udiff-no-match": (
        "udiff",
        "--- src/client.py\n+++ src/client.py\n@@ -1,2 +1,2 @@\n TIMEOUT = 4\n-RETRIES = 2\n+RETRIES = 9\n",
    ),
    "udiff-nothing-marked": (
        "udiff",
        "```diff\n--- src/client.py\n+++ src/client.py\n@@ -1,2 +1,2 @@\n TIMEOUT = 5\n RETRIES = 3\n```\n",
    ),
    "patch-ambiguous": (
        "patch",
        "*** Begin Patch\n*** Update File: src/server.py\n@@\n-    return port\n+    return 0\n*** End Patch\n",
    ),
    "patch-strange-line": (
        "patch",
        "*** Begin Patch\n*** Update File: src/client.py\n@@\n-TIMEOUT = 5\nTIMEOUT = 6\n*** End Patch\n",
    ),
    "patch-already-there": (
        "patch",
        "*** Begin Patch\n*** Update File: src/client.py\n-TIMEOUT = 4\n+TIMEOUT = 5\n*** End Patch\n",
    ),
    "whole-cut-off": ("whole", "src/client.py\n```python\nTIMEOUT = 6\nRETR"),
    "whole-diff": ("whole", "src/client.py\n```diff\n-TIMEOUT = 5\n+TIMEOUT = 6\n```\n"),
    "whole-nameless": ("whole", "```\na\n```\n\n```\nb\n```\n"),
    "symbol-unknown": (
        "symbol",
        "src/server.py\n```\n<<<<<<< DEFINITION strat\ndef strat():\n    pass\n>>>>>>> REPLACE\n```\n",
    ),
    "symbol-cut-off": ("symbol", "src/server.py\n<<<<<<< DEFINITION start\ndef start():\n"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_feedback_on_other_formats(name: str) -> None:
    format, reply = OTHERS[name]
    parsed = read(reply, format, tuple(FILES))
    targets = {path: Target(path, text.encode()) for path, text in FILES.items()}
    made = plan(parsed.blocks, targets, chat=tuple(FILES))
    golden(f"edits/feedback-{name}.txt", feedback(parsed, made))


def test_nothing_to_say_about_a_good_reply() -> None:
    parsed = parse(_block("src/client.py", "TIMEOUT = 5\n", "TIMEOUT = 6\n"))
    targets = {path: Target(path, text.encode()) for path, text in FILES.items()}
    assert feedback(parsed, plan(parsed.blocks, targets)) == ""
