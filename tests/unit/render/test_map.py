"""Maps: goldens of whole texts, and what must hold for every ranking, budget and counting
function."""

from __future__ import annotations

import re
from collections import Counter
from math import ceil
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.expect import golden
from tests.support.fixture import files

from pairwright.graph.engine import Graph
from pairwright.graph.types import FileRow, Focus, Ranked, Ranking
from pairwright.render.map import NO_DEFINITIONS, NO_FILES, OFF, render
from pairwright.render.rows import CUT, GAP, WIDTH, outline_of
from pairwright.render.types import RepoMap, Shown, Source
from pairwright.tags.files import tags_of
from pairwright.tags.types import Definition, Tags
from pairwright.text.document import Document
from pairwright.text.estimate import estimate

SHOP = """
-- shop/invoice.py --
import json

TAX = 0.19


class Invoice:
    \"\"\"One invoice.\"\"\"

    def __init__(self, customer, lines):
        self.customer = customer
        self.lines = lines

    @property
    def total(self):
        return sum(line.price for line in self.lines)

    def parse_header(
        self,
        data: bytes,
        *,
        strict: bool = True,
    ) -> dict:
        return json.loads(data)


def load_invoice(path):
    with open(path) as file:
        return Invoice(**json.load(file))
-- shop/report.py --
from shop.invoice import Invoice, load_invoice


def monthly_report(paths):
    invoices = [load_invoice(path) for path in paths]
    return sum(invoice.total for invoice in invoices)
-- web/app.js --
import { monthlyReport } from "./api";

export class Page {
\tconstructor(root) {
\t\tthis.root = root;
\t}

\trender(report) {
\t\tthis.root.textContent = monthlyReport(report);
\t}
}

function helper() { return new Page(document.body); }
-- native/sum.c --
#include <stddef.h>

static long
sum_lines(const long *lines,
          size_t count)
{
    long total = 0;
    return total;
}

long sum_all(void) { return sum_lines(0, 0); }
-- notes.txt --
nothing to see
"""


def sources(texts: dict[str, str | bytes]) -> dict[str, Source]:
    """Texts with their real tags."""
    found = {}
    for path, text in texts.items():
        data = text if isinstance(text, bytes) else text.encode()
        found[path] = Source(Document.of(path, data), tags_of(path, data))
    return found


def ranked(project: dict[str, Source], focus: Focus | None = None) -> Ranking:
    """The ranking of a project by its real graph."""
    rows = (
        FileRow(
            path,
            Counter(item.name for item in source.tags.defs),
            Counter(source.tags.ref_names),
        )
        for path, source in project.items()
    )
    return Graph.build(rows).rank(focus or Focus())


def check(name: str, texts: dict[str, str | bytes], focus: Focus, budget: int) -> RepoMap:
    """The map of `texts` is the golden `name`, inside its budget."""
    project = sources(texts)
    found = render(ranked(project, focus), project.get, budget, estimate, chat=focus.chat)
    assert estimate(found.text) == found.tokens <= budget
    golden(f"map/{name}.txt", found.text)
    return found


def test_a_whole_small_project() -> None:
    found = check("shop", dict(files(SHOP)), Focus(), 2000)
    assert found.reason == ""
    assert Shown("shop/invoice.py", "parse_header", 16) in found.shown


def test_a_budget_for_a_part_of_it() -> None:
    check("shop-small", dict(files(SHOP)), Focus(), 80)


def test_chat_files_are_left_out_and_their_partners_come_first() -> None:
    found = check("shop-chat", dict(files(SHOP)), Focus(chat=("shop/report.py",)), 120)
    assert "shop/report.py" not in found.text
    assert found.text.startswith("shop/invoice.py:\n")


def test_line_ends_of_every_kind_and_tabs() -> None:
    text = "class A:\n\tdef one(self):\n\t\tpass\n\n\tdef two(self):\n\t\tpass\n"
    lone = "class A:\r    x = 1\r    def lone(self): pass\rdef after(): pass\r"
    texts = {
        "crlf.py": text.replace("\n", "\r\n"),
        "lf.py": text,
        "cr.py": lone.encode(),
        "feed.py": "\f\nclass Feed:\n    \f\n    def fed(self): pass  # \u2028 and \u0085 inside\n",
    }
    found = check("line-ends", dict(texts), Focus(), 1000)
    assert "\r" not in found.text and "\u2028" not in found.text
    blocks = found.text.removesuffix("\n").split("\n\n")
    rows = ["class A:", "\tdef one(self):", "…", "\tdef two(self):"]
    assert "\n".join(["crlf.py:", *rows]) in blocks
    assert "\n".join(["lf.py:", *rows]) in blocks


