"""What a request is about: files, place, map; what is refused and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.fixture import files

from pairwright.config.schema import Index
from pairwright.engine.context import Context, Turn, gather, map_budget
from pairwright.llm.types import ModelInfo
from pairwright.prompts.build import parts
from pairwright.text.estimate import estimate
from pairwright.workspace.cache import Cache
from pairwright.workspace.host import Host

REPO = """\
-- shop/cart.py --
from shop.money import round_up


class Cart:
    def total(self):
        value = 0
        return round_up(value)
-- shop/money.py --
def round_up(value):
    return int(value + 0.99)


def percent(part, whole):
    return 100 * part / whole
-- shop/other.py --
def unrelated_thing():
    return None
-- notes.md --
Some notes.
-- key.env --
KEY=marked-secret
-- .gitignore --
*.env
"""
INFO = ModelInfo("m", window=32_768)
SMALL = ModelInfo("s", window=8_192, map_tokens=400, small=True, grammar=True)
Make = Callable[..., Host]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(**more: bytes) -> Host:
        all_ = {path: text.encode() for path, text in files(REPO).items()} | more
        for path, data in all_.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        host = Host(str(tmp_path.resolve()), Index(workers=1), Cache(None))
        host.scan()
        return host

    return made


def gathered(host: Host, turn: Turn, info: ModelInfo = INFO, **more: object) -> Context:
    return gather(turn, host.snapshot(), info, **more)  # type: ignore[arg-type]


def check_refused(host: Host, path: str, *words: str) -> None:
    context = gathered(host, Turn("ask", "What?", chat=(path, "notes.md")))
    assert list(context.documents) == ["notes.md"]
    (reason,) = context.refused
    assert reason.startswith(path) and all(word in reason for word in words), reason


def test_files_that_cannot_be_sent_are_refused_with_a_reason(make: Make) -> None:
    host = make(**{"blob.bin": b"\0\1\2\xff" * 99})
    check_refused(host, "key.env", "ignore rules")
    check_refused(host, "gone.py", "no file or folder of the workspace")
    check_refused(host, "../x.py", "outside")
    check_refused(host, "/etc/passwd", "lies outside the workspace, so it can only be read")
    check_refused(host, ".git/config", ".git")
    check_refused(host, "blob.bin")


def test_an_ignored_buffer_is_not_sent_either(make: Make) -> None:
    host = make()
    host.open("key.env", "file:///key.env", 1, "", b"KEY=typed")
    check_refused(host, "key.env", "ignore rules")


def test_a_file_deleted_on_disk_lives_on_in_its_buffer(make: Make) -> None:
    host = make()
    host.open("fresh.py", "file:///fresh.py", 1, "python", b"x = 1\n")
    context = gathered(host, Turn("ask", "What?", path="fresh.py"))
    assert context.chunks.files[0].text == "x = 1\n" and context.refused == ()


def test_line_ends_are_lf_in_the_prompt(make: Make) -> None:
    host = make(**{"dos.py": b"a = 1\r\nb = 2\r\n", "mac.py": b"a = 1\rb = 2\r"})
    context = gathered(host, Turn("edit", "x", path="dos.py", chat=("mac.py",)))
    assert [f.text for f in context.chunks.files] == ["a = 1\nb = 2\n"] * 2
    assert context.chunks.files[0].spans == ((0, 14),)


def test_read_only_files_are_shown_and_not_editable(make: Make) -> None:
    turn = Turn("edit", "x", path="shop/cart.py", chat=("notes.md",), read_only=("notes.md",))
    context = gathered(make(), turn)
    assert context.editable == ("shop/cart.py",)
    assert [f.path for f in context.chunks.read_only] == ["notes.md"]
    assert context.why == {
        "shop/cart.py": "the request is about it",
        "notes.md": "in the chat, read-only",
    }


def test_the_selection_is_told_with_what_is_around_it(make: Make) -> None:
    host = make()
    text = files(REPO)["shop/cart.py"]
    at = text.index("        value = 0")
    turn = Turn("ask", "Why?", path="shop/cart.py", selection=(at, at + 17))
    assert gathered(host, turn).chunks.focus == (
        "Selected: shop/cart.py, lines 6-6, inside `class Cart:` > `def total(self):`:\n\n"
        "```\n        value = 0\n```"
    )
    turn = replace(turn, selection=(at + 9, at + 9))
    assert gathered(host, turn).chunks.focus == (
        "The cursor is in shop/cart.py, line 6, inside `class Cart:` > `def total(self):`."
    )


def test_the_map_knows_names_and_paths_of_the_request(make: Make) -> None:
    host = make()
    context = gathered(host, Turn("ask", "Is percent right?", path="shop/cart.py"), map_tokens=28)
    assert "percent" in context.chunks.map and "unrelated_thing" not in context.chunks.map
    context = gathered(host, Turn("ask", "See shop/other.py", path="notes.md"), map_tokens=30)
    assert "shop/other.py" in context.chunks.map


def test_definitions_sent_whole_are_not_in_the_map(make: Make) -> None:
    context = gathered(make(), Turn("ask", "What?", path="shop/cart.py", chat=("shop/money.py",)))
    assert "Cart" not in context.chunks.map and "round_up" not in context.chunks.map
    assert "unrelated_thing" in context.chunks.map
    assert context.sources["map"] == ("shop/other.py",)


def test_unsaved_definitions_are_in_the_map(make: Make) -> None:
    host = make()
    host.open("shop/other.py", "file:///o", 1, "python", b"def typed_just_now():\n    pass\n")
    context = gathered(host, Turn("ask", "What?", path="shop/cart.py"))
    assert "typed_just_now" in context.chunks.map


def test_the_budget_of_the_map() -> None:
    assert map_budget(ModelInfo("m", window=200_000), None, True) == 4_096
    assert map_budget(ModelInfo("m", window=16_384), None, True) == 2_048
    assert map_budget(ModelInfo("m", window=4_096), None, True) == 1_024
    assert map_budget(ModelInfo("m", window=200_000), None, False) == 8_192
    assert map_budget(ModelInfo("m", window=8_192), None, False) == 2_048
    assert map_budget(ModelInfo("m", window=4_096), None, False) == 1_024
    assert map_budget(ModelInfo("m", window=2_048), None, True) == 512
    assert map_budget(ModelInfo("m", window=200_000), 300, False) == 300
    assert map_budget(SMALL, None, True) == 400
    assert map_budget(SMALL, 0, True) == 0


def test_the_map_stays_while_the_files_do(make: Make) -> None:
    host = make()
    turn = Turn("ask", "Is percent right?", path="shop/cart.py")
    first = gathered(host, turn, map_tokens=60)
    other = replace(turn, instruction="And unrelated_thing?")
    second = gathered(host, other, map_tokens=60, frozen=first.frozen)
    assert second.frozen is first.frozen and second.chunks.map == first.chunks.map
    shown = {(s.path, s.name) for s in first.frozen.map.shown}
    assert ("shop/money.py", "percent") in shown
    assert "percent" not in second.chunks.second_map
    third = gathered(host, replace(other, chat=("notes.md",)), map_tokens=60, frozen=first.frozen)
    assert third.frozen is not first.frozen and third.chunks.second_map == ""


def test_a_definition_of_the_map_is_known_again_when_lines_move(make: Make) -> None:
    host = make()
    turn = Turn("ask", "Is percent right?", path="shop/cart.py")
    first = gathered(host, turn, map_tokens=200)
    text = b"import math\n\n\n" + files(REPO)["shop/money.py"].encode() + b"\ndef added(): pass\n"
    host.open("shop/money.py", "file:///m", 1, "python", text)
    again = gathered(host, turn, map_tokens=200, frozen=first.frozen)
    assert again.chunks.map == first.chunks.map
    assert again.chunks.second_map == "shop/money.py:\ndef added(): pass\n"


def test_the_map_is_made_anew_on_request_when_ignored_or_when_it_was_partial(make: Make) -> None:
    host = make()
    turn = Turn("ask", "Is percent right?", path="shop/cart.py")
    first = gathered(host, turn).frozen
    assert gathered(host, turn, frozen=first).frozen is first
    assert gathered(host, replace(turn, fresh=True), frozen=first).frozen is not first
    partial = replace(first, is_whole=False)
    assert gathered(host, turn, frozen=partial).frozen is not partial
    for counted_by, stays in (("estimate", True), (INFO.name, True), ("another model", False)):
        manifest = replace(first.mapped.manifest, count=counted_by)
        counted = replace(first, mapped=replace(first.mapped, manifest=manifest))
        assert (gathered(host, turn, frozen=counted).frozen is counted) == stays
    (Path(host.snapshot().root) / ".gitignore").write_text("money.py\n*.env\n")
    host.scan()
    made = gathered(host, turn, frozen=first)
    assert made.frozen is not first and "money.py" not in made.chunks.map


def test_what_the_maps_were_made_from_is_told(make: Make) -> None:
    host = make()
    turn = Turn("ask", "Is percent right?", path="shop/cart.py")
    first = gathered(host, turn, map_tokens=60)
    assert list(first.maps) == ["map"]
    assert first.maps["map"].focus.chat == ("shop/cart.py",)
    assert set(first.maps["map"].files) == set(first.sources["map"])
    second = gathered(host, turn, map_tokens=60, frozen=first.frozen)
    assert second.maps["map"] is first.maps["map"]
    assert second.maps["second map"].budget == 15


def test_files_cut_down_keep_the_place_asked_about(make: Make) -> None:
    rows = "".join(f"def long_{n}():\n    return {n}\n\n\n" for n in range(300))
    host = make(**{"long.py": rows.encode(), "far.py": rows.encode()})
    at = rows.index("def long_150")
    turn = Turn("edit", "x", path="long.py", selection=(at, at + 3), chat=("far.py",))
    shorter = gathered(host, turn).shorter
    here, far = shorter.files
    assert "def long_150" in here.text and "def long_140" in here.text
    assert "def long_1()" not in here.text and here.note.startswith("lines 561-641 of 1201")
    ((low, high),) = here.spans
    assert rows[low:high] == here.text
    assert far.spans == () and "def long_1():" in far.text and "return 1\n" not in far.text
    assert estimate(far.text) <= 600
    nowhere = gathered(host, replace(turn, selection=None))
    assert nowhere.shorter.files == nowhere.chunks.files, "an edit needs the text it may change"


def test_a_small_model_gets_the_definition_alone(make: Make) -> None:
    rows = "".join(f"def long_{n}():\n    return {n}\n\n\n" for n in range(300))
    host = make(**{"long.py": rows.encode()})
    at = rows.index("return 150")
    turn = Turn("ask", "What?", path="long.py", selection=(at, at))
    chunks = gathered(host, turn, SMALL).chunks
    assert [f.text for f in chunks.files] == ["def long_150():\n    return 150\n"]
    assert chunks.brief and sum(map(estimate, parts(chunks).values())) < 700
    no_place = gathered(host, replace(turn, selection=None), SMALL).chunks
    assert no_place.files[0].partial and sum(map(estimate, parts(no_place).values())) < 1_500
