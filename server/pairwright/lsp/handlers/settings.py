"""Settings by all three ways: initializationOptions, pull, push.

A push of null means "ask me" (VS Code); a push of values is taken as it is (Neovim). One
configuration item a request, always with a section: a client may skip items without one and answer
a shorter list.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from lsprotocol import types

from pairwright.config.load import SECTION, Layer, get, leaves, section
from pairwright.config.schema import Settings
from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.guard import Call
from pairwright.lsp.session import Session

log = logging.getLogger(__name__)
_VOUCHED = ("model.ca_file", "model.proxy")
"""Who sets these can read what goes to a model, keys too. Where the workspace is not trusted they come from sources
that no file of a workspace gets into."""
_NOT_USED = (
    "may come from a file of this workspace, which is not trusted, and is not used. Trust the workspace, or say it "
    "in initializationOptions or with --set."
)
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
    taken = dict(leaves(section(values)))
    # Editors merge files of the workspace into what they send here: none of them can vouch for itself, and none
    # can have what goes to a model read on its way.
    taken.pop("trusted", None)
    ignored = [] if session.settings.trusted else _left_out(session.settings, taken)
    session.layers["client"] = Layer(name, taken)
    changed = session.apply_settings(tuple(f"{key} ({name}) {_NOT_USED}" for key in ignored))
    if "index" in changed:
        from pairwright.lsp.handlers.status import start_scan

        for root in session.documents.hosts():
            root.host.configure(session.settings.index)
        start_scan(session)
    if "symbols" in changed:
        from pairwright.lsp.handlers.symbols import register

        session.guard.spawn(register(session))


def _left_out(settings: Settings, taken: dict[str, object]) -> list[str]:
    """Takes what has to be vouched for out of `taken`; the names of those that would have changed something."""
    found = {key: taken.pop(key, None) for key in _VOUCHED}
    return [
        f"{SECTION}.{key}"
        for key, value in found.items()
        if value not in (None, "", get(settings, key))
    ]
