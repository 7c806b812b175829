"""The sources of a ranking: each one alone, together, under edits and under reordering."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairwright.graph import profile as profile_module
from pairwright.graph import weights
from pairwright.graph.choose import Describe
from pairwright.graph.engine import Graph
from pairwright.graph.focus import focus_words
from pairwright.graph.profile import Profile, profile
from pairwright.graph.types import FileRow, Focus, History, Ranking
from pairwright.tags.files import tags_of
from pairwright.tags.names import row
from pairwright.tags.words import bag_of, key, tally, terms

Texts = Mapping[str, str]

SHOP = {
    "shop/cart.py": """
def add(cart, item):
    cart.items.append(item)

def total(cart):
    return sum(item.price for item in cart.items)

def clear(cart):
    cart.items = []
""",
    "shop/invoice.py": """
class Invoice:
    def number(self):
        return self.prefix + str(self.serial)

    def total(self):
        # rounded half up, as the tax office wants it
        return round(self.net * self.rate, 2)

class Receipt:
    def total(self):
        return self.paid
""",
    "shop/mail.py": """
def send(address, letter):
    connect(address).write(letter)

def bounce(address):
    remember(address)
""",
    "tests/test_cart.py": """
def test_one():
    assert 1

def test_two():
    assert 2
""",
    "tests/test_mail.py": """
def test_three():
    assert 3
