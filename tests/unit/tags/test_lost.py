"""Definitions in text that the grammar cannot read: half-typed code, and dialects it does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from pairwright.tags.files import tags_of
from pairwright.tags.line_rules import rule_of
from pairwright.text.lines import LineIndex

# A definition just begun, and its name.
HALVES = {
    "cmake.cmake": 'function(half x\n  set(y "1\n',
    "lua.lua": "function half(a, b\n  local x = {1, 2\n",
    "luau.luau": "function half(a: number\n  local x = {1, 2\n",
    "matlab.m": "function y = half(x\n  y = [1, 2\n",
    "nim.nim": "proc half(x: int = \n  let y = [1,\n",
    "nix.nix": "half = { a, b }: let x = [ 1\n",
    "objc.m": "- (void)half:(int)x { [self foo:[bar \n",
    "ocaml.ml": "let half x = match x with | Some (y -> \n",
    "ocaml_interface.mli": "module half : sig val x : int -> (\n",
    "perl.pl": "sub half { my ($x = shift; if ($x { \n",
    "php.php": "<?php\nfunction half(int $x { return [1, \n",
    "pony.pony": "class Half\n  fun half(x: U32 => [1; \n",
    "powershell.ps1": "function half { param([string]$x\n  if ($x { \n",
    "proto.proto": "message half { string a = ; oneof {\n",
    "ql.ql": "predicate half(int x { exists(int y | \n",
    "scala.scala": "def half(x: Int = List(1, \n",
    "solidity.sol": "contract half { function f(uint a { return \n",
    "sql.sql": "CREATE PROC half @id INT AS BEGIN IF (\n",
    "swift.swift": "func half(a: Int {\n  let x = [1, 2\n",
    "verilog.sv": "module half(input clk; assign x = {1, \n",
    "zig.zig": "fn half(a: u32 void { const x = .{ 1, \n",
}


def check(path: str, source: str, lines: dict[str, int]) -> set[str]:
    """`lines`: names and the line each is defined on. Returns the names referred to."""
    data = source.encode()
    tags = tags_of(path, data)
    index = LineIndex.of(data)
    found = {item.name: index.line_at(item.name_start) + 1 for item in tags.defs}
    assert {name: found.get(name) for name in lines} == lines
    assert tags.damaged
    return set(tags.ref_names)


@pytest.mark.parametrize("place", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", sorted(HALVES))
def test_what_is_begun_costs_nothing_that_a_line_tells(name: str, place: float) -> None:
    """All definitions of the sample whose own line the rule tells are there, before and behind."""
    data = (Path(__file__).parent / "samples" / name).read_bytes()
    whole = tags_of(name, data)
    rule = rule_of(whole.language)
    told = {match.start(match.lastgroup or 0) for match in rule.finditer(data)}
    kept = [item for item in whole.defs if item.name_start in told]
    first = kept[int(place * (len(kept) - 1))].start
    end = data.find(b"__END__") if b"__END__" in data else len(data)
    at = data.rfind(b"\n", 0, first) + 1 if place < 1 else end
    torn = data[:at] + HALVES[name].encode() + data[at:]
    tags = tags_of(name, torn)
    assert tags.damaged
    starts = {item.name_start for item in tags.defs}
    shift = len(HALVES[name].encode())
    missing = [
        item.name
        for item in kept
        if item.name_start + (shift if item.name_start >= at else 0) not in starts
    ]
    assert missing == []
    assert len(kept) > 2


def test_dialects_of_sql() -> None:
    source = """\
CREATE PROCEDURE [dbo].[usp_Order] (@id INT, @name NVARCHAR(50) = NULL) AS
BEGIN
  -- CREATE TABLE fake (a INT)
  DECLARE @x INT = dbo.fn_Get(@id);
  EXEC dbo.usp_Log @x;
  SELECT TOP 10 * FROM [dbo].[Orders] WITH (NOLOCK) WHERE [id] = @id;
