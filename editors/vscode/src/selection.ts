// What a request is about: the document and the selection in it.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Range } from './wire';

export type Where = { uri?: string; range?: Range };

/** The document and, where something is selected, the selection; nothing where no file is open. */
export function here(editor: vscode.TextEditor | undefined, cursor = false): Where {
  if (!editor || !['file', 'untitled'].includes(editor.document.uri.scheme)) return {};
  const uri = editor.document.uri.toString();
  const { start, end, isEmpty } = editor.selection;
  if (isEmpty && !cursor) return { uri };
  const at = ({ line, character }: vscode.Position): Range['start'] => ({ line, character });
  return { uri, range: { start: at(start), end: at(end) } };
}

export function label(editor: vscode.TextEditor | undefined): string {
  if (here(editor).uri === undefined || !editor) return '';
  const { uri } = editor.document;
  const name = vscode.workspace.getWorkspaceFolder(uri) ? vscode.workspace.asRelativePath(uri) : posix.basename(uri.path);
  const { start, end, isEmpty } = editor.selection;
  return isEmpty ? name : `${name}:${start.line + 1}-${end.line + 1}`;
}

/** The diagnostics at the cursor or in the selection, as LSP has them. */
export function diagnostics(editor: vscode.TextEditor | undefined): Record<string, unknown>[] {
  if (!editor) return [];
  const { selection, document } = editor;
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range }) => range.intersection(selection) !== undefined)
    .map(({ range: { start, end }, severity, message, source, code }) => ({
      range: { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } },
      severity: severity + 1,
      message,
      ...(source === undefined ? {} : { source }),
      ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    }));
}
