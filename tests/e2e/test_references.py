"""References through the real server: added, searched, listed, removed; the index is built by a child process."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.editor import Editor
from tests.support.serving import environment

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "experimental": {"pairwright": {"protocol": 1}},
}


@pytest.mark.asyncio
async def test_a_reference_from_its_adding_to_its_end(tmp_path: Path) -> None:
    root, other = tmp_path / "here", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    (other / "LICENSE").write_text(
        "Permission is hereby granted, free of charge, to any person obtaining a copy"
    )
    (other / "paint.py").write_text("def fill_outline(canvas):\n    return canvas.rows()\n")
    editor = await Editor.start(root, CAPABILITIES, env=environment(tmp_path))
    async with editor:
        added = await editor.command("pairwright.reference.add", source=str(other))
        assert (added["name"], added["licence"]) == ("other", "MIT")
        listed = await editor.command("pairwright.reference.list")
        assert [one["path"] for one in listed["references"]] == [str(other)]
        assert indexed(editor) == ["other: 2 of 2 files"]
        answer = await editor.command("pairwright.reference.search", text="filling an outline")
        assert [one["name"] for one in answer["found"]] == ["fill_outline"]
        assert answer["found"][0]["text"].startswith("def fill_outline(canvas):")
        assert "licence MIT" in answer["text"]
        # Nothing was made anew for it.
        assert len(indexed(editor)) == 1
        (other / "more.py").write_text("def erase_outline(canvas):\n    return canvas.clear()\n")
        answer = await editor.command("pairwright.reference.search", text="erase an outline")
        assert answer["found"][0]["name"] == "erase_outline"
        assert indexed(editor)[-1] == "other: 3 of 3 files"
        none = await editor.command("pairwright.reference.search", text="zebra migration")
        assert none["found"] == [] and none["text"].endswith("No match.\n")
        gone = await editor.command("pairwright.reference.remove", reference="other")
        assert gone == {"removed": "other"}


def indexed(editor: Editor) -> list[str]:
    """The last counts of every index that was made so far."""
    tokens, last = [], {}
    for message in editor.received:
        if message.get("method") == "$/progress":
            token, value = message["params"]["token"], message["params"]["value"]
            if value["kind"] == "begin" and value["title"] == "Indexing references":
                tokens.append(token)
                assert value["cancellable"]
            elif value["kind"] == "report" and token in tokens:
                last[token] = value["message"]
    return [last.get(token, "") for token in tokens]
