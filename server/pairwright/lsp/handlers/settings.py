"""Settings by all three ways: initializationOptions, pull, push.

A push of null means "ask me" (VS Code); a push of values is taken as it is (Neovim). One
configuration item a request, always with a section: a client may skip items without one and answer
a shorter list.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from lsprotocol import types

from pairwright.config.load import SECTION, Layer, section
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Call
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)
# How long a first scan waits for the client's settings before it starts without them.
_PATIENCE = 2.0


def did_change(call: Call, params: types.DidChangeConfigurationParams) -> None:
    """The client's settings changed."""
    pushed = params.settings
    if isinstance(pushed, Mapping) and pushed:
        _take(call.session, "didChangeConfiguration", pushed)
    else:
        call.session.guard.spawn(pull(call.session))


async def pull(session: Session) -> None:
    """Ask for our section; nothing changes where the client cannot be asked or does not answer."""
    if not session.client.configuration:
        return
    item = types.ConfigurationItem(section=SECTION)
    params = types.ConfigurationParams(items=[item])
    try:
        answer = await session.request(types.WORKSPACE_CONFIGURATION, params, timeout=_PATIENCE)
    except RequestFailed as error:
        log.info("settings stay as they are: %s", error)
        return
    if isinstance(answer, (list, tuple)) and answer and answer[0] is not None:
        _take(session, "workspace/configuration", answer[0])


def _take(session: Session, name: str, values: object) -> None:
    taken = section(values)
    # Editors merge files of the workspace into what they send here: none of them can vouch for itself.
    taken.pop("trusted", None)
    session.layers["client"] = Layer(name, taken)
    changed = session.apply_settings()
    if "index" in changed:
        from pairwright.lsp.handlers.status import start_scan

        for root in session.documents.hosts():
            root.host.configure(session.settings.index)
        start_scan(session)
    if "symbols" in changed:
        from pairwright.lsp.handlers.symbols import register

        session.guard.spawn(register(session))
