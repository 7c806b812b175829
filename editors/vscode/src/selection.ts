// What a request is about: the document and the selection in it.

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
  const name = vscode.workspace.asRelativePath(editor.document.uri);
  const { start, end, isEmpty } = editor.selection;
  return isEmpty ? name : `${name}:${start.line + 1}-${end.line + 1}`;
}
