"""Plans made by a model: one fault is told once, nothing is mended, long documents are read part by part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.tasks import CUT, DOWN, INFO, Answer, Worksite

from pairwright.engine.events import Stop
from pairwright.engine.task.document import read, render
from pairwright.engine.task.plan import Plan
from pairwright.engine.task.planning import Source, Wish, planned
from pairwright.llm.types import ModelError

pytestmark = pytest.mark.asyncio

FILES = {"app.py": "def main():\n    return 1\n"}
GOOD = "# Plan: x\n\n## create cart.py\n\n## modify app.py\n\n- depends: cart.py\n"
BAD = "# Plan: x\n\n## modify lost.py\n"


def sayings(*said: str) -> Answer:
    left = list(said)
    return lambda prompt: left.pop(0)


async def check(
    base: Path, answer: Answer, wish: Wish, expected: str, window: int = 32_000
) -> Worksite:
    """The plan that comes of `wish`: its paths, or words of why there is none."""
    site = Worksite.of(base, answer, FILES)
    site.model.info = replace(INFO, window=window, max_output=min(8_000, window // 4))
    found = await planned(site.crew, wish)
    if isinstance(found, Plan):
        assert " ".join(entry.path for entry in found.entries) == expected
    else:
        assert expected in found.message
    return site


async def test_a_plan_is_what_the_model_wrote(tmp_path: Path) -> None:
    site = await check(tmp_path, sayings(GOOD), Wish("Add carts."), "cart.py app.py")
    assert "Add carts." in site.model.prompts[0]
    assert "app.py" in site.model.prompts[0], "the map is in it"


async def test_faults_go_back_once(tmp_path: Path) -> None:
    site = await check(tmp_path, sayings(BAD, GOOD), Wish("Add carts."), "cart.py app.py")
    assert "lost.py does not exist" in site.model.prompts[1]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((BAD, BAD), "lost.py does not exist"),
        (("I would rather not.", "# Plan: nothing"), "names no file"),
        ((GOOD + CUT, CUT, CUT, CUT), "cut off"),
    ],
)
async def test_a_plan_with_faults_is_none(
    tmp_path: Path, said: tuple[str, ...], expected: str
) -> None:
    await check(tmp_path, sayings(*said), Wish("Add carts."), expected)


async def test_a_model_that_is_down_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        await check(tmp_path, sayings(DOWN), Wish("Add carts."), "")


async def test_a_plan_is_changed_by_words(tmp_path: Path) -> None:
    wish = Wish("Leave app.py as it is.", before=read(GOOD))
    site = await check(tmp_path, sayings("# Plan: x\n\n## create cart.py\n"), wish, "cart.py")
    assert render(read(GOOD)) in site.model.prompts[0]


async def test_a_short_document_is_read_word_for_word(tmp_path: Path) -> None:
    wish = Wish("Do it.", (Source("wish.md", "Carts hold cents.\n"),))
    site = await check(tmp_path, sayings(GOOD), wish, "cart.py app.py")
    assert "wish.md:\n\n```\nCarts hold cents.\n```" in site.model.prompts[0]


async def test_a_long_document_is_read_part_by_part(tmp_path: Path) -> None:
    def answer(prompt: str) -> str:
        if "Write the notes." not in prompt:
            return GOOD
        return (
            "\n".join(row for row in prompt.splitlines() if row.startswith("Rule 15")) or "nothing"
        )

    text = "".join(
        f"Rule {n}: carts of kind {n} hold cents and nothing else.\n" for n in range(300)
    )
    wish = Wish("Do it.", (Source("wish.md", text),))
    site = await check(tmp_path, answer, wish, "cart.py app.py", window=4_000)
    parts = [prompt for prompt in site.model.prompts if "Write the notes." in prompt]
    assert len(parts) > 3
    assert "Rule 199: " in "".join(parts)
    assert "Rule 150: carts" in site.model.prompts[-1]
    assert "Rule 250: carts" not in site.model.prompts[-1]


async def test_an_ignored_document_is_not_read(tmp_path: Path) -> None:
    site = Worksite.of(
        tmp_path, sayings(GOOD), {**FILES, "secret.md": "x", ".gitignore": "secret.md\n"}
    )
    found = await planned(site.crew, Wish("Do it.", (Source("secret.md", "x", "secret.md"),)))
    assert isinstance(found, Stop)
    assert "ignore rules" in found.message
    assert site.model.prompts == []
