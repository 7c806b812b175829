"""What paths say: pairs of tests and what they test, terms, parts."""

from __future__ import annotations

import pytest

from pairwright.graph.paths import PathIndex, path_terms, twin_key


@pytest.mark.parametrize(
    ("test", "tested"),
    [
        ("tests/test_cart.py", "shop/cart.py"),
        ("cart_test.go", "cart.go"),
        ("src/test/java/CartTest.java", "src/main/java/Cart.java"),
        ("src/test/java/CartTests.java", "src/main/java/Cart.java"),
        ("web/cart.spec.ts", "web/cart.ts"),
        ("web/__tests__/cart.test.tsx", "web/cart.tsx"),
        ("spec/cart_spec.rb", "lib/cart.rb"),
        ("test/cart.js", "lib/cart.js"),
        ("t/cart-test.c", "cart.c"),
        ("test/HTTPCartTest.kt", "main/HTTPCart.kt"),
    ],
)
def test_a_test_and_what_it_tests_have_one_name(test: str, tested: str) -> None:
    assert twin_key(test) == (twin_key(tested)[0], True)
    assert twin_key(tested)[1] is False
    paths = ["other.py", tested, test]
    assert PathIndex(paths).twins([test]) == {1: 1.0, 2: 0.5}
    assert PathIndex(paths).twins([tested]) == {1: 0.5, 2: 1.0}


def test_header_and_source_have_one_name() -> None:
    assert PathIndex(["net.c", "net.h", "test.c"]).twins(["net.h"]) == {0: 0.5, 1: 0.5}


@pytest.mark.parametrize(
    "path", ["test.c", "tests/test.py", "latest.py", "contest.go", ".test", ""]
)
def test_names_that_are_a_mark_or_only_hold_one(path: str) -> None:
    name, _ = twin_key(path)
    assert name == path.rsplit("/", 1)[-1].split(".")[0]


def test_terms_and_parts_of_paths() -> None:
    index = PathIndex(["lib/httpServer.py", "lib/tests/data.txt"])
    assert path_terms("lib/httpServer.py") == {"lib", "http", "server", "py"}
    assert index.terms["lib"] == (0, 1) and index.terms["server"] == (0,)
    assert index.parts["httpServer"] == index.parts["httpServer.py"] == (0,)
    assert index.parts["tests"] == (1,) and "server" not in index.parts
