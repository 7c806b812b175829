"""What the model is told about a reply that could not be applied: reasons, and what to send
again."""

from __future__ import annotations

from collections.abc import Sequence

from pairwright.edits.diff import changes
from pairwright.edits.types import Block, Parsed, Plan, Problem

# Lines of a block that are echoed.
_MOST_LINES = 40


def feedback(parsed: Parsed, plan: Plan) -> str:
    """An instruction for the next try; empty if nothing went wrong."""
    problems = (*parsed.problems, *plan.problems)
    if not problems:
        return ""
    as_hunk = parsed.format in _HUNKS
    told = (_told(problem, parsed.blocks, as_hunk) for problem in problems)
    parts = [_summary(len(problems)), *told]
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


def _told(problem: Problem, blocks: Sequence[Block], as_hunk: bool) -> str:
    if problem.block is None:
        return problem.message
    message, what = problem.message, "block"
    if as_hunk:
        what = "hunk"
        for search, old in _OF_HUNKS:
            message = message.replace(search, old)
    return f"{message}\nThe {what} was:\n{_echo(blocks[problem.block], as_hunk)}"


def _kept(passed: Sequence[int], blocks: Sequence[Block]) -> str:
    rows = "\n".join(
        f"- {blocks[index].path}, line {blocks[index].line} of the reply" for index in passed
    )
    return f"These blocks are right and are kept; do not send them again:\n{rows}"


# What messages say of blocks, and how it is called in a diff.
_OF_HUNKS = (
    ("the SEARCH of the block on line", "the old part (blank and - lines) of the hunk on line"),
    ("what SEARCH has", "what the hunk has"),
    ("The REPLACE lines", "The new lines"),
)
_HUNKS = frozenset({"udiff", "udiff-simple", "patch"})
_WORDS = {
    "symbol": "Send the corrected blocks only, each with the name of a definition that is in the file.",
    "udiff": _HUNKS_AGAIN,
    "udiff-simple": _HUNKS_AGAIN,
    "patch": _HUNKS_AGAIN,
    "whole": _FILES_AGAIN,
}


def _echo(block: Block, as_hunk: bool) -> str:
    if block.operation in ("delete", "move"):
        return f"{block.operation} {block.path}{f' to {block.to}' if block.to else ''}"
    if block.operation == "symbol":
        return f"the new text of {block.where.symbol} in {block.path}"
    if block.operation in ("whole", "create"):
        return f"the text of {block.path} from line {block.line} of the reply on"
    lines = ["<<<<<<< SEARCH", *block.search, "=======", *block.replace, ">>>>>>> REPLACE"]
    if as_hunk:
        lines = ["@@", *_signed(block)]
    if len(lines) > _MOST_LINES:
        half = _MOST_LINES // 2
        lines = [*lines[:half], f"... ({len(lines) - _MOST_LINES} lines)", *lines[-half:]]
    longest = max((len(line) - len(line.lstrip("`")) for line in lines), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((*([block.path] if block.path else []), fence, *lines, fence))


def _signed(block: Block) -> list[str]:
    """The lines of a hunk as a diff has them."""
    old, new = (
        [line.encode("utf-8", "surrogatepass") for line in lines]
        for lines in (block.search, block.replace)
    )
    rows: list[str] = []
    at = 0
    for a0, a1, b0, b1 in changes(old, new):
        rows += (f" {line}" for line in block.search[at:a0])
        rows += (f"-{line}" for line in block.search[a0:a1])
        rows += (f"+{line}" for line in block.replace[b0:b1])
        at = a1
    return [*rows, *(f" {line}" for line in block.search[at:])]
