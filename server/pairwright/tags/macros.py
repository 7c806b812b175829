"""Macros of C and C++ that a grammar takes for something else, blanked: length and lines stay.

A grammar sees the text before the preprocessor, so `class API Name : Base` is a variable to it and a line of
nothing but `Q_OBJECT` eats the declaration behind it. Told by how macros are written: all capitals, or the
annotations of the kernel. What a macro stands beside says whether it is one: `struct FOO bar;` is not.
"""

from __future__ import annotations

import re

MAX_BYTES = 512 * 1024
"""Larger texts are left as they are: each keystroke looks at all of one."""

_CAPITALS = rb"[A-Z_][A-Z0-9_]*[A-Z0-9](?![a-z])\b"
_ROUND = rb"\([^()\r\n]*(?:\([^()\r\n]*\)[^()\r\n]*)*\)"
# class API Name …{: blanked up to the name, whose own head must follow.
_HEAD = re.compile(
    rb"\b(class|struct|union|enum)([ \t\r\n]+(?:class|struct)\b)?((?:\s+"
    + _CAPITALS
    + rb"(?:"
    + _ROUND
    + rb")?)+)"
    rb"(?=\s+[A-Za-z_][\w:]*(?:<[^<>;{}]*>)?\s*(?:final\b\s*)?[:{](?!:))"
)
# A macro alone on its line, with the characters that may end what is before it.
_ALONE = re.compile(
    rb"^[ \t]*(?!(?:TRUE|FALSE|NULL|EOF)\b)"
    + _CAPITALS
    + rb"[ \t]*(?:"
    + _ROUND
    + rb")?[ \t]*(?=\r?$)",
    re.M,
)
# Behind a body or a parameter list: } API name; | ) NOEXCEPT {
_BEHIND = re.compile(
    rb"\}[ \t]*" + _CAPITALS + rb"(?:" + _ROUND + rb")?(?=[ \t]+\w+[ \t]*;)"
    rb"|\)[ \t\r\n]+" + _CAPITALS + rb"(?:" + _ROUND + rb")?(?=\s*\{)"
)
# Behind an enumerator: A META(x),
_AFTER_NAME = re.compile(rb"[A-Z_](?<=\w .)[A-Z0-9_]*[A-Z0-9]" + _ROUND + rb"(?=[ \t]*[,}])")
_ENDS = frozenset(b";{}:>\"'/)")
# int API name(…: of the words before a name that is called, one is the type.
_BEFORE_CALL = re.compile(
    rb"^([ \t]*(?:[A-Za-z_]\w*(?:" + _ROUND + rb")?[ \t*&]+){2,})[A-Za-z_~][\w:~]*[ \t]*(?=\()",
    re.M,
)
_WORD = re.compile(rb"[A-Za-z_]\w*(?:" + _ROUND + rb")?")
_IS_CAPITAL = re.compile(rb"\A" + _CAPITALS + rb"(?:\(|\Z)")
_LIKELY = re.compile(
    rb"API|EXPORT|IMPORT|EXTERN|INLINE|CALL|DEPRECATED|DECL|INVOKABLE|VISIB|PUBLIC|NORETURN"
)
_NO_TYPES = frozenset(
    b"static inline extern const volatile virtual explicit constexpr consteval friend register typename"
    b" mutable thread_local restrict struct union enum class unsigned signed return else case goto throw"
    b" new delete typedef using operator co_return co_await co_yield".split()
)
_STATEMENTS = frozenset(
    b"return else case goto throw new delete typedef using operator define".split()
)
_ANNOTATIONS = re.compile(
    rb"\b(?:__(?:init|exit|initdata|initconst|exitdata|user|kernel|iomem|percpu|rcu|force|must_check"
    rb"|always_inline|noinline|visible|sched|cold|hot|pure|weak|used|maybe_unused|read_mostly"
    rb"|ro_after_init|packed|deprecated|ref|refdata|bitwise|meminit|cpuinit|devinit|net_init|net_exit"
    rb"|no_instrument_function|cacheline_aligned|randomize_layout)|asmlinkage|noinline|notrace)\b"
    rb"|\b__(?:acquires|releases|must_hold|aligned|printf|scanf|section|counted_by)[ \t]*" + _ROUND
)
# typedef NS_ENUM(NSInteger, Name) {: an enumeration of that name.
_FOUNDATION = re.compile(
    rb"\btypedef[ \t]+(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)[ \t]*\([^(),\r\n]*,[ \t]*"
    rb"(\w+)([ \t]*\))(?=\s*\{)"
)
# … Name NS_SWIFT_NAME(x); behind what is declared.
_FOUNDATION_NOTE = re.compile(
    rb"(?<=[\w*)])(?<!return)[ \t]+(?:NS|CF)_[A-Z_]+(?:\([^()\r\n]*\))?(?=[ \t]*;)"
)
_NOT_BREAK = re.compile(rb"[^\r\n]")