END
GO
CREATE TABLE [dbo].[Orders] ([id] INT IDENTITY(1,1), [name] NVARCHAR(50)) ON [PRIMARY];
GO
CREATE TRIGGER trg ON Orders AFTER INSERT AS BEGIN PRINT 'CREATE VIEW fake2 AS' END
CREATE OR ALTER PROC p2 AS SELECT 1
GO
DELIMITER //
CREATE DEFINER=`root`@`localhost` PROCEDURE `my proc`(IN a INT) BEGIN SELECT a; END //
CREATE PACKAGE BODY emp AS
  PROCEDURE hire(a NUMBER) IS BEGIN NULL; END;
  FUNCTION pay RETURN NUMBER IS BEGIN RETURN 1; END;
END emp;
CREATE POLICY own ON t USING (owner = me());
CREATE DOMAIN email AS text CHECK (VALUE ~ '@');
CREATE UNIQUE CLUSTERED INDEX ix ON Orders (name);
CREATE TABLE last_one (id int);
GO
ALTER PROCEDURE [dbo].[sp_Again] @a INT AS SELECT * INTO #temp FROM x
GO
ALTER FUNCTION dbo.fn_Again (@a INT) RETURNS INT AS BEGIN RETURN 1 END
"""
    lines = {"usp_Order": 1, "Orders": 9, "trg": 11, "p2": 12, "my proc": 15, "emp": 16, "hire": 17}
    lines |= {
        "pay": 18,
        "own": 20,
        "email": 21,
        "ix": 22,
        "last_one": 23,
        "sp_Again": 25,
        "fn_Again": 27,
    }
    refs = check("a.sql", source, lines)
    assert {"fn_Get", "usp_Log", "Orders"} <= refs
    assert not {"fake", "fake2"} & {item.name for item in tags_of("a.sql", source.encode()).defs}


def test_strings_of_a_damaged_procedure_define_nothing() -> None:
    source = (
        "CREATE FUNCTION f(x int) RETURNS int LANGUAGE plpgsql AS $$\nBEGIN\n  PERFORM h(x);\n"
        "  EXECUTE 'CREATE TABLE fake (i int)'; -- CREATE TABLE fake2 (i int)\nEND $$;\n"
        "CREATE TABLE real (id int);\n"
    )
    check("a.sql", source, {"f": 1, "real": 6})
    names = {item.name for item in tags_of("a.sql", source.encode()).defs}
    assert names == {"f", "real"}


def test_nothing_is_read_behind_the_end_of_a_php_file() -> None:
    tags = tags_of("a.php", b"<?php function a() {}\n__halt_compiler();\nfunction fake() {}\n")
    assert [item.name for item in tags.defs] == ["a"]


def test_powershell_attributes() -> None:
    source = (
        "[Flags()] enum Colour {\n  Red\n}\n"
        "class A : B {\n  A() : base($n) { Use-It }\n  [int] Go() { 1 }\n}\n"
    )
    refs = check("a.ps1", source, {"Colour": 1, "Red": 2, "A": 4, "Go": 6})
    assert "Use-It" in refs


def test_enumeration_macros_of_foundation() -> None:
    source = (
        "#import <x.h>\n"
        "typedef NS_ENUM(NSInteger, State) {\n  StateOpen = 1,\n  StateShut,\n};\n"
        "typedef NS_OPTIONS(NSUInteger, Flags) { FlagA = 1 << 0 };\n"
        "typedef NSString * Key NS_STRING_ENUM;\nAPI_AVAILABLE(ios(10.0)) @interface A : B\n- (void)go;\n@end\n"
    )
    data = source.encode()
    tags = tags_of("a.h", data)
    found = [(item.name, item.kind) for item in tags.defs]
    assert found[:3] == [("State", "enum"), ("StateOpen", "constant"), ("StateShut", "constant")]
    assert found[3:5] == [("Flags", "enum"), ("FlagA", "constant")]
    assert found[5:] == [("Key", "type"), ("A", "class"), ("go", "method")]
    assert not tags.damaged
