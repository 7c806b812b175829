"""Pieces of an answer of a model that the client lends."""

from __future__ import annotations

from pairwright.lsp.guard import Call


def delta(call: Call, params: object) -> None:
    """pairwright/model/delta."""
    call.session.lender.take(params)
