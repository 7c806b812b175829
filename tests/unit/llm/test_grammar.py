"""The grammar for host-fixed SEARCH, read by a small GBNF matcher of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairwright.llm.grammar import MARKERS, replace_lines

HEAD = 'a "b\\c".py\n```python\n<<<<<<< SEARCH\n\tdef f(x):\n=======\n'
FENCED = (*MARKERS, "```")
FENCE_TAIL = ">>>>>>> REPLACE\n```"

_TOKEN = re.compile(
    r'\s*(?:"((?:[^"\\]|\\.)*)"|\[(\^?)((?:[^\]\\]|\\.)*)\]|([a-z0-9-]+)|([|*+?()]))'
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text)


@dataclass
class Gbnf:
    """A matcher of GBNF as llama.cpp documents it: literals, classes without ranges, references,
    `|`, `*`. Follows all ways at once: a state is the tuple of what is still to be matched."""

    rules: dict[str, list[tuple[object, ...]]] = field(default_factory=dict)

    @classmethod
    def read(cls, grammar: str) -> Gbnf:
        made = cls()
        for row in grammar.splitlines():
            name, _, body = row.partition(" ::= ")
            made.rules[name] = [()]
            made._alternatives(name, body)
        return made

    def _alternatives(self, name: str, body: str) -> None:
        ways: list[list[object]] = [[]]
        at = 0
        while at < len(body):
            match = _TOKEN.match(body, at)
            assert match, f"not GBNF at {body[at:]!r}"
            at = match.end()
            literal, negated, members, rule, sign = match.groups()
            if literal is not None:
                ways[-1].extend(unescape(literal))
            elif members is not None:
                ways[-1].append((bool(negated), frozenset(unescape(members))))
            elif rule is not None:
                ways[-1].append(f"@{rule}")
            elif sign == "|":
                ways.append([])
            else:
                assert sign == "*"
                again = f"{name}/{at}"
                self.rules[again] = [(), (ways[-1].pop(), f"@{again}")]
                ways[-1].append(f"@{again}")
        self.rules[name] = [tuple(way) for way in ways]

    def accepts(self, text: str) -> bool:
        states = self._open({("@root",)})
        for char in text:
            states = self._open({s[1:] for s in states if s and _takes(s[0], char)})
            if not states:
                return False
        return () in states

    def _open(self, states: set[tuple[object, ...]]) -> set[tuple[object, ...]]:
        """States that begin with a character or are over."""
        done, todo, seen = set(), list(states), set(states)
        while todo:
            state = todo.pop()
            first = state[0] if state else None
            if not (isinstance(first, str) and first.startswith("@") and len(first) > 1):
                done.add(state)
                continue
            for way in self.rules[first[1:]]:
                new = (*way, *state[1:])
                if new not in seen:
                    seen.add(new)
                    todo.append(new)
        return done


def _takes(item: object, char: str) -> bool:
    if isinstance(item, tuple):
        negated, members = item
        return (char in members) is not negated
    return item == char


PLAIN = Gbnf.read(replace_lines(HEAD))
WITH_FENCE = Gbnf.read(replace_lines(HEAD, FENCE_TAIL, FENCED))


def check(lines: list[str], accepted: bool = True) -> None:
    body = "".join(f"{line}\n" for line in lines)
    assert PLAIN.accepts(f"{HEAD}{body}>>>>>>> REPLACE") is accepted
    assert WITH_FENCE.accepts(f"{HEAD}{body}{FENCE_TAIL}") is accepted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<p>new</p>\n<!-- <<<<<<< SEARCH in a comment -->\n>\n</p\n>",
        "<?xml version='1.0'?>\n<a>\n  <b c=\"d\"/>\n</a>",
        "> a quote\n>> deeper\n>>>>>>> a long one\n======\n========\nTitle\n====",
        "=\n==\n=====\n== x\n======= x\n=======x\n <<<<<<< SEARCH\n<<<<<<< SEARCHING",
        ">>>>>>> REPLACEMENT\n>>>>>>> REPLACE it\n>>>>>> REPLACE\n>>>>>>>> REPLACE",
        "`code`\n``\n\n\n\tx = '\\\\n'\r\n``` x\n    ```",
        "ünïcode 😀\x0cform feed\u2028line",
    ],
)
def test_what_files_hold_can_be_written(text: str) -> None:
    check(text.split("\n") if text else [])


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("blanks", ["", " ", "\t", "\r", " \t \r"])
def test_whole_marker_lines_cannot(marker: str, blanks: str) -> None:
    if marker != MARKERS[2]:
        check(["before", marker + blanks, "after"], accepted=False)
    assert not PLAIN.accepts(f"{HEAD}x\n{marker}{blanks}\ny\n>>>>>>> REPLACE")


def test_the_closing_fence_only_where_it_is_forbidden() -> None:
    assert PLAIN.accepts(f"{HEAD}```\n>>>>>>> REPLACE")
    assert not WITH_FENCE.accepts(f"{HEAD}```\n{FENCE_TAIL}")
    assert not WITH_FENCE.accepts(f"{HEAD}``` \n{FENCE_TAIL}")
    assert WITH_FENCE.accepts(f"{HEAD}```python\n{FENCE_TAIL}")


def test_the_head_is_fixed_and_the_tail_must_come() -> None:
    assert not PLAIN.accepts("x" + HEAD + ">>>>>>> REPLACE")
    assert not PLAIN.accepts(f"{HEAD}x\n")
    assert not PLAIN.accepts(f"{HEAD}x\n>>>>>>> REPLACE\nmore")


def test_without_a_head() -> None:
    grammar = Gbnf.read(replace_lines("", "```", FENCED))
    assert grammar.accepts("x\n```") and not grammar.accepts("```\n```")


def test_a_marker_that_continues_another() -> None:
    grammar = Gbnf.read(replace_lines("", "end", ("ab", "ab cd")))
    for line, accepted in [
        ("ab", 0),
        ("ab ", 0),
        ("ab c", 1),
        ("ab cd", 0),
        ("ab cde", 1),
        ("a", 1),
    ]:
        assert grammar.accepts(f"{line}\nend") is bool(accepted), line


@given(
    st.lists(
        st.text(st.sampled_from("<=>` \tSEARCHREPLACEx\r"), max_size=18)
        | st.sampled_from(MARKERS)
        | st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])),
        max_size=4,
    )
)
def test_a_line_is_writable_unless_it_is_a_marker(lines: list[str]) -> None:
    whole = any(line.rstrip(" \t\r") in MARKERS for line in lines)
    body = "".join(f"{line}\n" for line in lines)
    assert PLAIN.accepts(f"{HEAD}{body}>>>>>>> REPLACE") is not whole
