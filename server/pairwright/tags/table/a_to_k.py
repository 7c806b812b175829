"""Languages A to K, in order of their names."""

from __future__ import annotations

from pairwright.tags.table.row import Language

ROWS = (
    Language("c", "c", ("c",), (".c",)),
    Language(
        "cpp",
        "cpp",
        ("cpp", "c"),
        (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp"),
        ids=("cpp", "c++"),
    ),
    Language("csharp", "csharp", ("csharp",), (".cs", ".csx"), ids=("csharp", "c#")),
    Language(
        "dart", "dart", ("dart",), (".dart",), leads=("annotation",), tails=("function_body",)
    ),
    Language("elixir", "elixir", ("elixir",), (".ex", ".exs"), interpreters=("elixir",)),
    Language(
        "erlang",
        "erlang",
        ("erlang",),
        (".erl", ".hrl", ".escript"),
        interpreters=("escript",),
    ),
    Language("fsharp", "fsharp", ("fsharp",), (".fs", ".fsx"), ids=("fsharp", "f#")),
    Language("go", "go", ("go",), (".go",)),
    Language("haskell", "haskell", ("haskell",), (".hs",), interpreters=("runhaskell", "runghc")),
    Language("java", "java", ("java",), (".java",)),
    Language(
        "javascript",
        "javascript",
        ("ecmascript", "javascript", "jsx"),
        (".js", ".mjs", ".cjs", ".jsx"),
        ids=("javascript", "javascriptreact", "jsx"),
        filenames=("Jakefile",),
        interpreters=("node", "nodejs", "bun"),
        leads=("decorator",),
    ),
    Language("julia", "julia", ("julia",), (".jl",), interpreters=("julia",)),
    Language(
        "kotlin", "kotlin", ("kotlin",), (".kt", ".kts"), interpreters=("kotlin", "kotlinc-jvm")
    ),
)
