"""Pieces of the rules that tell definitions by their lines: how one is written, what several languages share and what
one needs much of. Knows no text."""

from __future__ import annotations


def rule(start: str, *words: str, rest: str = r"\w\x80-\xff") -> bytes:
    """A rule at the start of a line. `<kind NAME` is a group named by the kind around a name, whose later
    characters are of `rest`."""
    name = rf">[A-Za-z_\x80-\xff][{rest}]*+)"
    parts = "|".join(word.replace("<", "(?P<").replace(" NAME", name) for word in words)
    return rf"(?m)^[ \t]*{start}(?:{parts})".encode("latin-1")


_SQL_NAME = r'(?:[A-Za-z_@#\x80-\xff][\w$#\x80-\xff]*|\[[^\]\r\n]+\]|"[^"\r\n]+"|`[^`\r\n]+`)'
_SQL_PATH = rf"(?:{_SQL_NAME}[ \t]*\.[ \t]*)*"
_SQL_CREATE = (
    r"create\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:global|local|temp|temporary|unlogged|unique|clustered"
    r"|nonclustered|materialized|recursive|external|force|editionable|aggregate|constraint"
    r"|definer\s*=\s*\S+)\s+)*"
)
_SQL_THERE = r"\s+(?:if\s+not\s+exists\s+)?(?:concurrently\s+)?"
SQL = (
    r"(?im)'[^'\r\n]*'|--[^\r\n]*|"
    rf"\b{_SQL_CREATE}(?:"
    rf"(?:table|view){_SQL_THERE}{_SQL_PATH}(?P<struct>(?!\#){_SQL_NAME})"
    rf"|(?:function|procedure|proc|trigger|event|aggregate|package(?:\s+body)?)"
    rf"{_SQL_THERE}{_SQL_PATH}(?P<function>{_SQL_NAME})"
    rf"|(?:index|type|domain|synonym|policy){_SQL_THERE}{_SQL_PATH}(?P<type>{_SQL_NAME})"
    rf"|sequence{_SQL_THERE}{_SQL_PATH}(?P<variable>{_SQL_NAME})"
    rf"|(?:schema|database){_SQL_THERE}(?P<namespace>{_SQL_NAME}))"
    rf"|^[ \t]*alter\s+proc(?:edure)?\s+{_SQL_PATH}(?P<function_>{_SQL_NAME})(?!\s+(?:owner|rename|set)\b)"
    rf"|^[ \t]*alter\s+function\s+{_SQL_PATH}(?P<function__>{_SQL_NAME})(?=\s*\([^;]*?\)\s*returns\b)"
    rf"|^[ \t]*(?:procedure|function)\s+(?P<method>{_SQL_NAME})(?=\s*\(|\s+(?:is|as|return)\b)"
    rf"|\b(?:from|join|into|exec|execute|call|perform|references)\s+{_SQL_PATH}(?P<reference>{_SQL_NAME})"
    rf"|\b(?:update|on|table)\s+{_SQL_PATH}(?P<reference_>{_SQL_NAME})(?=\s+(?:set|for|after|instead)\b)"
    rf"|\.[ \t]*(?P<reference__>{_SQL_NAME})(?=[ \t]*\()"
).encode("latin-1")

SWIFT = (
    r"(?:@[\w.]+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:public|private|internal|fileprivate|open|package|static|final"
    r"|override|mutating|nonmutating|class(?=[ \t]+func)|indirect|lazy|nonisolated|required|convenience)"
    r"(?:\(set\))?[ \t]+)*"
)
SCALA = (
    r"(?:@\w+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:private|protected|final|abstract|sealed|implicit|override|lazy"
    r"|inline|open|transparent|case(?=[ \t]+(?:class|object)))(?:\[\w+\])?[ \t]+)*"
)
PHP = r"(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*"
SV = r"(?:(?:virtual|static|local|protected|extern|pure|automatic|interface(?=[ \t]+class))[ \t]+)*"

