"""The Neovim plugin with the embedded model: an answer streams into the chat. Its form counts, never its wording."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.nvim import Nvim, plugin_config
from tests.support.serving import environment


@pytest.mark.nvim
@pytest.mark.model
def test_a_question_is_answered_by_the_embedded_model(
    tmp_path: Path, embedded_model_path: Path
) -> None:
    root = tmp_path / "work"
    (root / ".git").mkdir(parents=True)
    path = root / "one.py"
    path.write_text("def alpha():\n    return 1\n")
    env = {k: v for k, v in environment(tmp_path).items() if k.startswith(("PAIRW", "PYTHONP"))}
    env["PAIRWRIGHT_MODELS"] = str(embedded_model_path.parent)
    settings = {"model": {"name": "embedded", "max_output": 48}, "map": {"tokens": 0}}
    nvim = Nvim(tmp_path / "nvim", root, env=env, config=plugin_config(settings, keys=True))
    try:
        nvim.edit(path)
        nvim.keys("ggVG<Space>pq")
        nvim.wait("the prompt", lambda: "Ask:" in nvim.screen())
        nvim.keys("what does alpha return<CR>")
        answer = nvim.wait("the answer", lambda: ended(nvim), 240)
        assert len(answer) > 3
        nvim.api.command("Pairwright chat")
        text = "\n".join(nvim.lines())
        assert "what does alpha return\n\n## Pairwright\n\n" in text
        assert answer in text
    finally:
        nvim.close()


def ended(nvim: Nvim) -> str:
    """What the turn said, once it has ended."""
    code = """
        if not _G.follow then
          _G.follow = vim.api.nvim_create_autocmd('User', {
            pattern = 'PairwrightTurnEnd', callback = function(a) _G.last = a.data end,
          })
        end
        return _G.last and _G.last.text or ''
    """
    return str(nvim.lua(code))
