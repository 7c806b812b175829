"""URIs in all spellings seen from clients, on both kinds of file systems."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.lsp.uris import Place, child, from_path, place, real, relative


def check(uri: str, expected: str | None, *, windows: bool = False) -> None:
    found = place(uri, windows)
    assert found == (None if expected is None else Place("file", expected))


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.py", "/a/b.py"),
        ("FILE:///a/b.py", "/a/b.py"),
        ("file://localhost/a/b.py", "/a/b.py"),
        ("file:/a/b.py", "/a/b.py"),
        ("file:///a/sp%20ace%23.py", "/a/sp ace#.py"),
        ("file:///a/what%3F.py", "/a/what?.py"),
        ("file:///a/100%25.py", "/a/100%.py"),
        ("file:///a/bare#hash?.py", "/a/bare#hash?.py"),
        ("file:///a/%zz.py", "/a/%zz.py"),
        ("file:///a/gr%C3%B6%C3%9Fe.py", "/a/größe.py"),
        ("file:///a/größe.py", "/a/größe.py"),
        ("file:///a/latin%E9.py", os.fsdecode(b"/a/latin\xe9.py")),
        ("file://server/share/x.py", "//server/share/x.py"),
    ],
)
def test_posix(uri: str, path: str) -> None:
    check(uri, path)


@pytest.mark.parametrize(
    "uri", ["file:///c%3A/x.py", "file:///C:/x.py", "file:///c:/x.py", "file:///C%3a/x.py"]
)
def test_drives(uri: str) -> None:
    check(uri, "C:\\x.py", windows=True)


def test_unc_on_windows() -> None:
    check("file://server/share/x.py", "\\\\server\\share\\x.py", windows=True)


@pytest.mark.parametrize(
    "uri",
    [
        "git:/x/m.py?%7B%22ref%22%3A%22~%22%7D",
        "vscode-notebook-cell:/x/n.ipynb#W0",
        "output:server",
        "oil:///home/x/",
        "fugitive:///x/.git//0/m.py",
        "https://example.org/x.py",
        "/a/b.py",
        "",
    ],
)
def test_other_schemes_are_ignored(uri: str) -> None:
    check(uri, None)


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file://", "untitled:/a/b.py"])
def test_buffers_keep_their_uri_as_their_only_name(uri: str) -> None:
    assert place(uri) == Place("buffer", uri)


def test_building() -> None:
    assert from_path("/a/sp ace#ü.py", windows=False) == "file:///a/sp%20ace%23%C3%BC.py"
    assert from_path("C:\\x y.py", windows=True) == "file:///c%3A/x%20y.py"
    assert child("file:///w/", "a b/c?.py") == "file:///w/a%20b/c%3F.py"


_NAME = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(_NAME, min_size=1))
def test_a_path_comes_back(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    found = place(from_path(path, windows=False), windows=False)
    assert found == Place("file", path)


def test_real_follows_links_and_finds_the_spelling_on_disk(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    composed, decomposed = (unicodedata.normalize(form, "größe.py") for form in ("NFC", "NFD"))
    (tmp_path / "real" / decomposed).write_text("")
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    expected = os.path.realpath(tmp_path / "real" / decomposed)
    assert real(str(tmp_path / "real" / composed)) == expected
    assert real(str(tmp_path / "alias" / decomposed)) == expected
    assert real(str(tmp_path / "new" / decomposed)).endswith(composed)


def test_relative() -> None:
    assert relative("/w/a/b.py", "/w") == "a/b.py"
    assert relative("/w/a.py", "/w/") == "a.py"
    assert relative("/www/a.py", "/w") is None
    assert relative("/w", "/w") is None