def test_odd_paths_stay_on_one_line() -> None:
    texts = {
        "new\nline.py": "def f(): pass\n",
        "tab\there.py": "def g(): pass\n",
        "esc\x1b[31m.py": "def h(): pass\n",
        "latin\udce9.py": "def i(): pass\n",
        "über/模块 🧪.py": "def j(): pass\n",
        "bidi\u202e.txt": "",
    }
    found = check("paths", dict(texts), Focus(), 1000)
    assert found.text.encode()
    assert all(char.isprintable() or char == "\n" for char in found.text)


def test_text_outside_ascii() -> None:
    texts: dict[str, str | bytes] = {
        f"模块/文件_{i}.py": f"def 计算总额_{i}(订单列表, 折扣率):\n    return 计算总额_{(i + 1) % 30}(1, 2)\n"
        for i in range(30)
    }
    texts["emoji.py"] = "".join(f'def f{i}(a="🧪🧬🔬👩‍🚀{i}"): pass\n' for i in range(9))
    check("outside-ascii", texts, Focus(), 300)


def test_a_definition_far_out_on_a_long_line_is_shown_cut() -> None:
    pad = "".join(f"var v{i}={i};" for i in range(800))
    body = f"{pad}function needle(a){{return hay(a)}}{pad}\n".encode()
    start = body.index(b"function needle")
    item = Definition("needle", "function", start + 9, start, start + 33, start + 18)
    source = Source(Document.of("bundle.js", body), Tags((item,), (), (), "javascript", "query"))
    ranking = Ranking((Ranked("bundle.js", "needle", 1.0),), (("bundle.js", 1.0),))
    found = render(ranking, {"bundle.js": source}.get, 200, estimate)
    heading, line = found.text.splitlines()
    assert heading == "bundle.js:"
    assert line.startswith(CUT + "function needle(a){return hay(a)}var v0") and line.endswith(CUT)
    assert WIDTH - 10 < len(line) <= WIDTH
    assert found.shown == (Shown("bundle.js", "needle", 0),)


@pytest.mark.parametrize(
    ("nth", "lines"), [(-1, [0, 1, 3]), (1, [1]), (3, [3]), (2, [0, 1, 3]), (9, [0, 1, 3])]
)
def test_one_of_several_definitions_of_a_name(nth: int, lines: list[int]) -> None:
    project = sources({"a.py": "def f(a): pass\ndef f(b): pass\ndef g(): pass\ndef f(c): pass\n"})
    ranking = Ranking((Ranked("a.py", "f", 1.0, nth),), (("a.py", 1.0),))
    shown = render(ranking, project.get, 500, estimate).shown
    assert shown == tuple(Shown("a.py", "f", line) for line in lines)


def test_further_rows_of_a_signature_compete_with_other_definitions() -> None:
    text = "def f(\n    first,\n    second,\n): pass\ndef g(\n    third,\n): pass\ndef h(): pass\n"
    project = sources({"a.py": text})
    scores = {"f": 1.0, "g": 0.8, "h": 0.45}
    ranking = Ranking(tuple(Ranked("a.py", n, s) for n, s in scores.items()), (("a.py", 1.0),))

    def shown(budget: int) -> str:
        return render(ranking, project.get, budget, lambda text: text.count("\n")).text

    assert shown(4) == "a.py:\ndef f(\n…\ndef g(\n"
    assert shown(6) == "a.py:\ndef f(\n    first,\n    second,\n): pass\ndef g(\n"
    assert shown(20) == "a.py:\n" + text


@pytest.mark.parametrize("char", ["x", "é", "计", "🧪"])
def test_a_line_is_cut_between_characters(char: str) -> None:
    name = "def f" + char * 30
    data = f"{name}(a={char * 500!r}): pass\n".encode()
    project = sources({"a.py": data})
    item = Definition("f", "function", 4, 0, len(data), len(data))
    project["a.py"] = Source(project["a.py"].document, Tags((item,), (), (), "python", "query"))
    ranking = Ranking((Ranked("a.py", "f", 1.0),), (("a.py", 1.0),))
    line = render(ranking, project.get, 5000, len).text.splitlines()[1]
    assert line == data.decode()[: WIDTH - 1] + CUT


