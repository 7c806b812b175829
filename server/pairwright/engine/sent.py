"""One request as a document for the user: what left, why, at what price, and what was held back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pairwright.engine.door import Departed, Manifest, Sent
from pairwright.engine.spend import money

_TILDES = re.compile(r"^~{3,}", re.M)


def document(departed: Departed) -> str:
    """Markdown: the figures first, then every message word for word as it left. Holds no secret: placeholders
    stand in the messages."""
    manifest = departed.manifest
    parts = [
        f"# Request {departed.number} to {manifest.model}",
        f"{manifest.total:,} tokens to read{_cost(manifest)}.",
        table(("part", "tokens"), [(name, f"{count:,}") for name, count in manifest.tokens]),
        *_files(manifest),
        *_extras(manifest),
        *_hidden(manifest),
        *_list("Left out to fit", manifest.left_out),
        *_list("Asked for and not sent", manifest.refused),
    ]
    if not departed.messages:
        parts.append("Its text is no longer kept.")
    for message in departed.messages:
        parts += [f"## {message.role}", _quoted(message.content)]
        parts += [f"With the picture `{one.name}` ({one.mime})." for one in message.images]
    return "\n\n".join(parts) + "\n"


def line(departed: Departed) -> str:
    """One line for a list."""
    manifest = departed.manifest
    files = ", ".join(sent.path for sent in manifest.files) or "no file"
    many = len(manifest.hidden)
    hidden = f"; {many} secret{'s' if many > 1 else ''} hidden" if many else ""
    return f"{departed.number}: {manifest.model}, {manifest.total:,} tokens; {files}{hidden}"


def _cost(manifest: Manifest) -> str:
    """What it was to cost, where that was known."""
    if manifest.costs is None or not manifest.costs[1]:
        return ""
    usual, most = map(money, manifest.costs)
    return f", about {usual} with a usual answer, {most} at most"


def _files(manifest: Manifest) -> list[str]:
    if not manifest.files and not manifest.map_files:
        return []
    rows = [(sent.path, _access(sent), _extent(sent), sent.why or "-") for sent in manifest.files]
    found = [table(("file", "for", "bytes", "why"), rows)] if rows else []
    if manifest.map_files:
        names = ", ".join(f"`{path}`" for path in manifest.map_files)
        found.append(f"Named in the map: {names}.")
    return ["## Files", *found]


def _extras(manifest: Manifest) -> list[str]:
    if not manifest.extras:
        return []
    rows = [(one.kind, one.name, one.why) for one in manifest.extras]
    return ["## Beside the files", table(("what", "name", "why"), rows)]


def _access(sent: Sent) -> str:
    return "editing" if sent.editable else "reading"


def _extent(sent: Sent) -> str:
    """The bytes that stood in the prompt."""
    if not sent.spans:
        return "signatures only"
    return ", ".join(f"{start}-{end}" for start, end in sent.spans)


def _hidden(manifest: Manifest) -> list[str]:
    if not manifest.hidden:
        return []
    rows = [(one.placeholder, one.rule, ", ".join(one.sources)) for one in manifest.hidden]
    return ["## Secrets that did not leave", table(("placeholder", "kind", "stood in"), rows)]


def _list(title: str, items: Sequence[str]) -> list[str]:
    return [f"## {title}", "\n".join(f"- {item}" for item in items)] if items else []


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def _quoted(text: str) -> str:
    longest = max((len(run) for run in _TILDES.findall(text)), default=2)
    fence = "~" * (longest + 1)
    return f"{fence}text\n{text}\n{fence}"
