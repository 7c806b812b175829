"""The queries: they compile, keep the rules of their module, and stay linear in deep trees."""

from __future__ import annotations

import gc
import re
import sys
from pathlib import Path
from time import process_time

import pytest

from pairwright.tags import queries
from pairwright.tags.extract import extract
from pairwright.tags.files import recipe
from pairwright.tags.grammars import grammar
from pairwright.tags.parse import parse
from pairwright.tags.table import LANGUAGES
from pairwright.tags.types import Tags

languages = pytest.mark.parametrize("language", sorted(LANGUAGES))
CAPTURES = re.compile(
    r"(definition|global)\.[a-z]+|name(\.(?:first|last))?|declarator|title|body|scope|quoted|ignore"
    r"|reference(\.(capital|declarator|first|last|component|code|words))?|_\w+"
)


@languages
def test_the_query_compiles_and_keeps_the_rules(language: str) -> None:
    rule = queries.rules(language)
    assert rule is not None
    text = queries.text_of(language).encode()
    query = rule.query
    names = {query.capture_name(index) for index in range(query.capture_count)}
    assert [name for name in sorted(names) if not CAPTURES.fullmatch(name)] == []
    for index in range(query.pattern_count):
        raw = text[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)]
        pattern = re.sub(r";[^\n]*", "", raw.decode()).strip()
        assert query.is_pattern_rooted(index), pattern
        # Only a captured root counts against the cursor's limit of open states.
        bare = re.sub(r"\s*\(#[\w-]+\?[^()]*\)", "", pattern)
        bare = bare[1:-1].strip() if bare.startswith(("((", "([")) and "@" in bare else bare
        assert re.search(r"[)\]]\s*@[\w.]+$", bare), f"root not captured: {pattern}"


@languages
def test_every_claimed_grammar_resolves(language: str) -> None:
    assert grammar(LANGUAGES[language].grammar) is not None


def test_an_unknown_grammar_degrades_to_none() -> None:
    assert grammar("no-such-language") is None
    assert queries.rules("no-such-language") is None


def test_asking_leaves_nothing_behind() -> None:
    """A predicate callback would leak its arguments at each call."""
    text = b"extern int a; int b; struct s { int c; };\n" * 200
    parsed = parse(text, "c")
    assert parsed is not None
    extract(parsed, text)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(3):
        extract(parsed, text)
    gc.collect()
    assert len(gc.get_objects()) - before < 100


def test_parsing_in_one_go_keeps_no_text() -> None:
    """A read callback would keep what it returns for ever."""
    text = b"int a;\n" * 200
    before = sys.getrefcount(text)
    for _ in range(3):
        assert parse(text, "c") is not None
    assert sys.getrefcount(text) == before


def test_predicates_are_read_with_their_quotes() -> None:
    for language in sorted(LANGUAGES):
        rule = queries.rules(language)
        assert rule is not None
        bare = re.sub(r"(?m)^\s*;.*$", "", queries.text_of(language))
        assert sum(map(len, rule.asked.values())) == len(re.findall(r"\(#[\w-]+\?", bare)), language
        names = {one.name for several in rule.asked.values() for one in several}
        assert names <= {"one-of?", "none-of?", "prefix?", "not-prefix?", "lacks?"}


def test_no_callback_reaches_the_query_cursor() -> None:
    """It crashes the process; the one in `parse` goes to the parser."""
    folder = Path(queries.__file__).parent
    users = [path.name for path in folder.glob("*.py") if "progress_callback=" in path.read_text()]
    assert users == ["parse.py"]


def chain(prefix: str, count: int, suffix: str, step: str = ".s{}(x)") -> str:
    return prefix + "".join(step.format(index) for index in range(count)) + suffix


def check(language: str, text: str, refs: int) -> Tags:
    """`text` parses, has `refs` references, and costs CPU time linear in its size."""
    data = text.encode()
    parsed = parse(data, language)
    assert parsed is not None
    start = process_time()
    tags = extract(parsed, data)
    # Ten times the time seen on an idle machine; the quadratic way takes 20 s.
    assert process_time() - start < 4
    assert len(tags.ref_names) == refs
    return tags


