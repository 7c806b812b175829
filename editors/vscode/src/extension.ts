// Puts the parts together. Activation does not wait for the server.

import * as vscode from 'vscode';
import { Chat } from './chat';
import { register } from './commands';
import { PROPOSED, ProposedTexts, ServedDocuments } from './documents';
import { asked, ended } from './ends';
import { Hunks } from './hunks';
import { Plans } from './plans';
import { Secrets } from './secrets';
import { Server } from './server';
import { Status } from './status';
import { TaskList } from './tasklist';
import { TaskView } from './taskview';
import { Waiting } from './tree';
import { Turns } from './turns';

let server: Server | undefined;

/** What `activate` took, in milliseconds of the clock and of the processor, is told to whoever asks the extension for its
 * exports. */
export function activate(context: vscode.ExtensionContext): { activation: number; work: number } {
  const begun = performance.now();
  const before = process.cpuUsage();
  const log = vscode.window.createOutputChannel('Pairwright', { log: true });
  const secrets = new Secrets(context.secrets);
  const served = new Server(context, log, secrets);
  server = served;
  const turns = new Turns(served);
  const texts = new ProposedTexts();
  const hunks = new Hunks(served, texts);
  const tasks = new TaskList(served, hunks);
  const plans = new Plans(served, tasks);
  const chat = new Chat(context.extensionUri, served, turns, hunks);
  context.subscriptions.push(
    log,
    new Status(served, turns, tasks),
    ...hunks.listen(),
    ...plans.listen(),
    ...register({ server: served, turns, hunks, chat, plans, secrets, log }),
    vscode.window.registerWebviewViewProvider(Chat.view, chat, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerTreeDataProvider(Waiting.view, new Waiting(hunks)),
    vscode.window.registerTreeDataProvider(TaskView.view, new TaskView(tasks)),
    vscode.workspace.registerTextDocumentContentProvider('pairwright', new ServedDocuments(served)),
    vscode.workspace.registerTextDocumentContentProvider(PROPOSED, texts),
    vscode.window.onDidChangeTextEditorSelection(() => chat.selected()),
    vscode.window.onDidChangeActiveTextEditor(() => chat.selected()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void served.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('pairwright.server')) void served.restart();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void tasks.refresh()),
    tasks.onAsked((one) => void asked(one, hunks)),
    turns.onNews((news) => {
      if (news.news === 'end') void ended(news.end, news.mode, { hunks, chat, turns });
    }),
  );
  void served.start();
  const { user, system } = process.cpuUsage(before);
  return { activation: performance.now() - begun, work: (user + system) / 1000 };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
