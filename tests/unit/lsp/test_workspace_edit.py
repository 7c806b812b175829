"""WorkspaceEdits in the form one client takes: order, versions, annotations."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.served import STYLES

from pairwright.edits.types import FileChange, Hunk
from pairwright.lsp.client import Client
from pairwright.lsp.workspace_edit import (
    Place,
    groups,
    needs_confirmation,
    needs_direct_write,
    steps,
    workspace_edit,
)

TEXT = FileChange("a", b"one\n", b"two\n", (Hunk(0, 4, b"two\n"),))
GUESS = FileChange("a", b"one\n", b"two\n", (Hunk(0, 4, b"two\n", True),))
NEW = FileChange("n", None, b"new\n", ())
GONE = FileChange("g", b"x\n", None, ())
MOVED = FileChange("to", b"one\n", b"two\n", (Hunk(0, 4, b"two\n"),), "a")
PLACES = {path: Place(f"file:///{path}", 7, "file:///to") for path in ("a", "n", "g")}


def client(style: str, **more: Any) -> Client:
    return Client.of({"clientInfo": {"name": style}, "capabilities": {"workspace": STYLES[style]}})


def check(style: str, changes: list[FileChange], expected: list[str]) -> dict[str, Any]:
    """The entries in order: `kind target` or `edit target@version`."""
    edit = workspace_edit(client(style), changes, PLACES, "Count louder")
    found = [
        f"{entry['kind']} {entry.get('newUri') or entry['uri']}"
        if "kind" in entry
        else f"edit {entry['textDocument']['uri']}@{entry['textDocument']['version']}"
        for entry in edit["documentChanges"]
    ]
    assert found == expected
    return edit


def test_files_are_made_first_and_renamed_last() -> None:
    check(
        "vscode",
        [MOVED, NEW, GONE],
        [
            "create file:///n",
            "delete file:///g",
            "edit file:///a@7",
            "edit file:///n@7",
            "rename file:///to",
        ],
    )


def test_only_a_client_that_shows_annotations_gets_them() -> None:
    edit = check("vscode", [TEXT], ["edit file:///a@7"])
    assert edit["changeAnnotations"] == {
        "pairwright.edit": {"label": "Count louder", "needsConfirmation": False}
    }
    assert edit["documentChanges"][0]["edits"][0]["annotationId"] == "pairwright.edit"
    for style in ("neovim", "plain"):
        edit = check(style, [TEXT], ["edit file:///a@7"])
        assert "changeAnnotations" not in edit
        assert "annotationId" not in edit["documentChanges"][0]["edits"][0]


def test_a_guess_is_asked_about() -> None:
    assert needs_confirmation(check("vscode", [GUESS], ["edit file:///a@7"]))
    assert not needs_confirmation(check("vscode", [TEXT], ["edit file:///a@7"]))
    assert not needs_confirmation(check("plain", [GUESS], ["edit file:///a@7"]))


def test_a_careless_client_gets_a_document_at_a_time() -> None:
    assert groups(client("neovim"), [TEXT, NEW]) == [[TEXT], [NEW]]
    assert groups(client("vscode"), [TEXT, NEW]) == [[TEXT, NEW]]


def test_a_rename_with_new_text_is_two_steps() -> None:
    text, rename = steps(MOVED)
    assert text == TEXT
    assert rename == FileChange("to", b"two\n", b"two\n", (), "a")
    assert steps(TEXT) == (TEXT,)


@pytest.mark.parametrize(("change", "style"), [(NEW, "plain"), (GONE, "plain"), (MOVED, "plain")])
def test_what_the_client_cannot_do_is_written_directly(change: FileChange, style: str) -> None:
    assert needs_direct_write(client(style), change)
    assert not needs_direct_write(client("vscode"), change)
