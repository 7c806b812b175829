"""docs/languages.md lists every language with what its query covers; the table is made from the queries."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pairwright.tags.embedded import embeds_text
from pairwright.tags.queries import text_of
from pairwright.tags.table import ALL, BY_RULE, LANGUAGES, Language

PAGE = Path(__file__).parents[3] / "docs" / "languages.md"
MARK = "<!-- made by tests/unit/tags/test_docs.py: make test UPDATE=1 -->"
HEADERS = {"c": "`.h` (C)", "cpp": "`.h` (C++)", "objc": "`.h`, `.m` (Objective-C)"}
SHARED = {
    "apex": "`.cls`",
    "commonlisp": "`.cl`",
    "d": "`.d`",
    "fsharp": "`.fs`",
    "matlab": "`.m`",
    "perl": "`.pl`",
    "puppet": "`.pp`",
    "r": "`.r`",
    "scheme": "`.scm`",
    "typescript": "`.ts`",
    "verilog": "`.v`",
}
REFERENCES = {
    "calls": r"call|invocation|apply|application|command|function: |include_statement|list_lit|method_name",
    "types": r"type|generic|class|interface|struct|message|user_type|named_type",
    "imports": r"import|use_|use |require|include|open|load|from_|source",
    "attributes": r"decorator|attribute|annotation|pragma|meta",
    "macros": r"macro|preproc|define",
    "components": r"component|jsx|tag_name",
}


def files_of(row: Language) -> str:
    names = [f"`{name}`" for name in (*row.extensions, *row.filenames)]
    names += [text for text in (HEADERS.get(row.name), SHARED.get(row.name)) if text]
    return " ".join(dict.fromkeys(names))


def defines(language: str) -> str:
    """The kinds a query gives, in order of their names."""
    found = set(re.findall(r"@(?:definition|global)\.([a-z]+)", bare(text_of(language))))
    return ", ".join(sorted(found))


def refers(language: str) -> str:
    """What kinds of reference patterns a query has, by the nodes they stand in."""
    text = bare(text_of(language))
    patterns = [part for part in re.split(r"\n(?=[(\[])", text) if "@reference" in part]
    found = [
        name for name, words in REFERENCES.items() if any(re.search(words, p) for p in patterns)
    ]
    return ", ".join(found) or "names"


def bare(text: str) -> str:
    return re.sub(r"^\s*;.*$", "", text, flags=re.M)


def holds(language: str) -> str:
    text = embeds_text(language)
    parts = []
    if "@script" in text:
        parts.append("JavaScript, TypeScript, TSX")
    if "@style" in text:
        parts.append("CSS, SCSS, Less")
    if "@typescript" in text:
        parts.append("front matter (TypeScript)")
    return "; ".join(parts)


def table() -> str:
    lines = [
        f"{len(LANGUAGES)} languages have a query of their own:",
        "",
        "| language | files | defines | refers to | holds |",
        "|---|---|---|---|---|",
    ]
    for name in sorted(LANGUAGES):
        row = LANGUAGES[name]
        lines.append(
            f"| {name} | {files_of(row)} | {defines(name)} | {refers(name)} | {holds(name)} |"
        )
    lines += [
        "",
        f"{len(BY_RULE)} more go by the generic rule:",
        "",
        "| language | files |",
        "|---|---|",
    ]
    lines += [f"| {name} | {files_of(BY_RULE[name])} |" for name in sorted(BY_RULE)]
    isolated = ", ".join(name for name in sorted(ALL) if ALL[name].isolated)
    lines += ["", f"Parsed in a process of their own: {isolated}."]
    return "\n".join(lines) + "\n"


def test_the_page_lists_every_language_with_its_coverage() -> None:
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark
    made = f"{head}{MARK}\n\n{table()}"
    if os.environ.get("UPDATE"):
        PAGE.write_text(made, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == made, "run `make test UPDATE=1` and review the page"


def test_what_holds_an_isolated_language_is_isolated_itself() -> None:
    """A region is parsed where its host is."""
    inner = {"javascript", "typescript", "tsx", "css", "scss", "less"}
    hosts = {name for name in ALL if embeds_text(name)}
    assert hosts and not any(ALL[name].isolated for name in inner)


def test_every_query_defines_something_and_refers_to_something() -> None:
    assert [name for name in LANGUAGES if not defines(name)] == []
    assert [name for name in LANGUAGES if "@reference" not in text_of(name)] == []
    assert len(LANGUAGES) >= 45
