"""Which language a text is in whose file name several languages use. Looks at the text alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

# Enough of a header to meet a class or a namespace behind a long licence and many includes.
_HEAD = 64 * 1024
_NOISE = re.compile(rb'/\*.*?\*/|//[^\r\n]*|"(?:\\.|[^"\\\r\n])*"', re.S)
# What stands under `#ifdef __cplusplus` is there for C++ includers of a C header.
_GUARDED = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus.*?^[ \t]*#[ \t]*(?:endif|else)",
    re.S | re.M,
)
_CPLUSPLUS = re.compile(
    rb"^[ \t]*(?:inline[ \t]+)?namespace\b"
    rb"|^[ \t]*(?:export[ \t]+)?template[ \t]*<"
    rb"|^[ \t]*using[ \t]+\w"
    rb"|(?<!enum )(?<!@)\bclass[ \t]+(?:\w+[ \t]+)*\w+[ \t]*(?:final\b[ \t]*)?[:;{\r\n]"
    rb"|\benum[ \t]+class\b"
    rb"|^[ \t]*(?:public|private|protected|signals|public slots|private slots)[ \t]*:"
    rb"|\b(?:constexpr|noexcept|nullptr|decltype|static_cast|dynamic_cast|reinterpret_cast)\b"
    rb"|\bvirtual[ \t]+[\w~]|\boperator[ \t]*[-+*/=<>!(\[]|\bstd::|\w::~?\w"
    rb"|^[ \t]*#[ \t]*include[ \t]*<[a-z_]+>",
    re.M,
)
_OBJECTIVE_C = re.compile(
    rb"^[ \t]*@(?:interface|implementation|protocol|class|import|property|end)\b"
    rb"|^[ \t]*#[ \t]*import\b|\bNS_(?:ASSUME_NONNULL_BEGIN|ENUM|OPTIONS)\b",
    re.M,
)


class Sign(NamedTuple):
    """`pattern` in a text says that it is in `language`; None: in none that has tags. Compiled when
    first looked for: most folders hold none of these files."""

    language: str | None
    pattern: bytes


class Shared(NamedTuple):
    """`signs` are tried in order; a text without any is in `otherwise`."""

    signs: tuple[Sign, ...]
    otherwise: str


_C_COMMENTS = rb"^[ \t]*(?:/\*|//)"
SHARED: Mapping[str, Shared] = {
    ".m": Shared(
        (
            Sign("objc", _OBJECTIVE_C.pattern),
            Sign("matlab", rb"^[ \t]*(?:function\b|classdef\b|%)"),
            Sign("objc", _C_COMMENTS + rb"|^[ \t]*#[ \t]*(?:include|define|if)|^(?:int|void)\b"),
        ),
        "matlab",
    ),
    ".v": Shared(
        (
            Sign(None, rb"^[ \t]*(?:Require[ \t]|Theorem\b|Lemma\b|Proof\.|Definition\b)"),
            Sign(
                "verilog",
                rb"\bendmodule\b|^[ \t]*`(?:timescale|define|include|ifn?def|default_nettype)\b"
                rb"|^[ \t]*module[ \t]+\w+[ \t]*[;(#]|\balways\b[ \t]*@|\bassign\b.*=",
            ),
            Sign("v", rb"^(?:pub[ \t]+)?(?:fn|struct|enum|interface)\b|^module[ \t]+\w+[ \t]*$"),
        ),
        "verilog",
    ),
    ".pl": Shared(
        (
            Sign("perl", rb"\A#!.*perl|^[ \t]*(?:use|package|my|our|sub)[ \t]+[\w:$@%(]"),
            Sign(None, rb"^[ \t]*:-|^[a-z]\w*(?:\([^\r\n]*\))?[ \t]*(?::-|-->)"),
        ),
        "perl",
    ),
    ".fs": Shared(
        (
            Sign(
                "glsl",
                rb"^[ \t]*#version\b|\bgl_(?:FragColor|FragCoord|Position)\b"
                rb"|^[ \t]*(?:precision|uniform|varying)\b[^\r\n]*;|^[ \t]*void[ \t]+main[ \t]*\(",
            ),
            Sign(None, rb"^: [^\r\n]+;[ \t]*$|^\\ "),
        ),
        "fsharp",
    ),
    ".cls": Shared(
        (
            Sign(
                "latex", rb"^[ \t]*\\(?:NeedsTeXFormat|ProvidesClass|LoadClass|documentclass)\b|^%"
            ),
            Sign(None, rb"\AVERSION [\d.]+ CLASS|^Attribute VB_|^Class [\w.%]+ Extends\b"),
        ),
        "apex",
    ),
    ".r": Shared((Sign(None, rb"\A\s*(?:REBOL|Red)\s*\["),), "r"),
    ".d": Shared(
        (
            Sign(
                None, rb"\A(?:[^\r\n:]+\.(?:l?o|obj|d)[ \t])*[^\r\n:]+\.(?:l?o|obj|d)[ \t]*:[ \t]"
            ),
            Sign(None, rb"\A#!.*dtrace|^#pragma[ \t]+D[ \t]|^(?:BEGIN|END)\s*\{"),
        ),
        "d",
    ),
    ".ts": Shared(
        (Sign(None, rb"\A(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE[ \t]+TS|TS\b)"),), "typescript"
    ),
    ".pp": Shared(
        (
            Sign(
                "pascal",
                rb"(?i)^[ \t]*(?:unit|program|library|uses)\s+\w[^\r\n{]*[;,]|^[ \t]*(?:interface|begin)[ \t]*$",
            ),
        ),
        "puppet",
    ),
    ".as": Shared((Sign(None, rb"^#(?:include|pragma)\b"),), "actionscript"),
    ".inc": Shared(
        (
            Sign("php", rb"<\?(?:php|=)"),
            Sign("bitbake", rb"^(?:SRC_URI|DEPENDS|PV|inherit)\b|_append\b"),
            Sign("pascal", rb"(?i)^[ \t]*(?:procedure|function)\s+\w+.*;|^\{\$"),
            Sign("cpp", rb"^[ \t]*#[ \t]*(?:include|define|if)|^[ \t]*template[ \t]*<|\w::\w"),
        ),
        "php",
    ),
    ".cl": Shared(
        (Sign("c", rb"\b__?(?:kernel|global|local)\b|^[ \t]*#[ \t]*(?:define|include|pragma)"),),
        "commonlisp",
    ),
    ".scm": Shared(
        (Sign(None, rb"^\s*\[?\(\w+[^()]*\)[ \t\r\n]*@[\w.]+|^\][ \t]*@[\w.]+"),), "scheme"
    ),
    ".tm": Shared((Sign("tcl", rb"^[ \t]*(?:proc|package|namespace)[ \t]"),), "tcl"),
}
"""By extension: those that more than one language, or a data format, uses. `.h` is `of_header`'s."""


def of_shared(extension: str, data: bytes) -> str | None:
    """The language of `data` in a file with an extension of `SHARED`; None where it has no tags."""
    found = SHARED[extension]
    head = data[:_HEAD]
    for sign in found.signs:
        if re.search(sign.pattern, head, re.M):
            return sign.language
    return found.otherwise


def of_header(data: bytes, client: str) -> str:
    """C, C++ or Objective-C for a `.h`: by what only they can hold outside comments, strings and
    `#ifdef __cplusplus`; an empty header by `client`, the language its editor says."""
    bare = _NOISE.sub(b" ", data[:_HEAD])
    if _OBJECTIVE_C.search(bare):
        return "objc"
    head = _GUARDED.sub(b"\n", bare)
    if _CPLUSPLUS.search(head):
        return "cpp"
    return client if client in ("cpp", "objc") and not head.strip() else "c"
