"""The ways a request may fail on purpose. `guard` turns them into LSP error codes."""

from __future__ import annotations


class InvalidParams(Exception):
    """Parameters that do not fit their method; the text says where."""


class UnknownCommand(Exception):
    """executeCommand with an id that is not ours."""


class Refused(Exception):
    """A request that cannot be served for a reason the user should read; answered as
    RequestFailed."""


class RequestFailed(Exception):
    """A request to the client that it refused, could not serve or does not know; the text is its
    reason."""
