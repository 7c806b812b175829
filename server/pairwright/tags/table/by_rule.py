"""Languages that go by the generic rule: those of the pack that have a grammar and no query of ours.

Left out on purpose are data and prose (json, yaml, toml, xml, csv, ini, properties-like files, markdown, rst, org,
bibtex, po, lock and requirement lists, git's own files), whose keys and headings are no names that code
refers to, what only stands inside other texts (regex, jsdoc, printf, comment), and what programs write
(ninja, pgn, pem). Their files are listed and found by path and words, without definitions.
"""

from __future__ import annotations

from pairwright.tags.table.row import Language


def _row(
    name: str, extensions: str, filenames: str = "", ids: str = "", *, isolated: bool = False
) -> Language:
    return Language(
        name,
        name,
        (),
        tuple(extensions.split()),
        tuple(ids.split()),
        tuple(filenames.split()),
        isolated=isolated,
    )


ROWS = (
    _row("actionscript", ".as"),
    _row("ada", ".adb .ads .ada"),
    _row("agda", ".agda", isolated=True),
    _row("apex", ".cls .trigger .apex"),
    _row("asm", ".asm .s .nasm"),
    _row("bicep", ".bicep .bicepparam"),
    _row("bitbake", ".bb .bbappend .bbclass"),
    _row("bsl", ".bsl .os"),
    _row("cairo", ".cairo"),
    _row("capnp", ".capnp"),
    _row("clarity", ".clar"),
    _row("dockerfile", ".dockerfile", "Dockerfile Containerfile"),
    _row("fennel", ".fnl"),
    _row("firrtl", ".fir"),
    _row("fish", ".fish"),
    _row("fsharp_signature", ".fsi"),
    _row("func", ".fc"),
    _row("gdscript", ".gd"),
    _row("gn", ".gn .gni"),
    _row("hack", ".hack .hhi"),
    _row("hare", ".ha"),
    _row("haxe", ".hx"),
    _row("heex", ".heex"),
    _row("ispc", ".ispc"),
    _row("janet", ".janet"),
    _row("jsonnet", ".jsonnet .libsonnet"),
    _row("kconfig", ".kconfig", "Kconfig Kconfig.debug"),
    _row("linkerscript", ".ld .lds"),
    _row("llvm", ".ll"),
    _row("luau", ".luau"),
    _row("magik", ".magik"),
    _row("meson", "", "meson.build meson_options.txt meson.options"),
    _row("netlinx", ".axs .axi"),
    _row("nqc", ".nqc"),
    _row("odin", ".odin"),
    _row("pascal", ".pas .dpr .lpr .dpk", ids="delphi"),
    _row("prisma", ".prisma"),
    _row("puppet", ".pp"),
    _row("purescript", ".purs"),
    _row("qmljs", ".qml", ids="qml"),
    _row("re2c", ".re2c"),
    _row("rego", ".rego"),
    _row("scheme", ".scm .ss .sld .sls"),
    _row("smali", ".smali"),
    _row("smithy", ".smithy"),
    _row("sparql", ".rq .sparql"),
    _row("squirrel", ".nut"),
    _row(
        "starlark",
        ".bzl .star",
        "BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel Tiltfile",
    ),
    _row("tablegen", ".td"),
    _row("tcl", ".tcl .tm"),
    _row("thrift", ".thrift"),
    _row("twig", ".twig"),
    _row("typst", ".typ"),
    _row("ungrammar", ".ungram"),
    _row("uxntal", ".tal"),
    _row("v", ".vsh"),
    _row("vhdl", ".vhd .vhdl .vho"),
    _row("vim", ".vim", ".vimrc .gvimrc _vimrc", ids="viml"),
    _row("wast", ".wast"),
    _row("wat", ".wat"),
    _row("wgsl", ".wgsl"),
    _row("yuck", ".yuck"),
)
