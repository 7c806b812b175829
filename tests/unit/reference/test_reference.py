"""References: added, indexed, searched and removed, as a user's command does it, and the parts by themselves."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.fixture import files

from pairwright.cli.main import main
from pairwright.reference import licence
from pairwright.reference.build import build
from pairwright.reference.content import pack, units_of, unpack
from pairwright.reference.index import Index
from pairwright.reference.stems import stem
from pairwright.reference.stored import packed, unpacked
from pairwright.tags.files import tags_of
from pairwright.workspace.cache import Cache

REPOSITORY = """\
-- LICENSE --
Permission is hereby granted, free of charge, to any person obtaining a copy of this software
-- shapes/parse.py --
class PolygonReader:
    def parse_vertices(self, line):
        return [float(part) for part in line.split(",")]

    def close(self):
        self.handle.close()
-- shapes/draw.py --
def fill_outline(canvas, colour):
    for row in canvas.rows():
        row.paint(colour)


def clear_canvas(canvas):
    canvas.rows().clear()
"""
GPL = "GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAIRWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PAIRWRIGHT_DATA", str(tmp_path / "data"))
    folder = tmp_path / "shapes"
    for name, text in files(REPOSITORY).items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def check(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert main(["reference", *words]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_words_find_what_does_it_and_where(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = check(["add", str(root)], capsys)
    assert out == f"shapes  folder  working tree  MIT  {root}\n"
    out, err = check(["search", "--json", "parsing the vertices of a polygon"], capsys)
    assert "2 files read" in err
    first = json.loads(out)[0]
    assert (first["reference"], first["path"], first["name"]) == (
        *("shapes", "shapes/parse.py"),
        "parse_vertices",
    )
    assert (first["first"], first["last"], first["licence"]) == (2, 3, "MIT")
    assert first["text"].startswith("    def parse_vertices(self, line):\n")
    # What was worked out is known now, and only what changed is read.
    (root / "shapes/draw.py").write_text("def erase(canvas):\n    canvas.rows().clear()\n")
    out, err = check(["search", "--json", "erase canvas rows"], capsys)
    assert "1 files read" in err
    assert json.loads(out)[0]["name"] == "erase"


def test_the_files_most_like_a_planned_one(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(["add", str(root)], capsys)
    words = ["relate", "app/parse.py", "--purpose", "Reads the vertices of polygons from lines"]
    out, _ = check([*words, "--contract", "class PolygonReader", "--json"], capsys)
    first = json.loads(out)[0]
    assert (first["path"], first["kind"]) == ("shapes/parse.py", "direct_match")
    out, _ = check(words, capsys)
    assert "shapes/shapes/parse.py  (words " in out and "function parse_vertices" not in out
    assert check(["relate", "z.py", "--purpose", "zebra migration"], capsys, 1)[0] == "No match.\n"


def test_nothing_that_matches_is_an_answer(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(["add", str(root)], capsys)
    out, _ = check(["search", "zebra migration patterns"], capsys, 1)
    assert out.endswith("No match.\n")
    _, err = check(["search", "--in", "other", "x"], capsys, 1)
    assert "there is no reference other" in err


@pytest.mark.parametrize("text", [GPL, "All rights reserved.\n"])
def test_text_that_may_not_be_reused_is_only_described(
    root: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "LICENSE").write_text(text)
    check(["add", str(root)], capsys)
    words = ["search", "--json", "fill outline with a colour"]
    first = json.loads(check(words, capsys)[0])[0]
    assert (first["name"], first["text"], first["signature"]) == ("fill_outline", "", "")
    assert first["why"].startswith("not shown: its licence is ")
    first = json.loads(check([*words, "--all-licences"], capsys)[0])[0]
    assert "row.paint(colour)" in first["text"]


def test_texts_stay_within_their_tokens(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "long.py").write_text("def outline():\n" + "    paint(colour)\n" * 50)
    check(["add", str(root)], capsys)
    words = ["search", "--json", "--tokens", "60", "paint the outline in a colour"]
    found = json.loads(check(words, capsys)[0])
    cut = next(one for one in found if one["name"] == "outline")
    assert cut["why"].startswith("cut: ") or cut["why"] == "not shown: no room"
    assert sum(len(one["text"]) for one in found) < 60 * 5


def test_an_installed_package_and_the_same_name_twice(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = check(["add", "pygls"], capsys)
    name, kind, version, spdx, path = out.split()
    assert (name, kind, spdx) == ("pygls", "package", "Apache-2.0")
    assert version[0].isdigit() and Path(path, "__init__.py").is_file()
    _, err = check(["add", "pygls"], capsys, 1)
    assert "there is a reference pygls already" in err
    _, err = check(["add", "no-such-package"], capsys, 1)
    assert "no folder, no git URL and no installed package" in err
    check(["remove", "pygls"], capsys)
    assert Path(path, "__init__.py").is_file()
    assert check(["list", "--json"], capsys)[0] == "[]\n"


def test_a_clone_is_pinned_and_goes_with_its_entry(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = _commit(root)
    (root / "shapes/draw.py").write_text("def later():\n    pass\n")
    _commit(root)
    out, _ = check(["add", root.as_uri(), "--revision", first, "--name", "pinned"], capsys)
    name, kind, revision, spdx, path = out.split()
    assert (name, kind, revision, spdx) == ("pinned", "git", first, "MIT")
    assert "fill_outline" in Path(path, "shapes/draw.py").read_text()
    check(["remove", "pinned"], capsys)
    assert not Path(path).exists() and root.exists()


def test_a_clone_above_its_cap_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "large.bin").write_bytes(bytes(range(256)) * 8192)
    _commit(root)
    _, err = check(["add", root.as_uri(), "--megabytes", "1"], capsys, 1)
    assert "it takes more than 1 MB" in err
    assert list((root.parent / "cache/references").iterdir()) == []
    _, err = check(["add", root.as_uri(), "--revision=--upload-pack=x"], capsys, 1)
    assert "is no revision" in err


def test_the_store_and_none_give_the_same_index(root: Path, tmp_path: Path) -> None:
    kept = Cache(tmp_path / "kept")
    cold = build(str(root), kept)
    warm = build(str(root), kept)
    bare = build(str(root), Cache(None))
    kept.close()
    assert (cold.made, warm.made) == (2, 0)
    for one in (warm, bare):
        assert one.key == cold.key
        assert packed(one.index, one.key) == packed(cold.index, cold.key)


def test_the_order_of_files_changes_nothing() -> None:
    texts = {name: text.encode() for name, text in files(REPOSITORY).items() if ".py" in name}
    units = {path: units_of(data, tags_of(path, data, "python")) for path, data in texts.items()}
    turned = dict(reversed(units.items()))
    one, two = Index.of(units), Index.of(turned)
    assert packed(one, "k") == packed(two, "k")
    assert one.search("close the handle") == two.search("close the handle")
    again = unpacked(packed(one, "k"), "k")
    assert again is not None and packed(again, "k") == packed(one, "k")
    assert again.search("close the handle") == one.search("close the handle") != ()
    assert unpacked(packed(one, "k"), "other") is None
    assert unpacked(packed(one, "k")[:-3], "k") is None
    assert all(unpack(pack(each)) == each for each in units.values())
    assert unpack(b"\x91\x01") is None
    assert Index.of({}).search("anything") == ()


@pytest.mark.parametrize(
    ("name", "spdx"),
    [
        ("MIT License", "MIT"),
        ("License :: OSI Approved :: BSD License", "BSD-3-Clause"),
        ("MIT OR GPL-2.0", "GPL"),
        ("GNU Lesser General Public License v3", "LGPL"),
        ("Our own", licence.UNKNOWN),
    ],
)
def test_licences_by_name(name: str, spdx: str) -> None:
    assert licence.of_name(name) == spdx


def test_forms_of_one_word_are_one() -> None:
    assert len({stem(word) for word in ("parse", "parses", "parsed", "parser", "parsing")}) == 1
    assert len({stem(word) for word in ("stop", "stops", "stopped", "stopping")}) == 1
    assert stem("class") == "class" and stem("id") == "id"


@given(st.from_regex(r"[a-z]{2,20}", fullmatch=True))
def test_a_stem_is_never_empty(word: str) -> None:
    assert 2 <= len(stem(word)) <= len(word) + 1


def _commit(root: Path) -> str:
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@localhost"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    done = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_long_request_about_something_else_finds_nothing() -> None:
    texts = {name: text.encode() for name, text in files(REPOSITORY).items() if ".py" in name}
    index = Index.of({p: units_of(d, tags_of(p, d, "python")) for p, d in texts.items()})
    other = (
        "Compile the regular expression once, cache its automaton by pattern and flags, fill the table "
        "of transitions lazily and return the longest match that starts at the given offset."
    )
    assert index.search(other) == () != index.search(other, floor=0.0, evidence=0.0)
    assert index.search("fill the outline")[0].name == "fill_outline"
    assert index.search("parse_vertices")[0].name == "parse_vertices"
