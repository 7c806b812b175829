"""Which servers of models the user vouches for."""

from __future__ import annotations

from pathlib import Path

from pairwright.config.load import Layer
from pairwright.lsp.vouched import hosts


def test_the_users_own_file_and_set_vouch(tmp_path: Path) -> None:
    env = {"PAIRWRIGHT_CONFIG": str(tmp_path)}
    assert hosts(Layer("--set", {}), env) == frozenset()
    (tmp_path / "settings.toml").write_text(
        '[model]\napi_base = "https://One.example/v1"\n'
        '[model.overrides."openai/x"]\napi_base = "https://two.example/v1"\n'
    )
    set_ = Layer("--set", {"model.api_base": "https://three.example/v1"})
    assert hosts(set_, env) == {"one.example", "two.example", "three.example"}
    (tmp_path / "settings.toml").write_text("[model")
    assert hosts(set_, env) == {"three.example"}
