"""Languages L to Z, in order of their names."""

from __future__ import annotations

from pairwright.tags.table.row import Language

ROWS = (
    Language(
        "make",
        "make",
        ("make",),
        (".mk", ".mak", ".make"),
        filenames=("Makefile", "makefile", "GNUmakefile", "BSDmakefile", "Kbuild"),
        interpreters=("make",),
    ),
    Language("matlab", "matlab", ("matlab",), (), interpreters=("octave",)),
    Language("nim", "nim", ("nim",), (".nim", ".nims", ".nimble")),
    Language("nix", "nix", ("nix",), (".nix",)),
    Language(
        "ocaml",
        "ocaml",
        ("ocaml",),
        (".ml", ".eliom"),
        interpreters=("ocaml",),
    ),
    Language(
        "ocaml_interface",
        "ocaml_interface",
        ("ocaml",),
        (".mli", ".eliomi"),
        ids=("ocaml.interface",),
    ),
    Language(
        "powershell",
        "powershell",
        ("powershell",),
        (".ps1", ".psm1", ".psd1"),
        interpreters=("pwsh", "powershell"),
    ),
    Language("proto", "proto", ("proto",), (".proto",), ids=("proto", "proto3", "protobuf")),
    Language(
        "python",
        "python",
        ("python",),
        (".py", ".pyi", ".pyw"),
        filenames=("SConstruct", "SConscript", "wscript"),
        interpreters=("python", "python2", "python3"),
    ),
    Language(
        "ruby",
        "ruby",
        ("ruby",),
        (".rb", ".rake", ".gemspec", ".ru"),
        filenames=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile"),
        interpreters=("ruby", "jruby"),
    ),
    Language("rust", "rust", ("rust",), (".rs",), leads=("attribute_item",)),
    Language("solidity", "solidity", ("solidity",), (".sol",)),
    Language(
        "sql",
        "sql",
        ("sql",),
        (".sql", ".ddl", ".pgsql", ".psql", ".tsql", ".mysql", ".pks", ".pkb", ".plsql"),
    ),
    Language("swift", "swift", ("swift",), (".swift", ".swiftinterface"), interpreters=("swift",)),
    Language(
        "tsx",
        "tsx",
        ("ecmascript", "typescript", "jsx"),
        (".tsx",),
        ids=("typescriptreact", "tsx"),
        leads=("decorator",),
    ),
    Language(
        "typescript",
        "typescript",
        ("ecmascript", "typescript"),
        (".ts", ".mts", ".cts"),
        interpreters=("deno", "ts-node", "tsx"),
        leads=("decorator",),
    ),
)
