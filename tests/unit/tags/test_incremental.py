"""Incremental parsing and tagging equal a start from scratch, whatever is typed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairwright.tags.extract import extract, extract_sliced
from pairwright.tags.files import is_isolated, tags_of
from pairwright.tags.languages import language_of
from pairwright.tags.parse import Parsed, edited, parse, parse_sliced, reparse
from pairwright.tags.renew import retag
from pairwright.tags.types import Tags
from pairwright.text.document import Document, Edit

SAMPLES = {
    language: path.read_bytes().decode()
    for path in sorted((Path(__file__).parent / "samples").iterdir())
    if not is_isolated(language := language_of(path.name, path.read_bytes()) or "")
}
"""Texts in isolated languages are never parsed by edits."""
FAMILIES = {
    "python": "python nim",
    "functional": "elixir elm erlang fsharp gleam haskell julia ocaml ocaml_interface r",
    "markup": "astro css ejs erb html less php scss svelte vue",
    "data": "chatito graphql hcl nix properties proto ql sql udev",
    "shell": "bash fortran lua luau make matlab powershell ruby",
    "lisp": "clojure commonlisp elisp racket",
}
"""Languages by what their texts look like; the others are C's kin."""
SPACES = ["\n", "\r\n", "\r", "\f", "\u2028", " ", "    ", "\t"]
NAMES = ["é", "💩", "e\u0301", "x", "Foo", "1", "_", "-"]
MARKS = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "=",
    ":",
    ".",
    "'",
    '"',
    "#",
    "//",
    "/*",
    "--",
    "|",
]
WORDS = {
    "c": [
        "class Z { int a; }\n",
        "function f() { g() }\n",
        "fn r() { s() }\n",
        "@deco\n",
        "#[a]\n",
    ],
    "python": ["def x():\n    y()\n", "class Z:\n    pass\n", "@deco\n", "proc p(a: B) = c(a)\n"],
    "functional": [
        "let f x = g x\n",
        "f x = g x\n",
        "type T = A | B\n",
        "def f(x), do: g(x)\n",
        "end\n",
    ],
    "markup": [
        *['<p id="z" class="a b">{{ f(x) }}</p>', "<Card :a='b(c)' />", "<script>", "</script>"],
        *['<script lang="ts">\nfunction g(): T { h() }\n</script>\n', "<style>", "</style>\n"],
        *[".k { top: var(--z); }\n", "<%= f(x) %>", "<% def g; end %>", "<?php f(); ?>", "{#if a}"],
    ],
    "data": [
        "message M { N n = 1; }\n",
        "CREATE TABLE t (a INT);\n",
        "a = b.c;\n",
        'type "T" {}\n',
    ],
    "shell": [
        "f() { g; }\n",
        "all: dep\n\tcc $<\n",
        "def x\n  y\nend\n",
        "function f(a)\n  b()\nend\n",
    ],
    "lisp": [
        "(defun f (x) (g x))\n",
        "(def y 1)\n",
        "(define (h) (i))\n",
        "; c\n",
        "'a",
        "`(a ,b)",
    ],
}
MASKED = [
    "<<<<<<< ours\n",
    "=======\n",
    ">>>>>>> theirs\n",
    "{% if a %}\n",
    "{{ hole }}",
    "{# c #}",
]


# unit/lsp/test_typing.py has 300 of every family, through the protocol.
EXAMPLES = 100


def family_of(language: str) -> str:
    return next((name for name, of in FAMILIES.items() if language in of.split()), "c")


def members(family: str) -> list[str]:
    return [language for language in sorted(SAMPLES) if family_of(language) == family]


def rounds(family: str, most: int) -> st.SearchStrategy[list[list[tuple[float, int, str]]]]:
    """Edits: where (share of the text), how much goes, what comes; or a whole line doubled or cut."""
    pieces = [*SPACES, *NAMES, *MARKS, *WORDS[family], *WORDS[family], *MASKED]
    places = st.floats(0, 1, exclude_max=True)
    typed = st.tuples(places, st.sampled_from([0, 0, 1, 3, 30]), st.sampled_from([*pieces, "", ""]))
    lines = st.tuples(places, st.just(-1), st.sampled_from(["", "twice"]))
    return st.lists(st.lists(typed | lines, min_size=1, max_size=2), min_size=1, max_size=most)


@cache
def passages(language: str) -> list[str]:
    """Stretches of the sample from one top-level node to another, of a few hundred characters."""
    data = SAMPLES[language].encode()
    parsed = parse(data, language)
    assert parsed is not None
    starts = sorted({0, *(node.start_byte for node in parsed.tree.root_node.children), len(data)})
    found = []
    for first, low in enumerate(starts):
        high = next((at for at in starts[first + 1 :] if at - low > 400), len(data))
        found.append(data[low:high].decode())
    return found[:-1]


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
    first, first_data, first_names = parsed, doc.data, names(tags)
    for round_ in edits_of_rounds:
        edits = []
        for place, removed, inserted in round_:
            doc, edit = spliced(doc, place, removed, inserted)
            edits.append(edit)
        old, parsed = parsed, reparse(parsed, edits, doc.data)
        tags = retag(tags, old, parsed, edits, doc.data)
        fresh_parsed, fresh = scratch(doc.data, language)
        assert tags.damaged == parsed.damaged
        if not parsed.damaged:
            assert names(tags) == names(fresh)
            compared += 1
        else:
            parsed, tags = fresh_parsed, fresh
    # The first tree is as it was, for whoever still reads it.
    assert names(extract(first, first_data)) == first_names
    return compared


