"""Two real Dask workers give the index that this machine gives, to the byte; a local S3 server warms a store that has
nothing. Run by `make e2e-cluster`, in an environment of its own: what these need is not what users install."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import networkx
import pygls
import pytest

pytestmark = pytest.mark.timeout(1200)

PATH = os.pathsep.join(place for place in sys.path if place)
SCHEDULER = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
WORKER = ["-m", "distributed.cli.dask_worker", "--nworkers", "1", "--nthreads", "1"]
QUIET = "--no-dashboard"
KEYS = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "us-east-1",
}


@pytest.fixture(scope="module")
def repository() -> str:
    """A repository that everybody who runs this has: a few hundred files of Python."""
    return str(Path(networkx.__file__).parent)


@pytest.fixture(scope="module")
def small() -> str:
    """A repository that is quick to work out."""
    return str(Path(pygls.__file__).parent)


def pairwright(place: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "PYTHONPATH": PATH,
        "PAIRWRIGHT_CACHE": str(place / "cache"),
        "PAIRWRIGHT_DATA": str(place / "data"),
        **more,
    }
    command = [sys.executable, "-m", "pairwright", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=580)
    print(done.stdout, done.stderr)
    return done


def index_of(place: Path) -> tuple[str, bytes]:
    (file,) = (place / "cache/index/references").iterdir()
    return file.name, file.read_bytes()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers, each a process of its own."""
    place = tmp_path_factory.mktemp("dask")
    file = place / "scheduler.json"
    env = {**os.environ, "PYTHONPATH": PATH, "PYTHONHASHSEED": "random"}
    where = ["--scheduler-file", str(file), QUIET]
    commands = [[*SCHEDULER, *where], [*WORKER, *where], [*WORKER, *where]]
    log = (place / "log").open("wb")
    running = []
    try:
        for command in commands:
            running.append(
                subprocess.Popen(
                    [sys.executable, *command], env=env, cwd=place, stdout=log, stderr=log
                )
            )
            waited(file.exists, "the scheduler")
        address = json.loads(file.read_text())["address"]
        waited(lambda: started(place / "log") >= 2, "two workers")
        yield address
    finally:
        for child in reversed(running):
            child.terminate()
        for child in running:
            child.wait(30)
        log.close()


def started(log: Path) -> int:
    return len(re.findall(rb"Registered to", log.read_bytes()))


def waited(ready: object, what: str, seconds: float = 90) -> None:
    assert callable(ready)
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, f"timed out waiting for {what}"
        time.sleep(0.1)


def test_two_workers_give_the_same_bytes(repository: str, dask: str, tmp_path: Path) -> None:
    for name in ("here", "there"):
        assert pairwright(tmp_path / name, "reference", "add", repository).returncode == 0
    here = pairwright(tmp_path / "here", "reference", "build")
    there = pairwright(tmp_path / "there", "reference", "build", "--dask", dask)
    assert (here.returncode, there.returncode) == (0, 0)
    # Both worked out every file; where is told by the next test.
    assert here.stderr == there.stderr and " 0 files read" not in there.stderr
    assert index_of(tmp_path / "here") == index_of(tmp_path / "there")


def test_both_workers_worked(dask: str) -> None:
    from distributed import Client

    with Client(dask, timeout=30) as client:
        ran = client.run(lambda dask_worker: dask_worker.state.executed_count)
    assert len(ran) == 2 and all(count > 0 for count in ran.values())


def test_a_cluster_that_is_not_there_is_told(repository: str, tmp_path: Path) -> None:
    pairwright(tmp_path, "reference", "add", repository)
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        done = pairwright(tmp_path, "reference", "build", "--dask", address)
    assert done.returncode == 1 and f"{address} does not answer" in done.stderr


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The environment that leads to a local S3 server with a bucket."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    env = {**os.environ, **KEYS, "PYTHONPATH": PATH}
    with (tmp_path_factory.mktemp("s3") / "log").open("wb") as log:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            waited(lambda: answers(port), "the S3 server")
            request = urllib.request.Request(f"{url}/bucket", method="PUT")
            urllib.request.urlopen(request, timeout=30).close()
            yield {**KEYS, "AWS_ENDPOINT_URL": url, "FSSPEC_S3_ENDPOINT_URL": url}
        finally:
            server.terminate()
            server.wait(30)


def answers(port: int) -> bool:
    with closing(socket.socket()) as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def test_an_object_server_warms_an_empty_store(
    small: str, s3: Mapping[str, str], tmp_path: Path
) -> None:
    build, use = tmp_path / "build", tmp_path / "use"
    assert pairwright(build, "reference", "add", small).returncode == 0
    assert pairwright(build, "reference", "build").returncode == 0
    done = pairwright(build, "store", "publish", "s3://bucket/store", "--root", small, **s3)
    assert done.returncode == 0 and "packs at s3://bucket/store" in done.stdout
    pairwright(use, "reference", "add", small)
    warm = pairwright(use, "reference", "build", PAIRWRIGHT_STORE="s3://bucket/store", **s3)
    assert warm.returncode == 0 and " 0 files read" in warm.stderr
    assert index_of(use) == index_of(build)


def test_a_store_that_is_gone_costs_one_line(
    small: str, s3: Mapping[str, str], tmp_path: Path
) -> None:
    pairwright(tmp_path, "reference", "add", small)
    done = pairwright(
        tmp_path, "reference", "build", PAIRWRIGHT_STORE="s3://bucket/nothing-here", **s3
    )
    assert done.returncode == 0 and " 0 files read" not in done.stderr
