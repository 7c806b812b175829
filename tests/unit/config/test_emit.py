"""docs/settings.md and the JSON schema follow the tree."""

from __future__ import annotations

import json
import os
from dataclasses import fields
from pathlib import Path

from pairwright.config.emit import json_schema, lua_types, markdown
from pairwright.config.family import Family
from pairwright.config.load import options

_DOCS = Path(__file__).parents[3] / "docs" / "settings.md"
_LUA = _DOCS.parents[1] / "editors" / "nvim" / "lua" / "pairwright" / "settings.lua"


def test_the_page_is_fresh() -> None:
    if os.environ.get("UPDATE"):
        _DOCS.write_text(markdown(), encoding="utf-8")
    assert _DOCS.read_text(encoding="utf-8") == markdown(), (
        "run `make test UPDATE=1` and review docs/settings.md"
    )


def test_the_types_of_the_neovim_plugin_are_fresh() -> None:
    if os.environ.get("UPDATE"):
        _LUA.write_text(lua_types(), encoding="utf-8")
    assert _LUA.read_text(encoding="utf-8") == lua_types(), (
        "run `make docs` and review editors/nvim/lua/pairwright/settings.lua"
    )


def test_every_setting_is_on_the_page_with_words() -> None:
    page = markdown()
    for option in options().values():
        assert f"`pairwright.{option.key}`" in page
        assert option.field.metadata.get("doc"), f"{option.key} has no doc"


def test_the_schema_states_type_default_and_bounds() -> None:
    schema = json_schema()
    assert schema["pairwright.map.tokens"] == {
        "type": ["integer", "null"],
        "minimum": 0,
        "default": None,
        "markdownDescription": options()["map.tokens"].field.metadata["doc"],
    }
    assert schema["pairwright.map.hover"]["enum"] == ["compact", "full", "off"]
    assert schema["pairwright.index.exclude"]["items"] == {"type": "string"}
    assert schema["pairwright.model.extra"]["type"] == "object"


def test_the_fields_of_models_are_on_their_page() -> None:
    """With their meaning and default, as a row each."""
    page = (_DOCS.parent / "models.md").read_text(encoding="utf-8")
    for item in fields(Family):
        default = json.dumps(getattr(Family(), item.name))
        assert f"| `{item.name}` | {item.metadata['doc']} | `{default}` |" in page
