"""Definitions in a damaged part of a text, told line by line.

An open bracket or a dialect the grammar does not know takes the rest of a file with it: the definitions
behind it are in pieces, or read as something else. Their key words are still at the start of their lines.
Knows no tree beyond the one question whether a place is inside a comment or a string; extents are those of
the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import tree_sitter

from pairwright.tags.spans import Span

_TEXT = re.compile(r"comment|marginalia|string|\Aliteral\Z|heredoc|\Apod\Z|\Atext\Z", re.I)
_PIECE = re.compile(r"_(?:content|fragment|text|chars?)\Z")
_STEPS = 4
# Bytes of a line behind a name that are taken for its definition.
_REACH = 400
_LINE_END = re.compile(rb"\r?\n|\r|\Z")


class Lost(NamedTuple):
    """A definition or, of kind `reference`, a name used. `start:end`: its line from the key word on."""

    kind: str
    name_start: int
    name_end: int
    start: int
    end: int


def _rule(start: str, *words: str, rest: str = r"\w\x80-\xff") -> bytes:
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
_SQL = (
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

_SWIFT = (
    r"(?:@[\w.]+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:public|private|internal|fileprivate|open|package|static|final"
    r"|override|mutating|nonmutating|class(?=[ \t]+func)|indirect|lazy|nonisolated|required|convenience)"
    r"(?:\(set\))?[ \t]+)*"
)
_SCALA = (
    r"(?:@\w+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:private|protected|final|abstract|sealed|implicit|override|lazy"
    r"|inline|open|transparent|case(?=[ \t]+(?:class|object)))(?:\[\w+\])?[ \t]+)*"
)
_PHP = r"(?:(?:public|private|protected|static|final|abstract|readonly)[ \t]+)*"
_SV = (
    r"(?:(?:virtual|static|local|protected|extern|pure|automatic|interface(?=[ \t]+class))[ \t]+)*"
)

_JAVA = (
    r"(?:@[\w.]+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:public|private|protected|internal|static|final|abstract"
    r"|sealed|non-sealed|default|synchronized|native|strictfp|partial|virtual|override|async|unsafe"
    r"|extern|readonly|new(?=[ \t]+\w+[ \t]+\w+[ \t]*\())[ \t]+)*"
)
# A type and a name in front of parameters; the words that begin a statement are no types.
_TYPED = (
    r"(?!(?:return|await|else|new|throw|case|yield|assert|if|for|while|switch|using|lock|in|is|do)\b)"
    r"(?:\x3c[^>\r\n]*>[ \t]+)?[A-Za-z_][\w.?]*(?:\x3c[^()\r\n;]*>)?(?:\[[^\]\r\n]*\])*[?*]*[ \t]+"
)
_KOTLIN = (
    r"(?:@[\w.:]+(?:\([^()\r\n]*\))?[ \t]+)*(?:(?:public|private|protected|internal|open|abstract|sealed"
    r"|final|data|inner|value|inline|enum|annotation|companion|override|suspend|operator|infix|tailrec"
    r"|external|expect|actual|fun(?=[ \t]+interface))[ \t]+)*"
)
_FSHARP = r"(?:(?:rec|inline|private|internal|public|mutable|val)[ \t]+)*(?!(?:rec|inline|private|mutable|val)\b)"
_AT_MARGIN = r"(?<![ \t])"
_LISP_NAME = r"\w\x80-\xff*+!?<>=/.:%&$-"

_LUA = _rule(
    r"(?:local[ \t]+)?",
    r"function[ \t]+[\w.]+:<method NAME",
    r"function[ \t]+(?:[\w.]+\.)?<function NAME",
    r"(?:[\w.]+\.)?<function_ NAME(?=[ \t]*=[ \t]*function\b)",
)
_OCAML = _rule(
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
_SCRIPT = _rule(
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
_C = _rule(
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

RULES: Mapping[str, bytes] = {
    "c": _C,
    "cpp": _C,
    "cuda": _C,
    "hlsl": _C,
    "glsl": _C,
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "ejs": _SCRIPT,
    "python": _rule("", r"(?:async[ \t]+)?def[ \t]+<function NAME", r"class[ \t]+<class NAME"),
    "ruby": _rule(
        "",
        r"def[ \t]+(?:\w+\.)?<method NAME",
        r"class[ \t]+(?:\w+::)*<class NAME",
        r"module[ \t]+(?:\w+::)*<module NAME",
        rest=r"\w\x80-\xff?!",
    ),
    "go": _rule(
        "",
        r"func[ \t]+<function NAME(?=[ \t]*[\[(])",
        r"func[ \t]+\([^()\r\n]*\)[ \t]*<method NAME",
        r"type[ \t]+<struct NAME(?=(?:\[[^\]\r\n]*\])?[ \t]+struct\b)",
        r"type[ \t]+<interface NAME(?=(?:\[[^\]\r\n]*\])?[ \t]+interface\b)",
        r"type[ \t]+<type NAME(?=[ \t]+[\w*=\[])",
    ),
    "rust": _rule(
        r"(?:pub(?:\([^()\r\n]*\))?[ \t]+)?(?:const[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?"
        r"(?:extern[ \t]+\"[^\"\r\n]*\"[ \t]+)?",
        r"fn[ \t]+<function NAME",
        r"struct[ \t]+<struct NAME",
        r"enum[ \t]+<enum NAME",
        r"union[ \t]+<union NAME(?=[^;=\r\n]*\{)",
        r"trait[ \t]+<trait NAME",
        r"mod[ \t]+<module NAME",
        r"type[ \t]+<type NAME(?=[^;\r\n]*=)",
        r"macro_rules![ \t]*<macro NAME",
    ),
    "lua": _LUA,
    "luau": _LUA,
    "bash": _rule(
        "",
        r"function[ \t]+<function NAME",
        r"<function_ NAME(?=[ \t]*\([ \t]*\)[ \t]*(?:[{(]|$))",
        rest=r"\w\x80-\xff.:+@-",
    ),
    "clojure": _rule(
        r"\(",
        r"(?:\w+/)?(?:defn-?|defmulti|deftest)[ \t]+(?:\^\S+[ \t]+)*<function NAME",
        r"defmacro[ \t]+<macro NAME",
        r"(?:defrecord|deftype)[ \t]+<struct NAME",
        r"(?:defprotocol|definterface)[ \t]+<interface NAME",
        r"(?:def|defonce)[ \t]+(?:\^\S+[ \t]+)*<variable NAME",
        rest=_LISP_NAME,
    ),
    "commonlisp": _rule(
        r"\(",
        r"(?i:defun|defgeneric)[ \t]+<function NAME",
        r"(?i:defmethod)[ \t]+<method NAME",
        r"(?i:defmacro)[ \t]+<macro NAME",
        r"(?i:defclass|define-condition)[ \t]+<class NAME",
        r"(?i:defstruct)[ \t]+\(?<struct NAME",
        rest=_LISP_NAME,
    ),
    "elisp": _rule(
        r"\(",
        r"(?:cl-)?(?:defun|defsubst|defgeneric)[ \t]+<function NAME",
        r"cl-defmethod[ \t]+<method NAME",
        r"(?:cl-)?defmacro[ \t]+<macro NAME",
        r"(?:defvar|defcustom|defconst|defvar-local)[ \t]+<variable NAME",
        r"cl-defstruct[ \t]+\(?<struct NAME",
        r"(?:define-minor-mode|define-derived-mode|ert-deftest)[ \t]+<function_ NAME",
        rest=_LISP_NAME,
    ),
    "java": _rule(
        _JAVA,
        r"(?:class|record)[ \t]+<class NAME",
        r"@?interface[ \t]+<interface NAME",
        r"enum[ \t]+<enum NAME",
        _TYPED + r"<method NAME(?=[ \t]*\([^;{}\r\n]*\)[^;{}\r\n]*\{)",
    ),
    "csharp": _rule(
        _JAVA,
        r"(?:class|record(?:[ \t]+(?:class|struct))?)[ \t]+<class NAME",
        r"(?:ref[ \t]+)?struct[ \t]+<struct NAME",
        r"interface[ \t]+<interface NAME",
        r"enum[ \t]+<enum NAME",
        _TYPED + r"<method NAME(?:\x3c[^>\r\n]*>)?(?=[ \t]*\([^;{}\r\n]*\)[^;{}\r\n]*(?:\{|=>|$))",
    ),
    "groovy": _rule(
        _JAVA,
        r"class[ \t]+<class NAME",
        r"@?interface[ \t]+<interface NAME",
        r"trait[ \t]+<trait NAME",
        r"enum[ \t]+<enum NAME",
        _TYPED + r"<function NAME(?=[ \t]*\([^;{}\r\n]*\)[^;{}\r\n]*\{)",
    ),
    "kotlin": _rule(
        _KOTLIN,
        r"fun[ \t]+(?:\x3c[^>\r\n]*>[ \t]+)?(?:[\w\x3c>?*, ]+\.)*<function NAME(?=[ \t]*\()",
        r"class[ \t]+<class NAME",
        r"interface[ \t]+<interface NAME",
        r"object[ \t]+<class_ NAME",
        r"typealias[ \t]+<type NAME",
    ),
    "dart": _rule(
        r"(?:(?:abstract|base|final|sealed|interface|mixin|external|static|late)[ \t]+)*",
        r"class[ \t]+<class NAME",
        r"mixin[ \t]+<trait NAME",
        r"enum[ \t]+<enum NAME",
        r"typedef[ \t]+<type NAME(?=[^()\r\n]*=)",
        r"extension[ \t]+(?:type[ \t]+)?<class_ NAME(?=[ \t(\x3c])",
        _TYPED + r"<function NAME(?=\([^;\r\n]*\)[ \t]*(?:a?sync\*?[ \t]*)?(?:\{|=>))",
    ),
    "d": _rule(
        r"(?:(?:public|private|protected|package|static|final|abstract|override|pure|nothrow|@\w+)[ \t]+)*",
        r"class[ \t]+<class NAME",
        r"struct[ \t]+<struct NAME",
        r"interface[ \t]+<interface NAME",
        r"enum[ \t]+<enum NAME",
        r"(?:mixin[ \t]+)?template[ \t]+<macro NAME",
        _TYPED + r"<function NAME(?=[ \t]*\([^;{}\r\n]*\)[^;{}\r\n]*(?:\{|$))",
    ),
    "elixir": _rule(
        "",
        r"(?:def|defp|defdelegate)[ \t]+<function NAME(?![\w.])",
        r"(?:defmacrop?|defguardp?)[ \t]+<macro NAME",
        r"defmodule[ \t]+(?:\w+\.)*<module NAME(?![.\w])",
        r"defprotocol[ \t]+(?:\w+\.)*<interface NAME(?![.\w])",
        rest=r"\w\x80-\xff?!",
    ),
    "elm": _rule(
        _AT_MARGIN,
        r"type[ \t]+alias[ \t]+<type NAME",
        r"type[ \t]+<enum NAME",
        r"<function NAME(?=(?:[ \t]+[\w(){},]+)*[ \t]*=[ \t]*$)",
    ),
    "erlang": _rule(
        _AT_MARGIN + r"(?![A-Z_])",
        r"<function NAME(?=\([^\r\n]*\)[ \t]*(?:when\b[^\r\n]*)?->)",
        r"-[ \t]*record\([ \t]*<struct NAME",
        r"-[ \t]*define\([ \t]*<macro NAME",
        r"-[ \t]*type[ \t]+<type NAME",
    ),
    "fortran": _rule(
        r"(?!(?i:end)\b)(?:(?i:pure|elemental|recursive|impure|module)[ \t]+)*",
        r"(?i:subroutine)[ \t]+<function NAME",
        r"(?:[A-Za-z_]\w*(?:\([^()\r\n]*\))?[ \t]+)*(?i:function)[ \t]+<function_ NAME(?=[ \t]*\()",
        r"(?i:module)[ \t]+(?!(?i:procedure)\b)<module NAME(?=[ \t]*(?:!|$))",
        r"(?i:type)[ \t]*(?:,[^:\r\n]*)?::[ \t]*<struct NAME",
    ),
    "fsharp": _rule(
        "",
        rf"(?:let|and)[ \t]+{_FSHARP}<function NAME(?=[ \t]+[\w(])",
        rf"type[ \t]+{_FSHARP}<class NAME",
        rf"module[ \t]+{_FSHARP}(?:\w+\.)*<module NAME(?![.\w])",
        rf"(?:static[ \t]+)?(?:member|override|default)[ \t]+{_FSHARP}(?:\w+\.)?<method NAME(?![.\w])",
        rest=r"\w\x80-\xff'",
    ),
    "gleam": _rule(
        r"(?:pub[ \t]+)?",
        r"fn[ \t]+<function NAME(?=\()",
        r"(?:opaque[ \t]+)?type[ \t]+<enum NAME",
        r"const[ \t]+<constant NAME",
    ),
    "graphql": _rule(
        "",
        r"type[ \t]+<class NAME",
        r"interface[ \t]+<interface NAME",
        r"input[ \t]+<struct NAME",
        r"enum[ \t]+<enum NAME",
        r"(?:query|mutation|subscription)[ \t]+<function NAME",
        r"fragment[ \t]+<struct_ NAME",
    ),
    "haskell": _rule(
        _AT_MARGIN,
        r"data[ \t]+(?!family\b|instance\b)<enum NAME",
        r"newtype[ \t]+(?!instance\b)<struct NAME",
        r"type[ \t]+(?:family[ \t]+)?(?!instance\b)<type NAME",
        r"class[ \t]+(?:[^=\r\n]*=>[ \t]*)?<trait NAME",
        r"<function NAME(?=(?:[ \t]+[\w'_(){},\[\]:]+)*[ \t]*(?:=(?![=>])|\|))",
        rest=r"\w\x80-\xff'",
    ),
    "hcl": _rule(
        _AT_MARGIN,
        r'(?:resource|data)[ \t]+"[^"\r\n]*"[ \t]+"<struct NAME(?=")',
        r'(?:variable|output)[ \t]+"<variable NAME(?=")',
        r'(?:module|provider)[ \t]+"<module NAME(?=")',
        rest=r"\w-",
    ),
    "julia": _rule(
        r"(?:@\w+[ \t]+)*",
        r"function[ \t]+(?:\w+\.)*<function NAME(?![.\w])",
        r"macro[ \t]+<macro NAME",
        r"(?:mutable[ \t]+)?struct[ \t]+<struct NAME",
        r"abstract[ \t]+type[ \t]+<type NAME",
        r"(?:bare)?module[ \t]+<module NAME",
        r"(?:\w+\.)*<function_ NAME(?=\([^\r\n=]*\)(?:::[\w{}, .]+)?[ \t]*=(?!=))",
        rest=r"\w\x80-\xff!",
    ),
    "cmake": _rule(
        "",
        r"(?i:function)[ \t]*\([ \t]*<function NAME",
        r"(?i:macro)[ \t]*\([ \t]*<macro NAME",
        r"(?i:add_(?:library|executable|custom_target))[ \t]*\([ \t]*<function_ NAME",
    ),
    "matlab": _rule(
        "",
        r"function[ \t]+(?:[^=\r\n()]*=[ \t]*)?(?:[gs]et\.)?<function NAME",
        r"classdef[ \t]+(?:\([^()\r\n]*\)[ \t]*)?<class NAME",
    ),
    "nim": _rule(
        "",
        r"(?:proc|func|iterator|converter)[ \t]+<function NAME",
        r"method[ \t]+<method NAME",
        r"(?:template|macro)[ \t]+<macro NAME",
        r"(?:type[ \t]+)?<struct NAME(?=\*?(?:\[[^\]\r\n]*\])?[ \t]*=[ \t]*(?:ref[ \t]+)?object\b)",
        r"(?:type[ \t]+)?<enum NAME(?=\*?[ \t]*=[ \t]*enum\b)",
    ),
    "nix": _rule(
        "",
        r"<function NAME(?=[ \t]*=[ \t]*(?:\w+|\{[^{}\r\n]*\}(?:[ \t]*@[ \t]*\w+)?)[ \t]*:(?!:))",
        rest=r"\w'-",
    ),
    "objc": _rule(
        "",
        r"(?:[A-Z_]+(?:\([^\r\n@]*\))?[ \t]+)*@(?:interface|implementation)[ \t]+<class NAME(?![ \t]*\()",
        r"@protocol[ \t]+<interface NAME(?![ \t]*[;,)])",
        r"[-+][ \t]*\([^()\r\n]*\)[ \t]*<method NAME",
    ),
    "ocaml": _OCAML,
    "ocaml_interface": _OCAML,
    "perl": _rule("", r"sub[ \t]+<function NAME", r"package[ \t]+<module NAME"),
    "php": _rule(
        _PHP,
        r"function[ \t]+&?<function NAME",
        r"class[ \t]+<class NAME",
        r"interface[ \t]+<interface NAME",
        r"trait[ \t]+<trait NAME",
        r"enum[ \t]+<enum NAME",
    ),
    "pony": _rule(
        "",
        r"(?:class|actor|primitive)[ \t]+(?:(?:ref|val|iso|tag|box|trn)[ \t]+)?<class NAME",
        r"struct[ \t]+<struct NAME",
        r"trait[ \t]+(?:(?:ref|val|iso|tag|box|trn)[ \t]+)?<trait NAME",
        r"interface[ \t]+(?:(?:ref|val|iso|tag|box|trn)[ \t]+)?<interface NAME",
        r"type[ \t]+<type NAME",
        r"(?:fun|new|be)[ \t]+(?:(?:ref|val|iso|tag|box|trn)[ \t]+)?<method NAME",
    ),
    "powershell": _rule(
        "",
        r"(?i:function|filter|workflow)[ \t]+(?:\w+:)?<function NAME",
        r"(?i:class)[ \t]+<class NAME",
        r"(?i:enum)[ \t]+<enum NAME",
        rest=r"\w\x80-\xff-",
    ),
    "proto": _rule(
        "",
        r"message[ \t]+<struct NAME(?=[ \t]*\{)",
        r"enum[ \t]+<enum NAME(?=[ \t]*\{)",
        r"service[ \t]+<interface NAME(?=[ \t]*\{)",
        r"rpc[ \t]+<method NAME",
    ),
    "ql": _rule(
        r"(?:(?:private|abstract|final|cached|override|external|query|pragma\[\w+\])[ \t]+)*",
        r"class[ \t]+<class NAME",
        r"module[ \t]+<module NAME",
        r"(?:predicate|string|int|boolean|float)[ \t]+<function NAME(?=[ \t]*\()",
    ),
    "scala": _rule(
        _SCALA,
        r"def[ \t]+<function NAME",
        r"(?:class|object)[ \t]+<class NAME",
        r"trait[ \t]+<trait NAME",
        r"enum[ \t]+<enum NAME",
    ),
    "solidity": _rule(
        r"(?:abstract[ \t]+)?",
        r"(?:function|modifier|event)[ \t]+<function NAME(?=[ \t]*\()",
        r"contract[ \t]+<class NAME(?=[ \t]+is\b|[ \t]*\{)",
        r"interface[ \t]+<interface NAME(?=[ \t]+is\b|[ \t]*\{)",
        r"library[ \t]+<module NAME(?=[ \t]*\{)",
        r"struct[ \t]+<struct NAME(?=[ \t]*\{)",
        r"enum[ \t]+<enum NAME(?=[ \t]*\{)",
    ),
    "sql": _SQL,
    "swift": _rule(
        _SWIFT,
        r"func[ \t]+<function NAME",
        r"(?:class|actor)[ \t]+<class NAME",
        r"struct[ \t]+<struct NAME",
        r"enum[ \t]+<enum NAME",
        r"protocol[ \t]+<interface NAME",
        r"typealias[ \t]+<type NAME",
    ),
    "verilog": _rule(
        _SV,
        r"(?:module|program|primitive)[ \t]+<module NAME",
        r"interface[ \t]+<interface NAME",
        r"package[ \t]+<namespace NAME(?=[ \t]*;)",
        r"class[ \t]+<class NAME",
        r"function[ \t]+(?:automatic[ \t]+)?(?:[\w\[\]: \t]*[ \t])?<function NAME(?=[ \t]*[(;])",
        r"task[ \t]+(?:automatic[ \t]+)?<function_ NAME",
    ),
    "zig": _rule(
        r"(?:pub[ \t]+|export[ \t]+|inline[ \t]+|extern[ \t]+)*",
        r"fn[ \t]+<function NAME",
        r"const[ \t]+<struct NAME(?=[ \t]*=[ \t]*(?:packed[ \t]+|extern[ \t]+)?struct\b)",
        r"const[ \t]+<enum NAME(?=[ \t]*=[ \t]*enum\b)",
    ),
}
"""By language: what tells a definition. A group is named by the kind, with `_` where a kind has several."""


@cache
def rule_of(language: str) -> re.Pattern[bytes] | None:
    """The rule of `language`, compiled when it is first asked for: all take a tenth of a second."""
    text = RULES.get(language)
    return re.compile(text) if text is not None else None


def lost(
    rule: re.Pattern[bytes], root: tree_sitter.Node | None, source: bytes, span: Span
) -> Iterator[Lost]:
    """What `rule` finds in the lines of `span`, outside what the tree knows as comments and strings.
    `root`: None where there is no tree."""
    low, high = span
    for match in rule.finditer(source, source.rfind(b"\n", 0, low) + 1, high):
        kind = match.lastgroup
        if kind is None or (root is not None and _is_text(root, match.span(kind))):
            continue
        line_end = _LINE_END.search(source, match.end(kind), match.end(kind) + _REACH)
        yield Lost(
            kind.rstrip("_"),
            *match.span(kind),
            match.end() - len(match[0].lstrip()),
            line_end.start() if line_end else match.end(kind),
        )


def _is_text(root: tree_sitter.Node, name: Span) -> bool:
    """Whether a name stands in a comment or a string. What an error holds of a string may be code behind a
    quote too many."""
    place = root.descendant_for_byte_range(*name)
    # Each step up costs the depth of the tree, and a string is not far above its text.
    for _ in range(_STEPS):
        if place is None:
            break
        above = place.parent
        if _TEXT.search(place.type) and not (
            above is not None and above.type == "ERROR" and _PIECE.search(place.type)
        ):
            return True
        place = above
    return False
