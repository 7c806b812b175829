"""Which language a file is in. Decides by name, then by content where a name is shared, then by the
client's languageId, then by the interpreter line. Opens no file; the rows are in `table`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

from pairwright.tags.content import SHARED, of_header, of_shared
from pairwright.tags.table import ALL

# What the LSP specification and well-known clients call a language whose row has another name.
_CLIENT_IDS = {
    "shellscript": "bash",
    "sh": "bash",
    "zsh": "bash",
    "makefile": "make",
    "objective-c": "objc",
    "objective-cpp": "objc",
    "objectivec": "objc",
    "lisp": "commonlisp",
    "emacs-lisp": "elisp",
    "proto3": "proto",
    "protobuf": "proto",
    "terraform": "hcl",
    "tf": "hcl",
    "systemverilog": "verilog",
    "clojurescript": "clojure",
    "ocaml.interface": "ocaml_interface",
    "plsql": "sql",
    "mysql": "sql",
    "postgres": "sql",
    "sass": "scss",
    "htmldjango": "html",
    "handlebars": "html",
    "bazel": "starlark",
    "ps1": "powershell",
    "perl6": "perl",
    "razor": "html",
}

_BY_EXTENSION = {ext: item.name for item in ALL.values() for ext in item.extensions}
_BY_FILENAME = {name: item.name for item in ALL.values() for name in item.filenames}
_BY_ID = {
    **{key: name for key, name in _CLIENT_IDS.items() if name in ALL},
    **{key: item.name for item in ALL.values() for key in (item.name, *item.ids)},
}
_BY_INTERPRETER = {word: item.name for item in ALL.values() for word in item.interpreters}

# Names that go on behind their first dot: Dockerfile.dev, Makefile.am, Jenkinsfile.release.
_STEMS = frozenset(
    {"Containerfile", "Dockerfile", "GNUmakefile", "Jenkinsfile", "Kconfig", "Makefile"}
)
# A text with holes in it: the name before says what it becomes.
_TEMPLATES = frozenset({".in", ".j2", ".jinja", ".jinja2", ".template", ".tmpl", ".tpl"})
_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:\S*/)?([A-Za-z+-]+)")


def language_of(path: str, data: bytes = b"", language_id: str = "") -> str | None:
    """The language of the file at `path` with text `data`, or None.

    `path` may be a URI of a buffer without a file. `language_id` is the client's word: it settles what
    the name leaves open, and never overrules a name the table knows.
    """
    # A name costs more to take apart than the rest of this, and few are asked for once only.
    name, suffix, inside = _parts(path[path.rfind("/") + 1 :] or path)
    if name in _BY_FILENAME:
        return _BY_FILENAME[name]
    if suffix == ".C":
        return "cpp"
    suffix = suffix.lower()
    client = _BY_ID.get(language_id.lower())
    if suffix == ".h":
        return header_language(data, language_id)
    if suffix in SHARED:
        found = of_shared(suffix, data) if data.strip() or not client else client
        return found if found in ALL else None
    if suffix in _BY_EXTENSION:
        return _BY_EXTENSION[suffix]
    if suffix in _TEMPLATES and (inner := language_of(inside, data)):
        return inner
    stem = name.partition(".")[0]
    if stem in _STEMS and stem in _BY_FILENAME:
        return _BY_FILENAME[stem]
    if client or suffix:
        return client
    match = _SHEBANG.match(data)
    return _BY_INTERPRETER.get(match[1].decode().lower()) if match else None


@lru_cache(maxsize=8192)
def _parts(name: str) -> tuple[str, str, str]:
    file = PurePosixPath(name)
    return file.name, file.suffix, file.stem


def header_language(data: bytes, language_id: str = "") -> str:
    """The language of a `.h` with text `data`: C, C++ or Objective-C."""
    found = of_header(data, _BY_ID.get(language_id.lower(), ""))
    return found if found in ALL else "c"
