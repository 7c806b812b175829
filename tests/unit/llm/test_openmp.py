"""OpenMP for the engine on a machine that has none: found in a wheel, linked under its plain
name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pairwright.llm import openmp

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="wheels carry it on Linux only")


def check(
    monkeypatch: pytest.MonkeyPatch, folder: Path, env: dict[str, str], expected: str | None
) -> None:
    """A loader that finds no libgomp, as on a bare machine."""

    def absent(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(openmp.ctypes, "CDLL", absent)
    assert openmp.with_openmp(env, folder).get("LD_LIBRARY_PATH") == expected


def test_the_extra_local_carries_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check(monkeypatch, tmp_path, {}, str(tmp_path))
    link = tmp_path / openmp.NAME
    assert link.is_symlink() and link.resolve().name.startswith("libgomp-")
    assert link.read_bytes()[:4] == b"\x7fELF"
    check(monkeypatch, tmp_path, {"LD_LIBRARY_PATH": "/x"}, f"{tmp_path}:/x")


def test_a_stale_link_is_renewed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / openmp.NAME).symlink_to("/gone")
    check(monkeypatch, tmp_path, {}, str(tmp_path))
    assert (tmp_path / openmp.NAME).exists()


def test_no_wheel_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    check(monkeypatch, tmp_path / "lib", {"A": "b"}, None)
    assert not (tmp_path / "lib").exists()
