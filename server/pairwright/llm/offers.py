"""What a user is told who has no model yet, or one whose file is missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def nothing(env: Mapping[str, str], lends: bool = False) -> str:
    """What to do when there is no model at all: a download, a key, or, where the client `lends` models, one of
    those."""
    set_ = sorted(k for k, v in env.items() if k.endswith("_API_KEY") and v)
    offer = (
        f"{', '.join(set_)} is set: set pairwright.model.name to use it "
        "(for example anthropic/claude-sonnet-4-5)."
        if set_
        else "Or set pairwright.model.name (for example anthropic/claude-sonnet-4-5) and store the provider's key "
        "with `pairwright model key`, or start Ollama, LM Studio or llama.cpp."
    )
    if lends:
        offer = (
            f"Or set pairwright.model.name to `client` for a model of this editor's own. {offer}"
        )
    return (
        "No model yet. `pairwright model fetch` downloads a local one: 1.1 GB once, no account, about 10 to "
        "40 s to the first words on two cores; it explains code, writes commit messages and makes small edits "
        f"of a selection. {offer} The map, hover, apply and checkpoints work without a model."
    )


def no_file(path: Path, named: str) -> str:
    """The embedded model's file is not there. `named`: the setting's value, empty = the fetched one."""
    if named:
        return f"pairwright.model.path names no file: {path}. Correct it, or clear it to use the fetched model."
    return (
        f"The embedded model is not there yet ({path}). Run `pairwright model fetch` (1.1 GB once), or set "
        "pairwright.model.path to a GGUF file."
    )
