"""The route table: which function serves a method or a command, and how it runs.

To add a method, put a `Route` into `METHODS`; to add a command, into a module's own
`COMMANDS: dict[str, Route]`, which is merged here. `Route("loop" | "task" | "pool", run)`:

- `run(call, params)`. For a method, `params` is the lsprotocol object; for a command, the one
  argument object as a `Mapping` (empty when the client sent none, null or nonsense).
  `call.session` is everything else.
- `loop`: answers at once, within 20 ms. `task`: `async def`, may await. `pool`: converts and takes
  its snapshot on the loop, then returns `guard.Job(run)`; `run(token)` works in a thread and calls
  `token.check()` in long loops.
- The snapshot: `located = call.session.documents.locate(uri)`, `located.host.snapshot()`, before
  the first `await`. The open text: `call.session.documents.opened(uri).document`.
- The client: `call.session.client`. Settings: `call.session.settings`.
- Progress: `async with call.session.progress("Asking", token=call.work_token,
  on_cancel=task.cancel) as p:` and `p.report("reading", 40)`. It is ended whatever happens.
- To the client: `call.session.notify("pairwright/chat/delta", {...})`;
  `await call.session.request("workspace/applyEdit", {...})`, which raises RequestFailed.
- Work that outlives its request: `call.session.guard.spawn(coroutine)`; one running and one
  waiting of a kind: `call.session.ops.request("kind", work)`.
- Failing on purpose: raise `errors.Refused("what happened and what to do")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types

from pairwright.lsp.errors import UnknownCommand
from pairwright.lsp.guard import Route
from pairwright.lsp.handlers import (
    actions,
    blast,
    chat,
    checkpoints,
    commit,
    documents,
    hover,
    instructed,
    lenses,
    lent,
    map,
    modes,
    navigation,
    proposals,
    records,
    references_,
    sent,
    sessions,
    settings,
    shell,
    status,
    symbols,
    sync,
    tasks,
    tokens,
    turns,
    watch,
    workspace_symbols,
)
from pairwright.lsp.virtual import Make

METHODS: dict[str, Route] = {
    types.INITIALIZED: Route("task", status.initialized),
    types.SET_TRACE: Route("loop", status.set_trace),
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: Route("loop", status.progress_cancel),
    types.TEXT_DOCUMENT_DID_OPEN: Route("loop", sync.did_open),
    types.TEXT_DOCUMENT_DID_CHANGE: Route("loop", sync.did_change),
    types.TEXT_DOCUMENT_DID_CLOSE: Route("loop", sync.did_close),
    types.TEXT_DOCUMENT_DID_SAVE: Route("loop", watch.did_save),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: Route("loop", sync.did_change_folders),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: Route("loop", watch.did_change_watched),
    types.WORKSPACE_DID_CREATE_FILES: Route("loop", watch.did_create),
    types.WORKSPACE_DID_RENAME_FILES: Route("loop", watch.did_rename),
    types.WORKSPACE_DID_DELETE_FILES: Route("loop", watch.did_delete),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: Route("loop", settings.did_change),
    types.TEXT_DOCUMENT_HOVER: Route("pool", hover.hover),
    types.TEXT_DOCUMENT_CODE_ACTION: Route("pool", actions.code_action),
    types.TEXT_DOCUMENT_CODE_LENS: Route("pool", lenses.code_lens),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: Route("pool", symbols.document_symbol),
    types.TEXT_DOCUMENT_DEFINITION: Route("pool", navigation.definition),
    types.TEXT_DOCUMENT_REFERENCES: Route("pool", navigation.references),
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: Route("task", documents.content),
    "pairwright/document": Route("task", documents.document),
    "pairwright/model/delta": Route("loop", lent.delta),
    types.WORKSPACE_SYMBOL: Route("pool", workspace_symbols.workspace_symbol),
}

COMMANDS: dict[str, Route] = {
    **blast.COMMANDS,
    **chat.COMMANDS,
    **checkpoints.COMMANDS,
    **commit.COMMANDS,
    **instructed.COMMANDS,
    **map.COMMANDS,
    **modes.COMMANDS,
    **proposals.COMMANDS,
    **records.COMMANDS,
    **references_.COMMANDS,
    **sent.COMMANDS,
    **sessions.COMMANDS,
    **shell.COMMANDS,
    **status.COMMANDS,
    **tasks.COMMANDS,
    **tokens.COMMANDS,
    **turns.COMMANDS,
    **watch.COMMANDS,
}

DOCUMENTS: dict[str, Make] = {
    "checkpoint": checkpoints.document,
    "map": map.document,
    "proposal": proposals.document,
    "records": records.document,
    "sent": sent.document,
    "session": sessions.document,
    "task": tasks.text_of,
}
"""The documents of the scheme `pairwright`, by the first part of their path."""


def command(params: types.ExecuteCommandParams) -> tuple[Route, Mapping[str, Any]]:
    """The route of a command and its argument object. Raises UnknownCommand."""
    route = COMMANDS.get(params.command)
    if route is None:
        known = ", ".join(sorted(COMMANDS))
        raise UnknownCommand(f"{params.command} is no command of Pairwright. Known: {known}.")
    first = (params.arguments or [None])[0]
    return route, first if isinstance(first, Mapping) else {}
