"""Names of files: a path, a glob or a folder, exactly; and how the files of a chat change."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.config.schema import Index
from pairwright.engine import chatfiles
from pairwright.engine.chatfiles import ChatFiles, changed, named, told
from pairwright.engine.context import Turn, with_chat
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host
from pairwright.workspace.types import Snapshot

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03"
FILES: dict[str, bytes] = {
    "cart.py": b"x = 1\n",
    "shop/cart.py": b"x = 2\n",
    "shop/money.py": b"x = 3\n",
    "shop/tax/rate.py": b"x = 4\n",
    "app/[id]/page.tsx": b"x\n",
    "docs/a b.md": b"x\n",
    "docs/shot.png": PNG,
    "blob.bin": b"\0\1\xff\xfe" * 9,
    ".env": b"KEY=1\n",
    ".gitignore": b".env\nbuilt/\n",
    "built/out.py": b"x\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("names")
    for path, data in FILES.items():
        place = base / "work" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (base / "notes.md").write_text("Notes.\n")
    (base / ".git").mkdir()
    (base / ".git" / "config").write_text("[x]\n")
    (base / "link").symlink_to(base / "work" / "cart.py")
    return base


@pytest.fixture(scope="module")
def snapshot(folder: Path) -> Snapshot:
    host = Host(str((folder / "work").resolve()), Index(workers=1), Cache(None))
    host.scan()
    return host.snapshot()


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("cart.py", ["cart.py"]),
        ("./shop//cart.py ", ["shop/cart.py"]),
        ("shop/../cart.py", ["cart.py"]),
        ("app/[id]/page.tsx", ["app/[id]/page.tsx"]),
        ("app/[id]", ["app/[id]/page.tsx"]),
        ("docs/a b.md", ["docs/a b.md"]),
        ("docs/shot.png", ["docs/shot.png"]),
        ("shop", ["shop/cart.py", "shop/money.py", "shop/tax/rate.py"]),
        ("shop/", ["shop/cart.py", "shop/money.py", "shop/tax/rate.py"]),
        ("*.py", ["cart.py"]),
        ("**/*.py", ["cart.py", "shop/cart.py", "shop/money.py", "shop/tax/rate.py"]),
        ("shop/*.py", ["shop/cart.py", "shop/money.py"]),
        ("shop/**/rate.*", ["shop/tax/rate.py"]),
        ("shop/[cm]*.py", ["shop/cart.py", "shop/money.py"]),
    ],
)
def test_a_name_stands_for_these_files(snapshot: Snapshot, name: str, paths: list[str]) -> None:
    found = named(name, snapshot)
    assert (list(found.paths), found.problem) == (paths, "")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("art.py", "did you mean cart.py"),
        ("Shop/Money.py", "did you mean shop/money.py?"),
        ("hop", "hop is no file or folder of the workspace"),
        ("*.tsx", "fits no file of the workspace: **/*.tsx fits 1"),
        (".env", "is excluded by ignore rules"),
        ("built/out.py", "is excluded by ignore rules"),
        ("built", "is no file or folder of the workspace"),
        ("**/out.py", "fits no file"),
        ("blob.bin", "blob.bin is"),
        ("../notes.md", "lies outside the workspace: name it by its absolute path"),
        (".git/config", ".git"),
        (" ", "empty name"),
    ],
)
def test_a_name_that_stands_for_nothing_says_why(
    snapshot: Snapshot, name: str, problem: str
) -> None:
    for access in ("edit", "read"):
        found = named(name, snapshot, access)  # type: ignore[arg-type]
        assert found.paths == () and problem in found.problem


@given(st.data())
def test_a_part_of_a_name_is_no_name(snapshot: Snapshot, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(snapshot.paths()))
    start = data.draw(st.integers(0, len(path)))
    part = path[start : data.draw(st.integers(start, len(path)))]
    for one in named(part, snapshot).paths:
        assert (
            one == part.strip().rstrip("/")
            or one.startswith(f"{part.strip().rstrip('/')}/")
            or (part.strip("/. ") == "" or "[" in part)
        )


def test_a_file_outside_is_read_by_its_whole_path_and_never_edited(
    snapshot: Snapshot, folder: Path
) -> None:
    notes = str(folder / "notes.md")
    assert named(notes, snapshot, "read").paths == (notes,)
    assert "can only be read" in named(notes, snapshot, "edit").problem
    assert "no regular file" in named(str(folder), snapshot, "read").problem
    assert ".git folder" in named(str(folder / ".git" / "config"), snapshot, "read").problem
    assert "cannot be read" in named(str(folder / "gone.md"), snapshot, "read").problem


def test_a_whole_path_into_the_workspace_is_a_file_of_it(snapshot: Snapshot, folder: Path) -> None:
    assert named(str(folder / "work" / "cart.py"), snapshot, "read").paths == ("cart.py",)
    assert named(str(folder / "link"), snapshot, "read").paths == ("cart.py",)
    assert "ignore rules" in named(str(folder / "work" / ".env"), snapshot, "read").problem


def test_a_folder_of_many_files_is_refused_with_their_number(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chatfiles, "FOLDER_MOST", 2)
    found = named("shop", snapshot)
    assert found.paths == () and "stands for 3 files, and 2 may be added at once" in found.problem
    assert len(named("shop/*.py", snapshot).paths) == 2


def test_files_join_change_sides_and_leave(snapshot: Snapshot) -> None:
    start = ChatFiles(("cart.py",), ("shop/money.py",))
    both = changed(start, snapshot, add=["shop/money.py"], read=["cart.py"])
    assert both.files == ChatFiles(("shop/money.py",), ("cart.py",))
    more = changed(start, snapshot, add=["shop", "nope.py"])
    assert more.files == ChatFiles(("cart.py", "shop/cart.py", "shop/money.py", "shop/tax/rate.py"))
    assert [p.partition(" ")[0] for p in more.problems] == ["nope.py"]
    left = changed(more.files, snapshot, drop=["shop/*.py", "cart.py"])
    assert left.files == ChatFiles(("shop/tax/rate.py",))
    picture = changed(ChatFiles(), snapshot, add=["docs/shot.png"])
    assert picture.files == ChatFiles((), ("docs/shot.png",)), "a picture is only looked at"


def test_dropping_is_exact(snapshot: Snapshot, folder: Path) -> None:
    """Aider drops every file that has the word in its name."""
    files = ChatFiles(("cart.py", "shop/cart.py"), ("gone.py", str(folder / "notes.md")))
    art = changed(files, snapshot, drop=["art", "Cart.py"])
    assert art.files == files and art.problems == (
        "art is not in the chat",
        "Cart.py is not in the chat: did you mean cart.py or shop/cart.py?",
    )
    assert changed(files, snapshot, drop=["cart.py"]).files.editable == ("shop/cart.py",)
    rest = changed(files, snapshot, drop=["gone.py", str(folder / "notes.md")])
    assert rest.files == ChatFiles(files.editable), "also what is no file any more"
    assert changed(files, snapshot, drop=["**"]).files.editable == ()


def test_what_became_of_the_set_is_told(snapshot: Snapshot) -> None:
    before = ChatFiles(("cart.py",))
    change = changed(
        before, snapshot, add=["shop/money.py", "x.y"], read=["docs/a b.md"], drop=["cart.py"]
    )
    assert told(change, before) == (
        "x.y is no file or folder of the workspace.\nDropped: cart.py.\n"
        "To be edited: shop/money.py.\nFor reference: docs/a b.md."
    )
    assert (
        told(changed(before, snapshot, add=["cart.py"]), before) == "1 file in the chat, as before."
    )


def test_a_request_has_the_files_of_its_chat_and_its_own() -> None:
    turn = Turn("edit", "x", path="a.py", chat=("a.py", "b.py"), read_only=("r.py",))
    joined = with_chat(turn, ("c.py", "r.py"), ("b.py", "a.py", "d.py"))
    assert joined.chat == ("c.py", "a.py", "b.py")
    assert joined.read_only == ("a.py", "d.py", "r.py"), "what it is about stays for reference"
