"""Replies in the shapes that models give them: what is read out of each, or why it is refused."""

from __future__ import annotations

import pytest

from pairwright.edits.formats.registry import read
from pairwright.edits.plan import plan
from pairwright.edits.types import Target

A = "import os\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
A2 = A.replace("return 1", "return 10")
M = "# T\n\n```python\nx = 1\n```\n\nend\n"
SR = "<<<<<<< SEARCH\n    return 1\n=======\n    return 10\n>>>>>>> REPLACE\n"
F = {"src/app.py": A, "README.md": M, "lib/b.js": "let a = 1;\r\nlet b = 2;\r\n"}
OK: dict[str, str | None] = {"src/app.py": A2}
CASES: list[tuple[str, str, dict[str, str], str, dict[str, str | None] | str]] = []


def case(
    name: str,
    format: str,
    reply: str,
    expected: dict[str, str | None] | str,
    files: dict[str, str] = F,
) -> None:
    """A case: `expected` is what the files become (None: gone), or a part of the refusal."""
    CASES.append((name, format, files, reply, expected))


# Names in odd places.
for head in (
    "**src/app.py**\n```python\n",
    "### `src/app.py`\n\n```python\n",
    "```python\n# src/app.py\n",
    "```python src/app.py\n",
    "```src/app.py\n",
    "```python:src/app.py\n",
    '```python title="src/app.py"\n',
    "```python {file=src/app.py}\n",
    "File: src/app.py\n```\n",
    "1. Edit `src/app.py`:\n\n```python\n",
    "src/app.py\n\n```python\n",
    "**File:** `src/app.py`\n```python\n",
    "[src/app.py](src/app.py)\n```\n",
    "In the file `src/app.py` we change the result:\n```py\n",
    "<file>src/app.py</file>\n```\n",
    "Path: ./src/app.py\n~~~python\n",
    "`src/app.py` (modified)\n````python\n",
    "#### src/app.py:4-5\n```python\n",
    "a/src/app.py\n```\n",
    "src\\app.py\n```\n",
    "- src/app.py\n```python\n",
    "> src/app.py\n```\n",
    "📄 src/app.py\n```python\n",
    "--- src/app.py\n```\n",
    "```\nsrc/app.py\n",
    "/* src/app.py */\n```\n",
    "app.py\n```python\n",
    "Updated src/app.py:\n```python\n",
    'filename: "src/app.py"\n```\n',
    "*src/app.py*\n```\n",
    "`src/app.py`:\n\n\n\n```python\n",
    "```python filename=src/app.py\n",
):
    close = "````\n" if "````" in head else "~~~\n" if "~~~" in head else "```\n"
    case(f"name {head!r}", "diff", head + SR + close, OK)
