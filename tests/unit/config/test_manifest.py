"""The manifest of the VS Code extension follows the settings tree."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pairwright.config.emit import json_schema
from pairwright.config.manifest import text

_MANIFEST = Path(__file__).parents[3] / "editors" / "vscode" / "package.json"


def _manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_MANIFEST.read_text(encoding="utf-8"))
    return found


def test_it_is_fresh() -> None:
    fresh = text(_MANIFEST.read_text(encoding="utf-8"))
    if os.environ.get("UPDATE"):
        _MANIFEST.write_text(fresh, encoding="utf-8")
    assert _MANIFEST.read_text(encoding="utf-8") == fresh, (
        "run `make docs` and review editors/vscode/package.json"
    )


def test_it_has_every_setting_but_the_trust() -> None:
    sections = _manifest()["contributes"]["configuration"]
    names = [name for section in sections for name in section["properties"]]
    served = [name for name in names if not name.startswith("pairwright.server.")]
    assert sorted(served) == sorted(set(json_schema()) - {"pairwright.trusted"})


def test_no_folder_that_is_not_trusted_chooses_what_is_started_or_where_code_is_sent() -> None:
    limits = _manifest()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    guarded = {"server.command", "server.python", "checks.test", "model.api_base", "git.mode"}
    assert {f"pairwright.{name}" for name in guarded} <= {*limits}
