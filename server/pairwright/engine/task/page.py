"""A task as one Markdown document: where it stands, file by file, and what its steps noted. Pure."""

from __future__ import annotations

from pairwright.engine.task.plan import cycles
from pairwright.engine.task.state import FileState, Phase, State

_WORDS: dict[Phase, str] = {
    "pending": "to do",
    "verified": "written, not in the workspace yet",
    "proposed": "proposed",
    "applied": "applied",
    "failed": "failed",
    "skipped": "left out",
    "stale": "changed by hand since",
}
_NOTES = 50


def page(state: State) -> str:
    """The document of `state`."""
    title = state.plan.title or state.request.strip().partition("\n")[0]
    done = len(state.paths("verified", "proposed", "applied"))
    reason = f": {state.reason}" if state.reason and state.status in ("stopped", "waiting") else ""
    read, written = state.tokens
    rows = [
        f"# Task {state.id}: {title}",
        "",
        f"{state.status}{reason}",
        "",
        f"{done} of {len(state.plan.entries)} files written; plan version {state.version}; "
        f"{read:,} tokens read and {written:,} written by the model.",
        "",
        "## Files",
        "",
        *(_row(entry.action, entry.path, state.file(entry.path)) for entry in state.plan.entries),
    ]
    if circles := cycles(state.plan):
        rows += ["", "These need each other and are written together:", ""]
        rows += (f"- {', '.join(group)}" for group in circles)
    if notes := state.notes(_NOTES):
        rows += ["", "## Notes", "", *(f"- {note}" for note in notes)]
    return "\n".join((*rows, ""))


def _row(action: str, path: str, one: FileState) -> str:
    mark = "x" if one.phase in ("verified", "proposed", "applied") else " "
    words = [_WORDS[one.phase]]
    if one.reason:
        words.append(one.reason)
    if one.tries and one.phase in ("pending", "failed"):
        words.append(f"{len(one.tries)} tries that failed")
    if one.unchecked:
        words.append(f"not checked: {', '.join(one.unchecked)}")
    return f"- [{mark}] {action} `{path}`: {'; '.join(words)}"
