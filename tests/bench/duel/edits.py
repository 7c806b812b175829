"""The six kinds of edits of the duel: what a request of each asks for, and what the module is to be afterwards.

A kind draws its words from a function (`drawn`) and makes the wanted syntax tree of the module (`wanted`); a reply is
right when the module's tree is that one, comments, blank lines and docstrings of the function left aside where the
request leaves them open.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping, Sequence

Function = ast.FunctionDef
Words = Mapping[str, str]


def function_of(module: ast.Module, name: str) -> Function | None:
    """The top-level function `name`."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    return None


def docstring_of(function: Function) -> ast.Expr | None:
    """The statement that is the function's docstring."""
    first = function.body[0]
    has = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return first if has and isinstance(first.value.value, str) else None


def parameters(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


# --- what a function offers to each kind: the words of the request, None if it has no place for it


def _local(function: Function) -> Words | None:
    taken = {a.arg for a in parameters(function)}
    names: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal | ast.Lambda | ast.ListComp | ast.DictComp):
            return None
        if isinstance(node, ast.Name):
            stored = isinstance(node.ctx, ast.Store)
            names[node.id] = names.get(node.id, 0) + (100 if stored else 1)
    fit = [n for n, k in names.items() if k >= 101 and 100 < k < 205 and k % 100 in (1, 2, 3)]
    fit = [n for n in fit if n not in taken and len(n) > 1]
    return {"old": fit[0], "new": f"my_{fit[0]}"} if fit else None


def _parameter(function: Function) -> Words | None:
    for arg in parameters(function):
        uses = sum(isinstance(n, ast.Name) and n.id == arg.arg for n in ast.walk(function))
        if uses in (1, 2, 3) and arg.arg not in ("self", "cls"):
            return {"old": arg.arg, "new": f"{arg.arg}_in"}
    return None


def _guard(function: Function) -> Words | None:
    args = function.args.args
    if not args or len(args) == len(function.args.defaults):
        return None
    name = args[0].arg
    return {"name": name, "text": f"{name} must not be None"}


def _flag(function: Function) -> Words | None:
    if function.args.kwonlyargs or function.args.vararg or function.args.kwarg:
        return None
    return {"name": "strict"} if function.args.args else None


def _literal(function: Function) -> Words | None:
    start = 1 if docstring_of(function) else 0
    found: list[object] = []
    for statement in function.body[start:]:
        found += [n.value for n in ast.walk(statement) if isinstance(n, ast.Constant)]
    for value in found:
        if isinstance(value, int) and not isinstance(value, bool) and found.count(value) == 1:
            if value > 1:
                return {"old": repr(value), "new": repr(value * 3 + 1)}
        elif isinstance(value, str) and value.isalpha():  # noqa: SIM102
            if 2 < len(value) < 20 and found.count(value) == 1:
                return {"old": repr(value), "new": repr(f"{value}_new")}
    return None


def _docstring(function: Function) -> Words | None:
    if docstring_of(function) is not None:
        return None
    words = function.name.strip("_").replace("_", " ")
    return {"text": f"Return the {words} of the input."}


# --- what the module is to be


def _renamed(function: Function, words: Words) -> None:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == words["old"]:
            node.id = words["new"]
        elif isinstance(node, ast.arg) and node.arg == words["old"]:
            node.arg = words["new"]


def _guarded(function: Function, words: Words) -> None:
    source = f"if {words['name']} is None:\n    raise ValueError({words['text']!r})"
    at = 1 if docstring_of(function) else 0
    function.body[at:at] = ast.parse(source).body


def _flagged(function: Function, words: Words) -> None:
    function.args.kwonlyargs.append(ast.arg(words["name"]))
    function.args.kw_defaults.append(ast.Constant(False))


def _changed(function: Function, words: Words) -> None:
    old, new = ast.literal_eval(words["old"]), ast.literal_eval(words["new"])
    kind = type(old)
    start = 1 if docstring_of(function) else 0
    for statement in function.body[start:]:
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and (type(node.value), node.value) == (kind, old):
                node.value = new


def _told(function: Function, words: Words) -> None:
    function.body[0:0] = [ast.Expr(ast.Constant(words["text"]))]


class Kind:
    """One kind. `text`: the request, filled with the words. `keeps_docstring`: whether the function's docstring
    must stay as it is; a rename may change it too."""

    def __init__(
        self,
        text: str,
        drawn: Callable[[Function], Words | None],
        change: Callable[[Function, Words], None],
        keeps_docstring: bool = True,
    ) -> None:
        self.text = text
        self.drawn = drawn
        self._change = change
        self._keeps = keeps_docstring

    def wanted(self, before: str, name: str, words: Words) -> str:
        """The tree that the module shall have, as text to compare."""
        module = copy.deepcopy(ast.parse(before))
        function = function_of(module, name)
        assert function is not None
        self._change(function, words)
        return self._dump(module, name)

    def found(self, after: str, name: str) -> str:
        """The tree that a module has, in the same form. Raises SyntaxError."""
        return self._dump(ast.parse(after), name)

    def _dump(self, module: ast.Module, name: str) -> str:
        function = function_of(module, name)
        if function is not None and (doc := docstring_of(function)) is not None:
            if self._keeps:
                assert isinstance(doc.value, ast.Constant)
                doc.value.value = " ".join(doc.value.value.split())
            else:
                function.body.remove(doc)
        return ast.dump(module)


KINDS: Mapping[str, Kind] = {
    "local": Kind(
        "In `{function}`, rename the local variable `{old}` to `{new}`.", _local, _renamed, False
    ),
    "parameter": Kind(
        "In `{function}`, rename the parameter `{old}` to `{new}`.", _parameter, _renamed, False
    ),
    "guard": Kind(
        'At the start of `{function}`, raise ValueError("{text}") if `{name}` is None.',
        _guard,
        _guarded,
    ),
    "flag": Kind(
        "Give `{function}` a further keyword-only parameter `{name}` with the default False; "
        "it is not used yet.",
        _flag,
        _flagged,
    ),
    "literal": Kind("In `{function}`, use {new} in place of {old}.", _literal, _changed),
    "docstring": Kind(
        "Give `{function}` a docstring of one line that says: {text}", _docstring, _told
    ),
}


def outside(source: str, names: Sequence[str]) -> str:
    """The tree of a module without the functions `names`. Raises SyntaxError."""
    module = ast.parse(source)
    module.body = [
        node
        for node in module.body
        if not (isinstance(node, ast.FunctionDef) and node.name in names)
    ]
    return ast.dump(module)
