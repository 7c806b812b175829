"""Whole message lists as goldens, and what must hold for every list."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.expect import golden

from pairwright.edits.formats.registry import read
from pairwright.llm.types import Image, Message
from pairwright.prompts.build import PARTS, Chunks, FileText, build, merged, parts, template
from pairwright.prompts.fence import fence
from pairwright.text.estimate import estimate

CART = FileText("shop/cart.py", "def total(rows):\n    return sum(rows)\n", "py", spans=((0, 38),))
README = FileText("README.md", "# Shop\n\n```sh\nmake\n```\n", "md")
FULL = Chunks(
    mode="edit",
    request="Round the total up.",
    read_only=(README,),
    map="shop/money.py:\n…\ndef round_up(value):\n…",
    history=(Message("user", "What is it?"), Message("assistant", "A shop.")),
    second_map="shop/tax.py:\ndef rate():",
    files=(CART,),
    facts=("the edit of shop/tax.py was rejected",),
    focus="The cursor is in shop/cart.py, line 2, inside `def total(rows):`.",
)
RULES = FileText(
    "CONVENTIONS.md", "Money is in cents.\n", spans=((0, 19),), note="conventions of this project"
)
PAGE = FileText(
    "https://example.org/vat", "# Rates\n\n````\n19%\n````\n", "md", True, (), "12 tokens"
)
EVERYTHING = replace(
    FULL,
    read_only=(RULES, README),
    pages=(PAGE,),
    images=(Image("docs/receipt.png", "image/png", b"\x89PNG"),),
    diagnostics=("line 2: error: `rows` may be None (pyright reportOptional)",),
    open_files=("shop/money.py", "shop/tax.py"),
)
REFINE = template("refine").replace("{request}", "Round up.").replace("{instruction}", "Use cents.")
FORMATS = ("diff", "diff-fenced", "udiff", "udiff-simple", "whole", "patch", "symbol")
FAILED = replace(
    FULL, feedback=(Message("assistant", "I forgot."), Message("user", "Send the blocks."))
)
CASES = {
    "ask": replace(FULL, mode="ask"),
    "ask-bare": Chunks("ask", "What is a monad?"),
    "edit": FULL,
    "edit-everything": EVERYTHING,
    "ask-everything": replace(EVERYTHING, mode="ask", history=(), facts=()),
    "edit-refine": replace(FULL, request=REFINE),
    "edit-history": replace(FULL, map="", read_only=(), facts=(), second_map="", focus=""),
    "edit-reflection": FAILED,
    "edit-reminder-system": replace(FULL, reminder="system"),
    "edit-reminder-none": replace(FULL, reminder="none", read_only=(), map="", history=()),
    "edit-excerpt": replace(
        FULL, files=(replace(CART, partial=True, note="lines 1-2 of 900"),), read_only=()
    ),
    "small-ask": replace(FULL, mode="ask", brief=True, second_map="", history=()),
    "small-edit": replace(FULL, brief=True, second_map="", history=()),
    **{f"edit-{form}": replace(FULL, format=form, history=()) for form in FORMATS[1:]},
    "editor-diff": replace(FULL, format="editor-diff", history=()),
    "editor-whole": replace(FULL, format="editor-whole", history=()),
    "small-edit-whole": replace(FULL, format="whole", brief=True, history=()),
    # A part of a file cannot be written whole.
    "edit-whole-excerpt": replace(
        FULL, format="whole", files=(replace(CART, partial=True),), history=()
    ),
    "rewrite": Chunks(
        "rewrite", "Round up.", map="m.py:\ndef f():", files=(CART,), begun="```py\n"
    ),
}


def marked(message: Message) -> str:
    """The content with what a golden must not miss: marks inside, and pictures behind."""
    text = message.content
    for mark in reversed(message.marks):
        text = f"{text[:mark]} [cache]{text[mark:]}"
    return "\n".join((text, *(f"[picture {one.name}, {one.mime}]" for one in message.images)))


def check(name: str, chunks: Chunks) -> None:
    shown = [f"=== {m.role}{' [cache]' if m.cache else ''}\n{marked(m)}" for m in build(chunks)]
    golden(f"prompts/{name}.txt", "\n".join(shown) + "\n")


@pytest.mark.parametrize("name", sorted(CASES))
def test_golden(name: str) -> None:
    check(name, CASES[name])


@pytest.mark.parametrize("name", sorted(CASES))
def test_roles_alternate_behind_one_system_message(name: str) -> None:
    roles = [message.role for message in build(CASES[name])]
    assert roles[0] == "system" and roles[1] == "user" and roles.count("system") == 1
    assert all(one != other for one, other in pairwise(roles))
    assert roles[-1] == ("assistant" if CASES[name].begun else "user")


@pytest.mark.parametrize("name", sorted(CASES))
def test_every_part_is_sent_once_and_nothing_else(name: str) -> None:
    messages = build(CASES[name])
    whole = "\n\n".join(message.content for message in messages)
    text = parts(CASES[name])
    assert list(text) == [part for part in PARTS if part in text]
    for part, body in text.items():
        if part not in ("history", "reflection", "begun answer"):
            assert whole.count(body) == 1, part
    spoken = "".join("".join(text.values()).split())
    assert len("".join(whole.split())) == len(spoken), "what is counted is what is sent"


@pytest.mark.parametrize("name", sorted(CASES))
def test_at_most_four_prefixes_are_marked_and_each_ends_a_part(name: str) -> None:
    messages = build(CASES[name])
    marks = [(m.content, end) for m in messages for end in m.marks]
    marks += [(m.content, len(m.content)) for m in messages if m.cache]
    assert 1 <= len(marks) <= 4
    assert all(end == len(text) or text[end : end + 2] == "\n\n" for text, end in marks)


def test_what_a_later_request_begins_with_is_marked() -> None:
    system, first, answer, now = build(FULL)
    stable = parts(FULL)
    assert system.cache
    assert first.content[: first.marks[0]] == f"{stable['read-only files']}\n\n{stable['map']}"
    assert answer.cache and now.cache and now.marks == ()


def test_pictures_go_with_the_request_and_only_there() -> None:
    messages = build(replace(EVERYTHING, feedback=FAILED.feedback))
    (holder,) = (m for m in messages if m.images)
    assert "Round the total up." in holder.content and "- docs/receipt.png" in holder.content


def test_a_web_page_has_a_fence_of_its_own() -> None:
    with_page, without = build(EVERYTHING), build(replace(EVERYTHING, pages=()))
    assert with_page[:3] == without[:3], "a page leaves the prefix as it was"
    assert "\n`````md\n# Rates" in with_page[-1].content


def test_the_stable_parts_come_first_and_the_reminder_behind_the_request() -> None:
    whole = "\n".join(message.content for message in build(FULL))
    order = [whole.index(body) for name, body in parts(FULL).items() if name != "history"]
    assert order == sorted(order)


def test_a_longer_conversation_keeps_its_prefix() -> None:
    first, second = build(FULL), build(FAILED)
    assert second[: len(first)] == first
    assert [message.role for message in second[len(first) :]] == ["assistant", "user"]


def test_a_small_model_gets_a_short_prompt() -> None:
    assert estimate(template("small_edit")) <= 220
    assert estimate(template("small_ask")) <= 60
    assert estimate(template("rewrite")) <= 80
    for form in FORMATS:
        how = template(f"how_{form}")
        examples = template(f"examples_{form}") if form != "udiff-simple" else ""
        assert estimate(template("edit") + how + examples) <= 1000


def test_the_fence_is_in_no_file() -> None:
    assert "\n````md\n# Shop\n\n```sh" in build(FULL)[1].content
    assert "\n````python\n<<<<<<< SEARCH" in build(FULL)[0].content


@given(st.lists(st.text(alphabet="`~a \n", max_size=40), max_size=5))
def test_no_text_holds_its_fence(texts: list[str]) -> None:
    marks = fence(texts)
    assert len(marks) >= 3 and set(marks) == {"`"}
    assert not any(marks in text for text in texts)


def test_an_example_is_read_as_the_edits_it_shows() -> None:
    for form in FORMATS:
        if form == "udiff-simple":
            continue
        parsed = read(template(f"examples_{form}").replace("{fence}", "```"), form)
        assert parsed.problems == () and parsed.format == form
        assert parsed.blocks and all(block.replace for block in parsed.blocks)
        assert all("slug" in "".join(block.replace + block.search) for block in parsed.blocks)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text("ab ", max_size=9))))
def test_merging_loses_no_word(said: list[tuple[str, str]]) -> None:
    joined = merged(Message(role, text) for role, text in said)  # type: ignore[arg-type]
    assert all(a.role != b.role for a, b in pairwise(joined))
    words = [(m.role, text) for m in joined for text in m.content.split("\n\n")]
    assert words == said


TEMPLATES = ["ask", "edit", "editor", "rewrite", "small_ask", "small_edit"]
TEMPLATES += [f"{kind}_{form}" for form in FORMATS for kind in ("how", "reminder")]


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_are_plain(name: str) -> None:
    text = template(name)
    assert text == text.strip() and "\r" not in text and "\t" not in text
    assert all(len(line) <= 118 for line in text.split("\n"))
