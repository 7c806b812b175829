// Plans of long tasks in the editor: lenses that carry one out, and its faults where they are.

import * as vscode from 'vscode';
import { show } from './documents';
import { faults, headingOf, taskOf } from './plantext';
import type { Refusal, Server } from './server';
import type { TaskList } from './tasklist';

type Args = Record<string, unknown>;

export class Plans implements vscode.CodeLensProvider {
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly marks = vscode.languages.createDiagnosticCollection('pairwright');

  constructor(
    private readonly server: Server,
    private readonly tasks: TaskList,
  ) {
    tasks.onChange(() => this.lensesChanged.fire());
    server.onRefusal((refusal) => this.refused(refusal));
  }

  listen(): vscode.Disposable[] {
    const active = (editor: vscode.TextEditor | undefined): void => {
      const isPlan = editor !== undefined && planOf(editor.document) !== '';
      void vscode.commands.executeCommand('setContext', 'pairwright.plan', isPlan);
    };
    active(vscode.window.activeTextEditor);
    return [
      this.marks,
      vscode.languages.registerCodeLensProvider({ scheme: 'file', language: 'markdown' }, this),
      vscode.window.onDidChangeActiveTextEditor(active),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.marks.delete(document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.marks.delete(uri)),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const task = planOf(document);
    if (task === '') return [];
    const lens = (title: string, name: string, args: Args): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: `pairwright.task.${name}`, arguments: [args] });
    const known = this.tasks.get(task);
    const args = { task, ...(known ? { root: known.root } : {}) };
    const state = lens('State', 'show', { ...args, open: true });
    if (known?.task.status === 'running') return [lens('$(debug-stop) Stop', 'stop', args), state];
    const run = { ...args, uri: document.uri.toString() };
    return [
      lens('$(play) Run This Plan', 'run', run),
      lens('Run, Choosing File by File', 'run', { ...run, review: 'file' }),
      state,
    ];
  }

  /** Open the plan of a task, at the file `path` where one is named. What is being edited stays as it is. */
  async open(args: Args | undefined): Promise<unknown> {
    const newest = this.tasks.all[0];
    const known = this.tasks.get(String(args?.['task'] ?? '')) ?? newest;
    const opened = known && this.document(known.task.task, known.task.version);
    const answer = opened
      ? { uri: opened.uri.toString() }
      : await this.server.run<{ uri: string }>('task.show', { ...args, plan: true });
    if (!answer) return undefined;
    const editor = await show(answer.uri);
    if (typeof args?.['path'] === 'string') {
      const line = new vscode.Position(headingOf(editor.document.getText(), args['path']), 0);
      editor.selection = new vscode.Selection(line, line);
      editor.revealRange(new vscode.Range(line, line), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    return answer;
  }

  /** The open document of a plan; without `version` of any. */
  private document(task: string, version?: number): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.findLast(
      (one) => planOf(one) === task && (version === undefined || one.uri.path.endsWith(`/${task}-${version}.md`)),
    );
  }

  private refused({ name, args, message }: Refusal): void {
    if (!name.startsWith('task.')) return;
    const named = vscode.workspace.textDocuments.find((one) => one.uri.toString() === args['uri']);
    const task = String(args['task'] ?? this.tasks.all[0]?.task.task ?? '');
    const document = named && planOf(named) !== '' ? named : this.document(task);
    if (!document) return;
    const found = faults(message, document.getText()).map(({ line, text }) => {
      const mark = new vscode.Diagnostic(document.lineAt(line).range, text, vscode.DiagnosticSeverity.Error);
      mark.source = 'Pairwright';
      return mark;
    });
    if (found.length > 0) this.marks.set(document.uri, found);
  }
}

/** The task whose plan a document is, empty where it is none. */
function planOf(document: vscode.TextDocument): string {
  return document.languageId === 'markdown' ? taskOf(document.getText(new vscode.Range(0, 0, 3, 0))) : '';
}
