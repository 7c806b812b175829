"""Plans made by a model: one fault is told once, nothing is mended, long documents are read part by part."""

from __future__ import annotations

import pytest
from tests.support.author import CUT, DOWN, Answer, Place
from tests.support.tasks import Worksite

from pairwright.engine.events import Stop
from pairwright.engine.task.document import read, render
from pairwright.engine.task.plan import Plan
from pairwright.engine.task.planning import Source, Wish, planned
from pairwright.llm.types import ModelError

pytestmark = pytest.mark.asyncio(loop_scope="session")

FILES = {"app.py": "def main():\n    return 1\n"}
GOOD = "# Plan: x\n\n## create cart.py\n\n## modify app.py\n\n- depends: cart.py\n"
BAD = "# Plan: x\n\n## modify lost.py\n"


def sayings(*said: str) -> Answer:
    left = list(said)
    return lambda prompt: left.pop(0)


async def check(
    place: Place, answer: Answer, wish: Wish, expected: str, window: int = 32_000
) -> Worksite:
    """The plan that comes of `wish`: its paths, or words of why there is none."""
    site = Worksite.of(place, answer, FILES)
    site.limit(window=window, max_output=min(8_000, window // 4))
    found = await planned(site.crew, wish)
    if isinstance(found, Plan):
        assert " ".join(entry.path for entry in found.entries) == expected
    else:
        assert expected in found.message
    return site


async def test_a_plan_is_what_the_model_wrote(place: Place) -> None:
    site = await check(place, sayings(GOOD), Wish("Add carts."), "cart.py app.py")
    assert "Add carts." in site.model.prompts[0]
    assert "app.py" in site.model.prompts[0], "the map is in it"


async def test_a_small_model_is_told_which_files_there_are(place: Place) -> None:
    site = Worksite.of(place, sayings(GOOD), {**FILES, ".gitignore": "gone.py\n", "gone.py": ""})
    site.limit(small=True)
    assert isinstance(await planned(site.crew, Wish("Add carts.")), Plan)
    assert "The files there are:\n.gitignore\napp.py\n" in site.model.prompts[0]
    many = {f"part_{n:03}.py": "" for n in range(300)}
    site = Worksite.of(place / "many", sayings(GOOD), {**FILES, **many})
    site.limit(small=True)
    await planned(site.crew, Wish("Add carts."))
    assert "Some of the files there are:\napp.py\npart_000.py\n" in site.model.prompts[1]
    assert "part_299.py" not in site.model.prompts[1]


async def test_faults_go_back_once(place: Place) -> None:
    site = await check(place, sayings(BAD, GOOD), Wish("Add carts."), "cart.py app.py")
    assert "lost.py does not exist" in site.model.prompts[1]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((BAD, BAD), "lost.py does not exist"),
        (("I would rather not.", "# Plan: nothing"), "names no file"),
        ((GOOD + CUT, f"- a{CUT}", f"- b{CUT}", f"- c{CUT}"), "cut off"),
    ],
)
async def test_a_plan_with_faults_is_none(
    place: Place, said: tuple[str, ...], expected: str
) -> None:
    await check(place, sayings(*said), Wish("Add carts."), expected)


async def test_a_model_that_is_down_is_told(place: Place) -> None:
    with pytest.raises(ModelError):
        await check(place, sayings(DOWN), Wish("Add carts."), "")


async def test_a_plan_is_changed_by_words(place: Place) -> None:
    wish = Wish("Leave app.py as it is.", before=read(GOOD))
    site = await check(place, sayings("# Plan: x\n\n## create cart.py\n"), wish, "cart.py")
    assert render(read(GOOD)) in site.model.prompts[0]


async def test_a_short_document_is_read_word_for_word(place: Place) -> None:
    wish = Wish("Do it.", (Source("wish.md", "Carts hold cents.\n"),))
    site = await check(place, sayings(GOOD), wish, "cart.py app.py")
    assert "wish.md:\n\n```\nCarts hold cents.\n```" in site.model.prompts[0]


async def test_a_long_document_is_read_part_by_part(place: Place) -> None:
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
    site = await check(place, answer, wish, "cart.py app.py", window=4_000)
    parts = [prompt for prompt in site.model.prompts if "Write the notes." in prompt]
    assert len(parts) > 3
    assert "Rule 199: " in "".join(parts)
    assert "Rule 150: carts" in site.model.prompts[-1]
    assert "Rule 250: carts" not in site.model.prompts[-1]


async def test_an_ignored_document_is_not_read(place: Place) -> None:
    site = Worksite.of(
        place, sayings(GOOD), {**FILES, "secret.md": "x", ".gitignore": "secret.md\n"}
    )
    found = await planned(site.crew, Wish("Do it.", (Source("secret.md", "x", "secret.md"),)))
    assert isinstance(found, Stop)
    assert "ignore rules" in found.message
    assert site.model.prompts == []