@pytest.mark.parametrize("family", ["c", *FAMILIES])
@settings(max_examples=EXAMPLES)
@given(given_=st.data())
def test_renewed_tags_equal_fresh_ones(family: str, given_: st.DataObject) -> None:
    """The law, 300 examples for every family of languages, on a passage of a member's sample."""
    language = given_.draw(st.sampled_from(members(family)))
    text = given_.draw(st.sampled_from(passages(language)))
    if given_.draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    check(language, Document.of("x", text.encode()), given_.draw(rounds(family, 3)))


@pytest.mark.parametrize("language", sorted(SAMPLES))
@settings(max_examples=5)
@given(given_=st.data())
def test_the_law_holds_in_every_language(language: str, given_: st.DataObject) -> None:
    edits = given_.draw(rounds(family_of(language), 4))
    check(language, Document.of("x", SAMPLES[language].encode()), edits)


BY_RULE_TEXTS = {
    "odin": "package main\nPoint :: struct { x: int }\nadd :: proc(a: Point) { mul(a) }\n",
    "gdscript": "class_name Player\nvar speed := 2.0\nfunc jump(h):\n\tvar y = 1\n\tapply(h)\n",
    "thrift": "struct Item { 1: i32 id }\nenum Kind { A = 1 }\nservice Shop extends Base {\n}\n",
}


@pytest.mark.parametrize("language", sorted(BY_RULE_TEXTS))
@settings(max_examples=30)
@given(edits=rounds("c", 3))
def test_the_law_holds_by_the_generic_rule(
    language: str, edits: list[list[tuple[float, int, str]]]
) -> None:
    check(language, Document.of("x", BY_RULE_TEXTS[language].encode()), edits)


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_blank_lines_and_words(language: str) -> None:
    """Edits that keep the text whole, so that every round is compared: nothing above is vacuous."""
    text = SAMPLES[language]
    if scratch(text.encode(), language)[0].damaged:
        text = next(iter(passages(language)))
    lines = text.split("\n")
    rounds_ = []
    for line in range(0, len(lines), 6):
        at = len("\n".join(lines[:line])) + (line > 0) + line // 6
        rounds_.append([(at / (len(text) + 1 + line // 6) + 1e-9, 0, "\n")])
    compared = check(language, Document.of("x", text.encode()), rounds_)
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
        ("dart", "class A {\n  int f()\n\n  => 1;\n}\n", "=> 1", "{ return 1; }"),
        ("dart", "int f()\n\n{ g(); }\nint x = 1;\n", "{ g(); }", "=> g();"),
        ("dart", "class A {\n  @b\n\n  void f()\n  {}\n}\n", "@b\n", ""),
        ("erlang", "-spec f() -> ok.\n\nf() -> g().\n", "-spec f() -> ok.\n", ""),
        ("elm", "f : A\n\nf =\n    g 1\n", "f : A\n", ""),
        ("clojure", "(defn a []\n  1)\n(defn b []\n  2)\n", "(defn a", "#_(defn a"),
        ("clojure", "(comment\n(defn a [] 1)\n(defn b [] 2))\n", "(comment", "(do"),
        ("commonlisp", "(let\n ((x 1))\n (f x))\n", "(let", "(foo"),
        ("elixir", "defmodule A do\n  def b(x),\n    do: c(x)\nend\n", "defmodule A", "foo A"),
        ("fsharp", "type A =\n  | B\nand C =\n  | D\n", "type A", "type E"),
        ("groovy", "class A {\n  int x = 1\n  void f() {}\n}\n", "class A", "klass A"),
        ("haskell", "f x = a\n  where\n    b = 1\n    c y = 2\n", "  where\n    b", "b"),
        ("hcl", "locals {\n  a = 1\n  b = 2\n}\n", "locals", "foo"),
        ("julia", "@enum A begin\n  b\n  c\nend\n", "@enum", "@foo"),
        ("kotlin", "val a = run {\n  val b = 1\n}\n", "run {", "object {"),
        ("cpp", "class A {\n  void f();\n};\n", "class A", "namespace A"),
        ("vue", '<script lang="ts">\nconst a: B = c()\n</script>\n', ' lang="ts"', ""),
        ("vue", "<script>\nfunction f() {}\n</script>\n<p :a='g(1)'/>\n", "</script>", ""),
        ("vue", "<p>{{ a }}</p>\n<script>\nclass A {}\n</script>\n", "<script>", "<style>"),
        ("html", "<p>\n<script>f()</script>\n<script>g()</script>\n", "<script>f()", "<i>"),
        ("svelte", "<A b={c(1)} />\n<script>\nlet x = y()\n</script>\n", "<A b", "<p>{#if a}"),
        ("erb", "<% if a %>\n  <%= b(1) %>\n<% end %>\n", "<% if a %>", "<!-- a -->"),
        ("python", "a()\n<<<<<<< x\nb()\n=======\nc()\n>>>>>>> y\nd()\n", ">>>>>>> y", ""),
        ("python", "def f():\n    {{ x }}\n\ndef g(): pass\n", "def f", "{% if a %}\ndef f"),
        ("less", ".a { color: @b; }\n@c: 1;\n", "@c: 1;", "@media { .d { top: @e } }"),
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


@pytest.mark.parametrize(
    "language",
    ["c", "clojure", "cpp", "haskell", "python", "ruby", "sql", "svelte", "typescript", "vue"],
)
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
