"""What is known about a language beside its query files. Knows no grammar and no text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """`name`: ours. `grammar`: the language pack's name. `queries`: files in tags/queries, read as one.

    `extensions`: lower case with the dot; `filenames`: exact. `ids`: LSP languageIds. `interpreters`: words
    of a `#!` line. `leads`: node types of attributes that stand as siblings in front of their definition;
    `tails`: of bodies that stand as siblings behind theirs. `isolated`: the grammar may loop for ever or end
    its process on some text, or goes by what is in fresh memory, so it runs only where that costs nothing
    else and memory is blank.
    """

    name: str
    grammar: str
    queries: tuple[str, ...]
    extensions: tuple[str, ...]
    ids: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    embeds: str = ""
    tails: tuple[str, ...] = ()
    isolated: bool = False
