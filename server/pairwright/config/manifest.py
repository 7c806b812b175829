"""The settings tree in the manifest of the VS Code extension. Knows the manifest's shape and no other setting.

`python -m pairwright.config.manifest < package.json` prints it with the settings of the tree in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from pairwright.config.emit import json_schema

_TRUST = ("checks", "git", "model", "task")
"""Branches that can start programs or send code elsewhere: no value of an untrusted workspace counts."""

_UNSAID = "pairwright.trusted"
"""Said by the extension, from the editor's own trust: no settings file may say it."""


def text(written: str) -> str:
    """`written`, a package.json, with a section of settings for each branch of the tree behind the first section,
    which is the extension's own. Raises KeyError where it has none."""
    return json.dumps(_filled(json.loads(written)), indent=2, ensure_ascii=False) + "\n"


def _filled(manifest: Mapping[str, Any]) -> dict[str, Any]:
    contributes, capabilities = manifest["contributes"], manifest["capabilities"]
    own = contributes["configuration"][0]
    sections, restricted = [own], list(own["properties"])
    schema = {name: entry for name, entry in json_schema().items() if name != _UNSAID}
    for branch, names in groupby(schema, lambda name: name.split(".")[1]):
        entries = {name: schema[name] for name in names}
        title = branch.capitalize()
        sections.append({"title": title, "order": len(sections), "properties": entries})
        restricted += entries if branch in _TRUST else ()
    trust = {**capabilities["untrustedWorkspaces"], "restrictedConfigurations": restricted}
    return {
        **manifest,
        "capabilities": {**capabilities, "untrustedWorkspaces": trust},
        "contributes": {**contributes, "configuration": sections},
    }


if __name__ == "__main__":
    import sys

    sys.stdout.write(text(sys.stdin.read()))
