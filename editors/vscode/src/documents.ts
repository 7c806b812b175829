// Texts that lie on no disk: those of the server (scheme pairwright) and files as a proposal would make them.

import * as vscode from 'vscode';
import type { Server } from './server';

export class ServedDocuments implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    server.onNotice(({ method, params }) => {
      if (method === 'pairwright/document/changed') {
        this.changed.fire(vscode.Uri.parse((params as { uri: string }).uri));
      }
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const answer = await this.server.request<{ text: string }>('pairwright/document', { uri: uri.toString() });
    return answer.text;
  }
}

export async function show(uri: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const name = document.uri.path;
  const language = name.endsWith('.diff') ? 'diff' : name.endsWith('.md') ? 'markdown' : undefined;
  const shown = language ? await vscode.languages.setTextDocumentLanguage(document, language) : document;
  return vscode.window.showTextDocument(shown, { preview: true });
}

/** Files as they would be: `PROPOSED:/path?proposal`; an empty query is the empty text beside a new or deleted file. */
export const PROPOSED = 'pairwright-proposed';

export class ProposedTexts implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();

  uri(path: string, proposal: string): vscode.Uri {
    return vscode.Uri.from({ scheme: PROPOSED, path, query: proposal });
  }

  put(uri: vscode.Uri, text: string): void {
    const key = uri.toString();
    if (this.texts.get(key) === text) return;
    this.texts.set(key, text);
    this.changed.fire(uri);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }
}