def without_macros(data: bytes) -> bytes:
    """`data`, C or C++ of any kind, with such macros as blanks."""
    if len(data) > MAX_BYTES:
        return data
    if b"__" in data or b"noinline" in data or b"notrace" in data:
        data = _ANNOTATIONS.sub(_blank, data)
    if b"ENUM" in data or b"OPTIONS" in data:
        data = _FOUNDATION.sub(_enumeration, data)
    if b"NS_" in data or b"CF_" in data:
        data = _FOUNDATION_NOTE.sub(_blank, data)
    data = _HEAD.sub(_head, data)
    data = _ALONE.sub(_alone, data)
    data = _BEHIND.sub(lambda match: match[0][:1] + _blank(match)[1:], data)
    data = _AFTER_NAME.sub(_blank, data)
    return _BEFORE_CALL.sub(_words, data)


def _blank(match: re.Match[bytes]) -> bytes:
    return _NOT_BREAK.sub(b" ", match[0])


def _enumeration(match: re.Match[bytes]) -> bytes:
    return b"enum".ljust(match.start(1) - match.start()) + match[1] + b" " * len(match[2])


def _head(match: re.Match[bytes]) -> bytes:
    return match[1] + (match[2] or b"") + _NOT_BREAK.sub(b" ", match[3])


def _alone(match: re.Match[bytes]) -> bytes:
    """Blank it where a declaration or statement has ended before and none goes on behind."""
    data = match.string
    before = data[max(0, match.start() - 400) : match.start()].rstrip()
    behind = data[match.end() : match.end() + 400].lstrip()[:1]
    line = before.rpartition(b"\n")[2].lstrip()
    is_start = not before or (
        not before.endswith(b"\\")
        and (before[-1] in _ENDS or line.startswith((b"#", b"//", b"*")) or _ALONE.fullmatch(line))
    )
    goes_on = behind and behind not in b"#/~[@_" and not behind.isalpha()
    if is_start and (not goes_on or (behind == b"}" and b"(" in match[0])):
        return _blank(match)
    return match[0]


def _words(match: re.Match[bytes]) -> bytes:
    """Blank the capitals among the words before a name, but for one where no other can be the type."""
    head = match[1]
    words = [word for word in _WORD.finditer(head) if word[0] not in _NO_TYPES]
    if any(word[0] in _STATEMENTS for word in _WORD.finditer(head)):
        return match[0]
    capital = [word for word in words if _IS_CAPITAL.match(word[0])]
    if len(words) < 2 or not capital:
        return match[0]
    if len(capital) == len(words):
        types = [word for word in capital if not _LIKELY.search(word[0]) and b"(" not in word[0]]
        kept = types[0] if types else capital[0]
        capital = [word for word in capital if word is not kept]
    for word in capital:
        head = head[: word.start()] + b" " * (word.end() - word.start()) + head[word.end() :]
    return head + match[0][len(match[1]) :]
