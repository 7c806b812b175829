"""What one client can do, read leniently from the raw `initialize` parameters.

Raw JSON on purpose: one value outside an enumeration must not cost the connection, and clients
send such values (a tag, a symbol kind, a trace level of a later specification).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pairwright.text.columns import Unit

PROTOCOL = 1
"""Version of the custom protocol of docs/protocol.md; this one and the one before are served."""

_SWITCHED = (
    ("textDocument", "documentSymbol"),
    ("workspace", "symbol"),
    ("textDocument", "definition"),
    ("textDocument", "references"),
)


@dataclass(frozen=True, slots=True)
class Folder:
    """A workspace folder. `uri`: as the client spelled it."""

    uri: str
    name: str


@dataclass(frozen=True, slots=True)
class Client:
    """One client. `encoding`: the unit of all positions on this connection.

    `document_changes`: edits may carry versions (`documentChanges`). `one_document_edits`: each
    document needs an applyEdit of its own, since a stale second entry would be applied.
    `waits`: it may report no text while a command of its own waits for the answer.
    `saves_renamed`: a rename writes the open buffer, whatever it holds.
    `resources`: create, rename and delete, as far as announced. `protocol`: version of the custom
    methods, 0 = none. `secrets`: it keeps keys of providers. `models`: it lends models. `commands`:
    whether command ids are advertised. `markdown`: hovers may be Markdown. `dynamic`: methods of the
    index that can be registered later. `virtual`: it reads documents of our scheme by
    `workspace/textDocumentContent`.
    """

    name: str = ""
    version: str = ""
    encoding: Unit = "utf-16"
    process_id: int | None = None
    apply_edit: bool = False
    document_changes: bool = False
    one_document_edits: bool = False
    waits: bool = False
    saves_renamed: bool = False
    resources: frozenset[str] = frozenset()
    failure_handling: str = "abort"
    annotations: bool = False
    show_document: bool = False
    show_message_actions: bool = False
    progress: bool = False
    configuration: bool = False
    configuration_events: bool = False
    watching: bool = False
    watching_relative: bool = False
    folders_events: bool = False
    dynamic: frozenset[str] = frozenset()
    symbols_tree: bool = False
    definition_links: bool = False
    virtual: bool = False
    markdown: bool = False
    code_action_data: bool = False
    code_action_resolve: tuple[str, ...] = ()
    code_action_literals: bool = False
    code_action_disabled: bool = False
    llm_tag: bool = False
    lens_refresh: bool = False
    protocol: int = 0
    secrets: bool = False
    models: bool = False
    commands: bool = True

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Client:
        """The client that sent `params`; whatever is absent or malformed counts as unsupported."""
        caps = _Raw(params.get("capabilities"))
        info = _Raw(params.get("clientInfo"))
        edit = caps.at("workspace.workspaceEdit")
        resources = frozenset(edit.words("resourceOperations"))
        action = caps.at("textDocument.codeAction")
        ours = _Raw(caps.at("experimental").value("pairwright"))
        protocol = ours.value("protocol")
        name = info.text("name")
        return cls(
            name=name,
            version=info.text("version"),
            encoding=_encoding(caps.at("general").words("positionEncodings")),
            process_id=_integer(params.get("processId")),
            apply_edit=caps.flag("workspace.applyEdit"),
            document_changes=edit.flag("documentChanges") or bool(resources),
            one_document_edits=name.lower().startswith(("neovim", "nvim")),
            # Emacs; eglot has a name from 1.13 on.
            waits=name.lower() in ("", "eglot", "emacs"),
            saves_renamed=name.lower().startswith(("neovim", "nvim")),
            resources=resources,
            failure_handling=edit.text("failureHandling") or "abort",
            annotations="changeAnnotationSupport" in edit,
            show_document=caps.flag("window.showDocument.support"),
            show_message_actions=True,
            progress=caps.flag("window.workDoneProgress"),
            configuration=caps.flag("workspace.configuration"),
            configuration_events=caps.flag("workspace.didChangeConfiguration.dynamicRegistration"),
            watching=caps.flag("workspace.didChangeWatchedFiles.dynamicRegistration"),
            watching_relative=caps.flag("workspace.didChangeWatchedFiles.relativePatternSupport"),
            folders_events=caps.flag("workspace.workspaceFolders"),
            dynamic=frozenset(
                f"{area}/{name}"
                for area, name in _SWITCHED
                if caps.flag(f"{area}.{name}.dynamicRegistration")
            ),
            symbols_tree=caps.flag("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport"),
            definition_links=caps.flag("textDocument.definition.linkSupport"),
            virtual="textDocumentContent" in caps.at("workspace"),
            markdown="markdown" in caps.at("textDocument.hover").words("contentFormat"),
            code_action_data=action.flag("dataSupport"),
            code_action_resolve=tuple(action.at("resolveSupport").words("properties")),
            code_action_literals="codeActionLiteralSupport" in action,
            code_action_disabled=action.flag("disabledSupport"),
            llm_tag=1 in action.at("tagSupport").items("valueSet"),
            lens_refresh=caps.flag("workspace.codeLens.refreshSupport"),
            protocol=protocol if isinstance(protocol, int) and protocol > 0 else 0,
            secrets=ours.value("secrets") is True,
            models=ours.value("models") is True,
            commands=ours.value("commands") is not False,
        )


def folders(params: Mapping[str, Any]) -> tuple[Folder, ...]:
    """The workspace folders of `initialize`: `workspaceFolders`, else `rootUri`, else
    `rootPath`."""
    found = []
    raw = params.get("workspaceFolders")
    for item in raw if isinstance(raw, list) else []:
        if isinstance(item, Mapping) and isinstance(item.get("uri"), str):
            found.append(Folder(item["uri"], str(item.get("name") or "")))
    root = params.get("rootUri")
    if not found and isinstance(root, str) and root:
        found.append(Folder(root, ""))
    path = params.get("rootPath")
    if not found and isinstance(path, str) and path:
        from pairwright.lsp.uris import from_path

        found.append(Folder(from_path(path), ""))
    return tuple(found)


def _encoding(offered: list[str]) -> Unit:
    """The client's first encoding that is known; utf-16 where it says nothing, as LSP 3.17 asks."""
    for name in offered:
        if name in ("utf-8", "utf-16", "utf-32"):
            return cast(Unit, name)
    return "utf-16"


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class _Raw:
    """A JSON object that may be anything; look-ups never raise."""

    def __init__(self, value: object) -> None:
        self._value: Mapping[str, Any] = value if isinstance(value, Mapping) else {}

    def __contains__(self, name: str) -> bool:
        return self._value.get(name) is not None

    def at(self, path: str) -> _Raw:
        node = self
        for part in path.split("."):
            node = _Raw(node._value.get(part))
        return node

    def value(self, path: str) -> Any:
        *parents, name = path.split(".")
        node = self.at(".".join(parents)) if parents else self
        return node._value.get(name)

    def flag(self, path: str) -> bool:
        return self.value(path) is True

    def text(self, path: str) -> str:
        found = self.value(path)
        return found if isinstance(found, str) else ""

    def items(self, path: str) -> list[Any]:
        found = self.value(path)
        return found if isinstance(found, list) else []

    def words(self, path: str) -> list[str]:
        return [item for item in self.items(path) if isinstance(item, str)]
