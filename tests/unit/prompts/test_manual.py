"""The manual cut into sections and searched."""

from __future__ import annotations

from pairwright.prompts.manual import Section, found, sections

PAGES = {
    "b.md": "# Costs\n\nWhat requests cost.\n\n## Limits\n\nThe day's limit stops requests.\n",
    "a.md": "Intro.\n\n# Editing\n\n```sh\n# no heading\n```\n\n## Undo\n\n### Twice\n\nUndo takes it back.\n",
}


def test_a_section_has_its_headings() -> None:
    assert [(one.page, one.title) for one in sections(PAGES)] == [
        ("a.md", "-"),
        ("a.md", "Editing"),
        ("a.md", "Editing > Undo > Twice"),
        ("b.md", "Costs"),
        ("b.md", "Costs > Limits"),
    ]
    assert sections(PAGES)[1].text == "```sh\n# no heading\n```"


def test_a_long_section_is_cut_between_rows_and_paragraphs() -> None:
    rows = "".join(f"| `setting.{n}` | {'word ' * 20}|\n" for n in range(60))
    page = f"# Settings\n\n| name | what |\n|---|---|\n{rows}\n```\n{'x' * 3000}\n\ny\n```\n"
    made = sections({"s.md": page})
    assert len(made) > 4 and all(one.title == "Settings" for one in made)
    assert all(len(one.text) < 1600 for one in made[:-1])
    assert made[-1].text.startswith("```") and made[-1].text.endswith("```")
    joined = "".join(one.text for one in made)
    assert all(f"`setting.{n}`" in joined for n in range(60))


def test_the_best_section_comes_first() -> None:
    made = sections(PAGES)
    assert found(made, "How do I undo an edit?")[0].title == "Editing > Undo > Twice"
    assert found(made, "limits of a day")[0] == Section(
        "b.md", "Costs > Limits", "The day's limit stops requests."
    )
    assert found(made, "How is it with the zebra?") == ()
    assert found(made, "") == ()
