"""Languages L to Z, in order of their names."""

from __future__ import annotations

from pairwright.tags.table.row import Language

ROWS = (
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
