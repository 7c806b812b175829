"""A forward proxy on loopback: CONNECT tunnels and plain requests, all led to one port, whatever host they name."""

from __future__ import annotations

import contextlib
import select
import socket
import socketserver
import threading


class Proxy:
    """The proxy; `seen` holds the first line of every request that came, `url` is its address."""

    def __init__(self, port: int) -> None:
        self.seen: list[str] = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.proxy, self._server.target = self, port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    proxy: Proxy
    target: int


class _Handler(socketserver.BaseRequestHandler):
    server: _Server
    request: socket.socket

    def handle(self) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.request.recv(65536)
            if not piece:
                return
            head += piece
        line = head.partition(b"\r\n")[0].decode()
        self.server.proxy.seen.append(line)
        method, address, _ = line.split(" ", 2)
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.server.target)) as other,
        ):
            if method == "CONNECT":
                self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = "/" + address.split("/", 3)[3]
                other.sendall(head.replace(address.encode(), path.encode(), 1))
            self._tunnel(other)

    def _tunnel(self, other: socket.socket) -> None:
        pair = {self.request: other, other: self.request}
        while True:
            readable, _, _ = select.select(list(pair), [], [], 30)
            if not readable:
                return
            for one in readable:
                piece = one.recv(65536)
                if not piece:
                    return
                pair[one].sendall(piece)
