"""Derived values from elsewhere: published once, read through by an empty store, never in the way."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fixture import files

from pairwright.cli.main import main
from pairwright.config.schema import Index
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.remote import LISTING, VARIABLE, Remote, packed, publish, store, unpacked

FOLDER = """\
-- a.py --
def one():
    return two()
-- b.py --
def two():
    return 2
"""


@pytest.fixture(params=["memory", "file"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "file":
        yield f"file://{tmp_path}/remote"
        return
    yield f"memory://{tmp_path.name}"
    fsspec.filesystem("memory").rm(f"/{tmp_path.name}", recursive=True)


def values(count: int) -> dict[bytes, bytes]:
    return {sha256(b"%d" % n).digest()[:20]: b"%d" % n * 9 for n in range(count)}


def check(url: str, found: Mapping[bytes, bytes], tmp_path: Path) -> Cache:
    """An empty store in front of `url` gives `found`, and has it by itself then."""
    cache = Cache(tmp_path / "here", Remote(url))
    assert cache.knows_anything()
    assert cache.get_many(list(found)) == found
    alone = Cache(tmp_path / "here")
    assert alone.get_many(list(found)) == found
    return cache


@pytest.mark.parametrize("size", [0, 5_000_000, 2_000_000_000])
def test_what_one_machine_published_another_has(url: str, size: int, tmp_path: Path) -> None:
    wanted = values(600)
    told: list[tuple[int, int]] = []
    packs = publish(sorted(wanted.items()), size, url, lambda *one: told.append(one))
    total = told[-1][1]
    assert told == sorted(told) and len(told) == packs + 1 and told[-1] == (total, total)
    assert packs == {0: 1, 5_000_000: 2, 2_000_000_000: len({key[0] for key in wanted})}[size]
    cache = check(url, wanted, tmp_path)
    assert cache.get(b"x" * 20) is None


def test_a_pack_is_read_once_by_all_servers_of_a_user(url: str, tmp_path: Path) -> None:
    wanted = values(5)
    publish(sorted(wanted.items()), 0, url)
    check(url, wanted, tmp_path)
    place, path = fsspec.core.url_to_fs(url)
    for name in place.ls(path, detail=False):
        if name.endswith(".pack"):
            place.rm(name)
    later = Cache(tmp_path / "here", Remote(url))
    assert later.get_many([*wanted, b"y" * 20]) == wanted


@pytest.mark.parametrize("harm", ["listing", "pack", "gone", "hangs"])
def test_harm_costs_one_line_and_nothing_else(
    url: str,
    harm: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = values(5)
    publish(sorted(wanted.items()), 0, url)
    place, path = fsspec.core.url_to_fs(url)
    (pack,) = (one for one in place.ls(path, detail=False) if one.endswith(".pack"))
    remote = Remote(url)
    if harm == "gone":
        place.rm(pack)
    elif harm == "pack":
        place.pipe(pack, packed({next(iter(wanted)): b"another value"}))
    elif harm == "listing":
        place.pipe(f"{path}/{LISTING}", b'{"format": 9}')
    else:
        remote = Remote(url, seconds=0.05)
        monkeypatch.setattr(fsspec, "open", _never)
    cache = Cache(tmp_path / "here", remote)
    with caplog.at_level(logging.WARNING):
        assert cache.get_many(list(wanted)) == {}
        assert cache.get(next(iter(wanted))) is None
    assert len([one for one in caplog.records if "cannot be read" in one.message]) == 1
    cache.put_many(wanted)
    assert cache.get_many(list(wanted)) == wanted


def _never(*given: object, **named: object) -> None:
    import time

    time.sleep(0.5)


def test_a_folder_is_warm_on_a_machine_that_never_saw_it(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "work"
    root.mkdir()
    for name, text in files(FOLDER).items():
        (root / name).write_text(text)
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "builder"))
    assert main(["store", "publish", url, "--root", str(root)]) == 0
    assert "packs at" in capsys.readouterr().out
    env = {"PAIRWRIGHT_CACHE": str(tmp_path / "user"), VARIABLE: url}
    # Where nothing may be parsed, only what was published can be found.
    monkeypatch.setattr("pairwright.workspace.scan.derive", _fails)
    host = Host(str(root.resolve()), Index(), store(env))
    try:
        assert host.scan(None).definers("two") == ("b.py",)
    finally:
        host.stop()


def _fails(*given: object, **named: object) -> None:
    raise AssertionError("parsed all the same")


def test_a_place_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "builder"))
    (tmp_path / "a file").write_text("")
    assert main(["store", "publish", f"{tmp_path}/a file/below"]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert main(["store", "publish", "x", "--root", str(tmp_path / "none")]) == 2


@given(st.dictionaries(st.binary(min_size=1, max_size=20), st.binary(max_size=50)))
def test_a_pack_reads_back_whatever_the_order(given_: dict[bytes, bytes]) -> None:
    turned = dict(reversed(given_.items()))
    assert packed(given_) == packed(turned) and unpacked(packed(given_)) == given_


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reading_of_a_pack(blob: bytes) -> None:
    try:
        assert isinstance(unpacked(blob), dict)
    except ValueError as error:
        assert "pack" in str(error)


def test_the_listing_says_what_lies_where(tmp_path: Path) -> None:
    publish(sorted(values(3).items()), 0, f"{tmp_path}/there")
    listing = json.loads((tmp_path / "there" / LISTING).read_text())
    for name in listing["packs"].values():
        assert sha256((tmp_path / "there" / f"{name}.pack").read_bytes()).hexdigest() == name


def test_a_web_server_is_enough_for_reading(tmp_path: Path) -> None:
    wanted = values(50)
    publish(sorted(wanted.items()), 0, f"{tmp_path}/served")
    handler = partial(Silent, directory=str(tmp_path / "served"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            check(f"http://127.0.0.1:{server.server_port}", wanted, tmp_path)
        finally:
            server.shutdown()


class Silent(SimpleHTTPRequestHandler):
    """Says nothing of requests."""

    def log_message(self, format: str, *given: object) -> None:
        pass
