"""What the model is told about a reply that could not be applied: reasons, and what to send
again."""

from __future__ import annotations

from collections.abc import Sequence

from pairwright.edits.types import Block, Parsed, Plan, Problem

# Lines of a block that are echoed.
_MOST_LINES = 40


def feedback(parsed: Parsed, plan: Plan) -> str:
    """An instruction for the next try; empty if nothing went wrong."""
    problems = (*parsed.problems, *plan.problems)
    if not problems:
        return ""
    parts = [_summary(len(problems)), *(_told(problem, parsed.blocks) for problem in problems)]
    if plan.passed:
        parts.append(_kept(plan.passed, parsed.blocks))
    parts.append(_WORDS.get(parsed.format.removeprefix("editor-"), _AGAIN))
    return "\n\n".join(parts) + "\n"


_AGAIN = (
    "Send the corrected blocks only. Each SEARCH must hold whole lines exactly as they stand in "
    "the file now, "
    "and enough of them to fit one place."
)
_HUNKS_AGAIN = (
    "Send the corrected hunks only, in the same format. The lines that stay or go must be whole lines exactly "
    "as they stand in the file now, and enough of them to fit one place."
)
_FILES_AGAIN = "Send the corrected files only, each with its complete new text."


def _summary(count: int) -> str:
    what = "1 problem" if count == 1 else f"{count} problems"
    return f"The reply could not be applied because of {what}. No file was changed."


def _told(problem: Problem, blocks: Sequence[Block]) -> str:
    if problem.block is None:
        return problem.message
    return f"{problem.message}\nThe block was:\n{_echo(blocks[problem.block])}"


def _kept(passed: Sequence[int], blocks: Sequence[Block]) -> str:
    rows = "\n".join(
        f"- {blocks[index].path}, line {blocks[index].line} of the reply" for index in passed
    )
    return f"These blocks are right and are kept; do not send them again:\n{rows}"


_WORDS = {
    "symbol": "Send the corrected blocks only, each with the name of a definition that is in the file.",
    "udiff": _HUNKS_AGAIN,
    "udiff-simple": _HUNKS_AGAIN,
    "patch": _HUNKS_AGAIN,
    "whole": _FILES_AGAIN,
}


def _echo(block: Block) -> str:
    if block.operation in ("delete", "move"):
        return f"{block.operation} {block.path}{f' to {block.to}' if block.to else ''}"
    if block.operation == "symbol":
        return f"the new text of {block.where.symbol} in {block.path}"
    if block.operation in ("whole", "create"):
        return f"the text of {block.path} from line {block.line} of the reply on"
    lines = ["<<<<<<< SEARCH", *block.search, "=======", *block.replace, ">>>>>>> REPLACE"]
    if len(lines) > _MOST_LINES:
        half = _MOST_LINES // 2
        lines = [*lines[:half], f"... ({len(lines) - _MOST_LINES} lines)", *lines[-half:]]
    longest = max((len(line) - len(line.lstrip("`")) for line in lines), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((*([block.path] if block.path else []), fence, *lines, fence))
