// Waiting hunks in the editor: decorations, code lenses, the diff editor, and the choice at the cursor.

import * as vscode from 'vscode';
import { type ProposedTexts } from './documents';
import type { Server } from './server';
import { asDiff, at, drawn, next, proposed, standing, type Standing, waits } from './standing';
import type { Proposal, ProposedFile, Taken } from './wire';

const SETTLE = 80;

export class Hunks implements vscode.CodeLensProvider {
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly refreshed = new vscode.EventEmitter<Proposal[]>();
  /** What waits for a choice has been asked for anew. */
  readonly onRefresh = this.refreshed.event;
  proposals: Proposal[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly gone = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  private readonly come = vscode.window.createTextEditorDecorationType({
    after: {
      margin: '0 0 0 2em',
      color: new vscode.ThemeColor('editor.foreground'),
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
    },
  });

  constructor(
    private readonly server: Server,
    private readonly texts: ProposedTexts,
  ) {
    server.onNotice(({ method }) => {
      if (method === 'pairwright/proposals/changed') this.soon();
    });
    server.onState(() => this.soon());
  }

  listen(): vscode.Disposable[] {
    return [
      this.gone,
      this.come,
      vscode.languages.registerCodeLensProvider([{ scheme: 'file' }, { scheme: 'untitled' }], this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.at(document.uri).length > 0) this.soon();
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('pairwright.apply.lenses')) this.lensesChanged.fire();
      }),
    ];
  }

  /** Ask where everything stands, once what is being typed has come to rest. */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), SETTLE);
  }

  async refresh(): Promise<void> {
    if (this.server.state !== 'running') {
      this.proposals = [];
    } else {
      const answer = await this.server.ask<{ proposals: Proposal[] }>('proposals').catch(() => undefined);
      if (!answer) return;
      this.proposals = answer.proposals;
    }
    const some = this.proposals.length > 0;
    await vscode.commands.executeCommand('setContext', 'pairwright.proposals', some);
    this.lensesChanged.fire();
    this.refreshed.fire(this.proposals);
    this.draw();
    for (const proposal of this.proposals) await this.fill(proposal);
  }

  at(uri: vscode.Uri): Standing[] {
    const wanted = uri.toString();
    return standing(this.proposals, (one) => vscode.Uri.parse(one).toString() === wanted);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!vscode.workspace.getConfiguration('pairwright').get('apply.lenses', true)) return [];
    return this.at(document.uri).flatMap((one, order) => this.lenses(one, order === 0));
  }

  private lenses({ proposal, hunk, index, total }: Standing, first: boolean): vscode.CodeLens[] {
    const where = new vscode.Range(hunk.range.start.line, 0, hunk.range.start.line, 0);
    const one = { proposal: proposal.id, hunks: [hunk.id] };
    const lens = (title: string, command: string, args: object, tooltip: string): vscode.CodeLens =>
      new vscode.CodeLens(where, { title, command: `pairwright.${command}`, arguments: [args], tooltip });
    const name = `hunk ${index} of ${total}`;
    const head = hunk.stale
      ? lens(`${name}: its lines were changed since`, 'review', { proposal: proposal.id }, 'Show the proposal')
      : lens(`$(check) Accept ${name}`, 'accept', one, hunk.approximate ? 'A guess: look at it first' : '');
    const found = [head, lens('$(close) Reject', 'reject', one, ''), lens('Refine', 'refine', one, '')];
    const waiting = proposal.files.flatMap((file) => file.hunks.filter(waits)).length;
    if (first && waiting > 1) found.push(lens(`Accept all ${waiting}`, 'accept', { proposal: proposal.id }, ''));
    if (first) found.push(lens('Review', 'review', { proposal: proposal.id }, 'All files in the diff editor'));
    return found;
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const stands = this.at(editor.document.uri);
      editor.setDecorations(this.gone, stands.flatMap((one) => goneRanges(one, editor.document)));
      editor.setDecorations(this.come, stands.flatMap((one) => comeOptions(one, editor.document)));
    }
  }

  /** Accept or reject. */
  async choose(what: 'accept' | 'reject', args: Record<string, unknown>): Promise<Taken | undefined> {
    const taken = await this.server.run<Taken>(what, args);
    if (!taken) return undefined;
    await this.after(taken);
    await this.refresh();
    return taken;
  }

  /** Save what a change left unsaved in documents that held nothing unsaved before; paths or URIs. */
  async save(names: readonly string[] = []): Promise<void> {
    const wanted = new Set(names);
    for (const document of vscode.workspace.textDocuments) {
      const called = [vscode.workspace.asRelativePath(document.uri, false), document.uri.toString()];
      if (document.isDirty && called.some((name) => wanted.has(name))) await document.save();
    }
  }

  /** What came of a choice or an undo is told, and what it left is saved. */
  async after(taken: Taken): Promise<void> {
    await this.save(taken.save);
    const good = ['applied', 'rejected', 'done', 'planned', 'cancelled'].includes(taken.state);
    if (good) vscode.window.setStatusBarMessage(`Pairwright: ${taken.message}`, 8000);
    else void vscode.window.showWarningMessage(`Pairwright: ${taken.message}`);
  }

  async chooseHere(what: 'accept' | 'reject'): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const one = editor && at(this.at(editor.document.uri), editor.selection.active.line);
    if (!one) {
      this.nothing();
      return;
    }
    await this.choose(what, { proposal: one.proposal.id, hunks: [one.hunk.id] });
  }

  private nothing(): void {
    const count = this.proposals.flatMap(({ files }) => files.flatMap(({ hunks }) => hunks.filter(waits))).length;
    const there = count > 0 ? `; ${count} wait elsewhere, Pairwright: All Hunks in a List` : '';
    vscode.window.setStatusBarMessage(`Pairwright: no hunk here${there}.`, 5000);
  }

  go(back: boolean): void {
    const editor = vscode.window.activeTextEditor;
    const one = editor && next(this.at(editor.document.uri), editor.selection.active.line, back);
    if (!one) return this.nothing();
    const line = new vscode.Position(one.hunk.range.start.line, 0);
    editor.selection = new vscode.Selection(line, line);
    editor.revealRange(new vscode.Range(line, line), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** A proposal in the diff editor: one file (`path`, or the only one) by itself, several in one list of diffs. */
  async review(ident?: string, path?: string): Promise<void> {
    await this.refresh();
    const proposal = this.proposals.find((one) => one.id === ident) ?? this.proposals.at(-1);
    if (!proposal) {
      vscode.window.setStatusBarMessage('Pairwright: no hunk waits for a choice.', 5000);
      return;
    }
    const all = await this.fill(proposal);
    const pairs = path === undefined ? all : all.filter(([file]) => file.path === path);
    const [only] = pairs;
    if (pairs.length === 1 && only) {
      await vscode.commands.executeCommand('vscode.diff', only[1], only[2], `Pairwright: ${only[0].path}`);
    } else {
      await vscode.commands.executeCommand(
        'vscode.changes',
        'Pairwright: proposal',
        pairs.map(([, left, right]) => [right, left, right]),
      );
    }
  }

  /** Bring the right sides of a proposal up to date: each file, its text of the moment, its text once accepted. */
  private async fill(proposal: Proposal): Promise<[ProposedFile, vscode.Uri, vscode.Uri][]> {
    const pairs: [ProposedFile, vscode.Uri, vscode.Uri][] = [];
    for (const file of proposal.files.filter((one) => one.hunks.some(waits))) {
      const named = file.uri === undefined ? undefined : vscode.Uri.parse(file.uri);
      // With another path the list of diffs would take it for a rename.
      const path = named?.path ?? `/${file.path}`;
      const right = this.texts.uri(path, proposal.id);
      const real = file.kind === 'create' ? undefined : named;
      const text = real && (await textOf(real));
      this.texts.put(right, proposed(file, text));
      pairs.push([file, real ?? this.texts.uri(path, ''), right]);
    }
    return pairs;
  }
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  return vscode.workspace.openTextDocument(uri).then(
    (document) => document.getText(),
    () => undefined,
  );
}

function goneRanges({ hunk }: Standing, document: vscode.TextDocument): vscode.DecorationOptions[] {
  const hoverMessage = new vscode.MarkdownString().appendCodeblock(asDiff(hunk), 'diff');
  const lines = drawn(hunk).gone.filter((line) => line < document.lineCount);
  return lines.map((line) => ({ range: document.lineAt(line).range, hoverMessage }));
}

function comeOptions({ hunk }: Standing, document: vscode.TextDocument): vscode.DecorationOptions[] {
  const { come, more } = drawn(hunk);
  const hoverMessage = new vscode.MarkdownString().appendCodeblock(asDiff(hunk), 'diff');
  return come.map(({ line, text }, i) => {
    const end = document.lineAt(Math.min(line, document.lineCount - 1)).range.end;
    const tail = i === come.length - 1 && more > 0 ? `  (+ ${more} more)` : '';
    const contentText = `${text.trimStart() || '(empty line)'}${tail}`;
    return { range: new vscode.Range(end, end), hoverMessage, renderOptions: { after: { contentText } } };
  });
}
