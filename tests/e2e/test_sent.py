"""What was sent to a model, read afterwards over the wire; and that no secret was in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.editor import Editor
from tests.support.endpoint import Endpoint

# In two pieces: a scanner that reads this file must find nothing.
GITHUB = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
SOURCE = f'TOKEN = "{GITHUB}"\n\n\ndef call():\n    return TOKEN\n'
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "experimental": {"pairwright": {"protocol": 1}},
}


async def test_a_request_is_read_as_it_left(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    (root / "app.py").write_text(SOURCE)
    env = dict(
        os.environ,
        PAIRWRIGHT_DATA=str(tmp_path / "data"),
        PAIRWRIGHT_CACHE=str(tmp_path / "cache"),
        OPENAI_API_KEY="scripted-key",
    )
    with Endpoint() as endpoint:
        endpoint.say("One.")
        endpoint.say("Two.")
        options = {"model": endpoint.settings(), "privacy": {"redact": "always"}}
        async with await Editor.start(root, CAPABILITIES, init_options=options, env=env) as editor:
            editor.open(root / "app.py")
            with pytest.raises(AssertionError, match="Nothing was sent"):
                await editor.command("pairwright.sent")
            for words in ("What is it?", f"And why {GITHUB}?"):
                started = await editor.command(
                    "pairwright.ask", text=words, uri=(root / "app.py").as_uri()
                )
                await editor.wait_for(
                    "the end of the turn",
                    lambda m, ident=started["id"]: (
                        m["method"] == "pairwright/turn/end" and m["params"]["id"] == ident
                    ),
                    60,
                )
            last = await editor.command("pairwright.sent")
            first = await editor.command("pairwright.sent", request=1)
            again = await editor.request("pairwright/document", {"uri": first["uri"]})
        left = [request.body["messages"] for request in endpoint.requests]
    assert [one["number"] for one in last["requests"]] == [2, 1]
    assert "1 secret hidden" in last["requests"][0]["text"]
    assert again["text"] == first["text"]
    for view, messages in zip((first, last), left, strict=True):
        assert GITHUB not in view["text"] and GITHUB not in str(messages)
        for message in messages:
            content = message["content"]
            text = content if isinstance(content, str) else "".join(p["text"] for p in content)
            assert text in view["text"], "word for word"
        assert "| app.py | editing | 0-" in view["text"]
        assert "| REDACTED_SECRET_1 | github-pat | app.py" in view["text"]
