"""Records of files: static facts that are always those of the text, prose that is borne out or gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.shop import SHOP, hosted, long_module, write

from pairwright.engine.overlay import Overlay
from pairwright.engine.record_text import document, line, signatures, whole
from pairwright.engine.records import Notebook
from pairwright.memory.notes_block import read
from pairwright.memory.shelf import Shelf
from pairwright.text.document import Document
from pairwright.text.hashing import digest
from pairwright.workspace.host import Host


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    root = tmp_path_factory.mktemp("shop")
    write(root, SHOP)
    with hosted(root) as host:
        yield host


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Host]:
    write(tmp_path, SHOP)
    with hosted(tmp_path) as host:
        yield host


def says(notebook: Notebook, host: Host, path: str, purpose: str, *notes: str) -> None:
    """A model says this of the file as it is."""
    found = host.snapshot().document(path)
    assert found is not None
    notebook.learn(found, purpose, notes, "model")


def change(host: Host, path: str, text: str | None) -> None:
    """The user does it by hand, on disk."""
    place = Path(host.snapshot().root) / path
    if text is None:
        place.unlink()
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    host.disk({path})


def check(notebook: Notebook, host: Host, path: str, purpose: str, *notes: str) -> None:
    record = notebook.at(host.snapshot()).of(path)
    found = host.snapshot().document(path)
    assert record is not None and found is not None
    assert record.digest == found.digest
    assert (record.purpose, record.notes) == (purpose, notes)


# --- static facts


def test_a_record_needs_no_model(shop: Host) -> None:
    record = Notebook().at(shop.snapshot()).of("shop/cart.py")
    assert record is not None
    assert (record.facts.language, record.facts.loc, record.facts.about) == (
        "python",
        21,
        "Carts of a shop.",
    )
    assert [one.name for one in record.facts.exports] == [
        "Cart",
        "Cart.__init__",
        "Cart.total",
        "dumped",
    ]
    assert [(one.module, one.resolved) for one in record.imports] == [
        ("json", ()),
        ("shop", ("shop/money.py",)),
        ("shop.utils", ("shop/utils.py",)),
    ]
    assert record.used_by == (("web/page.py", 4),)
    assert record.verification is None


def used_by(host: Host, path: str) -> list[str]:
    record = Notebook().at(host.snapshot()).of(path)
    assert record is not None
    return [one for one, _ in record.used_by]


def test_used_by_tells_two_files_of_one_name_apart(shop: Host) -> None:
    assert used_by(shop, "shop/utils.py") == ["shop/cart.py"]
    assert used_by(shop, "web/utils.py") == ["web/page.py"]
    assert used_by(shop, "shop/money.py") == ["shop/cart.py"]
    assert used_by(shop, "web/view.ts") == ["web/app.ts"]
    assert used_by(shop, "tool/inner/run.go") == ["tool/main.go"]


def test_what_may_not_be_shown_has_no_record(shop: Host) -> None:
    records = Notebook().at(shop.snapshot())
    assert records.seen("hidden/key.py") is None
    assert records.seen("nothing.py") is None
    assert records.of("notes.md") is None or records.of("notes.md").facts.language == "markdown"  # type: ignore[union-attr]


def test_as_text(shop: Host) -> None:
    record = Notebook().at(shop.snapshot()).of("shop/cart.py")
    assert record is not None
    assert line(record) == "shop/cart.py: Carts of a shop."
    assert signatures(record) == (
        "shop/cart.py (21 lines; signatures only)\n"
        "9-17 class Cart\n"
        "12-13   def __init__(self, rows: list[int]) -> None\n"
        "15-17   def total(self) -> int\n"
        "20-21 def dumped(cart: Cart) -> str"
    )
    assert whole(record).splitlines()[-2:] == [
        "Imports: json; shop [shop/money.py]: money; shop.utils [shop/utils.py]: label",
        "Used by: web/page.py (4)",
    ]


def test_a_change_elsewhere_changes_who_uses_it(own: Host) -> None:
    assert used_by(own, "shop/money.py") == ["shop/cart.py"]
    change(own, "web/more.py", "from shop.money import round_up\n\nround_up(1)\n")
    assert used_by(own, "shop/money.py") == ["shop/cart.py", "web/more.py"]
    change(own, "shop/cart.py", "")
    assert used_by(own, "shop/money.py") == ["web/more.py"]


def test_an_open_buffer_wins_over_the_disk(own: Host) -> None:
    own.open("shop/money.py", "file:///m", 1, "python", b"def floor(value): ...\n")
    record = Notebook().at(own.snapshot()).of("shop/money.py")
    assert record is not None
    assert [one.name for one in record.facts.exports] == ["floor"]
    assert record.digest == digest(b"def floor(value): ...\n")


def test_a_text_with_errors_is_read_in_part(own: Host) -> None:
    change(own, "shop/money.py", "def round_up(value:\n  ((\nclass\n")
    record = Notebook().at(own.snapshot()).of("shop/money.py")
    assert record is not None and record.facts.trust == "partial"


# --- what models say


def test_prose_is_kept_as_far_as_it_is_borne_out(own: Host) -> None:
    notebook = Notebook()
    says(
        notebook,
        own,
        "shop/cart.py",
        "`Cart.total` uses `round_up`. See `Basket`.",
        "`dumped` gives `json`",
        "`rows`",
    )
    check(
        notebook,
        own,
        "shop/cart.py",
        "`Cart.total` uses `round_up`.",
        "`dumped` gives `json`",
        "`rows`",
    )
    record = notebook.at(own.snapshot()).of("shop/cart.py")
    assert record is not None and record.verification is not None
    assert record.verification.dropped == ("Basket",)
    says(notebook, own, "shop/cart.py", "`Basket` holds `Fruit`.")
    check(notebook, own, "shop/cart.py", "")


def test_signatures_never_come_from_the_model(own: Host) -> None:
    notebook = Notebook()
    says(notebook, own, "shop/money.py", "`round_up(value: str) -> None` rounds.")
    assert "def round_up(value: float) -> int" in whole(
        notebook.at(own.snapshot()).of("shop/money.py")
    )  # type: ignore[arg-type]


def test_writing_a_file_again_replaces_its_record(own: Host) -> None:
    notebook = Notebook()
    says(notebook, own, "shop/money.py", "First.")
    change(own, "shop/money.py", "def round_down(value): ...\n")
    check(notebook, own, "shop/money.py", "")
    says(notebook, own, "shop/money.py", "Second.")
    check(notebook, own, "shop/money.py", "Second.")
    says(notebook, own, "shop/money.py", "Third.")
    check(notebook, own, "shop/money.py", "Third.")


def test_a_change_by_hand_leaves_the_prose_behind_and_taking_it_back_finds_it(own: Host) -> None:
    notebook, path = Notebook(), "shop/money.py"
    before = (Path(own.snapshot().root) / path).read_text()
    says(notebook, own, path, "Rounds.")
    change(own, path, before + "# by hand\n")
    check(notebook, own, path, "")
    change(own, path, before)
    check(notebook, own, path, "Rounds.")
    document_ = own.open(path, "file:///m", 1, "python", before.encode())
    check(notebook, own, path, "Rounds.")
    typed, edit = document_.splice(0, 0, b"#", 2)
    own.change(path, typed, [edit])
    check(notebook, own, path, "")


def test_files_of_one_name_in_two_folders_are_kept_apart(own: Host) -> None:
    notebook = Notebook()
    change(own, "web/__init__.py", '"""The shop."""\n')
    for path in ("__init__.py", "utils.py"):
        says(notebook, own, f"shop/{path}", f"Of the shop: {path[:5]}")
    check(notebook, own, "web/__init__.py", "")
    check(notebook, own, "web/utils.py", "")
    says(notebook, own, "web/__init__.py", "Of the web.")
    check(notebook, own, "web/__init__.py", "Of the web.")
    check(notebook, own, "shop/__init__.py", "Of the shop: __ini")


def test_an_empty_file_has_a_record_of_its_own(own: Host) -> None:
    notebook = Notebook()
    change(own, "shop/__init__.py", "")
    says(notebook, own, "shop/__init__.py", "Makes a package.")
    check(notebook, own, "shop/__init__.py", "Makes a package.")
    check(notebook, own, "web/__init__.py", "")


def test_a_file_renamed_only_by_case_keeps_its_record_under_the_new_name(own: Host) -> None:
    notebook, text = Notebook(), long_module(40)
    change(own, "shop/Steps.py", text)
    says(notebook, own, "shop/Steps.py", "Mixes.")
    change(own, "shop/Steps.py", None)
    change(own, "shop/steps.py", text)
    check(notebook, own, "shop/steps.py", "Mixes.")
    assert notebook.at(own.snapshot()).of("shop/Steps.py") is None
    change(own, "shop/steps.py", text + "# more\n")
    check(notebook, own, "shop/steps.py", "")


def test_a_copy_does_not_take_the_prose_of_its_source(own: Host) -> None:
    notebook = Notebook()
    change(own, "shop/steps.py", long_module(40))
    says(notebook, own, "shop/steps.py", "Mixes.")
    change(own, "web/steps.py", long_module(40))
    check(notebook, own, "web/steps.py", "")


def test_a_reply_that_says_nothing_leaves_the_static_record(own: Host) -> None:
    notebook = Notebook()
    found = own.snapshot().document("shop/money.py")
    assert found is not None
    for reply in (
        "",
        "Sorry, I cannot summarise.",
        "```notes\n```",
        "<html>502 Bad Gateway</html>",
    ):
        purpose, notes = read(reply)
        notebook.learn(found, purpose, notes, "model")
    check(notebook, own, "shop/money.py", "")
    assert notebook.paths() == ()


def test_a_store_that_fails_costs_nothing_but_memory(own: Host, tmp_path: Path) -> None:
    (tmp_path / "no").write_text("")
    notebook = Notebook(Shelf(tmp_path / "no" / "records.sqlite"))
    says(notebook, own, "shop/money.py", "Rounds.")
    check(notebook, own, "shop/money.py", "Rounds.")


def test_the_document_of_records(own: Host) -> None:
    notebook = Notebook()
    says(
        notebook,
        own,
        "shop/money.py",
        "Rounds. See `Gone`.",
        "`round_up` takes `value` and gives whole coins; label, money.py and `cart` use it, as shop/cart.py",
        "`round_up`",
    )
    records = notebook.at(own.snapshot())
    found = [record for path in ("shop/money.py", "web/view.ts") if (record := records.of(path))]
    text = document(found, ["Prices are cents."])
    assert text.startswith(
        "# Records of files\n\n## Carried over\n\n- Prices are cents.\n\n## shop/money.py\n\n"
    )
    for part in (
        f"python, 3 lines, content {found[0].digest[:12]}",
        "_Said by model._",
        "```typescript\n2-2 export function show(text: string): void  # Shows a text.\n```",
        "Used by shop/cart.py (2).",
    ):
        assert part in text


def test_the_same_texts_give_the_same_records(own: Host) -> None:
    notebook = Notebook()
    one, two = notebook.at(own.snapshot()), Notebook().at(own.snapshot())
    assert [one.of(path) for path in own.snapshot().paths()] == [
        two.of(path) for path in reversed(own.snapshot().paths())
    ][::-1]


def test_facts_do_not_depend_on_where_the_text_lies(own: Host) -> None:
    notebook = Notebook()
    data = b"def f(): ...\n"
    first = notebook.facts(Document.of("a.py", data), own.snapshot().tags_of("a.py", data))
    assert (
        notebook.facts(Document.of("b/c.py", data), own.snapshot().tags_of("b/c.py", data)) == first
    )


def test_the_texts_of_a_task_count_before_they_are_written(own: Host) -> None:
    texts = {
        "shop/cart.py": None,
        "shop/money.py": b"def round_down(value: float) -> int: ...\n",
        "web/new.py": b"from shop.money import round_down\n\nround_down(1)\n",
    }
    records = Notebook().at(Overlay(own.snapshot(), texts))
    record = records.of("shop/money.py")
    assert record is not None
    assert [one.name for one in record.facts.exports] == ["round_down"]
    assert record.used_by == (("web/new.py", 2),)
    assert records.of("shop/cart.py") is None
    assert records.depends_on("web/new.py") == ("shop/money.py",)
