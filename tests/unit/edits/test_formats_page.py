"""docs/formats.md lists every refusal that the code can give."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pairwright.edits

FOLDER = Path(pairwright.edits.__file__).parent
PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
# What makes a Problem, or a part of its message.
_SAYING = {"_No", "Problem", "_fault", "_malformed", "Refused", "Unknown"}
_SAYERS = {"unsafe", "marker_written", "ambiguous"}


def test_every_refusal_is_on_the_page() -> None:
    page = _words(PAGE)
    missing = [text for text in sorted(set(_messages())) if _words(text) not in page]
    assert missing == []


def _messages() -> Iterator[str]:
    """The first words of every message, up to what is filled in."""
    # What people read as a diff is no refusal.
    for path in sorted(set(FOLDER.rglob("*.py")) - {FOLDER / "unified.py"}):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            for value in _sources(node, path.name):
                if (text := _longest(value)) and " " in text.strip():
                    yield text


def _sources(node: ast.AST, file: str) -> Iterator[ast.AST]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        is_message = file == "messages.py" or isinstance(node.value, ast.Constant)
        if name.isupper() and is_message and file != "feedback.py":
            yield node.value
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        yield from node.args if name in _SAYING else ()
    elif isinstance(node, ast.FunctionDef) and node.name in _SAYERS:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Return) and inner.value is not None:
                yield inner.value


def _longest(node: ast.AST) -> str:
    """The longest run of fixed words in a message."""
    if isinstance(node, ast.JoinedStr):
        parts = [str(one.value) for one in node.values if isinstance(one, ast.Constant)]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        parts = re.split(r"\{[^{}]*\}", node.value)
    else:
        return ""
    return max((line for part in parts for line in part.split("\n")), key=len, default="")


def _words(text: str) -> str:
    return " ".join(re.findall(r"[\w<>=.]+", text.lower()))
