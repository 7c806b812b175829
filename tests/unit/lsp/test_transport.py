"""Framing: any cut of the stream, any spelling of the header, recovery after damage."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.lsp.transport import BROKEN, Frames, PipeWriter


def frame(message: object, header: str = "Content-Length: %d\r\n\r\n") -> bytes:
    body = json.dumps(message, ensure_ascii=False).encode()
    return header.encode() % len(body) + body


def check(stream: bytes, expected: list[Any]) -> None:
    """The same messages for the whole stream and byte by byte."""
    assert Frames().feed(stream) == expected
    frames, found = Frames(), []
    for at in range(len(stream)):
        found += frames.feed(stream[at : at + 1])
    assert found == expected


ONE, TWO = {"id": 1, "text": "größe 日本 😀"}, {"id": 2}


@pytest.mark.parametrize(
    "header",
    [
        "Content-Length: %d\r\n\r\n",
        "content-length: %d\r\n\r\n",
        "CONTENT-LENGTH:%d\r\n\r\n",
        "Content-Length :  %d  \r\n\r\n",
        "Content-Length: %d\n\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        "Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n",
        "\r\n\r\nContent-Length: %d\r\n\r\n",
        "nonsense\r\nContent-Length: %d\r\n\r\n",
    ],
)
def test_headers(header: str) -> None:
    check(frame(ONE, header) + frame(TWO), [ONE, TWO])


@pytest.mark.parametrize(
    "damage",
    [
        b"Content-Length: abc\r\n\r\n{}",
        b"Content-Length: -4\r\n\r\n{}",
        b"Content-Length: 99999999999\r\n\r\n{}",
        b"Kontent-Length: 2\r\n\r\n{}",
        b"garbage without a line end",
    ],
)
def test_a_broken_header_loses_its_own_message_only(damage: bytes) -> None:
    check(damage + frame(TWO), [TWO])


def test_a_broken_body_loses_itself_only() -> None:
    check(b"Content-Length: 5\r\n\r\n{bad}" + frame(TWO), [BROKEN, TWO])


def test_a_length_that_is_too_short() -> None:
    check(b'Content-Length: 4\r\n\r\n{"id": 1}' + frame(TWO), [BROKEN, TWO])


def test_a_length_that_is_too_long_gives_back_what_it_swallowed() -> None:
    first = {"id": 1}
    for length in range(9, 40):
        stream = b'Content-Length: %d\r\n\r\n{"id": 1}' % length + frame(TWO) + frame(ONE)
        check(stream, [first, TWO, ONE])


def test_deep_nesting_is_broken_and_not_a_crash() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert Frames().feed(b"Content-Length: %d\r\n\r\n" % len(deep) + deep + frame(TWO))[-1] == TWO


def test_lone_surrogates_survive() -> None:
    body = '{"text": "a\ud800b"}'.encode("utf-8", "surrogatepass")
    stream = b"Content-Length: %d\r\n\r\n" % len(body) + body
    assert Frames().feed(stream) == [{"text": "a\ud800b"}]


@given(st.lists(st.dictionaries(st.text(), st.text())), st.integers(1, 50))
def test_messages_arrive_whole_whatever_the_cut(messages: list[Any], size: int) -> None:
    stream = b"".join(frame(message) for message in messages)
    frames, found = Frames(), []
    for at in range(0, len(stream), size):
        found += frames.feed(stream[at : at + size])
    assert found == messages


@given(st.binary(max_size=300))
def test_no_noise_raises_or_stops_the_next_message(noise: bytes) -> None:
    frames = Frames()
    frames.feed(noise.replace(b"ontent", b"ontend") + b"\n")
    assert frames.feed(frame(TWO))[-1:] == [TWO]


def test_the_writer_does_not_wait_for_the_reader() -> None:
    read, write = os.pipe()
    writer = PipeWriter(write)
    data = b"x" * 1_000_000
    writer.write(data)
    received: list[bytes] = []

    def drain() -> None:
        while sum(map(len, received)) < len(data):
            received.append(os.read(read, 1 << 16))

    thread = threading.Thread(target=drain)
    thread.start()
    writer.close()
    thread.join(5)
    assert b"".join(received) == data


def test_the_writer_survives_a_reader_that_is_gone() -> None:
    read, write = os.pipe()
    os.close(read)
    writer = PipeWriter(write)
    writer.write(b"x")
    writer.write(b"y")
    writer.close()
