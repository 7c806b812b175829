"""docs/protocol.md says what is on the wire: names are looked up in it, and digests of what the code takes and sends
fail here when the code moves on without the page."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest

import pairwright.lsp
from pairwright.engine import events
from pairwright.lsp.routes import COMMANDS, DOCUMENTS, METHODS
from pairwright.lsp.stream import kinds

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"
LSP = Path(pairwright.lsp.__file__).parent
OURS = re.compile(r"pairwright/[a-z/]+\Z")
DIGESTS = re.compile(r"\n<!-- Digests, .*?-->\n", re.S)


def test_the_page_was_read_when_the_wire_last_changed() -> None:
    now = found()
    page = PAGE.read_text(encoding="utf-8")
    if os.environ.get("UPDATE"):
        page = DIGESTS.sub("", page).rstrip("\n") + "\n" + written(now)
        PAGE.write_text(page, encoding="utf-8")
    before = dict(re.findall(r"^(\S+) ([0-9a-f]{8})$", page, re.M))
    moved = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    assert moved == [], (
        f"{', '.join(moved)}: names that the wire carries have changed. Say so in docs/protocol.md (an event is a "
        "row of its table, a command a row of its own), then run this test with UPDATE=1."
    )


@pytest.mark.parametrize("kind", kinds())
def test_every_event_has_its_row(kind: str) -> None:
    row = re.search(rf"^\| `{kind}` \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.M)
    assert row, f"add a row for `{kind}` to the table of pairwright/turn/event in docs/protocol.md"


def test_every_method_and_document_of_ours_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in constants(LSP, OURS) if f"`{name}`" not in page] == []
    assert [name for name in DOCUMENTS if f"`pairwright:/{name}" not in page] == []


def found() -> dict[str, str]:
    """Digests of what the wire carries: the events with their fields, the routes, and by handler the names it
    reads from arguments and puts into answers."""
    told = [
        f"{kind}: {', '.join(f'{field.name} {field.type}' for field in fields(event))}"
        for kind, event in kinds().items()
    ]
    routes = [*COMMANDS, *METHODS, *DOCUMENTS, *constants(LSP, OURS)]
    digests = {"events": digest(told), "routes": digest(routes)}
    for path in sorted((LSP / "handlers").glob("*.py")):
        if names := sorted(set(spoken(ast.parse(path.read_text(encoding="utf-8"))))):
            digests[path.stem] = digest(names)
    return digests


def digest(lines: list[str]) -> str:
    return sha256("\n".join(sorted(lines)).encode()).hexdigest()[:8]


def spoken(tree: ast.AST) -> Iterator[str]:
    """The names a handler reads from an argument and those of the objects it answers with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from (key.value for key in node.keys if isinstance(key, ast.Constant))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "args.get":
            yield from (arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant))


def constants(folder: Path, wanted: re.Pattern[str]) -> list[str]:
    """The strings of the modules of `folder` that match, each once, sorted."""
    return sorted(
        {
            node.value
            for path in sorted(folder.rglob("*.py"))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and wanted.match(node.value)
        }
    )


def written(digests: dict[str, str]) -> str:
    lines = "\n".join(f"{name} {value}" for name, value in digests.items())
    return f"\n<!-- Digests, rewritten by `UPDATE=1` in tests/unit/lsp/test_protocol_page.py.\n{lines}\n-->\n"


def test_the_union_names_every_event() -> None:
    """An event that is not in the union has no row to be missed."""
    told = {
        name
        for name, value in vars(events).items()
        if getattr(value, "__module__", "") == events.__name__
    }
    outcomes = {"Done", "Retry", "Stop"}
    assert {cls.__name__ for cls in kinds().values()} | {"Said"} == {
        name for name in told if isinstance(getattr(events, name), type)
    } - outcomes
