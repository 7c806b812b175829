"""Which files of the workspace an import means."""

from __future__ import annotations

from pairwright.graph.imports import Places, resolved
from pairwright.tags.imports import Import

_PYTHON = """
app.py server/pkg/__init__.py server/pkg/a.py server/pkg/sub/__init__.py server/pkg/sub/b.py server/pkg/sub/c.py
tests/support/tool.py tests/test_a.py one/utils.py two/utils.py two/use.py three/use.py server/pkg/types.py
"""
_WEB = """
src/app.ts src/cart/index.ts src/cart/total.ts src/money.ts src/view.vue src/old.js lib/x.d.ts
"""
PYTHON, WEB = _PYTHON.split(), _WEB.split()


def check(
    paths: list[str], language: str, own: str, module: str, *found: str, names: tuple[str, ...] = ()
) -> None:
    assert resolved(Import(module, names), language, own, Places(paths)) == found


def python(own: str, module: str, *found: str, names: tuple[str, ...] = ()) -> None:
    check(PYTHON, "python", own, module, *found, names=names)


def test_python_from_the_folder_around_a_package() -> None:
    python("server/pkg/sub/b.py", "pkg.a", "server/pkg/a.py")
    python("server/pkg/a.py", "pkg", "server/pkg/__init__.py")
    python("tests/test_a.py", "pkg.a", "server/pkg/a.py")
    python("tests/test_a.py", "tests.support.tool", "tests/support/tool.py")


def test_python_relative() -> None:
    python("server/pkg/sub/b.py", ".c", "server/pkg/sub/c.py", names=("x",))
    python("server/pkg/sub/b.py", "..", "server/pkg/a.py", names=("a",))
    python(
        "server/pkg/sub/b.py", "..", "server/pkg/__init__.py", "server/pkg/a.py", names=("a", "x")
    )
    python("app.py", "...far")


def test_python_names_that_are_modules() -> None:
    python("app.py", "pkg.sub", "server/pkg/sub/b.py", "server/pkg/sub/c.py", names=("b", "c"))
    check(["x/y/z/a.py", "app.py"], "python", "app.py", "y.z", "x/y/z/a.py", names=("a",))


def test_two_files_of_one_name_are_kept_apart() -> None:
    python("two/use.py", "utils", "two/utils.py")
    python("three/use.py", "utils")
    python("app.py", "one.utils", "one/utils.py")


def test_a_module_of_python_itself_is_not_a_file_beside() -> None:
    python("server/pkg/a.py", "types")
    python("server/pkg/a.py", ".", "server/pkg/types.py", names=("types",))


def test_ecma() -> None:
    check(WEB, "typescript", "src/app.ts", "./cart", "src/cart/index.ts")
    check(WEB, "typescript", "src/app.ts", "./money.js", "src/money.ts")
    check(WEB, "typescript", "src/cart/total.ts", "../view.vue", "src/view.vue")
    check(WEB, "typescript", "src/cart/total.ts", "@/old", "src/old.js")
    check(WEB, "typescript", "src/cart/total.ts", "cart/index", "src/cart/index.ts")
    check(WEB, "typescript", "src/app.ts", "react")
    check(WEB, "typescript", "src/app.ts", "../../../x")


def test_go_needs_the_name_of_the_module() -> None:
    paths = [
        "go.mod",
        "main.go",
        "errors/e.go",
        "errors/e_test.go",
        "tools/go.mod",
        "tools/gen/g.go",
    ]
    places = Places(paths, {"x.org/me/app": "", "x.org/me/app/tools": "tools"})

    def go(module: str) -> tuple[str, ...]:
        return resolved(Import(module), "go", "main.go", places)

    assert go("x.org/me/app/errors") == ("errors/e.go",)
    assert go("x.org/me/app/tools/gen") == ("tools/gen/g.go",)
    assert go("github.com/pkg/errors") == ()
    assert go("errors") == ()


def test_rust() -> None:
    paths = ["src/lib.rs", "src/a.rs", "src/a/b.rs", "src/c/mod.rs", "src/c/d.rs"]
    check(paths, "rust", "src/lib.rs", "self::a", "src/a.rs")
    check(paths, "rust", "src/a.rs", "self::b", "src/a/b.rs")
    check(paths, "rust", "src/a/b.rs", "crate::c::d::Thing", "src/c/d.rs")
    check(paths, "rust", "src/c/d.rs", "super::super::a::X", "src/a.rs")
    check(paths, "rust", "src/a.rs", "std::fmt")


def test_others() -> None:
    check(["a/b/C.java", "x/App.java"], "java", "x/App.java", "a.b.C", "a/b/C.java")
    check(["a/b/C.java", "x/App.java"], "java", "x/App.java", "a.b.C.f", "a/b/C.java")
    check(["a/b/C.java", "a/b/D.java"], "java", "x/App.java", "a.b.*", "a/b/C.java", "a/b/D.java")
    check(["src/a.h", "include/lib/a.h", "src/m.c"], "c", "src/m.c", "a.h", "src/a.h")
    check(["src/a.h", "include/lib/a.h", "src/m.c"], "c", "src/m.c", "<lib/a.h", "include/lib/a.h")
    check(["vendor/stdio.h"], "c", "src/m.c", "<stdio.h")
    check(["lib/a/b.rb"], "ruby", "bin/x.rb", "a/b", "lib/a/b.rb")
    check(["lib/a/b.rb"], "ruby", "lib/x.rb", "./a/b", "lib/a/b.rb")
    check(["app/Http/Kernel.php"], "php", "x.php", "App\\Http\\Kernel", "app/Http/Kernel.php")
    check(["lua/a/init.lua"], "lua", "x.lua", "a", "lua/a/init.lua")
    check(["p/lib/b.dart"], "dart", "p/lib/x.dart", "package:p/b.dart", "p/lib/b.dart")
    check(["s/_vars.scss"], "scss", "s/main.scss", "vars", "s/_vars.scss")
    check(["api/a.proto"], "proto", "api/b.proto", "a.proto", "api/a.proto")


def test_what_several_files_could_be_is_the_nearest_or_nothing() -> None:
    places = Places(["x/lib/a.rb", "y/lib/a.rb"])
    assert places.ending("lib/a.rb", "x/bin/run.rb") == "x/lib/a.rb"
    assert places.ending("lib/a.rb", "z/run.rb") is None
    assert places.ending("ib/a.rb") is None


def test_a_file_does_not_import_itself() -> None:
    python("server/pkg/a.py", "pkg.a")
