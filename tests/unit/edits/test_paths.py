"""Which file a name means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.edits.paths import Found, Refused, Resolver, unsafe
from pairwright.edits.types import Target

FILES = (
    "a/util.py",
    "app/net/client.py",
    "app/net/server.py",
    "b/util.py",
    "Makefile",
    "src/Main.java",
)
CHAT = ("app/net/client.py", "b/util.py", "src/Main.java")


def check(written: str, expected: str | None, creates: bool = False, says: str = "") -> None:
    """`written` means `expected` among FILES, or nothing and the reason says `says`."""
    resolver = Resolver({path: Target(path, b"x\n") for path in FILES}, CHAT)
    found = resolver.resolve(written, creates)
    if expected is None:
        assert isinstance(found, Refused), found
        assert written in found.reason or not written
        assert says in found.reason
    else:
        assert found == Found(expected, expected in FILES)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a/util.py", "a/util.py"),
        ("./a/util.py", "a/util.py"),
        ("a//./util.py", "a/util.py"),
        ("client.py", "app/net/client.py"),
        ("net/server.py", "app/net/server.py"),
        # Two files end so, one of them is in the chat.
        ("util.py", "b/util.py"),
        ("SRC/main.JAVA", "src/Main.java"),
        ("src\\Main.java", "src/Main.java"),
        ("main.java", "src/Main.java"),
        # A folder too many: one chat file has the base name.
        ("repo/app/net/client.py", "app/net/client.py"),
        ("x\\CLIENT.py", "app/net/client.py"),
    ],
)
def test_one_file_is_meant(written: str, expected: str) -> None:
    check(written, expected)


@pytest.mark.parametrize(
    "written",
    ["lient.py", "x/server.py", "clinet.py", "MAKEFILE", "app/net"],
)
def test_similar_is_not_enough(written: str) -> None:
    check(written, None, says="no such file")


def test_several_files_are_listed() -> None:
    resolver = Resolver({path: Target(path, b"") for path in ("a/x.py", "b/x.py")}, ())
    found = resolver.resolve("x.py", False)
    assert isinstance(found, Refused)
    assert "a/x.py, b/x.py" in found.reason


def test_the_exact_path_beats_every_ending() -> None:
    paths = ("css/home.css", "mobile/css/home.css")
    resolver = Resolver({path: Target(path, b"") for path in paths}, paths)
    assert resolver.resolve("css/home.css", False) == Found("css/home.css", True)


@pytest.mark.parametrize("written", ["client.py", "new/x.py", "a/UTIL.py", "./new.py"])
def test_a_new_file_is_never_guessed_to_be_an_old_one(written: str) -> None:
    check(written, written.removeprefix("./"), creates=True)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("../x", "outside the workspace"),
        ("a/../../x", "outside the workspace"),
        ("a\\..\\x", "outside the workspace"),
        ("/etc/passwd", "inside the workspace"),
        ("\\\\host\\x", "inside the workspace"),
        ("C:\\x", "inside the workspace"),
        ("C:x", "inside the workspace"),
        ("~/x", "inside the workspace"),
        (".git/hooks/pre-commit", ".git"),
        ("sub/.git/config", ".git"),
        (".GIT/config", ".git"),
        ("./.git/config", ".git"),
        (".git", ".git"),
        ("a\\.git\\x", ".git"),
        (".git./config", ".git"),
        (".git::$INDEX_ALLOCATION/config", ".git"),
        ("GIT~1/config", ".git"),
        (".g\u200cit/config", ".git"),
        ("", "empty"),
        ("a\0b", "control"),
        ("a/", "directory"),
        (".", "directory"),
    ],
)
def test_names_outside_are_refused_whether_new_or_not(written: str, says: str) -> None:
    check(written, None, creates=True, says=says)
    check(written, None, creates=False, says=says)


@pytest.mark.parametrize(
    "written", [".github/x", ".gitignore", "a.git/x", "git/x", "..x/y", "x..py"]
)
def test_names_that_only_resemble_them_are_fine(written: str) -> None:
    assert unsafe(written) is None


@given(st.text(), st.booleans())
def test_never_raises_and_never_leaves(written: str, creates: bool) -> None:
    resolver = Resolver({path: Target(path, b"") for path in FILES}, CHAT)
    found = resolver.resolve(written, creates)
    if isinstance(found, Found):
        assert unsafe(found.path) is None
