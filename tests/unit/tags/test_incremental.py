"""Incremental parsing and tagging equal a start from scratch, whatever is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairwright.tags.extract import extract, extract_sliced
from pairwright.tags.renew import retag
from pairwright.tags.files import tags_of
from pairwright.tags.languages import language_of
from pairwright.tags.parse import Parsed, edited, parse, parse_sliced, reparse
from pairwright.tags.table import LANGUAGES
from pairwright.tags.types import Tags
from pairwright.text.document import Document, Edit

SAMPLES = {
    language_of(path.name, path.read_bytes()) or "": path.read_bytes().decode()
    for path in sorted((Path(__file__).parent / "samples").iterdir())
}
PIECES = [
    *["\n", "\r\n", "\r", "\f", "\u2028", " ", "    ", "é", "💩", "e\u0301", "x", "Foo", "1"],
    *["(", ")", "{", "}", "[", "]", ";", ",", "=", ":", ".b(c)", "<T>", "'", '"', "//", "#", "/*"],
    *["def x():\n    y()\n", "class Z:\n    pass\n", "function f() { g() }\n", "end\n"],
    *["@deco\n", "#[a]\n", "struct S { int a; };\n", "fn r() { s() }\n", "public void m() {}\n"],
]
COMMENTS = {
    **dict.fromkeys(("bash", "elixir", "graphql", "hcl", "julia", "python", "ruby"), "# "),
    **dict.fromkeys(("clojure", "commonlisp", "elisp"), ";; "),
    **dict.fromkeys(("elm", "haskell"), "-- "),
    "erlang": "% ",
    "fortran": "! ",
    "matlab": "% ",
    **dict.fromkeys(
        ("cmake", "make", "nim", "nix", "perl", "powershell", "properties", "r", "udev"), "# "
    ),
    **dict.fromkeys(("racket", "scheme"), ";; "),
    **dict.fromkeys(("lua", "luau", "sql"), "-- "),
    **dict.fromkeys(("ocaml", "ocaml_interface"), "(* "),
}
# One edit: where (share of the text), how much goes, what comes, or a whole line doubled or cut.
places = st.floats(0, 1, exclude_max=True)
typed = st.tuples(places, st.sampled_from([0, 0, 1, 3, 30]), st.sampled_from([*PIECES, "", ""]))
lines = st.tuples(places, st.just(-1), st.sampled_from(["", "twice"]))
rounds = st.lists(st.lists(typed | lines, min_size=1, max_size=3), min_size=1, max_size=6)


def spliced(doc: Document, place: float, removed: int, inserted: str) -> tuple[Document, Edit]:
    """One edit on character boundaries."""
    text = doc.text
    start = int(place * (len(text) + 1))
    end = min(start + removed, len(text))
    if removed < 0:
        start = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start) + 1 or len(text)
        inserted = text[start:end] * 2 if inserted else ""
    before = len(text[:start].encode())
    return doc.splice(before, before + len(text[start:end].encode()), inserted.encode(), None)


def names(tags: Tags) -> tuple[object, ...]:
    return tags.defs, tags.ref_names, tags.ref_starts


def scratch(data: bytes, language: str) -> tuple[Parsed, Tags]:
    parsed = parse(data, language)
    assert parsed is not None
    return parsed, extract(parsed, data)


def check(language: str, doc: Document, edits_of_rounds: list[list[tuple[float, int, str]]]) -> int:
    """After every round the renewed tags equal those from scratch; in damaged text they may differ,
    must say so, and are repaired by a fresh parse. Returns the number of rounds compared in full."""
    parsed, tags = scratch(doc.data, language)
    compared = 0
    for round_ in edits_of_rounds:
        before, edits, was = doc, [], names(extract(parsed, doc.data))
        for place, removed, inserted in round_:
            doc, edit = spliced(doc, place, removed, inserted)
            edits.append(edit)
        old, parsed = parsed, reparse(parsed, edits, doc.data)
        tags = retag(tags, old, parsed, edits, doc.data)
        fresh_parsed, fresh = scratch(doc.data, language)
        assert tags.damaged == parsed.damaged
        if not parsed.damaged:
            assert names(tags) == names(extract(parsed, doc.data)) == names(fresh)
            compared += 1
        else:
            parsed, tags = fresh_parsed, fresh
        # The tree before is as it was, for whoever still reads it.
        assert names(extract(old, before.data)) == was
    return compared


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@settings(max_examples=40)
@given(edits=rounds, crlf=st.booleans())
def test_renewed_tags_equal_fresh_ones(
    language: str, edits: list[list[tuple[float, int, str]]], crlf: bool
) -> None:
    text = SAMPLES[language]
    check(
        language, Document.of("x", (text.replace("\n", "\r\n") if crlf else text).encode()), edits
    )


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_typing_a_comment_and_cutting_every_line(language: str) -> None:
    """Edits that keep the text whole, so that every round is compared: nothing above is vacuous."""
    mark = COMMENTS.get(language, "// ")
    note = f"{mark}note *)\n" if mark == "(* " else f"{mark}note\n"
    text = SAMPLES[language]
    count = text.count("\n")
    rounds_ = []
    for line in range(0, count, 3):
        at = len("\n".join(text.split("\n")[:line])) + (line > 0)
        rounds_.append([(at / (len(text) + 1) + 1e-9, 0, note)])
        text = text[:at] + note + text[at:]
    compared = check(language, Document.of("x", SAMPLES[language].encode()), rounds_)
    assert compared > len(rounds_) * 0.6


@pytest.mark.parametrize(
    ("language", "before", "old", "new"),
    [
        ("python", "@a\n@b\nclass X:\n    def f(self): pass\n", "@a\n", ""),
        ("python", "class X:\n    def f(self): pass\n    y = Z\n", "class X:", "if X:"),
        ("python", "def f():\n    LIMIT = 1\n    B = A()\n", "def f():", "if f:"),
        ("python", "def f():\n    pass\n\nX = 1\n", "\n\nX", "\n    X"),
        ("rust", "fn a() {}\n#[x]\n\n#[y]\nstruct S;\n", "#[x]\n", ""),
        ("rust", "fn a() {}\n\nstruct S { a: B }\n", "\n\n", "\n#[derive(C)]\n"),
        ("c", "struct foo {\n    int a;\n};\n", " {\n    int a;\n}", ""),
        ("c", "struct\nfoo\n;\nint b;\n", ";", "{ int a; };"),
        ("javascript", "const a =\n  memo\n  (() => 1);\n", "const a =\n", ""),
        ("javascript", "const a = 1;\nconst b = 2;\n", "const a = 1;", "(() => {"),
        ("typescript", "class A {\n  @d()\n  m() {}\n}\n", "  @d()\n", ""),
        ("ruby", "attr_reader :a,\n  :b,\n  :c\n", "attr_reader", "other_call"),
        ("ruby", "other_call :a,\n  :b\n", "other_call", "attr_reader"),
        ("go", "package p\n\nconst (\n\tA = 1\n\tB = 2\n)\n", "const", "var"),
        ("cpp", "class A {\n  void f();\n};\n", "class A", "namespace A"),
    ],
)
def test_what_an_edit_changes_far_from_itself(
    language: str, before: str, old: str, new: str
) -> None:
    at = before.index(old)
    doc = Document.of("x", before.encode())
    parsed, tags = scratch(doc.data, language)
    after, edit = doc.splice(at, at + len(old), new.encode(), None)
    renewed = reparse(parsed, [edit], after.data)
    assert names(retag(tags, parsed, renewed, [edit], after.data)) == names(
        extract(renewed, after.data)
    )
    # And back again.
    again, edit = after.splice(at, at + len(new), old.encode(), None)
    last = reparse(renewed, [edit], again.data)
    middle = extract(renewed, after.data)
    assert names(retag(middle, renewed, last, [edit], again.data)) == names(
        extract(last, again.data)
    )


def test_edits_in_many_places_at_once() -> None:
    text = "".join(f"def f{i}():\n    return g{i}(1)\n\nX{i} = 2\n" for i in range(60))
    doc = Document.of("x", text.encode())
    parsed, tags = scratch(doc.data, "python")
    edits = []
    for index in range(40):
        at = doc.data.index(b"g%d(" % index)
        doc, edit = doc.splice(at, at + 1, b"hh", None)
        edits.append(edit)
    renewed = reparse(parsed, edits, doc.data)
    after = retag(tags, parsed, renewed, edits, doc.data)
    assert names(after) == names(scratch(doc.data, "python")[1])
    assert after.ref_names[:40] == tuple(f"hh{index}" for index in range(40))


def test_damaged_text_is_marked_and_heals() -> None:
    doc = Document.of("a.c", b"struct ring {\n    int len;\n};\nint ok(void) { return 1; }\n")
    parsed, tags = scratch(doc.data, "c")
    for start, end, new in ((3, 6, b"x"), (3, 4, b"uct")):
        doc, edit = doc.splice(start, end, new, None)
        old, parsed = parsed, reparse(parsed, [edit], doc.data)
        tags = retag(tags, old, parsed, [edit], doc.data)
        assert tags.damaged == parsed.damaged
    assert names(scratch(doc.data, "c")[1]) == names(tags_of("a.c", doc.data, "c"))
    assert [item.name for item in scratch(doc.data, "c")[1].defs] == ["ring", "ok"]


@pytest.mark.parametrize(
    "edit", [(20, 21, b"\n"), (9, 10, b"\r\n"), (10, 10, b"\n"), (0, 0, b"\r")]
)
def test_lone_crs_come_and_go(edit: tuple[int, int, bytes]) -> None:
    doc = Document.of("a.js", b"var a\r\r\nb\r\n// c\rfunction d() {}\r")
    parsed, tags = scratch(doc.data, "javascript")
    after, change = doc.splice(*edit, None)
    renewed = reparse(parsed, [change], after.data)
    assert names(retag(tags, parsed, renewed, [change], after.data)) == names(
        scratch(after.data, "javascript")[1]
    )


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_sliced_parse_and_extraction_give_the_same(language: str) -> None:
    data = (SAMPLES[language] * 12).encode()
    asked = 0

    def expired() -> bool:
        nonlocal asked
        asked += 1
        return asked % 2 == 0

    slices, parsing = 0, parse_sliced(data, language, expired)
    while True:
        try:
            next(parsing)
            slices += 1
        except StopIteration as done:
            parsed = done.value
            break
    whole, tags = scratch(data, language)
    assert slices > 2
    assert parsed.damaged == whole.damaged
    if whole.damaged:
        # Copies of a file make no file where imports stand on top, and what a parser makes of errors
        # depends on where it paused.
        return
    extraction = extract_sliced(parsed, data)
    while True:
        try:
            next(extraction)
        except StopIteration as done:
            assert names(done.value) == names(tags)
            break


def test_nodes_of_an_edited_tree_are_never_asked_for_text() -> None:
    """They have none; predicates and names work on our bytes, also for a tree read in slices."""
    data = b"attr_reader :a, :b\nother :c\n" * 40
    parsing = parse_sliced(data, "ruby", lambda: False)
    with pytest.raises(StopIteration) as done:
        next(parsing)
    parsed = done.value.value
    doc, edit = Document.of("x", data).splice(12, 14, b":long", None)
    moved = edited(parsed, [edit], doc.data)
    assert moved.root_node.text is None
    tags = extract(parsed, data)
    renewed = reparse(parsed, [edit], doc.data)
    assert [item.name for item in tags.defs] == ["a", "b"] * 40
    after = retag(tags, parsed, renewed, [edit], doc.data)
    assert [item.name for item in after.defs] == ["long", "b", *["a", "b"] * 39]


def test_an_open_bracket_costs_no_second_look_at_the_rest_of_the_file() -> None:
    """A bracket that is still open makes an error of all that follows; what follows is kept until the idle
    re-parse, which is marked as owed."""
    body = "".join(f"def f{n}(a):\n    return g{n}(a)\n\n\n" for n in range(2000))
    document = Document.of("a.py", f"x = 1\n{body}".encode(), 0)
    parsed = parse(document.data, "python")
    tags = extract(parsed, document.data)
    at = document.data.index(b"1\n")
    for version, char in enumerate((b"h", b"(", b"y", b")")):
        document, edit = document.splice(at, at + (version == 0), char, version)
        at += 1
        before, parsed = parsed, reparse(parsed, [edit], document.data)
        tags = retag(tags, before, parsed, [edit], document.data)
        assert {f"f{n}" for n in range(2000)} <= {item.name for item in tags.defs}
        assert tags.damaged or tags == extract(parsed, document.data)
    assert "h" in tags.ref_names
    fresh = extract(parse(document.data, "python"), document.data)
    assert fresh.defs == tags.defs and not fresh.damaged
