"""The generic rule: what it finds in languages without a query of ours, and where it keeps out."""

from __future__ import annotations

import pytest

from pairwright.tags import queries
from pairwright.tags.files import tags_of
from pairwright.tags.generic import kind_of
from pairwright.tags.grammars import grammar
from pairwright.tags.table import ALL, BY_RULE, LANGUAGES
from pairwright.text.lines import LineIndex

SLOW_TO_READ = frozenset({"cuda", "hlsl"})
"""Grammars whose analysis takes seconds; they are read like the others."""


def check(path: str, text: str, defs: list[tuple[str, str, int]], refs: set[str]) -> None:
    """Exactly `defs` (name, kind, line from 1); at least `refs`, none of which is a definition."""
    data = text.encode()
    tags = tags_of(path, data)
    lines = LineIndex.of(data)
    assert tags.trust == "rule"
    found = [(item.name, item.kind, lines.line_at(item.name_start) + 1) for item in tags.defs]
    assert found == defs
    assert refs <= set(tags.ref_names)


@pytest.mark.parametrize(
    ("path", "text", "defs", "refs"),
    [
        (
            "a.thrift",
            "struct Item { 1: i32 id }\nenum Kind { A = 1 }\nservice Shop extends Base {\n}\n",
            [("Item", "struct", 1), ("Kind", "enum", 2), ("Shop", "interface", 3)],
            {"Base"},
        ),
        (
            "a.wgsl",
            "struct Light { pos: f32 }\nfn shade(l: Light) -> f32 { let x = 1; return l.pos; }\n",
            [("Light", "struct", 1), ("shade", "function", 2)],
            {"pos"},
        ),
        (
            "a.gd",
            "class_name Player\nconst MAX = 3\nvar speed := 2.0\nfunc jump(h):\n\tvar y = 1\n\tapply(h)\n",
            [
                ("Player", "class", 1),
                ("MAX", "constant", 2),
                ("speed", "variable", 3),
                ("jump", "function", 4),
            ],
            {"apply"},
        ),
        (
            "a.fish",
            "function greet\n  echo $name\nend\n",
            [("greet", "function", 1)],
            {"name"},
        ),
        (
            "a.bzl",
            "def rule(name):\n    native.cc(name)\n",
            [("rule", "function", 1)],
            {"native", "cc"},
        ),
        (
            "a.odin",
            "package main\nPoint :: struct { x: int }\nadd :: proc(a: Point) { mul(a) }\n",
            [("main", "module", 1), ("Point", "struct", 2), ("add", "function", 3)],
            {"mul"},
        ),
    ],
)
def test_definitions_and_identifiers(
    path: str, text: str, defs: list[tuple[str, str, int]], refs: set[str]
) -> None:
    check(path, text, defs, refs)


@pytest.mark.parametrize(
    ("node_type", "kind"),
    [
        ("function_definition", "function"),
        ("struct_item", "struct"),
        ("mod_item", "module"),
        ("struct_field_declaration", "field"),
        ("constructor_declaration", "method"),
        ("const_item", "constant"),
        ("anything_definition", "variable"),
        ("class_name_statement", "class"),
        ("expression_statement", None),
        ("if_statement", None),
        ("import_declaration", None),
        ("parameter_declaration", None),
        ("call_expression", None),
        ("identifier", None),
        ("block", None),
    ],
)
def test_kinds_from_node_types(node_type: str, kind: str | None) -> None:
    assert kind_of(node_type) == kind


@pytest.mark.parametrize("language", sorted(set(BY_RULE) - SLOW_TO_READ))
def test_every_language_of_the_rule_reads(language: str) -> None:
    """The grammar is there, the query made for it compiles, and an empty text has no tags."""
    row = ALL[language]
    assert grammar(row.grammar) is not None
    assert queries.rules(language) is not None
    assert tags_of("x", b"\n", language).defs == ()


def test_no_language_is_in_both_tables() -> None:
    assert not set(LANGUAGES) & set(BY_RULE)
