"""The message of a commit: what the model is asked, and what is made of its answer.

The form (Conventional Commits, 72 columns) is kept here whatever the model writes; without a model
the message is made of the request and the paths. Pure."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from pairwright.prompts.build import Chunks
from pairwright.prompts.fence import fence

WIDTH = 72
"""Columns of the subject and of the lines below it."""
KINDS = (
    *("feat", "fix", "refactor", "perf", "docs", "style"),
    *("test", "build", "ci", "chore", "revert"),
)
GRAMMAR = (
    'root ::= kind scope? ": " [^ \\t\\r\\n] [^\\r\\n]{7,60} "\\n"?\n'
    f"kind ::= {' | '.join(chr(34) + kind + chr(34) for kind in KINDS)}\n"
    'scope ::= "(" [a-z0-9_-]{1,16} ")"\n'
)
"""An answer of one line, for a model that takes a GBNF grammar."""

_MOST_BODY = 12
_SUBJECT = re.compile(
    rf"(?i)(?P<kind>{'|'.join(KINDS)}|feature|bugfix|doc|tests)"
    r"[ ]?(?P<scope>\([^()\n]{1,30}\))?(?P<bang>!)?[ ]?:\s*(?P<what>.+)"
)
_ALIAS = {"feature": "feat", "bugfix": "fix", "doc": "docs", "tests": "test"}
_THINKING = re.compile(r"(?is)<(think|thinking|reasoning)>.*?</\1>")
_LEAD = re.compile(r"(?i)^(?:commit message|subject|message)\s*:\s*")
_SIGNED = re.compile(r"(?i)^[a-z][a-z-]*(?:-by|-to|-on|-id|-as):\s")
_QUOTES = "\"'`*“”‘’"
_LOOSE_ENDS = frozenset(
    (
        *("a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or"),
        *("that", "the", "to", "when", "with"),
    )
)


def chunks(
    diff: str, paths: Sequence[str], *, note: str = "", language: str = "", brief: bool = False
) -> Chunks:
    """The request for a message. `note`: what the user had asked for; `diff`: what is committed,
    already cut to size."""
    marks = fence([diff])
    shown = f"{marks}diff\n{diff.rstrip()}\n{marks}" if diff.strip() else ""
    listing = "Files: " + ", ".join(paths)
    asked = [f'The change was asked for as "{note}".'] if note else []
    if language:
        asked.append(f"Write it in {language}; the type stays as it is.")
    asked.append("Write the commit message.")
    return Chunks("commit", " ".join(asked), focus=f"{listing}\n\n{shown}".strip(), brief=brief)


def shortened(diff: str, limit: int) -> str:
    """`diff` in at most about `limit` characters: every file keeps its beginning, in whole lines."""
    if len(diff) <= limit:
        return diff
    parts = re.split(r"(?m)^(?=diff --git )", diff)
    files = [part for part in parts if part]
    each = max(120, limit // max(1, len(files)))
    kept = [_beginning(part, each) for part in files]
    return _beginning("".join(kept), limit)


def _beginning(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    end = text.rfind("\n", 0, limit) + 1
    left = text.count("\n", end)
    return f"{text[:end] or text[:limit]}… {left} more lines\n"


def message(answer: str, paths: Sequence[str]) -> str:
    """The message that `answer` holds, brought into form; empty if it holds none."""
    lines = [line.rstrip() for line in _bare(answer).splitlines()]
    while lines and not lines[0].strip(_QUOTES + " #-"):
        lines.pop(0)
    if not lines:
        return ""
    first = _LEAD.sub("", lines[0].strip(" #-")).strip(_QUOTES + " ")
    subject = _subject(first, paths)
    if not subject:
        return ""
    body = _body(lines[1:])
    return f"{subject}\n\n{body}\n" if body else f"{subject}\n"


def fallback(note: str, paths: Sequence[str]) -> str:
    """A message without a model: the first line of the request, or else the names of the files."""
    line = next((line.strip() for line in note.splitlines() if line.strip()), "")
    names = [path.rpartition("/")[2] for path in paths]
    more = f" and {len(names) - 1} more files" if len(names) > 2 else ""
    files = names[0] + more if more or len(names) == 1 else " and ".join(names)
    return f"{_subject(line, paths) or f'{kind_of(paths)}: change {files}'[:WIDTH]}\n"


def of_own_work(paths: Sequence[str]) -> str:
    """The message for what the user had not committed before an edit of the same files."""
    names = ", ".join(path.rpartition("/")[2] for path in paths)
    return f"{_cut(f'chore: keep work on {names}')}\n"


def signed(text: str, trailer: str) -> str:
    """`text` with a trailer at its end."""
    return f"{text.rstrip()}\n\n{trailer}\n" if trailer else text


def kind_of(paths: Sequence[str]) -> str:
    """The type that the paths alone tell."""
    for kind, pattern in _BY_PATH:
        if paths and all(pattern.search(path.lower()) for path in paths):
            return kind
    return "chore"


_BY_PATH = (
    ("docs", re.compile(r"(^|/)docs?/|\.(md|rst|adoc|txt)$")),
    ("test", re.compile(r"(^|/)(tests?|specs?|__tests__)/|(^|/)test_|[._-](test|spec)\.[a-z]+$")),
    ("ci", re.compile(r"(^|/)\.(github|gitlab-ci|circleci)")),
    ("build", re.compile(r"(^|/)(makefile|dockerfile|pyproject\.toml|package\.json|go\.mod)$")),
)


def _bare(answer: str) -> str:
    """`answer` without thinking and without a fence around it."""
    text = _THINKING.sub("", answer).strip()
    fenced = re.search(r"(?ms)^(`{3,}|~{3,})[^\n]*\n(.*?)^\1", text)
    return fenced[2] if fenced else text.strip("`") if text.count("\n") == 0 else text


def _subject(line: str, paths: Sequence[str]) -> str:
    """One line as `type(scope): summary` within the width; empty if it says nothing."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in line).split())
    found = _SUBJECT.fullmatch(clean)
    if found:
        kind = found["kind"].lower()
        head = _ALIAS.get(kind, kind) + (found["scope"] or "") + (found["bang"] or "")
        what = found["what"].strip(_QUOTES + " ")
    else:
        head, what = kind_of(paths), clean.strip(_QUOTES + " ")
    if not re.search(r"\w", what):
        return ""
    # A word in capitals or with a capital inside is a name.
    start = what.split()[0]
    if start[:1].isupper() and start[1:].islower():
        what = what[:1].lower() + what[1:]
    return _cut(f"{head}: {what}").rstrip(".,;: ")


def _cut(line: str) -> str:
    """`line` within the width, cut between words and not behind one that leads on."""
    if len(line) <= WIDTH:
        return line
    words = line[: WIDTH + 1].split(" ")[:-1]
    while len(words) > 2 and words[-1].lower().strip(",;:") in _LOOSE_ENDS:
        words.pop()
    return " ".join(words) if len(words) > 1 else line[:WIDTH]


def _body(lines: Sequence[str]) -> str:
    """The lines below the subject, wrapped; none that only git or people may write."""
    kept: list[str] = []
    for line in lines:
        if _SIGNED.match(line.strip()) or line.strip(_QUOTES + " ") == "":
            line = ""
        if not line.strip() and (not kept or not kept[-1]):
            continue
        indent = "  " if re.match(r"\s*[-*] ", line) else ""
        wrapped = textwrap.wrap(
            line.strip(), WIDTH, subsequent_indent=indent, break_long_words=False
        )
        kept += wrapped or [""]
    return "\n".join(kept[:_MOST_BODY]).strip()
