"""Work-done progress is ended whatever happens, and cancelled by its token."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from pairwright.lsp.errors import RequestFailed
from pairwright.lsp.progress import Progresses


class Client:
    """The other side of the wire. `answer`: how it meets the create request."""

    def __init__(self, answer: str = "yes") -> None:
        self.answer = answer
        self.patience = asyncio.Event()
        if answer != "later":
            self.patience.set()
        self.created: list[Any] = []
        self.sent: list[tuple[Any, Any]] = []

    def notify(self, method: str, params: types.ProgressParams) -> None:
        assert method == "$/progress"
        self.sent.append((params.token, params.value))

    async def request(self, method: str, params: Any) -> None:
        self.created.append(params.token)
        if self.answer == "no":
            raise RequestFailed("not today")
        await self.patience.wait()

    def kinds(self) -> list[str]:
        return [value.kind for _, value in self.sent]


async def test_begin_report_end_with_a_token_of_ours() -> None:
    client = Client()
    async with Progresses(client, True).run("Indexing", percent=True) as report:
        report.report("10 files", 40)
        report.report("10 files", 40)
        report.message = "done"
    assert client.kinds() == ["begin", "report", "end"]
    assert {token for token, _ in client.sent} == set(client.created)
    begin, middle, end = (value for _, value in client.sent)
    assert (begin.title, begin.cancellable, begin.percentage) == ("Indexing", False, 0)
    assert (middle.message, middle.percentage) == ("10 files", 40)
    assert end.message == "done"


async def test_a_token_of_the_client_is_used_as_it_is() -> None:
    client = Client()
    async with Progresses(client, False).run("Asking", token=7):
        pass
    assert client.created == []
    assert [token for token, _ in client.sent] == [7, 7]


@pytest.mark.parametrize(("supported", "answer"), [(False, "yes"), (True, "no")])
async def test_without_support_it_is_silent(supported: bool, answer: str) -> None:
    client = Client(answer)
    async with Progresses(client, supported).run("Asking") as report:
        report.report("x")
    assert client.sent == []


@pytest.mark.parametrize("error", [ValueError, asyncio.CancelledError])
async def test_a_failure_also_ends_it(error: type[BaseException]) -> None:
    client = Client()
    with pytest.raises(error):
        async with Progresses(client, True).run("Asking"):
            raise error
    assert client.kinds() == ["begin", "end"]


async def test_cancel_reaches_the_one_with_the_token() -> None:
    client, stopped = Client(), []
    progresses = Progresses(client, True)
    async with (
        progresses.run("a", token="a", on_cancel=lambda: stopped.append("a")),
        progresses.run("b", token="b", on_cancel=lambda: stopped.append("b")),
    ):
        assert progresses.cancel("b")
        assert not progresses.cancel("b")
        assert not progresses.cancel("nobody")
    assert stopped == ["b"]
    assert not progresses.cancel("a")


async def test_no_percentage_without_one_in_the_beginning() -> None:
    client = Client()
    async with Progresses(client, True).run("Asking") as report:
        report.report("reading", 40)
    assert [getattr(value, "percentage", None) for _, value in client.sent] == [None, None, None]


async def test_the_work_does_not_wait_for_the_display() -> None:
    client = Client("later")
    async with Progresses(client, True).run("Asking") as report:
        report.report("reading")
        report.report("answering")
        assert client.created and client.sent == []
        client.patience.set()
        await asyncio.sleep(0.01)
        assert [getattr(value, "message", None) for _, value in client.sent] == [None, "answering"]
    assert client.kinds() == ["begin", "report", "end"]


async def test_a_display_that_comes_too_late_is_not_begun() -> None:
    client = Client("later")
    async with Progresses(client, True).run("Asking") as report:
        report.report("reading")
    client.patience.set()
    await asyncio.sleep(0.01)
    assert client.sent == []