@pytest.mark.parametrize(
    ("tail", "kept"),
    [
        ("alpha, beta_gamma_delta, epsilon)", "alpha,"),
        ("alpha," + "e\u0301" * 40, "alpha,"),
        ("alpha, 'x" + "👩\u200d🚀" * 30, "alpha, 'x" + "👩\u200d🚀" * 3),
        ("alpha, '" + "🇩🇪" * 30, "alpha, '"),
        ("alpha, '!+-*/%&" + "!+-*/%&" * 9, "alpha, '!+-*/%&!+-*/"),
    ],
)
def test_a_line_is_cut_where_nothing_is_torn(tail: str, kept: str) -> None:
    head = "def function_with_a_name(self, " + "argument, " * 4 + "t='01', "
    assert len(head) == 79
    data = f"{head}{tail}\n".encode()
    item = Definition("function_with_a_name", "function", 4, 0, len(data), len(data))
    tags = Tags((item,), (), (), "python", "query")
    project = {"a.py": Source(Document.of("a.py", data), tags)}
    ranking = Ranking((Ranked("a.py", "function_with_a_name", 1.0),), (("a.py", 1.0),))
    line = render(ranking, project.get, 5000, len).text.splitlines()[1]
    assert line == head + kept + CUT and len(line) <= WIDTH


@pytest.mark.parametrize(
    ("ranking", "budget", "reason"),
    [
        (Ranking((), (("a.py", 1.0),)), 0, OFF),
        (Ranking((), (("a.py", 1.0),)), -5, OFF),
        (Ranking((), ()), 1000, NO_FILES),
    ],
)
def test_a_map_that_is_off_or_empty_says_why(ranking: Ranking, budget: int, reason: str) -> None:
    found = render(ranking, lambda path: None, budget, len)
    assert (found.text, found.tokens, found.shown, found.reason) == ("", 0, (), reason)


def test_a_budget_too_small_for_one_definition_says_so() -> None:
    project = sources(dict(files(SHOP)))
    found = render(ranked(project), project.get, 2, estimate)
    assert found.text == "" and "too small" in found.reason and "2 tokens" in found.reason


def test_files_without_definitions_are_listed() -> None:
    project = sources({"notes.txt": "x\n", "data.csv": "a,b\n"})
    found = render(ranked(project), project.get, 100, estimate)
    assert found.text == "data.csv\nnotes.txt\n"
    assert found.reason == NO_DEFINITIONS


def test_edgeless_files_show_their_definitions() -> None:
    project = sources({"a.py": "def x():\n    pass\n", "b.py": "def y():\n    pass\n"})
    found = render(ranked(project), project.get, 100, estimate)
    assert found.text == "a.py:\ndef x():\n\nb.py:\ndef y():\n"


def test_a_file_that_is_gone_is_listed_only() -> None:
    project = sources({"a.py": "def x():\n    pass\n", "b.py": "def y():\n    pass\n"})
    ranking = ranked(project)
    del project["a.py"]
    assert render(ranking, project.get, 100, estimate).text == "b.py:\ndef y():\n\na.py\n"


def test_skipped_definitions_are_not_shown_again() -> None:
    project = sources(dict(files(SHOP)))
    ranking = ranked(project)
    first = render(ranking, project.get, 60, estimate)
    second = render(ranking, project.get, 400, estimate, skip={item.place for item in first.shown})
    assert first.shown and second.shown
    again = {item.name for item in first.shown} & {item.name for item in second.shown}
    assert again <= {"Invoice", "Page"}  # scopes that enclose others may come again


def test_a_second_map_knows_a_definition_again_when_its_line_moved() -> None:
    text = "def get(a): pass\ndef get(b): pass\ndef put(c): pass\n"
    before, after = sources({"a.py": text}), sources({"a.py": "import json\n\n" + text})
    ranking = ranked(before)
    first = render(ranking, before.get, 45, len)
    assert [item.place for item in first.shown] == [("a.py", "get", 0), ("a.py", "put", 0)]
    skip = {item.place for item in first.shown}
    second = render(ranking, after.get, 500, estimate, skip=skip, paths=False)
    assert second.text == "a.py:\ndef get(b): pass\n"


def test_without_paths_only_definitions_are_shown() -> None:
    project = sources({"notes.txt": "x\n", "README.md": "# Shop\n"})
    assert render(ranked(project), project.get, 100, estimate, paths=False).text == ""
    project |= sources({"a.py": "def x(): pass\n"})
    found = render(ranked(project), project.get, 100, estimate, paths=False)
    assert found.text == "a.py:\ndef x(): pass\n"


