"""What the doctor says of models: names of keys and never a value, roles, the network."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairwright.config.schema import Model, Settings
from pairwright.llm.keys import KeyFile
from pairwright.lsp import doctor


def check(settings: Model, **expected: tuple[str, str]) -> None:
    """The state of each check and what its detail holds; no detail holds a secret."""
    found = {item.name: item for item in doctor.checks(Settings(model=settings))}
    for name, (state, words) in expected.items():
        item = found[name.replace("_", " ")]
        assert item.state == state and words in item.detail, item
    assert "hush" not in doctor.text(tuple(found.values()))


def test_models_keys_and_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIRWRIGHT_CONFIG", str(tmp_path))
    monkeypatch.setenv("MISTRAL_API_KEY", "hush")
    file = KeyFile(tmp_path / "keys.json")
    file.write("anthropic", "hush-too")
    mine = Model(
        name="gpt", aliases={"gpt": "openai/x"}, weak="openai/y", proxy="http://me:hush@proxy:1"
    )
    check(
        mine,
        provider_keys=("ok", "MISTRAL_API_KEY in the environment, anthropic stored"),
        model=("ok", "openai/x, weak openai/y"),
        network=("ok", "http://proxy:1"),
    )
    file.path.chmod(0o644)
    check(
        Model(name="x/y", ca_file="/nonexistent.pem"),
        provider_keys=("warning", "chmod 600"),
        network=("error", "ca_file names no file"),
    )
