// Puts the parts together. Activation does not wait for the server.

import * as vscode from 'vscode';
import { Chat } from './chat';
import { register } from './commands';
import { PROPOSED, ProposedTexts, ServedDocuments } from './documents';
import { Hunks } from './hunks';
import { Secrets } from './secrets';
import { Server } from './server';
import { Status } from './status';
import { Turns } from './turns';
import type { TurnEnd } from './wire';

let server: Server | undefined;

/** What `activate` took, in milliseconds, is told to whoever asks the extension for its exports. */
export function activate(context: vscode.ExtensionContext): { activation: number } {
  const begun = performance.now();
  const log = vscode.window.createOutputChannel('Pairwright', { log: true });
  const secrets = new Secrets(context.secrets);
  const served = new Server(context, log, secrets);
  server = served;
  const turns = new Turns(served);
  const texts = new ProposedTexts();
  const hunks = new Hunks(served, texts);
  const chat = new Chat(context.extensionUri, served, turns, hunks);
  context.subscriptions.push(
    log,
    new Status(served, turns),
    ...hunks.listen(),
    ...register({ server: served, turns, hunks, chat, secrets, log }),
    vscode.window.registerWebviewViewProvider(Chat.view, chat, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.workspace.registerTextDocumentContentProvider('pairwright', new ServedDocuments(served)),
    vscode.workspace.registerTextDocumentContentProvider(PROPOSED, texts),
    vscode.window.onDidChangeTextEditorSelection(() => chat.selected()),
    vscode.window.onDidChangeActiveTextEditor(() => chat.selected()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void served.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('pairwright.server')) void served.restart();
    }),
    turns.onNews((news) => {
      if (news.news === 'end') void after(news.end, hunks);
    }),
  );
  void served.start();
  return { activation: performance.now() - begun };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The end of a turn: a proposal is drawn where it is, and shown where it is not in sight. Focus stays. */
async function after(
  end: TurnEnd,
  hunks: Hunks,
): Promise<void> {
  if (end.outcome === 'stop' && end.reason !== 'cancelled') {
    void vscode.window.showWarningMessage(`Pairwright: ${end.message}`);
  }
  if (end.accepted) await hunks.after(end.accepted);
  if (!end.proposal) return;
  await hunks.refresh();
  const proposal = hunks.proposals.find(({ id }) => id === end.proposal);
  if (!proposal) return;
  const visible = vscode.window.visibleTextEditors.some(({ document }) => hunks.at(document.uri).length > 0);
  if (visible && proposal.files.length === 1) return;
  const count = proposal.files.length;
  const review = 'Review';
  const text = `Pairwright: a change of ${count === 1 ? proposal.files[0]?.path : `${count} files`} waits for your choice.`;
  if ((await vscode.window.showInformationMessage(text, review)) === review) await hunks.review(proposal.id);
}
