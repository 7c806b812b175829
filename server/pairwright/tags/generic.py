"""The generic rule: a tag query for a grammar that has none of ours, read off its node types.

What it knows is naming habits. Many grammars call a definition `…_definition`, `…_declaration`, `…_item` and
give it a field `name`; what kind it is says the rest of the type's name. Every identifier is a reference.
No habit is followed into parameters, imports and calls. Tags made so carry the trust `rule`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

# Endings that say a definition by themselves, and those that do so beside a word for its kind.
_SURE = re.compile(r"_(?:definition|declaration|item|def|decl)\Z")
_DEFINES = re.compile(
    _SURE.pattern + r"|_(?:statement|specifier|spec|stmt|block)\Z"
    r"|\A(?:class|function|method|procedure|struct|enum|interface|trait|module|record|rule|message"
    r"|service|entity|package|subroutine|macro|type|namespace|protocol|resource|model)\Z"
)
_STANDS = re.compile(_SURE.pattern + r"|_block\Z")
_NEVER = re.compile(
    r"param|argument|import|include|export|using|call|invocation|expr|pattern|case|label|return"
    r"|extern|forward|formal|incomplete|instance|instantiation|option|attribute|annotation|local|loop"
    r"|for_|if_|while|assign|pragma|sized|mapped|index|type_specifier|unit_|group"
)
_WORDS = (
    ("field|member|property", "field"),
    ("preproc|macro|define", "macro"),
    ("interface|protocol|service", "interface"),
    ("trait", "trait"),
    ("enum", "enum"),
    ("union", "union"),
    ("class|mixin|contract|component|role", "class"),
    ("struct|record|message|entity|model|resource|shape", "struct"),
    (r"const(?:ant)?(?:_|\Z)", "constant"),
    ("type|subtype|alias|concept|kind", "type"),
    ("constructor|method|getter|setter|signal", "method"),
    ("func|fun_|fn|procedure|proc|subroutine|subprogram|sub_|routine", "function"),
    ("task|rule|handler|command|trigger", "function"),
    ("module|mod_|package|library|program|architecture|policy", "module"),
    ("namespace", "namespace"),
    ("var|let|val|global|binding|decl", "variable"),
)
_NAMES = re.compile(
    r"(?:\A|_)(?:identifier|ident|symbol|type_name|variable_name|function_name|method_name)\Z"
)
# Names made of names: their parts are asked themselves.
_PARTED = re.compile(r"scope|nested|qualified|dotted|long|generic|typed|quoted|param|keyword|meta_")


def query_text(grammar: tree_sitter.Language) -> str:
    """The query the rule gives for `grammar`; empty where it finds neither definitions nor names."""
    kinds = sorted(
        {
            grammar.node_kind_for_id(index) or ""
            for index in range(grammar.node_kind_count)
            if grammar.node_kind_is_named(index) and grammar.node_kind_is_visible(index)
        }
        - {""}
    )
    names = [kind for kind in kinds if _NAMES.search(kind) and not _PARTED.search(kind)]
    parts = [part for kind in kinds for part in _definitions(grammar, kind, names)]
    return "\n".join([*parts, *(f"({name}) @reference" for name in names)])


def kind_of(node_type: str) -> str | None:
    """The kind of definition that a node of this type is; None if it is none."""
    if not _DEFINES.search(node_type) or _NEVER.search(node_type):
        return None
    for words, kind in _WORDS:
        if re.search(rf"(?:\A|_)(?:{words})", node_type):
            return kind
    return "variable" if _SURE.search(node_type) else None


def _definitions(
    grammar: tree_sitter.Language, node_type: str, names: Sequence[str]
) -> Iterator[str]:
    kind = kind_of(node_type)
    if kind is None:
        return
    place = "global" if kind in ("variable", "constant") else "definition"
    if _compiles(grammar, f"({node_type} name: (_))"):
        # With a body first: the pattern that comes first decides.
        if _compiles(grammar, f"({node_type} body: (_))"):
            yield f"({node_type} name: (_) @declarator body: (_) @body) @{place}.{kind}"
        yield f"({node_type} name: (_) @declarator) @{place}.{kind}"
    elif place == "definition" and kind not in ("field", "type"):
        # A key word and then the name; where a type comes first, it is no identifier. A bare node type
        # (`struct`) may be a use or a literal unless the grammar tells names of definitions apart.
        for name in names if _STANDS.search(node_type) else [x for x in names if "_" in x[1:]]:
            if _compiles(grammar, f"({node_type} . ({name}))"):
                yield f"({node_type} . ({name}) @name) @{place}.{kind}"


def _compiles(grammar: tree_sitter.Language, text: str) -> bool:
    """Whether nodes can be so: tree-sitter refuses what can never match."""
    try:
        tree_sitter.Query(grammar, text)
    except tree_sitter.QueryError:
        return False
    return True
