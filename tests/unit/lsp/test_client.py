"""What is read from `initialize`: real capability sets, and nonsense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from hypothesis import given
from hypothesis import strategies as st

from pairwright.lsp.client import Client, Folder, folders

_SETS = Path(pytest_lsp.__file__).parent / "clients"


def of(capabilities: Any, **params: Any) -> Client:
    return Client.of({"capabilities": capabilities, **params})


def test_vscode() -> None:
    caps = json.loads((_SETS / "visual_studio_code_v1.65.2.json").read_text())
    client = Client.of(caps)
    assert client.encoding == "utf-16"
    assert client.apply_edit and client.document_changes and not client.one_document_edits
    assert client.resources == {"create", "rename", "delete"}
    assert client.failure_handling == "textOnlyTransactional"
    assert client.annotations and client.show_document and client.progress
    assert client.configuration and client.watching and client.markdown
    assert client.symbols_tree and "textDocument/documentSymbol" in client.dynamic
    assert client.commands and client.protocol == 0


def test_neovim() -> None:
    caps = json.loads((_SETS / "neovim_v0.11.0.json").read_text())
    client = Client.of(caps)
    assert client.encoding in ("utf-8", "utf-16", "utf-32")
    assert client.document_changes, "resourceOperations alone allow documentChanges"
    assert client.one_document_edits
    assert client.progress and client.configuration and client.markdown


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32", "utf-8", "utf-16"], "utf-32"),
        (["utf-7", "utf-16"], "utf-16"),
        (["utf-7"], "utf-16"),
        ("utf-8", "utf-16"),
    ],
)
def test_the_first_known_encoding_is_taken(offered: Any, expected: str) -> None:
    assert of({"general": {"positionEncodings": offered}}).encoding == expected


@pytest.mark.parametrize(
    ("ours", "protocol", "commands"),
    [
        (None, 0, True),
        ({"protocol": 1}, 1, True),
        ({"protocol": 1, "commands": False}, 1, False),
        ({"protocol": "1"}, 0, True),
        ({"commands": None}, 0, True),
        ("yes", 0, True),
    ],
)
def test_the_extension_says_what_it_speaks(ours: Any, protocol: int, commands: bool) -> None:
    client = of({"experimental": {"pairwright": ours}})
    assert (client.protocol, client.commands) == (protocol, commands)


def test_values_of_a_later_specification_do_no_harm() -> None:
    client = of(
        {
            "textDocument": {
                "codeAction": {"tagSupport": {"valueSet": [99, 1]}},
                "completion": {"completionItem": {"tagSupport": {"valueSet": [7]}}},
            },
            "workspace": {"workspaceEdit": {"failureHandling": "hopeful"}},
        }
    )
    assert client.llm_tag
    assert client.failure_handling == "hopeful"


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, ()),
        ({"workspaceFolders": None, "rootUri": None}, ()),
        ({"workspaceFolders": [], "rootUri": "file:///w"}, (Folder("file:///w", ""),)),
        (
            {"workspaceFolders": [{"uri": "file:///a", "name": "a"}], "rootUri": "file:///w"},
            (Folder("file:///a", "a"),),
        ),
        ({"rootPath": "/w x"}, (Folder("file:///w%20x", ""),)),
        ({"workspaceFolders": [3, {"uri": 1}, {"name": "x"}]}, ()),
    ],
)
def test_folders(params: dict[str, Any], expected: tuple[Folder, ...]) -> None:
    assert folders(params) == expected


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "general",
                    "workspace",
                    "window",
                    "textDocument",
                    "hover",
                    "workspaceEdit",
                    "codeAction",
                ]
            ),
            inner,
        )
    ),
    max_leaves=10,
)


@given(_JSON, _JSON, _JSON)
def test_no_nonsense_raises(capabilities: Any, info: Any, process: Any) -> None:
    params = {"capabilities": capabilities, "clientInfo": info, "processId": process}
    Client.of(params)
    folders({"workspaceFolders": capabilities, "rootUri": info, "rootPath": None})
