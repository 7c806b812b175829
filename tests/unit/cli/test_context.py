"""`pairwright context`: what is printed, what is not, and that the answer to it applies."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from pairwright.cli.main import main
from pairwright.edits.formats.registry import PARSERS

APP = (
    "import shop\n\n\ndef total(basket):\n    acc = 0\n    for item in basket:\n"
    "        acc += item\n    return acc\n"
)
SHOP = "class Basket:\n    def __iter__(self):\n        return iter(())\n"
WANTED = APP.replace("acc = 0", "acc = 1")


def search_replace(path: str, old: str, new: str) -> str:
    return f"{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"


def whole(path: str, old: str, new: str) -> str:
    return f"{path}\n```\n{WANTED}```\n"


def unified(path: str, old: str, new: str) -> str:
    return f"```diff\n--- {path}\n+++ {path}\n@@ @@\n-{old}+{new}```\n"


def patch(path: str, old: str, new: str) -> str:
    head = f"*** Begin Patch\n*** Update File: {path}\n@@ def total(basket):\n"
    return f"{head}-{old}+{new}*** End Patch\n"


def fenced(path: str, old: str, new: str) -> str:
    return f"```\n{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"


def symbol(path: str, old: str, new: str) -> str:
    text = WANTED[WANTED.index("def total") :]
    return f"{path}\n```\n<<<<<<< DEFINITION total\n{text}>>>>>>> REPLACE\n```\n"


REPLIES: dict[str, Callable[[str, str, str], str]] = {
    "diff": search_replace,
    "diff-fenced": fenced,
    "editor-diff": search_replace,
    "editor-diff-fenced": fenced,
    "editor-whole": whole,
    "patch": patch,
    "symbol": symbol,
    "udiff": unified,
    "udiff-simple": unified,
    "whole": whole,
}


class Box:
    """A folder and the command."""

    def __init__(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.root, self._patch, self._capsys = root, monkeypatch, capsys

    def run(self, command: str, *options: str, stdin: str = "") -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        self._patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        code = main([command, "--root", str(self.root), *options])
        out, err = self._capsys.readouterr()
        return code, out, err


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Box:
    for name in ("CACHE", "DATA"):
        monkeypatch.setenv(f"PAIRWRIGHT_{name}", str(tmp_path / name))
    root = tmp_path / "work"
    root.mkdir()
    (root / "app.py").write_text(APP)
    (root / "shop.py").write_text(SHOP)
    (root / ".env.local").write_text("TOKEN=1\n")
    (root / ".gitignore").write_text(".env.local\n")
    return Box(root, monkeypatch, capsys)


def test_every_format_has_a_reply_here() -> None:
    assert REPLIES.keys() == PARSERS.keys()


@pytest.mark.parametrize("format", sorted(REPLIES))
def test_the_answer_to_what_is_printed_applies(box: Box, format: str) -> None:
    files = ("--chat", "app.py", "--read", "shop.py")
    code, sheet, _ = box.run("context", *files, "--format", format, "-m", "Begin with one.")
    assert code == 0

    # What answers knows the printed text only.
    before, _, shown = sheet.partition("app.py\n```py\n")
    text = shown.partition("```")[0]
    assert text == APP and SHOP in before
    old = next(row for row in text.splitlines(keepends=True) if "acc = 0" in row)
    reply = REPLIES[format]("app.py", old, old.replace("0", "1"))
    code, _, err = box.run(
        "apply", *files, "--format", format, stdin=f"I begin with one.\n\n{reply}"
    )
    assert (code, err) == (0, "")
    assert (box.root / "app.py").read_text() == WANTED
    assert (box.root / "shop.py").read_text() == SHOP


def test_map_files_and_request_are_printed(box: Box) -> None:
    code, out, err = box.run("context", "--chat", "app.py", "-m", "Count the items of Basket.")
    assert code == 0
    assert "SEARCH" in out and "class Basket" in out, "instructions and map"
    assert out.index(APP) < out.index("Request: Count the items of Basket.")
    assert "TOKEN" not in out
    assert err.startswith("about ") and "map" in err
    code, out, _ = box.run("context", "--chat", "app.py", "--map-tokens", "0")
    assert code == 0 and "class Basket" not in out


def test_without_a_request_there_is_room_for_one_at_the_end(box: Box) -> None:
    code, out, _ = box.run("context", "--chat", "app.py")
    assert code == 0
    assert out.rstrip().endswith("Request:")


def test_a_request_from_a_file(box: Box) -> None:
    asked = box.root.parent / "asked.txt"
    asked.write_text("Zähle alles.\n", encoding="utf-8")
    code, out, _ = box.run("context", "--chat", "app.py", "--message-file", str(asked))
    assert code == 0 and "Request: Zähle alles.\n" in out


def test_nothing_is_printed_of_an_ignored_file_or_beyond_the_budget(box: Box) -> None:
    code, out, err = box.run("context", "--chat", "app.py", "--read", ".env.local")
    assert (code, out) == (1, "")
    assert ".env.local is excluded by ignore rules" in err
    code, out, err = box.run("context", "--chat", "app.py", "--tokens", "100")
    assert (code, out) == (1, "")
    assert "room for 100" in err
    (box.root / "data.bin").write_bytes(b"\0\1\2\xff" * 50)
    code, out, err = box.run("context", "--chat", "data.bin")
    assert (code, out) == (1, "") and "data.bin" in err


def test_secrets_stay_here(box: Box) -> None:
    key = "AKIA" + "Q3EXAMPLE7ZXWV2P"
    (box.root / "keys.py").write_text(f"AWS_KEY = '{key}'\n")
    code, out, err = box.run("context", "--chat", "keys.py", "-m", "Sort the keys.")
    assert code == 0
    assert key not in out and "AWS_KEY" in out
    assert "1 secret hidden" in err


def test_what_does_not_fit_is_left_out_in_order_and_told(box: Box) -> None:
    code, whole_text, _ = box.run("context", "--chat", "app.py", "-m", "x")
    code, out, err = box.run("context", "--chat", "app.py", "-m", "x", "--tokens", "700")
    assert code == 0
    assert APP in out and len(out) < len(whole_text)
    assert "left out to fit: map" in err


def test_usage(box: Box) -> None:
    assert box.run("context", "--chat", "gone.py")[0] == 2
    assert box.run("context", "--chat", "../outside.py")[0] == 2
    assert box.run("context", "--root", str(box.root / "app.py"))[0] == 2
    for wrong in (("--tokens", "0"), ("--format", "nonsense"), ("-m", "a", "--message-file", "b")):
        with pytest.raises(SystemExit) as stop:
            box.run("context", *wrong)
        assert stop.value.code == 2


def test_names_are_globs_and_folders_too_and_conventions_go_along(box: Box) -> None:
    (box.root / "lib").mkdir()
    (box.root / "lib" / "one.py").write_text("ONE = 1\n")
    (box.root / "lib" / "two.txt").write_text("TWO\n")
    (box.root / "AGENTS.md").write_text("Four spaces.\n")
    code, out, _ = box.run("context", "--chat", "lib/*.py", "--read", "lib", "-m", "x")
    assert code == 0 and "ONE = 1" in out and "TWO" in out
    assert "AGENTS.md (conventions of this project, to be followed)" in out
    for name, said in (("lib/*.rs", "fits no file"), ("ib/one.py", "did you mean lib/one.py?")):
        code, out, err = box.run("context", "--chat", name, "-m", "x")
        assert (code, out) == (2, "") and said in err


def test_a_file_outside_is_read_by_its_absolute_path(
    box: Box, tmp_path_factory: pytest.TempPathFactory
) -> None:
    notes = tmp_path_factory.mktemp("elsewhere") / "notes.md"
    notes.write_text("Taken outside.\n")
    code, out, _ = box.run("context", "--read", str(notes), "-m", "x")
    assert code == 0 and "Taken outside." in out
    code, _, err = box.run("context", "--chat", str(notes), "-m", "x")
    assert code == 2 and "lies outside the workspace, so it can only be read" in err