def test_telling_files_of_the_root_come_before_other_paths() -> None:
    names = ["a.txt", "deep/README.md", "Makefile", "README.rst", "pyproject.toml", "x.gemspec"]
    project = sources(dict.fromkeys(names, "x\n") | {"a.py": "def x(): pass\n"})
    first = "a.py:\ndef x(): pass\n\n"
    told = "README.rst\npyproject.toml\nx.gemspec\nMakefile\n"
    whole = render(ranked(project), project.get, 500, estimate).text
    assert whole == first + told + "a.txt\ndeep/README.md\n"
    assert render(ranked(project), project.get, len(first + told), len).text == first + told


def test_only_files_that_are_considered_are_read() -> None:
    project = sources({f"m{i:03}.py": f"def f{i}():\n    pass\n" for i in range(300)})
    read: list[str] = []

    def source(path: str) -> Source | None:
        read.append(path)
        return project.get(path)

    found = render(ranked(project), source, 100, estimate)
    assert len(found.shown) < 20
    assert len(read) == len(set(read)) < 80


WORDS = ["get", "parse_header", "Invoice", "load", "x", "计算", "🧪", "very_long_name_" * 4]


@st.composite
def projects(draw: st.DrawFn) -> dict[str, Source]:
    """Small projects whose tags are made by a line rule: every line `name` at an indent defines
    it."""
    found = {}
    for number in range(draw(st.integers(1, 6))):
        lines = draw(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(WORDS)), max_size=25))
        end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
        path = f"{draw(st.sampled_from(['a', 'lib/b', '模']))}{number}.py"
        found[path] = _indented(path, lines, end)
    return found


def _indented(path: str, lines: list[tuple[int, str]], end: str) -> Source:
    rows = [(" " * 4 * depth, f"def {name}(self)") for depth, name in lines]
    data = "".join(blank + text + ":" + end for blank, text in rows).encode()
    document = Document.of(path, data)
    defs = []
    for line, (depth, name) in enumerate(lines):
        start = document.lines.start(line) + 4 * depth
        last = next((at for at in range(line + 1, len(lines)) if lines[at][0] <= depth), len(lines))
        body = document.lines.end(line, data)
        stop = document.lines.end(last - 1, data)
        defs.append(Definition(name, "function", start + 4, start, max(stop, body), body))
    defs.sort(key=lambda item: (item.start, -item.end, item.name_start))
    return Source(document, Tags(tuple(defs), (), (), "python", "rule"))


def by_words(text: str) -> int:
    """Not additive, not monotone: blanks at the ends are free, sevens cost more."""
    return len(text.split()) + text.count("7") * 3 - text.count("\n\n") // 2


COUNTS = {
    "characters": len,
    "quarters": lambda text: ceil(len(text) / 4),
    "estimate": estimate,
    "words": by_words,
    "lines": lambda text: text.count("\n"),
    "huge": lambda text: 10**9 if text else 0,
    "nothing": lambda text: 0,
    "distinct": lambda text: len(set(text)),
}


@given(projects(), st.integers(1, 900), st.sampled_from(sorted(COUNTS)))
@settings(max_examples=200)
def test_never_above_the_budget_by_any_counting(
    project: dict[str, Source], budget: int, how: str
) -> None:
    count = COUNTS[how]
    ranking = ranked(project)
    found = render(ranking, project.get, budget, count)
    assert found == render(ranking, project.get, budget, count)
    if not found.text:
        assert found.tokens == 0 and found.shown == ()
        assert found.reason
        return
    assert count(found.text) == found.tokens <= budget
    assert found.text.endswith("\n") and not found.text.endswith("\n\n")
    _is_true_to_the_sources(found, project)


def _is_true_to_the_sources(found: RepoMap, project: dict[str, Source]) -> None:
    shown = {(item.path, item.line) for item in found.shown}
    at: dict[str, int] = {}
    path = ""
    for line in found.text.splitlines():
        if line.removesuffix(":") in project:
            path = line.removesuffix(":")
            at[path] = -1
        elif line not in ("", GAP):
            document = project[path].document
            rows = [
                document.data[document.lines.start(n) : document.lines.end(n, document.data)]
                for n in range(document.lines.count)
            ]
            matches = [n for n, row in enumerate(rows) if row.decode() == line and n > at[path]]
            assert matches, (path, line)
            at[path] = next((n for n in matches if (path, n) in shown), matches[0])
    for item in found.shown:
        defs = project[item.path].tags.defs
        lines = project[item.path].document.lines
        assert any(d.name == item.name and lines.line_at(d.name_start) == item.line for d in defs)


