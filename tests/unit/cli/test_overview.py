"""`pairwright overview`: files written, words said, the same bytes under any hash seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.support.serving import environment

from pairwright.cli.main import main


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "shop & co"
    for number in range(30):
        place = folder / f"part{number % 10}"
        place.mkdir(parents=True, exist_ok=True)
        text = (
            f"class Thing{number}:\n    pass\n\nThing{(number * 7) % 30}()\nThing{number // 2}()\n"
        )
        (place / f"m{number}.py").write_text(text)
    return folder


def test_an_svg_and_a_page(root: Path, tmp_path: Path) -> None:
    assert main(["overview", "--root", str(root), "-o", str(tmp_path / "o.svg")]) == 0
    tree = ElementTree.parse(tmp_path / "o.svg")
    assert "shop & co" in "".join(tree.getroot().itertext())
    assert (
        main(["overview", "--root", str(root), "-o", str(tmp_path / "o.HTML"), "--title", "X"]) == 0
    )
    page = (tmp_path / "o.HTML").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "<title>X</title>" in page


def test_the_same_bytes_under_any_hash_seed(root: Path, tmp_path: Path) -> None:
    pictures = []
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-m", "pairwright", "overview", "--root", str(root)],
            env={**environment(tmp_path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=60,
        )
        pictures.append(run.stdout)
    assert pictures[0] == pictures[1] and pictures[0].startswith(b"<svg")


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["--root", "/no/such"], 2, "is not a folder"),
        (["-o", "x.png"], 2, "should end in .svg or .html"),
        (["-o", "/no/such/x.svg"], 1, "cannot be written"),
    ],
)
def test_what_goes_wrong(
    root: Path, args: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["overview", "--root", str(root), *args]) == code
    assert words in capsys.readouterr().err


def test_nothing_to_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "empty").mkdir()
    assert main(["overview", "--root", str(tmp_path / "empty")]) == 1
    assert "nothing to draw" in capsys.readouterr().err
