"""Keys of providers from the secret storage of a client that offers it: `pairwright/secret`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pairwright.lsp.errors import RequestFailed

if TYPE_CHECKING:
    from pairwright.lsp.session import Session

log = logging.getLogger(__name__)
METHOD = "pairwright/secret"
PATIENCE = 300.0
"""Seconds: the client may be asking the user."""


async def asked(session: Session, provider: str, refused: bool) -> str:
    """The key of `provider`, empty where the client has none. `refused`: the one it gave was not accepted."""
    params = {"provider": provider, "refused": refused}
    try:
        answer = await session.request(METHOD, params, PATIENCE)
    except RequestFailed as error:
        log.warning("no key from the client: %s", error)
        return ""
    key = answer.get("key") if isinstance(answer, Mapping) else getattr(answer, "key", None)
    return key.strip() if isinstance(key, str) else ""
