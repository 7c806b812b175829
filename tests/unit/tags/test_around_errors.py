"""A syntax error costs what it stands in, not the definitions around it."""

from __future__ import annotations

import pytest

from pairwright.tags.files import tags_of
from pairwright.text.lines import LineIndex

CASES = [
    ("a.sh", 'f() {\n  echo "$x\n}\n\ng() {\n  if a; then\n}\nfunction h {\n  ok\n}\n', "f1 g5 h8"),
    (
        "a.clj",
        "(defn a [x]\n  (b x)\n\n(defn c [] (let [y 1] y)\n\n(defmacro d [] 1)\n",
        "a1 c4 d6",
    ),
    ("a.lisp", "(defun a (x)\n  (b x)\n\n(defun c () 1)\n(defmacro d ()\n  `(e\n", "a1 c4 d5"),
    (
        "a.el",
        "(defun a-b (x)\n  (c x)\n\n(defun d-e ()\n  1)\n(defvar f-g nil)\n",
        "a-b1 d-e4 f-g6",
    ),
    (
        "A.java",
        "class A {\n  void a() {\n    b(;\n  public int c(int x) { return 1; }\n}\n",
        "A1 a2 c4",
    ),
    (
        "A.cs",
        "namespace N;\nclass A {\n  void B() { c(; }\n  public int D => e(1;\n}\nenum F { G }\n",
        "N1 A2 B3 D4 F6 G6",
    ),
    (
        "a.groovy",
        "class A {\n  Map<String, List<B>> c = [:]\n  def d() { e?.f() }\n}\ndef g() { 1 }\n",
        "A1 d3 g5",
    ),
    ("a.groovy", "import a.*\n\nclass B {\n  void c(Map<String, D> e) { f(e) }\n}\n", "B3 c4"),
    (
        "a.groovy",
        'class A {\n  @B("c")\n  def "adds up"() {\n    d(1)\n  }\n  def "e"(int f) {\n  }\n}\n',
        "A1 adds up3 e6",
    ),
    (
        "a.kt",
        "class A(b: B) : C by b {\n  fun d() = 1\n}\n\nfun e() {\n  f(\n}\n\nobject G {\n  fun h() = 2\n}\n",
        "A1 d2 e5 G9 h10",
    ),
    (
        "a.dart",
        "class A {\n  void b() { c(; }\n  int d(int x) => x;\n}\n\nvoid e() {\n  f(1\n}\n\nenum G { h }\n",
        "A1 b2 d3 e6 G10 h10",
    ),
    (
        "a.d",
        "struct A { int b() { return c(; } }\n\nvoid d(int x)\n{\n}\nclass E { }\n",
        "A1 b1 d3 E6",
    ),
    (
        "a.ex",
        "defmodule A do\n  def b(x) do\n    c(x\n  end\n\n  def d(x), do: x\nend\n\ndefmodule E.F do\nend\n",
        "A1 b2 d6 F9",
    ),
    ("a.elm", "a x =\n    b (x\n\nc y =\n    y\n\ntype D = E\n", "a1 c4 D7"),
    ("a.erl", "-module(a).\nb(X) -> c(X.\n\nd(X) ->\n  X.\n\n-record(e, {f}).\n", "a1 b2 d4 e7"),
    (
        "a.f90",
        "module a\ncontains\n  subroutine b(x)\n    call c(x\n  end\n  integer function d(y)\n  d = 1\n  end\nend\n",
        "a1 b3 d6",
    ),
    ("a.fs", "module A\n\nlet b x = c (x\n\nlet d y = y\n\ntype E = { F: int }\n", "A1 b3 d5 E7"),
    ("a.gleam", "pub fn a() {\n  b(\n}\n\nfn c(x) { x }\n\npub type D {\n  E\n}\n", "a1 c5 D7 E8"),
    (
        "a.graphql",
        "type A {\n  b(: Int\n}\n\ntype C {\n  d: Int\n}\n\nquery E { f }\n",
        "A1 b2 C5 d6 E9",
    ),
    ("a.hs", "module A where\n\nb x = c (x\n\nd y = y\n\ndata E = F\n", "A1 b3 d5 E7"),
    (
        "a.tf",
        'variable "a" {\n  default = [\n}\n\nresource "b" "c" {\n  d = 1\n}\n\noutput "e" {\n  value = 1\n}\n',
        "a1 c5 e9",
    ),
    (
        "a.jl",
        "function a(x)\n  b(x\nend\n\nfunction c(y)\n  y\nend\n\nd(z) = 1\n\nstruct E\n  f\nend\n",
        "a1 c5 d9 E11",
    ),
    ("a.ino", "void setup() {\n  a(;\n}\n\nvoid loop() {\n  b();\n}\n", "setup1 loop5"),
]


@pytest.mark.parametrize(("path", "text", "expected"), CASES, ids=lambda value: value[:9])
def test_what_is_around_an_error_is_kept(path: str, text: str, expected: str) -> None:
    data = text.encode()
    tags = tags_of(path, data)
    lines = LineIndex.of(data)
    found = [f"{item.name}{lines.line_at(item.name_start) + 1}" for item in tags.defs]
    assert tags.damaged
    assert sorted(" ".join(found).split()) == sorted(expected.split())