# Diff: form.
case("crlf reply", "diff", ("src/app.py\n```\n" + SR + "```\n").replace("\n", "\r\n"), OK)
case("no fence", "diff", "src/app.py\n" + SR, OK)
case(
    "bold marker",
    "diff",
    "src/app.py\n" + SR.replace("<<<<<<< SEARCH", "<<<<<<< SEARCH src/app.py"),
    OK,
)
case(
    "6 chars",
    "diff",
    "src/app.py\n" + SR.replace("<<<<<<<", "<<<<<<").replace(">>>>>>>", ">>>>>>"),
    OK,
)
case(
    "two files in one fence",
    "diff",
    "```\nsrc/app.py\n"
    + SR
    + "lib/b.js\n<<<<<<< SEARCH\nlet a = 1;\n=======\nlet a = 3;\n>>>>>>> REPLACE\n```\n",
    {**OK, "lib/b.js": "let a = 3;\r\nlet b = 2;\r\n"},
)
case(
    "fence in md",
    "diff",
    "README.md\n````md\n<<<<<<< SEARCH\n```python\nx = 1\n```\n=======\n"
    "```python\nx = 2\n```\n>>>>>>> REPLACE\n````\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case(
    "nested same fence in md",
    "diff",
    "README.md\n```md\n<<<<<<< SEARCH\n```python\nx = 1\n```\n=======\n```python\nx = 2\n```\n>>>>>>> REPLACE\n```\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case(
    "list indented",
    "diff",
    "1. Change it:\n\n   src/app.py\n   ```python\n"
    + "".join("   " + row + "\n" for row in SR.splitlines())
    + "   ```\n",
    OK,
)
case(
    "thinking then",
    "diff",
    "<think>\nmaybe src/other.py\n</think>\n\nsrc/app.py\n```\n" + SR + "```\n",
    OK,
)
case("bash after", "diff", "src/app.py\n```\n" + SR + "```\n\n```bash\npytest\n```\n", OK)
case(
    "end marker without word",
    "diff",
    "src/app.py\n```\n" + SR.replace(">>>>>>> REPLACE", ">>>>>>>") + "```\n",
    "malformed",
)
case(
    "new file",
    "diff",
    "src/new.py\n```\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n```\n",
    {"src/new.py": "x = 1\n"},
)
case("twice same", "diff", "src/app.py\n" + SR + "\nsrc/app.py\n" + SR, OK)
case(
    "partial line",
    "diff",
    "src/app.py\n"
    + SR.replace("    return 1\n=", "return 1\n=").replace("    return 10", "return 10"),
    OK,
)
case(
    "line numbers in search",
    "diff",
    "src/app.py\n<<<<<<< SEARCH\n5 |     return 1\n=======\n5 |     return 10\n>>>>>>> REPLACE\n",
    "not in the file",
)
# Udiff.
U = "--- a/src/app.py\n+++ b/src/app.py\n@@ -4,2 +4,2 @@ def f():\n def f():\n-    return 1\n+    return 10\n"
case("udiff plain", "udiff", U, OK)
case("udiff fenced", "udiff", "Here:\n```diff\n" + U + "```\nDone.", OK)
case("udiff wrong numbers", "udiff", U.replace("-4,2 +4,2", "-400,9 +1,1"), OK)
case("udiff no at", "udiff", U.replace("@@ -4,2 +4,2 @@ def f():\n", ""), OK)
case("udiff git", "udiff", "diff --git a/src/app.py b/src/app.py\nindex 123..456 100644\n" + U, OK)
case("udiff crlf", "udiff", U.replace("\n", "\r\n"), OK)
case("udiff no prefix", "udiff", U.replace("a/src", "src").replace("b/src", "src"), OK)
case(
    "udiff timestamps",
    "udiff",
    U.replace("a/src/app.py", "a/src/app.py\t2024-01-01 00:00:00").replace(
        "b/src/app.py", "b/src/app.py\t2024-01-01"
    ),
    OK,
)
case("udiff only +++", "udiff", U.replace("--- a/src/app.py\n", ""), OK)
case(
    "udiff name above fence",
    "udiff",
    "**src/app.py**\n```diff\n@@ -4,2 +4,2 @@\n def f():\n-    return 1\n+    return 10\n```\n",
    OK,
)
case(
    "udiff no blank in context",
    "udiff",
    "```diff\n" + U.replace("\n def f():\n", "\ndef f():\n") + "```\n",
    OK,
)
case(
    "udiff new file",
    "udiff",
    "--- /dev/null\n+++ b/src/n.py\n@@ -0,0 +1,2 @@\n+a = 1\n+b = 2\n",
    {"src/n.py": "a = 1\nb = 2\n"},
)
case(
    "udiff delete",
    "udiff",
    "--- a/lib/b.js\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-let a = 1;\n-let b = 2;\n",
    {"lib/b.js": None},
)
case(
    "udiff crlf file",
    "udiff",
    "--- a/lib/b.js\n+++ b/lib/b.js\n@@ -1,2 +1,2 @@\n let a = 1;\n-let b = 2;\n+let b = 3;\n",
    {"lib/b.js": "let a = 1;\r\nlet b = 3;\r\n"},
)
case(
    "udiff two hunks",
    "udiff",
    U + "@@ -8,2 +8,2 @@ def g():\n def g():\n-    return 2\n+    return 20\n",
    {"src/app.py": A2.replace("return 2", "return 20")},
)
case("udiff no newline marker", "udiff", U + "\\ No newline at end of file\n", OK)
case("udiff ... between", "udiff", U.replace("@@ -4,2 +4,2 @@ def f():", "@@ ... @@"), OK)
case(
    "udiff two files prose",
    "udiff",
    "First:\n```diff\n"
    + U
    + "```\nThen:\n```diff\n--- a/lib/b.js\n+++ b/lib/b.js\n@@ -1 +1 @@\n-let a = 1;\n+let a = 9;\n```\n",
    {**OK, "lib/b.js": "let a = 9;\r\nlet b = 2;\r\n"},
)
case(
    "udiff add only with ctx",
    "udiff",
    "--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1,2 @@\n import os\n+import sys\n",
    {"src/app.py": A.replace("import os\n", "import os\nimport sys\n")},
)
case(
    "udiff add only no ctx",
    "udiff",
    "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,0 +2 @@\n+import sys\n",
    "empty SEARCH",
)
case(
    "udiff rename",
    "udiff",
    "diff --git a/lib/b.js b/lib/c.js\nsimilarity index 100%\nrename from lib/b.js\nrename to lib/c.js\n",
    {"lib/b.js": None, "lib/c.js": F["lib/b.js"]},
)
case(
    "udiff list bullets",
    "udiff",
    "--- a/README.md\n+++ b/README.md\n@@ -7 +7,2 @@\n end\n+- item\n",
    {"README.md": M.replace("end\n", "end\n- item\n")},
)
case(
    "udiff indented fence",
    "udiff",
    "1. do:\n\n   ```diff\n" + "".join("   " + row + "\n" for row in U.splitlines()) + "   ```\n",
    OK,
)
case(
    "udiff bare tag names",
    "udiff",
    "```diff\n--- src/app.py (original)\n+++ src/app.py (modified)\n@@ @@\n-    return 1\n+    return 10\n```\n",
    OK,
)
case("udiff hash fence patch tag", "udiff", "```patch\n" + U + "```\n", OK)
case(
    "udiff ambiguous",
    "udiff",
    "--- a/src/app.py\n+++ b/src/app.py\n@@\n \n \n+# x\n",
    "empty SEARCH",
)
case("udiff wrong line", "udiff", U.replace("return 1\n", "return 7\n"), "not in the file")
case(
    "udiff fence nested in md",
    "udiff",
    "````diff\n--- a/README.md\n+++ b/README.md\n@@ -3,3 +3,3 @@\n ```python\n-x = 1\n+x = 2\n ```\n````\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
# Patch.
P = "*** Begin Patch\n*** Update File: src/app.py\n@@ def f():\n-    return 1\n+    return 10\n*** End Patch\n"
case("patch plain", "patch", P, OK)
case("patch fenced", "patch", "```\n" + P + "```\n", OK)
case("patch no begin", "patch", P.replace("*** Begin Patch\n", ""), OK)
case("patch no end", "patch", P.replace("*** End Patch\n", ""), OK)
case("patch here", "patch", "```bash\napply_patch <<'EOF'\n" + P + "EOF\n```\n", OK)
case("patch json-ish", "patch", '{"command": ["apply_patch", "*** Begin Patch"]}\n' + P, OK)
case("patch no at", "patch", P.replace("@@ def f():\n", ""), OK)
case("patch at with range", "patch", P.replace("@@ def f():", "@@ -4,2 +4,2 @@ def f():"), OK)
case("patch wrong scope", "patch", P.replace("def f()", "def zz()"), OK)
case("patch crlf", "patch", P.replace("\n", "\r\n"), OK)
case(
    "patch two scopes",
    "patch",
    P.replace(
        "@@ def f():\n-    return 1\n+    return 10",
        "@@ def g():\n-    return 2\n+    return 20\n@@ def f():\n-    return 1\n+    return 10",
    ),
    {"src/app.py": A2.replace("return 2", "return 20")},
)
case(
    "patch add",
    "patch",
    "*** Begin Patch\n*** Add File: n/x.py\n+a\n+\n+b\n*** End Patch\n",
    {"n/x.py": "a\n\nb\n"},
)
case(
    "patch add no plus",
    "patch",
    "*** Begin Patch\n*** Add File: n/x.py\na\nb\n*** End Patch\n",
    "each begins with +",
)
case(
    "patch delete",
    "patch",
    "*** Begin Patch\n*** Delete File: lib/b.js\n*** End Patch\n",
    {"lib/b.js": None},
)
case(
    "patch move",
    "patch",
    "*** Begin Patch\n*** Update File: lib/b.js\n*** Move to: lib/c.js\n@@\n-let a = 1;\n"
    "+let a = 2;\n*** End Patch\n",
    {"lib/b.js": None, "lib/c.js": "let a = 2;\r\nlet b = 2;\r\n"},
)
case(
    "patch eof",
    "patch",
    "*** Begin Patch\n*** Update File: src/app.py\n@@\n     return 2\n+# end\n*** End of File\n*** End Patch\n",
    {"src/app.py": A + "# end\n"},
)
case(
    "patch several files",
    "patch",
    "*** Begin Patch\n*** Update File: src/app.py\n@@\n-    return 1\n+    return 10\n"
    "*** Update File: lib/b.js\n@@\n-let b = 2;\n+let b = 3;\n*** End Patch\n",
    {**OK, "lib/b.js": "let a = 1;\r\nlet b = 3;\r\n"},
)
case(
    "patch two patches",
    "patch",
    P
    + "\nand\n\n*** Begin Patch\n*** Update File: lib/b.js\n@@\n-let b = 2;\n+let b = 3;\n*** End Patch\n",
    {**OK, "lib/b.js": "let a = 1;\r\nlet b = 3;\r\n"},
)
case("patch backticks path", "patch", P.replace("src/app.py", "`src/app.py`"), OK)
case(
    "patch update creates",
    "patch",
    "*** Begin Patch\n*** Update File: src/none.py\n@@\n+x\n*** End Patch\n",
    "no such file",
)
case(
    "patch add exists",
    "patch",
    "*** Begin Patch\n*** Add File: src/app.py\n+x\n*** End Patch\n",
    "exists already",
)
case(
    "patch blank context lines",
    "patch",
    "*** Begin Patch\n*** Update File: src/app.py\n@@\n     return 1\n\n\n-def g():\n+def h():\n*** End Patch\n",
    {"src/app.py": A.replace("def g", "def h")},
)
case(
    "patch multiple same lines by order",
    "patch",
    "*** Begin Patch\n*** Update File: d.py\n@@ class B\n-  x = 1\n+  x = 2\n*** End Patch\n",
    {"d.py": "class A\n  x = 1\nclass B\n  x = 2\n"},
    {"d.py": "class A\n  x = 1\nclass B\n  x = 1\n"},
)
# Whole.
W = "src/app.py\n```python\n" + A2 + "```\n"
case("whole", "whole", W, OK)
case(
    "whole prose",
    "whole",
    "Sure! I'll change `f`:\n\n" + W + "\nThis returns 10. For example:\n\n```python\nf()\n```\n",
    OK,
)
case("whole bold", "whole", W.replace("src/app.py\n", "**`src/app.py`**\n\n"), OK)
case("whole in info", "whole", W.replace("src/app.py\n```python\n", "```python src/app.py\n"), OK)
case(
    "whole colon info", "whole", W.replace("src/app.py\n```python\n", "```python:src/app.py\n"), OK
)
case("whole crlf", "whole", W.replace("\n", "\r\n"), OK)
case(
    "whole two",
    "whole",
    W + "\nlib/b.js\n```js\nlet a = 5;\nlet b = 2;\n```\n",
    {**OK, "lib/b.js": "let a = 5;\r\nlet b = 2;\r\n"},
)
case(
    "whole md nested",
    "whole",
    "README.md\n```markdown\n# T\n\n```python\nx = 2\n```\n\nend\n```\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case(
    "whole md 4",
    "whole",
    "README.md\n````markdown\n# T\n\n```python\nx = 2\n```\n\nend\n````\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case("whole cut", "whole", W[:-4], "cut off")
case(
    "whole placeholder",
    "whole",
    "src/app.py\n```python\nimport os\n\n\ndef f():\n    return 10\n\n# ... rest of the file unchanged ...\n```\n",
    "placeholder",
)
case("whole diff", "whole", "src/app.py\n```diff\n-x\n+y\n```\n", "whole file was expected")
case("whole new", "whole", "src/n.py\n```\nq\n```\n", {"src/n.py": "q\n"})
case("whole same twice", "whole", W + W, OK)
case("whole two versions", "whole", W + W.replace("10", "11"), "second")
case("whole sr answered", "whole", "src/app.py\n```\n" + SR + "```\n", OK)
case("whole one chat file", "whole", "```python\n" + A2 + "```\n", OK, {"src/app.py": A})
case("whole tilde", "whole", W.replace("```", "~~~"), OK)
case("whole bash then", "whole", "```bash\npip install x\n```\n\n" + W, OK)
case("whole heading", "whole", W.replace("src/app.py", "## src/app.py"), OK)
case("whole file label", "whole", W.replace("src/app.py\n", "File: `src/app.py`\n"), OK)
case(
    "whole indented list",
    "whole",
    "1. src/app.py\n\n   ```python\n"
    + "".join("   " + row + "\n" if row else "\n" for row in A2.splitlines())
    + "   ```\n",
    OK,
)
# Other format answered.
case("diff asked udiff given", "diff", "```diff\n" + U + "```\n", OK)
case("diff asked patch given", "diff", P, OK)
case("udiff asked diff given", "udiff", "src/app.py\n```\n" + SR + "```\n", OK)
case("patch asked udiff given", "patch", "```diff\n" + U + "```\n", OK)
case("symbol asked diff given", "symbol", "src/app.py\n```\n" + SR + "```\n", OK)
case("patch asked diff given", "patch", "src/app.py\n" + SR, OK)
case(
    "symbol",
    "symbol",
    "src/app.py\n```python\n<<<<<<< DEFINITION f\ndef f():\n    return 10\n>>>>>>> REPLACE\n```\n",
    OK,
)

case(
    "udiff unfenced md fence context",
    "udiff",
    "--- a/README.md\n+++ b/README.md\n@@ -3,3 +3,3 @@\n ```python\n-x = 1\n+x = 2\n ```\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case(
    "udiff unfenced md no at",
    "udiff",
    "--- a/README.md\n+++ b/README.md\n ```python\n-x = 1\n+x = 2\n ```\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case(
    "patch md fence context",
    "patch",
    "*** Begin Patch\n*** Update File: README.md\n@@\n ```python\n-x = 1\n+x = 2\n ```\n*** End Patch\n",
    {"README.md": M.replace("x = 1", "x = 2")},
)
case(
    "patch indented fence",
    "patch",
    "1. do:\n\n   ```\n" + "".join("   " + row + "\n" for row in P.splitlines()) + "   ```\n",
    OK,
)
case("udiff indented fence, text flush", "udiff", "1. do:\n\n   ```diff\n" + U + "   ```\n", OK)


@pytest.mark.parametrize(
    ("name", "format", "files", "reply", "expected"), CASES, ids=[one[0] for one in CASES]
)
def test_reply(
    name: str, format: str, files: dict[str, str], reply: str, expected: dict[str, str | None] | str
) -> None:
    parsed = read(reply, format, tuple(files))
    targets = {path: Target(path, text.encode()) for path, text in files.items()}
    done = plan(parsed.blocks, targets, chat=tuple(files))
    said = "\n".join(problem.message for problem in (*parsed.problems, *done.problems))
    if isinstance(expected, str):
        assert expected in said
        assert done.changes == () or parsed.problems
        return
    assert said == ""
    found: dict[str, str | None] = {
        change.moved_from: None for change in done.changes if change.moved_from
    }
    found.update(
        (one.path, None if one.after is None else one.after.decode()) for one in done.changes
    )
    assert found == expected
