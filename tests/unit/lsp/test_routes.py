"""The route table, what is advertised, what is documented, and the pygls names all of it stands
on."""

from __future__ import annotations

import inspect
from pathlib import Path

import pygls.protocol
import pytest
from lsprotocol import types
from pygls.protocol.json_rpc import JsonRPCProtocol

from pairwright.lsp import capabilities
from pairwright.lsp.client import PROTOCOL
from pairwright.lsp.errors import UnknownCommand
from pairwright.lsp.guard import Route
from pairwright.lsp.handlers import actions
from pairwright.lsp.protocol import WireProtocol
from pairwright.lsp.routes import COMMANDS, METHODS, command

_PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_what_is_advertised_is_served() -> None:
    assert sorted(COMMANDS) == list(capabilities.COMMANDS)
    assert actions.KINDS == capabilities.CODE_ACTION_KINDS


def test_every_command_and_the_version_are_documented() -> None:
    assert [name for name in COMMANDS if f"| `{name}` |" not in _PAGE] == []
    assert f"now **{PROTOCOL}**" in _PAGE


def test_every_did_handler_is_plain() -> None:
    """An async handler is only scheduled: a request right behind a change would miss it."""
    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.TEXT_DOCUMENT_DID_SAVE,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    ):
        assert METHODS[method].how == "loop"
        assert not inspect.iscoroutinefunction(METHODS[method].run)


@pytest.mark.parametrize("route", [*METHODS.values(), *COMMANDS.values()])
def test_a_route_runs_as_it_says(route: Route) -> None:
    assert inspect.iscoroutinefunction(route.run) == (route.how == "task")
    assert len(inspect.signature(route.run).parameters) == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(None, {}), ([], {}), ([None], {}), ([3], {}), ([{"a": 1}, "more"], {"a": 1}), ([[1]], {})],
)
def test_arguments_of_any_shape(arguments: list[object] | None, expected: object) -> None:
    _, args = command(types.ExecuteCommandParams("pairwright.map", arguments))
    assert args == expected


def test_an_unknown_command_is_named() -> None:
    with pytest.raises(UnknownCommand, match=r"no\.such"):
        command(types.ExecuteCommandParams("no.such"))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("structure_message", ["self", "data"]),
        ("handle_message", ["self", "message"]),
        ("_handle_response", ["self", "msg_id", "result", "error"]),
        ("_send_data", ["self", "data"]),
    ],
)
def test_overridden_names_of_pygls(name: str, parameters: list[str]) -> None:
    """pygls 2.1 calls these; a version that does not would serve requests by its own rules."""
    assert list(inspect.signature(getattr(JsonRPCProtocol, name)).parameters) == parameters
    assert list(inspect.signature(getattr(WireProtocol, name)).parameters) == parameters


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("send_request", ["self", "method", "params", "callback", "msg_id"]),
        ("notify", ["self", "method", "params"]),
        ("set_writer", ["self", "writer", "include_headers"]),
        ("_serialize_message", ["self", "data"]),
    ],
)
def test_used_names_of_pygls(name: str, parameters: list[str]) -> None:
    assert list(inspect.signature(getattr(JsonRPCProtocol, name)).parameters) == parameters
    assert name not in vars(WireProtocol)


def test_the_state_of_pygls_that_is_used() -> None:
    source = inspect.getsource(JsonRPCProtocol.__init__)
    for name in ("_request_futures", "_result_types", "_converter", "writer"):
        assert f"self.{name}" in source
    assert callable(pygls.protocol.default_converter)
