"""Scratch folders: what is in them, and that nothing of the workspace is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairwright.workspace import scratch


def workspace(root: Path) -> Path:
    for path in (
        "a.py",
        "lib/b.py",
        "node_modules/x/y.js",
        ".git/HEAD",
        "py/pyvenv.cfg",
        "__pycache__/a",
    ):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{path}\n")
    (root / "lib/b.py").chmod(0o755)
    (root / "lib/link.py").symlink_to("b.py")
    return root


def test_a_folder_holds_the_texts_alone() -> None:
    place = scratch.folder({"lib/a.py": b"x = 1\n"})
    assert (Path(place) / "lib/a.py").read_bytes() == b"x = 1\n"
    assert [path.name for path in Path(place).rglob("*")] == ["lib", "a.py"]
    scratch.remove(place)
    assert not Path(place).exists()


def test_a_tree_is_the_workspace_with_the_changes(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    paths = ("a.py", "gone.py", "lib/b.py", "lib/link.py")
    place = Path(scratch.tree(str(root), paths, {"a.py": None, "lib/b.py": b"new\n", "c.py": b"c"}))
    assert not (place / "a.py").exists() and (place / "c.py").read_bytes() == b"c"
    assert (place / "lib/b.py").read_bytes() == b"new\n"
    assert not (place / ".git").exists(), "no command reaches the repository"
    assert (place / "node_modules").is_symlink() and (place / "node_modules/x/y.js").exists()
    assert (place / "py").is_symlink() and not (place / "__pycache__").exists()
    (place / "lib/b.py").write_text("written by a command\n")
    (place / "lib").chmod(0o500)
    scratch.remove(str(place))
    assert not place.exists()
    assert (root / "lib/b.py").read_text() == "lib/b.py\n"
    assert (root / "node_modules/x/y.js").exists(), "a link is only a link"


def test_a_copy_keeps_modes_and_shares_nothing(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    place = Path(scratch.tree(str(root), ("lib/b.py",), {}))
    copied = place / "lib/b.py"
    assert copied.stat().st_mode == (root / "lib/b.py").stat().st_mode
    assert copied.stat().st_ino != (root / "lib/b.py").stat().st_ino
    scratch.remove(str(place))


def test_more_than_is_copied_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace(tmp_path)
    monkeypatch.setattr(scratch, "MOST_BYTES", 8)
    with pytest.raises(scratch.TooLarge):
        scratch.tree(str(root), ("a.py", "lib/b.py"), {})
    monkeypatch.setattr(scratch, "MOST_FILES", 1)
    with pytest.raises(scratch.TooLarge):
        scratch.tree(str(root), ("a.py", "lib/b.py"), {})
