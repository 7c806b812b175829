"""What the server offers one client, as the answer to `initialize`.

pygls' builder is not used: it derives everything from registered features and cannot leave command
ids out, which VS Code would register as global commands.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

import pairwright
from pairwright.config.schema import Symbols
from pairwright.lsp.client import PROTOCOL, Client

COMMANDS = (
    "pairwright.accept",
    "pairwright.apply",
    "pairwright.architect",
    "pairwright.ask",
    "pairwright.blast",
    "pairwright.cancel",
    "pairwright.changes",
    "pairwright.chat",
    "pairwright.checkpoints",
    "pairwright.commit",
    "pairwright.context",
    "pairwright.doctor",
    "pairwright.edit",
    "pairwright.help",
    "pairwright.instruct",
    "pairwright.instructions",
    "pairwright.map",
    "pairwright.proposals",
    "pairwright.records.show",
    "pairwright.redo",
    "pairwright.reference.add",
    "pairwright.reference.list",
    "pairwright.reference.remove",
    "pairwright.reference.search",
    "pairwright.refine",
    "pairwright.reject",
    "pairwright.rescan",
    "pairwright.restore",
    "pairwright.run",
    "pairwright.send",
    "pairwright.sent",
    "pairwright.sessions",
    "pairwright.show",
    "pairwright.status",
    "pairwright.task.list",
    "pairwright.task.plan",
    "pairwright.task.redo",
    "pairwright.task.resume",
    "pairwright.task.run",
    "pairwright.task.show",
    "pairwright.task.skip",
    "pairwright.task.stop",
    "pairwright.task.undo",
    "pairwright.tokens",
    "pairwright.undo",
)
"""The advertised command ids; a test holds them equal to the route table, which loads later."""

CODE_ACTION_KINDS = (
    "refactor.rewrite.pairwright",
    "pairwright.ask",
    "pairwright.review",
    "quickfix.pairwright",
)
"""Kinds of the code actions, as `handlers.actions` gives them; a test holds them equal."""

_FILES = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)


SCHEME = "pairwright"
"""The scheme of documents that are served and lie on no disk; see docs/protocol.md."""


def switched_on(symbols: Symbols) -> tuple[str, ...]:
    """The methods of the index that the settings ask for."""
    wanted = {
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: symbols.document,
        types.WORKSPACE_SYMBOL: symbols.workspace,
        types.TEXT_DOCUMENT_DEFINITION: symbols.definition,
        types.TEXT_DOCUMENT_REFERENCES: symbols.references,
    }
    return tuple(method for method, on in wanted.items() if on)


def initialize_result(
    client: Client, symbols: Symbols, commands: Sequence[str] = COMMANDS
) -> types.InitializeResult:
    """The answer to `initialize`. `symbols`: by the settings known so far."""
    offered = types.ServerCapabilities(
        position_encoding=client.encoding,
        text_document_sync=types.TextDocumentSyncOptions(
            open_close=True, change=types.TextDocumentSyncKind.Incremental, save=True
        ),
        hover_provider=True,
        code_action_provider=types.CodeActionOptions(
            code_action_kinds=list(CODE_ACTION_KINDS), resolve_provider=False
        ),
        code_lens_provider=(
            types.CodeLensOptions(resolve_provider=False) if client.commands else None
        ),
        document_symbol_provider=symbols.document or None,
        workspace_symbol_provider=symbols.workspace or None,
        definition_provider=symbols.definition or None,
        references_provider=symbols.references or None,
        workspace=types.WorkspaceOptions(
            workspace_folders=types.WorkspaceFoldersServerCapabilities(True, True),
            file_operations=types.FileOperationOptions(
                did_create=_FILES, did_rename=_FILES, did_delete=_FILES
            ),
            text_document_content=(
                types.TextDocumentContentOptions([SCHEME]) if client.virtual else None
            ),
        ),
        experimental={"pairwright": {"protocol": PROTOCOL, "oldest": max(1, PROTOCOL - 1)}},
    )
    if client.commands:
        offered.execute_command_provider = types.ExecuteCommandOptions(commands=list(commands))
    info = types.ServerInfo("pairwright", pairwright.__version__)
    return types.InitializeResult(offered, info)