JAVA = (
    r"(?:@[\w.]+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:public|private|protected|internal|static|final|abstract"
    r"|sealed|non-sealed|default|synchronized|native|strictfp|partial|virtual|override|async|unsafe"
    r"|extern|readonly|new(?=[ \t]+\w+[ \t]+\w+[ \t]*\())[ \t]+)*"
)
# A type and a name in front of parameters; the words that begin a statement are no types.
TYPED = (
    r"(?!(?:return|await|else|new|throw|case|yield|assert|if|for|while|switch|using|lock|in|is|do)\b)"
    r"(?:\x3c[^>\r\n]*>[ \t]+)?[A-Za-z_][\w.?]*(?:\x3c[^()\r\n;]*>)?(?:\[[^\]\r\n]*\])*[?*]*[ \t]+"
)
KOTLIN = (
    r"(?:@[\w.:]+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:public|private|protected|internal|open|abstract|sealed"
    r"|final|data|inner|value|inline|enum|annotation|companion|override|suspend|operator|infix|tailrec"
    r"|external|expect|actual|fun(?=[ \t]+interface))[ \t]+)*"
)
FSHARP = r"(?:(?:rec|inline|private|internal|public|mutable|val)[ \t]+)*(?!(?:rec|inline|private|mutable|val)\b)"
AT_MARGIN = r"(?<![ \t])"
LISP_NAME = r"\w\x80-\xff*+!?<>=/.:%&$-"

LUA = rule(
    r"(?:local[ \t]+)?",
    r"function[ \t]+[\w.]+:<method NAME",
    r"function[ \t]+(?:[\w.]+\.)?<function NAME",
    r"(?:[\w.]+\.)?<function_ NAME(?=[ \t]*=[ \t]*function\b)",
)
OCAML = rule(
    "",
    r"module[ \t]+type[ \t]+<interface NAME",
    r"module[ \t]+(?:rec[ \t]+)?<module NAME",
    r"type[ \t]+(?:'\w+[ \t]+|\([^()\r\n]*\)[ \t]+)?<type NAME",
    r"let[ \t]+(?:rec[ \t]+)?<function NAME(?=[ \t]+[\w(~?'])",
    r"exception[ \t]+<type_ NAME",
    r"class[ \t]+(?:virtual[ \t]+)?<class NAME",
    r"(?:val|external)[ \t]+<function_ NAME(?=[ \t]*:)",
)

_NO_NAME = (
    r"(?!(?:if|for|while|switch|catch|function|return|with|super|else|do|new|await|typeof|throw|sizeof"
    r"|case|goto|delete|defined|using|operator|alignas|decltype|noexcept|requires|__attribute__|__declspec)\b)"
)
SCRIPT = rule(
    r"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?",
    r"(?:async[ \t]+)?function[ \t]*\*?[ \t]*<function NAME",
    r"(?:abstract[ \t]+)?class[ \t]+<class NAME",
    r"interface[ \t]+<interface NAME",
    r"type[ \t]+<type NAME(?=[ \t]*(?:\x3c[^\x3c>\r\n]*>)?[ \t]*=)",
    r"(?:const[ \t]+)?enum[ \t]+<enum NAME",
    r"namespace[ \t]+<namespace NAME",
    r"(?:const|let|var)[ \t]+<function_ NAME(?=[ \t]*(?::[^=\r\n]*)?=[ \t]*(?:async[ \t]*)?"
    r"(?:\([^()\r\n]*\)[^=\r\n]*=>|\w+[ \t]*=>|function\b))",
    r"(?:(?:public|private|protected|static|async|override|get|set)[ \t]+)*\*?"
    + _NO_NAME
    + r"<method NAME(?=[ \t]*(?:\x3c[^\x3c>\r\n]*>)?\((?![^\r\n]*\bfunction\b)[^;=>\"'`\r\n]*\{[ \t\r]*$)",
    rest=r"\w\x80-\xff$",
)
C = rule(
    "",
    r"(?:typedef[ \t]+)?struct[ \t]+<struct NAME(?=[^;()=\r\n]*\{)",
    r"(?:typedef[ \t]+)?union[ \t]+<union NAME(?=[^;()=\r\n]*\{)",
    r"(?:typedef[ \t]+)?enum[ \t]+(?:class[ \t]+|struct[ \t]+)?<enum NAME(?=[^;()=\r\n]*\{)",
    r"class[ \t]+<class NAME(?=[^;()=\r\n]*(?:\{|$))",
    r"(?:inline[ \t]+)?namespace[ \t]+(?:\w+::)*<namespace NAME(?=[^;()=\r\n]*\{)",
    r"(?=[A-Za-z_])(?![^\r\n(]*\boperator\b)(?:"
    + _NO_NAME
    + r"[A-Za-z_][\w:\x3c>]*[ \t]*[*&]*[ \t]+[*&]*)+(?:\w+::)*"
    + _NO_NAME
    + r"<function NAME(?=[ \t]*\((?:[^;{}]{0,400}\)[^;{}()=]{0,80}|[^;{}()\r\n]*)\{)",
)