@pytest.mark.parametrize(
    ("language", "prefix", "suffix"),
    [
        ("javascript", "q", ";\nfunction after() {}\n"),
        ("typescript", "q", ";\nfunction after() {}\n"),
        ("tsx", "q", ";\nfunction after() {}\n"),
        ("python", "q", "\ndef after():\n    pass\n"),
        ("go", "package p\nvar x = q", "\nfunc after() {}\n"),
        ("rust", "fn f() { q", "; }\nfn after() {}\n"),
        ("java", "class A { void f() { q", "; }\nvoid after() {} }\n"),
        ("c", "int f() { q", "; }\nint after() {}\n"),
        ("cpp", "int f() { q", "; }\nint after() {}\n"),
        ("csharp", "class A { void f() { q", "; }\nvoid after() {} }\n"),
        ("ruby", "q", "\ndef after\nend\n"),
        ("arduino", "void f() { q", "; }\nvoid after() {}\n"),
        ("dart", "f() { q", "; }\nafter() {}\n"),
        ("groovy", "q", "\ndef after() {}\n"),
        ("julia", "q", "\nfunction after() end\n"),
        ("kotlin", "fun f() { q", "\n}\nfun after() {}\n"),
    ],
)
def test_long_chains(language: str, prefix: str, suffix: str) -> None:
    # JavaScript at the length that was seen to take 20 s; the others long enough to reach the limit.
    count = 20_000 if language == "javascript" else 3000
    tags = check(language, chain(prefix, count, suffix), count)
    assert tags.defs[-1].name == "after"
    assert tags.ref_names == tuple(f"s{index}" for index in range(count))


@pytest.mark.parametrize(
    ("language", "text", "refs"),
    [
        ("javascript", "f(" * 10_000 + "1" + ")" * 10_000, 10_000),
        ("javascript", "function f(){" * 3000 + "}" * 3000, 0),
        ("javascript", "x = " + "{a:()=>(" * 4000 + "1" + ")}" * 4000, 0),
        ("javascript", "class A{m(){" * 3000 + "}}" * 3000, 0),
        ("javascript", "var " + ",".join(f"a{n}=function(){{}}" for n in range(5000)), 0),
        ("python", "x = 1\n" * 10_000, 0),
        ("python", "if a:\n  b\n" + "elif c:\n  X = 1\n" * 5000, 0),
        ("rust", "use " + "a::{" * 3000 + "b" + "}" * 3000 + ";", 1),
        ("rust", "m!(" + "f(" * 5000 + "1" + ")" * 5000 + ");", 5001),
        ("rust", "mod a {" * 5000 + "}" * 5000, 0),
        ("c", "int t[] = {" + "Ab,\n" * 10_000 + "};", 10_000),
        ("c", "int x[] = " + "{" * 5000 + "1" + "}" * 5000 + ";", 0),
        ("cpp", "int a" + "::b" * 5000 + "() {}", 0),
        ("ruby", "attr_reader " + ", ".join([":a"] * 5000), 1),
        ("bash", "a $(" * 5000 + "b" + ")" * 5000, 5001),
        ("clojure", "(f " * 5000 + ")" * 5000, 5000),
        ("commonlisp", "(let ((x (f " * 1000 + "1" + "))) x)" * 1000, 1000),
        ("elisp", "(let ((x (f " * 2000 + "1" + "))) x)" * 2000, 2000),
        ("elixir", "def a do\n" * 3000 + "end\n" * 3000, 0),
        ("elm", "f =\n    q" + " |> s" * 5000, 5001),
        ("erlang", "f() -> " + "g(" * 5000 + "1" + ")" * 5000 + ".", 5000),
        ("groovy", "class A {\n" * 2000 + "}\n" * 2000, 0),
        ("haskell", "f = q" + " . s" * 5000, 5001),
        ("hcl", "a {\n" * 5000 + "}\n" * 5000, 0),
        ("kotlin", "val a = " + "{ " * 3000 + "1" + " }" * 3000, 0),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_deep_and_wide_texts(language: str, text: str, refs: int) -> None:
    assert len(text) > sys.getrecursionlimit()
    check(language, text, refs)


@languages
def test_nesting_and_chains_are_bounded_in_every_language(language: str) -> None:
    """Whatever the language makes of them: a look at each node, not one at each node for each level."""
    for text in (
        "f(" * 600 + "1" + ")" * 600,
        "a { " * 600 + "}" * 600,
        "q" + ".s(x)" * 600,
        "(a " * 600,
    ):
        data = (text + "\n").encode()
        parsed = parse(data, language)
        assert parsed is not None
        start = process_time()
        tags = extract(parsed, data)
        assert process_time() - start < 2
        assert len(tags.defs) + len(tags.ref_names) <= len(data)


def test_the_recipe_follows_the_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    before = recipe()
    assert before == recipe()
    recipe.cache_clear()
    text_of = queries.text_of
    monkeypatch.setattr("pairwright.tags.files.text_of", lambda name: text_of(name) + ";")
    assert recipe() != before
    recipe.cache_clear()
