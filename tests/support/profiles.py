"""Editors without a plugin of ours: what each declares when it connects, and what a server may then send it.

Each profile is written by hand from the source of the editor, as far as it bears on this server: `HELIX` 25.07,
`EGLOT` 1.19, `ZED` of summer 2026, `SUBLIME` (LSP 2.6). `BARE` declares the least that an edit needs. `Strict` holds
a server to a profile: a method, a field or a registration that was not declared is a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Caps = dict[str, Any]


def _each(names: str, *, dynamic: bool) -> Caps:
    return {name: {"dynamicRegistration": dynamic} for name in names.split()}


def _kinds(names: str) -> Caps:
    return {"codeActionKind": {"valueSet": ["", *names.split()] if names else []}}


_RESOURCES = ["create", "rename", "delete"]
_KINDS = "quickfix refactor refactor.extract refactor.inline refactor.rewrite source"

HELIX: Caps = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "workspace": {
        **_each("didChangeConfiguration symbol executeCommand", dynamic=False),
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": False},
        "inlayHint": {"refreshSupport": False},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": _RESOURCES,
            "failureHandling": "abort",
            "normalizesLineEndings": False,
        },
        "fileOperations": {"willRename": True, "didRename": True},
    },
    "textDocument": {
        **_each("formatting inlayHint", dynamic=False),
        "hover": {"contentFormat": ["markdown"]},
        "rename": {"dynamicRegistration": False, "prepareSupport": True},
        "publishDiagnostics": {"versionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "codeAction": {
            "codeActionLiteralSupport": _kinds(f"{_KINDS} source.organizeImports"),
            "dataSupport": True,
            "disabledSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
    },
    "window": {"workDoneProgress": True},
}

EGLOT: Caps = {
    "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
    "workspace": {
        **_each("symbol executeCommand", dynamic=False),
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": _RESOURCES,
            "failureHandling": "abort",
        },
    },
    "textDocument": {
        **_each(
            "completion signatureHelp references documentHighlight formatting rangeFormatting "
            "inlayHint callHierarchy typeHierarchy diagnostic",
            dynamic=False,
        ),
        "synchronization": {"dynamicRegistration": False, "willSave": True, "didSave": True},
        # Markdown only where markdown-mode is installed.
        "hover": {"dynamicRegistration": False, "contentFormat": ["plaintext"]},
        "definition": {"dynamicRegistration": False, "linkSupport": True},
        "documentSymbol": {
            "dynamicRegistration": False,
            "hierarchicalDocumentSymbolSupport": True,
        },
        "codeAction": {
            "dynamicRegistration": False,
            "codeActionLiteralSupport": _kinds(f"{_KINDS} source.organizeImports"),
            "dataSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit", "command"]},
        },
        "rename": {"dynamicRegistration": False, "prepareSupport": True},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": False},
    },
    "window": {
        "showDocument": {"support": True},
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "workDoneProgress": True,
    },
    "experimental": {},
}

ZED: Caps = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        **_each("didChangeConfiguration symbol executeCommand", dynamic=True),
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": _RESOURCES,
            "snippetEditSupport": True,
        },
        "fileOperations": {"dynamicRegistration": True, "didRename": True, "willRename": True},
    },
    "textDocument": {
        **_each(
            "formatting rangeFormatting onTypeFormatting codeLens signatureHelp colorProvider "
            "documentLink foldingRange inlayHint completion diagnostic",
            dynamic=True,
        ),
        "synchronization": {"dynamicRegistration": True, "didSave": True},
        "hover": {"dynamicRegistration": True, "contentFormat": ["markdown"]},
        "definition": {"dynamicRegistration": True, "linkSupport": True},
        "documentSymbol": {
            "dynamicRegistration": True,
            "hierarchicalDocumentSymbolSupport": True,
        },
        "codeAction": {
            "dynamicRegistration": True,
            "codeActionLiteralSupport": _kinds("refactor quickfix source"),
            "dataSupport": True,
            "resolveSupport": {
                "properties": ["kind", "diagnostics", "disabled", "edit", "command"]
            },
        },
    },
    "window": {
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "workDoneProgress": True,
    },
    "experimental": {"serverStatusNotification": True, "localDocs": True},
}

SUBLIME: Caps = {
    "general": {"markdown": {"parser": "Python-Markdown"}},
    "workspace": {
        **_each("didChangeConfiguration symbol", dynamic=True),
        "applyEdit": True,
        "configuration": True,
        "executeCommand": {},
        "workspaceFolders": True,
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "workspaceEdit": {
            "documentChanges": True,
            "failureHandling": "abort",
            "changeAnnotationSupport": {"groupsOnLabel": False},
        },
    },
    "textDocument": {
        **_each(
            "signatureHelp references documentHighlight documentLink formatting rangeFormatting "
            "codeLens selectionRange foldingRange completion inlayHint diagnostic",
            dynamic=True,
        ),
        "synchronization": {"dynamicRegistration": True, "didSave": True, "willSave": True},
        "hover": {"dynamicRegistration": True, "contentFormat": ["markdown", "plaintext"]},
        "definition": {"dynamicRegistration": True, "linkSupport": True},
        "documentSymbol": {
            "dynamicRegistration": True,
            "hierarchicalDocumentSymbolSupport": True,
        },
        "codeAction": {
            "dynamicRegistration": True,
            "codeActionLiteralSupport": _kinds(f"{_KINDS} source.fixAll source.organizeImports"),
            "dataSupport": True,
            "isPreferredSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
    "window": {
        "showDocument": {"support": True},
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}},
        "workDoneProgress": True,
    },
}

BARE: Caps = {"workspace": {"applyEdit": True}}


_ALWAYS = frozenset(
    {"window/logMessage", "window/showMessage", "window/showMessageRequest", "telemetry/event"}
)
# What has to be declared before a method may be sent.
_NEEDS = {
    "workspace/applyEdit": "workspace.applyEdit",
    "workspace/configuration": "workspace.configuration",
    "workspace/workspaceFolders": "workspace.workspaceFolders",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/textDocumentContent/refresh": "workspace.textDocumentContent",
    "window/showDocument": "window.showDocument.support",
    "window/workDoneProgress/create": "window.workDoneProgress",
    "textDocument/publishDiagnostics": "textDocument.publishDiagnostics",
}
_OPTIONAL = {
    "isPreferred": "isPreferredSupport",
    "disabled": "disabledSupport",
    "data": "dataSupport",
}
_ACTION = frozenset({"title", "kind", "diagnostics", "command", "edit", *_OPTIONAL, "tags"})


@dataclass
class Strict:
    """A client that believes what it declared. `offered`: what the server can do. `faults`: what broke the rules."""

    declared: Caps
    offered: Mapping[str, Any]
    faults: list[str] = field(default_factory=list)

    def knows(self, path: str) -> bool:
        """Whether the capability at `path` (parts joined by points) was declared."""
        node: Any = self.declared
        for part in path.split("."):
            if not isinstance(node, Mapping) or part not in node:
                return False
            node = node[part]
        return node is not False and node is not None

    def connection(self) -> None:
        encodings = self.declared.get("general", {}).get("positionEncodings", ["utf-16"])
        self._need(self.offered.get("positionEncoding", "utf-16") in encodings, "position encoding")

    def messages(self, received: Iterable[Mapping[str, Any]]) -> None:
        """All that the server sent by itself."""
        tokens: set[Any] = set()
        for message in received:
            method, params = message["method"], message.get("params") or {}
            if method == "window/workDoneProgress/create":
                tokens.add(params["token"])
            if method == "$/progress":
                self._need(params["token"] in tokens, "progress with a token nobody knows")
            elif method == "client/registerCapability":
                for one in params["registrations"]:
                    path = f"{one['method'].replace('/', '.')}.dynamicRegistration"
                    self._need(self.knows(path), f"registration of {one['method']}")
            elif method not in _ALWAYS:
                self._need(method in _NEEDS and self.knows(_NEEDS[method]), method)
            if method == "workspace/applyEdit":
                self.edit(params["edit"])

    def edit(self, edit: Mapping[str, Any]) -> None:
        ours = self.declared["workspace"].get("workspaceEdit", {})
        changes = edit.get("documentChanges", [])
        self._need(not changes or "documentChanges" in ours, "documentChanges")
        for change in changes:
            kind = change.get("kind")
            self._need(kind is None or kind in ours.get("resourceOperations", ()), f"{kind} a file")
        noted = "changeAnnotations" in edit or any(_annotated(changes))
        self._need(not noted or "changeAnnotationSupport" in ours, "change annotations")

    def actions(self, found: Iterable[Mapping[str, Any]]) -> None:
        ours = self.declared.get("textDocument", {}).get("codeAction", {})
        for action in found:
            if "codeActionLiteralSupport" not in ours:
                self._need(isinstance(action["command"], str), "a code action for a plain command")
                continue
            self._need(_ACTION.issuperset(action), f"fields of an action: {sorted(action)}")
            for name, support in _OPTIONAL.items():
                self._need(name not in action or support in ours, f"{name} of an action")
            self._need("tags" not in action or "tagSupport" in ours, "tags of an action")
            self.command(action["command"])

    def lenses(self, found: Iterable[Mapping[str, Any]]) -> None:
        for lens in found:
            self.command(lens["command"])

    def command(self, command: Mapping[str, Any]) -> None:
        known = self.offered.get("executeCommandProvider", {}).get("commands", [])
        self._need(command["command"] in known, f"{command['command']}, which is not advertised")

    def hover(self, found: Mapping[str, Any]) -> None:
        formats = self.declared.get("textDocument", {}).get("hover", {}).get("contentFormat")
        self._need(found["contents"]["kind"] in (formats or ["plaintext"]), "form of a hover")

    def _need(self, holds: bool, what: str) -> None:
        if not holds:
            self.faults.append(f"not declared: {what}")


def _annotated(changes: Iterable[Mapping[str, Any]]) -> Iterator[bool]:
    for change in changes:
        yield "annotationId" in change
        for edit in change.get("edits", ()):
            yield "annotationId" in edit
