"""Languages A to K, in order of their names."""

from __future__ import annotations

from pairwright.tags.table.row import Language

ROWS = (
    Language("astro", "astro", ("html", "astro"), (".astro",), embeds="embedded_astro"),
    Language("arduino", "arduino", ("cpp", "c"), (".ino", ".pde")),
    Language(
        "bash",
        "bash",
        ("bash",),
        (".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".eclass"),
        ids=("shellscript", "bash", "sh", "zsh", "bats"),
        filenames=(
            *(".bashrc", ".bash_profile", ".bash_aliases", ".bash_logout", ".profile"),
            *(".zshrc", ".zprofile", ".zshenv", ".zlogin", ".kshrc", ".envrc"),
            *("PKGBUILD", "APKBUILD"),
        ),
        interpreters=("bash", "sh", "zsh", "dash", "ksh", "ash", "bats"),
    ),
    Language("c", "c", ("c",), (".c",)),
    Language("chatito", "chatito", ("chatito",), (".chatito",)),
    Language(
        "clojure",
        "clojure",
        ("clojure",),
        (".clj", ".cljs", ".cljc", ".cljd"),
        ids=("clojure", "clojurescript"),
        interpreters=("bb", "clojure", "clj"),
    ),
    Language(
        "commonlisp",
        "commonlisp",
        ("commonlisp",),
        (".lisp", ".lsp", ".asd"),
        ids=("commonlisp", "lisp"),
        interpreters=("sbcl", "clisp", "ecl"),
    ),
    Language(
        "cmake", "cmake", ("cmake",), (".cmake",), filenames=("CMakeLists.txt",), isolated=True
    ),
    Language(
        "cpp",
        "cpp",
        ("cpp", "c"),
        (".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp"),
        ids=("cpp", "c++"),
    ),
    Language("csharp", "csharp", ("csharp",), (".cs", ".csx"), ids=("csharp", "c#")),
    Language("css", "css", ("css",), (".css", ".pcss", ".postcss")),
    Language("cuda", "cuda", ("cpp", "c"), (".cu", ".cuh"), ids=("cuda-cpp",)),
    Language("d", "d", ("d",), (".d", ".di"), interpreters=("rdmd", "dub")),
    Language(
        "dart", "dart", ("dart",), (".dart",), leads=("annotation",), tails=("function_body",)
    ),
    Language("ejs", "javascript", ("ecmascript", "javascript", "jsx"), (".ejs",)),
    Language(
        "elisp",
        "elisp",
        ("elisp",),
        (".el",),
        ids=("elisp", "emacs-lisp", "emacslisp"),
        filenames=(".emacs", ".gnus", "Cask", ".spacemacs"),
    ),
    Language("elixir", "elixir", ("elixir",), (".ex", ".exs"), interpreters=("elixir",)),
    Language("erb", "ruby", ("ruby",), (".erb", ".rhtml"), ids=("eruby", "html.erb")),
    Language("elm", "elm", ("elm",), (".elm",), leads=("type_annotation",)),
    Language(
        "erlang",
        "erlang",
        ("erlang",),
        (".erl", ".hrl", ".escript"),
        interpreters=("escript",),
        leads=("spec",),
    ),
    Language(
        "fortran",
        "fortran",
        ("fortran",),
        (".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18"),
        ids=("fortran", "fortran90", "fortranfreeform", "fortran-modern", "fortranfixedform"),
    ),
    Language("fsharp", "fsharp", ("fsharp",), (".fs", ".fsx"), ids=("fsharp", "f#")),
    Language(
        "glsl", "glsl", ("c",), (".glsl", ".vert", ".frag", ".geom", ".comp", ".tesc", ".tese")
    ),
    Language("gleam", "gleam", ("gleam",), (".gleam",), leads=("attribute",)),
    Language("go", "go", ("go",), (".go",)),
    Language("graphql", "graphql", ("graphql",), (".graphql", ".graphqls", ".gql")),
    Language(
        "groovy",
        "groovy",
        ("groovy",),
        (".groovy", ".gradle", ".gvy", ".gy", ".gsh", ".nf"),
        ids=("groovy", "gradle", "jenkinsfile"),
        filenames=("Jenkinsfile",),
        interpreters=("groovy", "nextflow"),
    ),
    Language(
        "haskell",
        "haskell",
        ("haskell",),
        (".hs",),
        interpreters=("runhaskell", "runghc"),
    ),
    Language("hlsl", "hlsl", ("cpp", "c"), (".hlsl", ".hlsli", ".fx")),
    Language(
        "hcl",
        "hcl",
        ("hcl",),
        (".tf", ".hcl", ".nomad", ".tofu"),
        ids=("hcl", "terraform", "opentofu", "packer", "nomad"),
    ),
    Language(
        "html", "html", ("html",), (".html", ".htm", ".xhtml", ".shtml"), embeds="embedded_markup"
    ),
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
        "kotlin",
        "kotlin",
        ("kotlin",),
        (".kt", ".kts"),
        interpreters=("kotlin", "kotlinc-jvm"),
        isolated=True,
    ),
)
