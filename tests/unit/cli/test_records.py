"""`pairwright records`: what is known of files, printed; what models said of them beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.shop import SHOP, write

from pairwright.cli.main import main
from pairwright.engine.record_page import NOTHING
from pairwright.engine.records import Notebook, place_of
from pairwright.memory.shelf import Shelf
from pairwright.text.document import Document


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PAIRWRIGHT_DATA", str(tmp_path / "data"))
    write(tmp_path / "work", SHOP)
    return (tmp_path / "work").resolve()


def check(
    root: Path, capsys: pytest.CaptureFixture[str], *files: str, code: int = 0
) -> tuple[list[str], str]:
    """The headings of what is printed, and what is said."""
    assert main(["records", "--root", str(root), *files]) == code
    out, said = capsys.readouterr()
    return [line.removeprefix("## ") for line in out.splitlines() if line.startswith("## ")], said


def test_named_files(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("cart.py", "web", str(root / "shop" / "money.py"))
    found, said = check(root, capsys, *names)
    assert found == [
        "shop/cart.py",
        *("web/__init__.py", "web/app.ts", "web/page.py", "web/utils.py", "web/view.ts"),
        "shop/money.py",
    ]
    assert said == ""


def test_names_that_mean_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, said = check(root, capsys, "utils.py", "shop/money.py", "hidden/key.py", code=1)
    assert found == ["shop/money.py"]
    assert "utils.py could be shop/utils.py, web/utils.py" in said
    assert "hidden/key.py is excluded by ignore rules" in said
    assert check(root, capsys, "nothing.py", code=1)[0] == []


def test_what_was_said(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, said = check(root, capsys, code=1)
    assert found == [] and NOTHING in said
    assert not (tmp_path / "data").exists(), "looking leaves nothing behind"
    notebook = Notebook(Shelf(place_of(tmp_path / "data", str(root))))
    for path in ("shop/money.py", "web/page.py"):
        document = Document.of(path, (root / path).read_bytes())
        notebook.learn(document, f"Is {path}.", ["A note."], "m")
    notebook.close()
    assert check(root, capsys)[0] == ["shop/money.py", "web/page.py"]
    (root / "web/page.py").write_text("changed = 1\n")
    assert check(root, capsys)[0] == ["shop/money.py"], "it is another text now"


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert check(Path("/nowhere"), capsys, code=2)[1].startswith("pairwright records: /nowhere")