def _module(number: int) -> str:
    parts = []
    for part in range(6):
        name, callee = f"{number}_{part}", f"{number * 3 % 90}_{part}"
        parts.append(
            f"class Handler{name}:\n    limit = {part}\n\n"
            f"    def handle_{name}(self, request, *, retries={part}):\n"
            f"        return handle_{callee}(request)\n\n"
        )
    return "".join(parts)


BIG = {f"pkg{i % 7}/module_{i:03}.py": _module(i) for i in range(90)}


@pytest.fixture(scope="module")
def big() -> tuple[dict[str, Source], Ranking]:
    project = sources(dict(BIG))
    return project, ranked(project, Focus(chat=("pkg0/module_000.py",)))


@pytest.mark.parametrize("how", ["characters", "quarters", "estimate", "words"])
@pytest.mark.parametrize("budget", [256, 512, 1024, 2048, 4096])
def test_the_budget_is_used_where_there_is_more_to_show(
    big: tuple[dict[str, Source], Ranking], budget: int, how: str
) -> None:
    project, ranking = big
    size = budget * 4 if how == "characters" else budget
    found = render(ranking, project.get, size, COUNTS[how])
    assert size * 0.95 <= found.tokens <= size


SQUEEZED = re.compile(r"\s+")
ODD_COUNTS = {
    **{name: COUNTS[name] for name in ("quarters", "estimate", "words")},
    "power": lambda text: int(len(text) ** 0.97 / 3),
    "squeezed": lambda text: len(SQUEEZED.sub(" ", text)) // 3,
    "in sevens": lambda text: -(-len(text) // 28) * 7,
    "headings are dear": lambda text: len(text) // 4 + 9 * text.count(".py:"),
}


@given(
    st.integers(256, 4096), st.sampled_from(sorted(ODD_COUNTS)), st.integers(0, 999), st.booleans()
)
@settings(max_examples=40)
def test_whatever_the_ranking_and_the_counting_the_budget_is_used_and_kept(
    big: tuple[dict[str, Source], Ranking],
    budget: int,
    how: str,
    seed: int,
    is_guessed: bool,
) -> None:
    project, random = big[0], Random(seed)
    definitions = [
        Ranked(path, item.name, round(random.random() ** random.choice((1, 4)), 12), nth)
        for path, source in project.items()
        for nth, item in enumerate(source.tags.defs)
    ]
    definitions.sort(key=lambda item: (-item.score, item.path, item.name, item.nth))
    ranking = Ranking(tuple(definitions), tuple((path, 1.0) for path in sorted(project)))
    guess = estimate if is_guessed else None
    found = render(ranking, project.get, budget, ODD_COUNTS[how], guess=guess)
    assert found.tokens == ODD_COUNTS[how](found.text)
    assert budget * 0.95 <= found.tokens <= budget


def test_more_budget_shows_what_less_showed_and_best_first(
    big: tuple[dict[str, Source], Ranking],
) -> None:
    project, ranking = big
    names = [(item.path, item.name) for item in ranking.definitions]
    before: frozenset[Shown] = frozenset()
    for budget in (200, 400, 800, 1600, 3200):
        shown = frozenset(render(ranking, project.get, budget, estimate).shown)
        assert before <= shown
        ranks = sorted(names.index((item.path, item.name)) for item in shown)
        assert ranks[: len(ranks) // 2] == list(range(len(ranks) // 2))
        before = shown


def test_counting_is_spared(big: tuple[dict[str, Source], Ranking]) -> None:
    project, ranking = big
    lengths: list[int] = []

    def count(text: str) -> int:
        lengths.append(len(text))
        return estimate(text)

    found = render(ranking, project.get, 4096, count)
    whole = [length for length in lengths if length > 2 * WIDTH]
    assert len(found.shown) > 100
    assert len(whole) <= 30


def test_an_outline_lasts_as_long_as_its_text_and_tags() -> None:
    """The tags of one text may change when it is parsed anew."""
    document, tags = Document.of("a.py", b"def f(): ...\n"), tags_of("a.py", b"def f(): ...\n")
    kept = outline_of(Source(document, tags))
    again = Tags(tags.defs[:0], (), (), "python", "query")
    assert outline_of(Source(document, tags)) is kept
    assert outline_of(Source(document, again)).named("f") == ()
    assert outline_of(Source(Document.of("a.py", document.data), tags)) is not kept
