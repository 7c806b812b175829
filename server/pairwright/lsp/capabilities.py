"""What the server offers one client, as the answer to `initialize`.

pygls' builder is not used: it derives everything from registered features and cannot leave command
ids out, which VS Code would register as global commands.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

import pairwright
from pairwright.lsp.client import PROTOCOL, Client

COMMANDS = (
    "pairwright.accept",
    "pairwright.apply",
    "pairwright.ask",
    "pairwright.cancel",
    "pairwright.checkpoints",
    "pairwright.doctor",
    "pairwright.edit",
    "pairwright.map",
    "pairwright.proposals",
    "pairwright.redo",
    "pairwright.reject",
    "pairwright.rescan",
    "pairwright.restore",
    "pairwright.send",
    "pairwright.show",
    "pairwright.status",
    "pairwright.undo",
)
"""The advertised command ids; a test holds them equal to the route table, which loads later."""

CODE_ACTION_KINDS = ("refactor.rewrite.pairwright", "pairwright.ask", "pairwright.review")
"""Kinds of the code actions, as `handlers.actions` gives them; a test holds them equal."""

_FILES = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)


def initialize_result(
    client: Client, symbols: bool, commands: Sequence[str] = COMMANDS
) -> types.InitializeResult:
    """The answer to `initialize`. `symbols`: documentSymbol is on by the settings known so far."""
    offered = types.ServerCapabilities(
        position_encoding=client.encoding,
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True, change=types.TextDocumentSyncKind.Incremental, save=True
        ),
        hover_provider=True,
        code_action_provider=types.CodeActionOptions(
            code_action_kinds=list(CODE_ACTION_KINDS), resolve_provider=False
        ),
        document_symbol_provider=True if symbols else None,
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(True, True),
            file_operations=types.FileOperationOptions(
                did_create=_FILES, did_rename=_FILES, did_delete=_FILES
            ),
        ),
        experimental={"pairwright": {"protocol": PROTOCOL, "oldest": max(1, PROTOCOL - 1)}},
    )
    if client.commands:
        offered.execute_command_provider = types.ExecuteCommandOptions(commands=list(commands))
    info = types.ServerInfo("pairwright", pairwright.__version__)
    return types.InitializeResult(offered, info)
