"""The writing door on a real file system: all or nothing, inside the root, modes and links kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.support.nobody import as_nobody

from pairwright.workspace.write import Write, refusal, write_all


def tree(root: Path) -> dict[str, bytes]:
    """Every file below `root`; links as what they hold."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def check(root: Path, writes: list[Write], after: dict[str, bytes]) -> None:
    assert write_all(root, writes) == ()
    assert tree(root) == after


def refuse(root: Path, writes: list[Write], *says: str) -> None:
    """Nothing changes, no temporary file and no new folder stays, and the reasons say all of
    `says`."""
    before, folders = tree(root), sorted(path for path in root.rglob("*") if path.is_dir())
    reasons = "\n".join(write_all(root, writes))
    for word in says:
        assert word in reasons
    assert reasons
    assert tree(root) == before
    assert sorted(path for path in root.rglob("*") if path.is_dir()) == folders


def test_edit_create_and_delete(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\r\n")
    (tmp_path / "b").write_bytes(b"2")
    check(
        tmp_path,
        [Write("a", b"1\r\n", b"one\r\n"), Write("b", b"2", None), Write("d/e/n", None, b"new")],
        {"a": b"one\r\n", "d/e/n": b"new"},
    )


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o640])
def test_mode_bits_stay(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "run.sh"
    file.write_bytes(b"a")
    file.chmod(mode)
    check(tmp_path, [Write("run.sh", b"a", b"b")], {"run.sh": b"b"})
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    check(tmp_path, [Write("n", None, b"x")], {"n": b"x", "plain": b""})
    assert (tmp_path / "n").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_and_its_file_changes(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"a")
    (tmp_path / "link").symlink_to("real")
    check(tmp_path, [Write("link", b"a", b"b")], {"real": b"b", "link": b"b"})
    assert (tmp_path / "link").is_symlink()
    refuse(tmp_path, [Write("link", b"b", b"c"), Write("real", b"b", b"d")], "same file")


def test_hard_links_stay_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    os.link(tmp_path / "a", tmp_path / "b")
    check(tmp_path, [Write("a", b"a", b"longer")], {"a": b"longer", "b": b"longer"})


def test_what_leads_outside_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "f").write_bytes(b"x")
    (root / "file").symlink_to(outside / "f")
    (root / "folder").symlink_to(outside)
    (root / "git").symlink_to(".git")
    (root / ".git").mkdir()
    (root / "loop").symlink_to("loop")
    for path, says in (
        ("../outside/f", "outside"),
        (str(outside / "f"), "inside the workspace"),
        ("file", "outside"),
        ("folder/f", "outside"),
        ("folder/new", "outside"),
        (".git/config", ".git"),
        ("git/config", ".git"),
        ("sub/.GIT/config", ".git"),
        ("loop", ""),
    ):
        reason = refusal(root, path)
        assert reason is not None and says in reason, path
        refuse(root, [Write(path, None, b"pwned")], path)
    assert (outside / "f").read_bytes() == b"x"
    assert sorted(outside.iterdir()) == [outside / "f"]


def test_the_root_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert write_all(tmp_path / "link", [Write("n", None, b"x")]) == ()
    assert (tmp_path / "real" / "n").read_bytes() == b"x"


def test_unfit_targets_are_refused(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "f").write_bytes(b"x")
    (tmp_path / "ro").write_bytes(b"x")
    (tmp_path / "ro").chmod(0o444)
    os.mkfifo(tmp_path / "pipe")
    refuse(tmp_path, [Write("d", None, b"")], "directory")
    refuse(tmp_path, [Write("f/n", None, b"")], "f is a file")
    refuse(tmp_path, [Write("ro", b"x", b"y")], "read-only")
    refuse(tmp_path, [Write("pipe", b"", b"y")], "no regular file")


def test_stale_files_stop_everything(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"changed")
    good = Write("a", b"1", b"one")
    refuse(tmp_path, [good, Write("b", b"2", b"two")], "b: the file has changed")
    refuse(tmp_path, [good, Write("gone", b"2", b"two")], "gone: the file is gone")
    refuse(tmp_path, [good, Write("b", None, b"two")], "b: the file exists already")
    refuse(tmp_path, [good, Write("gone", b"2", None)], "gone")


def test_a_failure_on_the_way_takes_everything_back(tmp_path: Path) -> None:
    """The second file's folder vanishes below a file that the first write makes: a fault only seen
    late."""
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "z").write_bytes(b"3")
    mode = (tmp_path / "a").stat().st_mode
    refuse(
        tmp_path,
        [
            Write("a", b"1", b"one"),
            Write("new/deep/n", None, b"x"),
            Write("z", b"3", None),
            Write("late", None, b"f"),
            Write("late/child", None, b"g"),
        ],
        "late",
    )
    assert (tmp_path / "a").stat().st_mode == mode


def write_into_a_folder_that_takes_no_files(root: Path) -> None:
    (root / "a").write_bytes(b"1")
    (root / "d").mkdir()
    (root / "d" / "f").write_bytes(b"2")
    (root / "d").chmod(0o555)
    assert not os.access(root / "d", os.W_OK)
    first = Write("a", b"1", b"one")
    says = ("d/", "Permission denied")
    refuse(root, [first, Write("d/f", b"2", b"two")], *says)
    refuse(root, [first, Write("d/new", None, b"x")], *says)
    refuse(root, [first, Write("d/deep/new", None, b"x")], *says)
    # Nothing is staged for a removal, so this fails with the first file already written.
    refuse(root, [first, Write("d/f", b"2", None)], *says)


def test_a_folder_that_takes_no_files() -> None:
    as_nobody(write_into_a_folder_that_takes_no_files)
