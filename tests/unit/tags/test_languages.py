"""Which language a file is in."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from tree_sitter_c_sharp import language as any_grammar

from pairwright.tags.content import SHARED
from pairwright.tags.grammars import grammar
from pairwright.tags.languages import language_of
from pairwright.tags.table import ALL


def check(path: str, expected: str | None, data: bytes = b"", language_id: str = "") -> None:
    assert language_of(path, data, language_id) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.py", "python"),
        ("a.pyi", "python"),
        ("A.PY", "python"),
        ("a.mjs", "javascript"),
        ("a.cjs", "javascript"),
        ("a.jsx", "javascript"),
        ("a.test.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.cts", "typescript"),
        ("a.d.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.go", "go"),
        ("a.rs", "rust"),
        ("A.java", "java"),
        ("a.c", "c"),
        ("a.C", "cpp"),
        *((f"a.{ext}", "cpp") for ext in ("cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp")),
        ("a.cs", "csharp"),
        ("lib/a.rb", "ruby"),
        ("Rakefile", "ruby"),
        ("a.gemspec", "ruby"),
        ("README.md", None),
        ("package.json", None),
        ("Cargo.toml", None),
        ("a.py.j2", "python"),
        ("config.h.in", "c"),
        ("Dockerfile", "dockerfile"),
        ("deploy/Dockerfile.release", "dockerfile"),
        ("BUILD.bazel", "starlark"),
        ("meson.build", "meson"),
        ("notes.in", None),
        ("noext", None),
        (".py", None),
        ("", None),
    ],
)
def test_by_name(path: str, expected: str | None) -> None:
    check(path, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(void);\nstruct s { int a; };\n", "c"),
        ("typedef struct { int class; } t;\n", "c"),
        ("/* class Foo; namespace x {} std::string */\nint a; // template <class T>\n", "c"),
        ('#ifdef __cplusplus\nextern "C" {\nclass X;\n#endif\nint a;\n', "c"),
        ("#if defined(__cplusplus)\nnamespace x {}\n#endif\nint a;\n", "c"),
        ('const char *s = "std::string";\n', "c"),
        ("#include <stdio.h>\n#include <sys/types.h>\n", "c"),
        ("namespace a::b {\n}\n", "cpp"),
        ("#include <vector>\n", "cpp"),
        ("template <typename T>\nstruct S { T t; };\n", "cpp"),
        ("#define CORE_API\nclass CORE_API Engine : public Base {\npublic:\n};\n", "cpp"),
        ("struct S { virtual void f() = 0; };\n", "cpp"),
        ("enum class Axis { X };\n", "cpp"),
        ("using Index = int;\n", "cpp"),
        ("std::string name();\n", "cpp"),
        ("struct S { S(const S &) = delete;\nbool operator==(const S &) const; };\n", "cpp"),
    ],
)
def test_headers_by_content(text: str, expected: str) -> None:
    check("a.h", expected, text.encode())


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.h", "@interface A : NSObject\n@end\n", "objc"),
        ("a.h", "/* @interface */ int a;\n", "c"),
        ("a.h", "#import <Foundation/Foundation.h>\n", "objc"),
        ("a.m", "#import <Foundation/Foundation.h>\n", "objc"),
        ("a.m", "% tank\nfunction y = tank(x)\nend\n", "matlab"),
        ("a.m", "/* c */\nint main(void) { return 0; }\n", "objc"),
        ("a.m", "x = 1;\n", "matlab"),
        ("a.v", "module top(input a);\nendmodule\n", "verilog"),
        ("a.v", "`timescale 1ns/1ps\n", "verilog"),
        ("a.v", "module main\n\nfn main() {\n}\n", "v"),
        ("a.v", "Require Import List.\nTheorem a : True.\n", None),
        ("a.pl", "use strict;\nsub f { }\n", "perl"),
        ("a.pl", ":- module(a, []).\nf(X) :- g(X).\n", None),
        ("a.fs", "module A\nlet f x = x\n", "fsharp"),
        ("a.fs", "#version 330\nvoid main() {}\n", "glsl"),
        ("a.fs", "\\ forth\n: sq dup * ;\n", None),
        ("a.cls", "public class A { }\n", "apex"),
        ("a.cls", "VERSION 1.0 CLASS\n", None),
        ("a.R", "f <- function(x) x\n", "r"),
        ("a.r", "REBOL [Title: 1]\n", None),
        ("a.d", "module a;\nvoid main() {}\n", "d"),
        ("a.d", "build/a.o: src/a.c src/a.h\n", None),
        ("a.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS>\n', None),
        ("a.ts", "export const a = 1;\n", "typescript"),
        ("a.pp", "class web { }\n", "puppet"),
        ("a.pp", "unit web;\ninterface\n", "pascal"),
        ("a.scm", "(define (f x) x)\n", "scheme"),
    ],
)
def test_shared_names_by_content(path: str, text: str, expected: str | None) -> None:
    check(path, expected, text.encode())


@pytest.mark.parametrize("path", [f"a{key}" for key in SHARED])
def test_a_shared_name_without_text_is_a_language(path: str) -> None:
    """Whoever looks at names alone must not lose the file."""
    assert language_of(path) is not None


def test_one_extension_has_one_language_or_is_told_by_content() -> None:
    claims: dict[str, list[str]] = {}
    for row in ALL.values():
        for key in (*row.extensions, *row.filenames):
            claims.setdefault(key, []).append(row.name)
    twice = {key: names for key, names in claims.items() if len(names) > 1 and key not in SHARED}
    assert twice == {}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("c-sharp", True),
        ("c_sharp", True),
        ("embedded_template", True),
        ("ocaml-interface", True),
        ("no-such", False),
    ],
)
def test_a_grammar_comes_from_the_pack_or_a_wheel(name: str, found: bool) -> None:
    assert (grammar(name) is not None) == found


def test_a_wheel_with_several_grammars(monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = ModuleType("tree_sitter_twofold")
    wheel.language_plain = any_grammar  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tree_sitter_twofold", wheel)
    assert grammar("twofold_plain") is not None
    assert grammar("twofold_other") is None


def test_an_empty_header_goes_by_the_client() -> None:
    check("a.h", "cpp", b"\n", "cpp")
    check("a.h", "c", b"\n", "c")
    check("a.h", "c", b"int a;\n", "cpp")


@pytest.mark.parametrize(
    ("path", "language_id", "expected"),
    [
        ("untitled:Untitled-1", "python", "python"),
        ("untitled:Untitled-1", "typescriptreact", "tsx"),
        ("untitled:Untitled-1", "javascriptreact", "javascript"),
        ("script", "ruby", "ruby"),
        ("a.unknown", "csharp", "csharp"),
        ("a.py", "ruby", "python"),
        ("untitled:Untitled-1", "klingon", None),
    ],
)
def test_by_the_client(path: str, language_id: str, expected: str | None) -> None:
    check(path, expected, language_id=language_id)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (b"#!/usr/bin/env python3\n", "python"),
        (b"#!/usr/bin/python3.11 -u\n", "python"),
        (b"#!/usr/bin/env -S node --flag\n", "javascript"),
        (b"#!/usr/local/bin/ruby\n", "ruby"),
        (b"#!/bin/sh\n", "bash"),
        (b"#!/usr/bin/env bats\n", "bash"),
        (b"#!/usr/bin/awk -f\n", None),
        (b"# python\n", None),
    ],
)
def test_by_interpreter(first: bytes, expected: str | None) -> None:
    check("bin/tool", expected, first)