""",
    "notes.txt": "totals are rounded",
}


def row_of(path: str, text: str) -> FileRow:
    data = text.encode()
    tags = tags_of(path, data)
    return FileRow(path, *row(tags), bag_of(data) if tags.defs else bag_of(b""))


def describer(texts: Texts) -> Describe:
    def describe(path: str) -> Profile | None:
        data = texts[path].encode()
        return profile(path, data, tags_of(path, data))

    return describe


def ranked(texts: Texts, focus: Focus, history: History = History()) -> Ranking:  # noqa: B008
    graph = Graph.build(row_of(path, text) for path, text in texts.items())
    return graph.rank(focus, describer(texts), history)


def asking(message: str, *chat: str) -> Focus:
    return Focus(chat=chat, words=tuple(terms(message)))


def check(
    focus: Focus,
    expected: list[tuple[str, str, int]],
    history: History = History(),  # noqa: B008
) -> None:
    """The first definitions for `focus` in SHOP are the expected (path, name, nth)."""
    found = ranked(SHOP, focus, history).definitions[: len(expected)]
    assert [(item.path, item.name, item.nth) for item in found] == expected


def test_the_words_of_a_request_mean_one_definition_of_several_of_that_name() -> None:
    check(asking("is the total rounded for the tax office?"), [("shop/invoice.py", "total", 2)])
    check(asking("the total that is paid"), [("shop/invoice.py", "total", 4)])


def test_a_name_says_more_than_a_body() -> None:
    check(asking("clear items"), [("shop/cart.py", "clear", 2)])


def test_an_identifier_in_the_request_leads_among_names_of_the_same_words() -> None:
    texts = {
        f"part{n}.py": f"def load_part_{n}(source):\n    part = source\n\n"
        f"def close_part_{n}(load):\n    load.part(part)\n"
        for n in range(40)
    }
    message = "What does load_part_17 load of a part?"
    focus = Focus(chat=("part0.py",), names=focus_words(message), words=tuple(terms(message)))
    assert ranked(texts, focus).definitions[0].name == "load_part_17"


def test_an_identifier_that_many_files_define_does_not_lead() -> None:
    texts = {f"part{n}.py": "def to_text(part):\n    return part\n" for n in range(40)}
    texts["invoice.py"] = "def number(invoice):\n    return invoice.serial\n"
    focus = Focus(names=("to_text",), words=("number", "invoice", "serial"))
    assert ranked(texts, focus).definitions[0].name == "number"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("load_part", "loadPart", "utf8", "HTTPServer"), True),
        (("load", "Invoice", "HTTP", "_private", "_"), False),
    ],
)
def test_what_can_only_be_meant_as_a_name(names: tuple[str, ...], expected: bool) -> None:
    assert {weights.is_identifier(name) for name in names} == {expected}


def test_words_of_a_path_mean_its_definitions() -> None:
    names = {item.path for item in ranked(SHOP, asking("mail")).definitions[:3]}
    assert names == {"shop/mail.py", "tests/test_mail.py"}


def test_the_words_of_a_chat_file_choose_without_a_request() -> None:
    texts = {**SHOP, "main.py": "letter = write\nconnect(letter)\n"}
    first = ranked(texts, Focus(chat=("main.py",))).definitions[0]
    assert (first.path, first.name) == ("shop/mail.py", "send")


def test_what_changed_together_comes_first() -> None:
    together = History((("notes.txt", "shop/cart.py"), ("shop/mail.py",)) * 3)
    texts = {**SHOP, "notes.txt": ""}
    found = ranked(texts, Focus(chat=("notes.txt",)), together)
    assert {item.path for item in found.definitions[:3]} == {"shop/cart.py"}
    assert found.files[0][0] == "shop/cart.py"


def test_a_test_belongs_to_what_it_tests() -> None:
    texts = {path: text for path, text in SHOP.items() if path != "shop/invoice.py"}
    texts["shop/mail.py"] = "x = 1\n"
    first = ranked(texts, Focus(chat=("shop/mail.py",))).definitions[0]
    assert first.path == "tests/test_mail.py"


def test_the_last_definition_of_a_file_is_preferred_among_equals() -> None:
    texts = {"a.py": "def f():\n    go(1)\n\ndef g():\n    go(1)\n", "b.py": "go = 1\n"}
    found = ranked(texts, Focus(chat=("b.py",))).definitions
    assert [item.name for item in found] == ["g", "f"]


EQUALS = {
    "a.py": "def f():\n    go(1)\n",
    "b.py": "def g():\n    go(1)\n",
    "chat.py": "go = 1\n",
}


def first_of(texts: Texts, history: History = History()) -> str:  # noqa: B008
    """The name that leads where the chat is all there is to go by."""
    return ranked(texts, Focus(chat=("chat.py",)), history).definitions[0].name


def test_a_file_that_changes_often_is_preferred_among_equals() -> None:
    assert first_of(EQUALS) == "f"
    assert first_of(EQUALS, History((("b.py",), ("b.py", "notes.txt")))) == "g"


def test_the_words_of_the_newest_commit_of_the_chat_choose() -> None:
    texts = {**EQUALS, "c.py": "def h():\n    rounded = go(1)\n"}
    assert first_of(texts) == "f"
    commits = (("d.py",), ("chat.py",), ("chat.py",))
    history = History(commits, (("g",), ("rounded",), ("f",)))
    assert first_of(texts, history) == "h"
    asked = Focus(chat=("chat.py",), words=("anything",))
    assert ranked(texts, asked, history).definitions[0].name == "f"


def test_files_of_commits_said_like_the_request_are_preferred_among_equals() -> None:
    history = History((("a.py",), ("b.py",)), (("speed",), ("rounding",)))
    for asked, expected in (("rounding", "g"), ("speed", "f")):
        focus = Focus(chat=("chat.py",), words=(asked,))
        assert ranked(EQUALS, focus, history).definitions[0].name == expected


def test_the_first_line_of_a_request_says_more_than_the_others() -> None:
    texts = {"a.py": "def f():\n    letter\n", "b.py": "def g():\n    parcel\n"}
    words = ("parcel", "letter")
    assert ranked(texts, Focus(words=words)).definitions[0].name == "f"
    assert ranked(texts, Focus(words=words, lead=1)).definitions[0].name == "g"
    assert ranked(texts, Focus(words=words, lead=2)) == ranked(texts, Focus(words=words))


def test_a_test_is_preferred_where_the_chat_is_none() -> None:
    texts = {**EQUALS, "tests/test_z.py": "def t():\n    go(1)\n"}
    assert first_of(texts) == "t"


def test_a_constant_says_less_than_what_does_something() -> None:
    assert first_of({**EQUALS, "a.py": "F = go(1)\n"}) == "g"


def test_the_last_definition_inside_another_gets_more(monkeypatch: pytest.MonkeyPatch) -> None:
    methods = "".join(f"    def {name}(self):\n        go(1)\n" for name in "pqr")
    texts = {"a.py": f"class A:\n{methods}\ndef z(): 0\n", "chat.py": "go = 1\n"}

    def scores() -> dict[str, float]:
        found = ranked(texts, Focus(chat=("chat.py",))).definitions
        return {item.name: item.score for item in found}

    before = scores()
    monkeypatch.setattr(weights, "LAST_INSIDE", 0.0)
    assert {name for name, score in scores().items() if score < before[name]} == {"r"}


def test_what_calls_the_chat_is_preferred_among_equals() -> None:
    chat = "def price():\n    go(1)\n\ndef go(n): ...\n"
    texts = {**EQUALS, "b.py": "def g():\n    price(1)\n", "c.py": "def h(go): go\n" * 3}
    assert first_of({**texts, "chat.py": chat}) == "g"


def test_without_words_and_chat_the_graph_alone_decides() -> None:
    graph = Graph.build(row_of(path, text) for path, text in SHOP.items())
    focus = Focus(open_=("shop/mail.py",), names=("total",))
    assert graph.rank(focus, describer(SHOP)) == graph.rank(focus)


def test_files_of_the_chat_are_not_ranked_and_each_definition_once() -> None:
    found = ranked(SHOP, asking("total", "shop/cart.py"))
    places = [(item.path, item.name, item.nth) for item in found.definitions]
    assert len(places) == len(set(places)) == 5 + 2 + 2 + 1
    assert all(path != "shop/cart.py" for path, _, _ in places)
    assert sorted(path for path, _ in found.files) == sorted(SHOP)


def test_scores_fall_and_ties_go_by_path_and_place() -> None:
    found = ranked(SHOP, asking("total rounded", "shop/mail.py")).definitions
    keys = [(-item.score, item.path, item.nth) for item in found]
    assert keys == sorted(keys)
    assert all(item.score == round(item.score, weights.DIGITS) for item in found)


def test_only_the_best_files_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pairwright.graph.engine.CONSIDERED", 2)
    asked: list[str] = []
    describe = describer(SHOP)

    def noting(path: str) -> Profile | None:
        asked.append(path)
        return describe(path)

    graph = Graph.build(row_of(path, text) for path, text in SHOP.items())
    found = graph.rank(asking("letter to an address"), noting)
    assert asked[0] == "shop/mail.py" and len(asked) == 2
    assert {item.path for item in found.definitions} == SHOP.keys() - {"notes.txt"}


def test_a_file_that_cannot_be_described_is_ranked_by_the_graph() -> None:
    graph = Graph.build(row_of(path, text) for path, text in SHOP.items())
    found = graph.rank(asking("letter to an address"), lambda path: None)
    assert {item.nth for item in found.definitions} == {-1}
    assert found.files[0][0] == "shop/mail.py"


def test_a_huge_text_is_known_by_its_names_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_module, "LARGEST", 10)
    data = SHOP["shop/cart.py"].encode()
    made = profile("shop/cart.py", data, tags_of("shop/cart.py", data))
    assert made.names == ("add", "total", "clear")
    named = [{"add"}, {"total"}, {"clear"}]
    for at, names in enumerate(named):
        own = made.keys[made.terms[made.owners == at]].tolist()
        assert own == sorted(key(term) for term in {"shop", "cart", "py"} | names)
    assert not made.inside.any() and made.kinds.tolist() == [0, 0, 0]
    texts = {"shop/cart.py": SHOP["shop/cart.py"]}
    assert len(ranked(texts, asking("total")).definitions) == 3


# --- laws

LINES = (
    "def get(user):",
    "    return user.invoice",
    "class Invoice:",
    "    def total(self): pass",
    "    def get(self): pass",
    "# the parser of invoices",
    "total = parse(user)",
)
PATHS = ["a.py", "b.py", "lib/c.py", "lib/test_a.py", "readme.md"]
some_texts = st.lists(st.sampled_from(LINES), max_size=6).map("\n".join)
folders = st.dictionaries(st.sampled_from(PATHS), some_texts, min_size=1, max_size=5)
histories = st.lists(
    st.lists(st.sampled_from([*PATHS, "gone.py"]), min_size=1, max_size=3, unique=True).map(
        lambda paths: tuple(sorted(paths))
    ),
    max_size=6,
).map(lambda commits: History(tuple(commits), (("invoice", "get"),) * len(commits)))
focuses = st.builds(
    Focus,
    chat=st.lists(st.sampled_from([*PATHS, "gone.py"]), max_size=2, unique=True).map(tuple),
    open_=st.lists(st.sampled_from(PATHS), max_size=2, unique=True).map(tuple),
    names=st.lists(st.sampled_from(["get", "Invoice", "no"]), max_size=2).map(tuple),
    words=st.lists(st.sampled_from(["get", "invoice", "user", "no"]), max_size=3).map(tuple),
)


@given(some_texts)
@settings(max_examples=60)
def test_a_profile_holds_the_terms_of_each_definition(text: str) -> None:
    data = text.encode()
    tags = tags_of("x.py", data)
    made = profile("x.py", data, tags)
    for at, item in enumerate(tags.defs):
        expected = sorted(tally(data[item.start : item.end]))
        own = made.owners == at
        assert made.keys[made.terms[own & made.inside]].tolist() == expected
        assert made.kinds[at] == len(expected)
        assert ((made.gains[own] > 0) & (made.gains[own] < 1 + weights.SATURATION)).all()


@given(folders, focuses, histories, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_files_does_not_show(
    folder: dict[str, str], focus: Focus, history: History, random: object
) -> None:
    items = list(folder.items())
    random.shuffle(items)  # type: ignore[attr-defined]
    assert ranked(dict(items), focus, history) == ranked(folder, focus, history)


edits = st.lists(
    st.dictionaries(st.sampled_from(PATHS), st.none() | some_texts, max_size=3), max_size=3
)


@given(folders, edits, focuses, histories, st.booleans())
@settings(max_examples=60)
def test_after_any_edits_the_ranking_is_that_of_a_fresh_build(
    folder: dict[str, str],
    steps: list[dict[str, str | None]],
    focus: Focus,
    history: History,
    asked: bool,
) -> None:
    graph = Graph.build(row_of(path, text) for path, text in folder.items())
    texts = dict(folder)
    for step in steps:
        if asked:
            graph.rank(focus, describer(texts), history)
        graph = graph.replace(
            {path: None if text is None else row_of(path, text) for path, text in step.items()}
        )
        for path, text in step.items():
            if text is None:
                texts.pop(path, None)
            else:
                texts[path] = text
    fresh = ranked(texts, focus, history) if texts else Ranking((), ())
    assert graph.rank(focus, describer(texts), history) == fresh
    assert graph.folded().rank(focus, describer(texts), history) == fresh
