"""What a text imports."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.tags.imports import LANGUAGES, Import, imports_of
from pairwright.tags.table import ALL


def check(language: str, text: str, *expected: Import | str) -> None:
    wanted = tuple(Import(one) if isinstance(one, str) else one for one in expected)
    assert imports_of(text.encode(), language) == wanted


def test_python() -> None:
    check(
        "python",
        '"""Text\nimport nothing\n"""\nimport os, sys as system\n# import no\n'
        "from a.b import (\n    c,  # why\n    d as e,\n)\n"
        "from . import f\nfrom ..g import *\ndef h():\n    from a.b import i; x = 1\nfrom a import b \\\n",
        *(
            "os",
            "sys",
            Import("a.b", ("c", "d", "i")),
            Import(".", ("f",)),
            "..g",
            Import("a", ("b",)),
        ),
    )


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx"])
def test_ecma(language: str) -> None:
    check(
        language,
        "import a, { b as c, d } from './x.js'\nimport * as e from \"y\"\nimport 'z.css'\n"
        "export { f } from '../w'\nexport const g = 1\nconst h = require('fs'), i = await import('./late')\n"
        "// import no from 'no'\nconst text = `\nimport no from 'no'\n`\n",
        *(Import("./x.js", ("a", "b", "d")), "y", "z.css", Import("../w", ("f",)), "fs", "./late"),
    )


def test_go() -> None:
    text = 'package a\nimport "fmt"\nimport (\n\tb "x/y" // "no"\n\t_ "z"\n)\n'
    check("go", text.replace(' // "no"', ""), "fmt", "x/y", "z")


def test_rust() -> None:
    check(
        "rust",
        "use std::fmt;\npub(crate) use crate::a::{self, b::{c, d as e}, f};\nmod g;\npub mod h { }\n// use no;\n",
        *(
            "std::fmt",
            "crate::a::self",
            "crate::a::b::c",
            "crate::a::b::d",
            "crate::a::f",
            "self::g",
        ),
    )


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "c",
            '#include <stdio.h>\n# include "a/b.h"\n/*\n#include "no.h"\n*/\n',
            ("<stdio.h", "a/b.h"),
        ),
        ("java", "import a.b.C;\nimport static a.D.*;\n", ("a.b.C", "a.D.*")),
        ("scala", "import a.b.{C, D}\n", ("a.b.C", "a.b.D")),
        ("ruby", "require 'json'\nrequire_relative \"./lib/a\"\n", ("json", "./lib/a")),
        (
            "php",
            "<?php\nuse A\\{B, C as D};\nrequire_once __DIR__ . '/x.php';\n",
            ("A\\B", "A\\C", "x.php"),
        ),
        (
            "lua",
            "local a = require 'b.c'\nlocal d = require(\"e\")\n-- require 'no'\n",
            ("b.c", "e"),
        ),
        ("dart", "import 'package:a/b.dart';\npart 'c.dart';\n", ("package:a/b.dart", "c.dart")),
        ("csharp", "using System;\nusing static A.B;\n", ("System", "A.B")),
        ("haskell", "module M where\nimport qualified Data.Map as M\n", ("Data.Map",)),
        ("bash", 'source ./a.sh\n. "b.sh"\n', ("./a.sh", "b.sh")),
        ("proto", 'syntax = "proto3";\nimport public "a/b.proto";\n', ("a/b.proto",)),
        ("scss", "@use 'a';\n@import url('b.css');\n", ("a", "b.css")),
    ],
)
def test_others(language: str, text: str, expected: tuple[str, ...]) -> None:
    check(language, text, *expected)


def test_a_language_without_a_rule_imports_nothing() -> None:
    check("markdown", "import a\n")
    assert imports_of(b"import a", None) == ()


def test_every_rule_is_for_a_language_of_the_table() -> None:
    assert [name for name in sorted(LANGUAGES) if name not in ALL] == []


@given(
    st.text(alphabet="import from(){}'\";\n.,*ab", max_size=80),
    st.sampled_from(("python", "typescript", "rust")),
)
def test_nothing_is_an_error(text: str, language: str) -> None:
    found = imports_of(text.encode(), language)
    assert len({one.module for one in found}) == len(found)
