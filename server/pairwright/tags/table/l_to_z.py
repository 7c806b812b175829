"""Languages L to Z, in order of their names."""

from __future__ import annotations

from pairwright.tags.table.row import Language

ROWS = (
    Language("less", "scss", ("scss", "css"), (".less",)),
    Language(
        "lua",
        "lua",
        ("lua",),
        (".lua", ".rockspec", ".nse"),
        interpreters=("lua", "luajit", "lua5"),
    ),
    Language("luau", "luau", ("lua", "luau"), (".luau",)),
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
    Language("objc", "objc", ("objc", "c"), (".mm",), ids=("objective-c", "objective-cpp")),
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
        "perl",
        "perl",
        ("perl",),
        (".pm", ".t", ".psgi"),
        filenames=("cpanfile", "Makefile.PL"),
        interpreters=("perl",),
        isolated=True,
    ),
    Language(
        "php",
        "php",
        ("php",),
        (".php", ".phtml", ".php3", ".php4", ".php5", ".phps"),
        filenames=("artisan",),
        interpreters=("php",),
    ),
    Language(
        "powershell",
        "powershell",
        ("powershell",),
        (".ps1", ".psm1", ".psd1"),
        interpreters=("pwsh", "powershell"),
    ),
    Language("pony", "pony", ("pony",), (".pony",)),
    Language("proto", "proto", ("proto",), (".proto",), ids=("proto", "proto3", "protobuf")),
    Language(
        "properties", "properties", ("properties",), (".properties",), ids=("java-properties",)
    ),
    Language(
        "python",
        "python",
        ("python",),
        (".py", ".pyi", ".pyw"),
        filenames=("SConstruct", "SConscript", "wscript"),
        interpreters=("python", "python2", "python3"),
    ),
    Language("ql", "ql", ("ql",), (".ql", ".qll"), ids=("codeql",), leads=("annotation",)),
    Language(
        "r", "r", ("r",), (".rprofile",), filenames=(".Rprofile",), interpreters=("Rscript", "r")
    ),
    Language(
        "racket",
        "racket",
        ("scheme", "racket"),
        (".rkt", ".rktl", ".rktd"),
        interpreters=("racket",),
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
    Language("scss", "scss", ("scss", "css"), (".scss",)),
    Language(
        "scala", "scala", ("scala",), (".scala", ".sc", ".sbt"), interpreters=("scala", "amm")
    ),
    Language(
        "scheme",
        "scheme",
        ("scheme",),
        (".ss", ".sld", ".sls", ".sps"),
        interpreters=("guile", "scheme", "chez", "csi"),
    ),
    Language("solidity", "solidity", ("solidity",), (".sol",)),
    Language(
        "sql",
        "sql",
        ("sql",),
        (".sql", ".ddl", ".pgsql", ".psql", ".tsql", ".mysql", ".pks", ".pkb", ".plsql"),
    ),
    Language("svelte", "svelte", ("svelte",), (".svelte",), embeds="embedded_markup"),
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
    Language("vue", "vue", ("html", "vue"), (".vue",), embeds="embedded_markup"),
    Language("udev", "udev", ("udev",), (".rules",)),
    Language(
        "verilog",
        "systemverilog",
        ("verilog",),
        (".sv", ".svh", ".vh", ".vlg"),
        ids=("verilog", "systemverilog"),
    ),
    Language("zig", "zig", ("zig",), (".zig", ".zon")),
)
