"""Which language a file is in."""

from __future__ import annotations

import pytest

from pairwright.tags.languages import language_of


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
        (b"#!/bin/sh\n", None),
        (b"# python\n", None),
    ],
)
def test_by_interpreter(first: bytes, expected: str | None) -> None:
    check("bin/tool", expected, first)
