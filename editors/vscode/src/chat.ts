// The chat view: hands what turns say to the webview, and carries out what is clicked there.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Hunks } from './hunks';
import { asReply, type FromView, isEdit, type Mode, type Told, type ToView } from './messages';
import { here, label } from './selection';
import type { Server } from './server';
import type { News, Turns } from './turns';
import type { ChatFiles, Delta } from './wire';

const MOST_TURNS = 200;
const GATHER = 12;

export class Chat implements vscode.WebviewViewProvider {
  static readonly view = 'pairwright.chat';
  private view: vscode.WebviewView | undefined;
  private ready = false;
  private told: Told[] = [];
  private pending: Delta[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
    private readonly turns: Turns,
    private readonly hunks: Hunks,
  ) {
    turns.onNews((news) => this.heard(news));
    hunks.onRefresh(() => this.waiting());
    server.onState((state) => {
      if (state === 'running') void this.files();
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.ready = false;
    const folders = ['dist', 'media'].map((name) => vscode.Uri.joinPath(this.extension, name));
    view.webview.options = { enableScripts: true, localResourceRoots: folders };
    view.webview.html = page(view.webview, this.extension);
    view.webview.onDidReceiveMessage((message: FromView) => void this.clicked(message));
    view.onDidDispose(() => (this.view = undefined));
  }

  /** Show the view, in `mode`, ready to be written into. */
  async open(mode?: Mode): Promise<void> {
    await vscode.commands.executeCommand(`${Chat.view}.focus`);
    this.post({ type: 'focus', ...(mode ? { mode } : {}) });
  }

  get visible(): boolean {
    return this.view?.visible === true;
  }

  selected(): void {
    this.post({ type: 'selection', label: label(vscode.window.activeTextEditor) });
  }

  /** The files every request of the conversation is shown. */
  async files(change: Record<string, unknown> = {}): Promise<void> {
    const run = Object.keys(change).length > 0 ? this.server.run<ChatFiles>('chat', change) : this.quiet();
    const files = await run;
    if (files) this.post({ type: 'files', editable: files.editable, read: files.read });
  }

  private waiting(): void {
    this.post({ type: 'waiting', proposals: this.hunks.proposals.map(({ id }) => id) });
  }

  /** A conversation takes the place of what is shown. */
  reset(turns: { mode: string; request: string; answer: string }[]): void {
    this.told = turns.map(({ mode, request, answer }, i) => ({ id: `old-${i}`, mode, request, text: answer }));
    for (const one of this.told) one.end = { id: one.id, text: one.text, outcome: 'done' };
    this.post({ type: 'reset', turns: this.told });
    void this.files();
  }

  private quiet(): Promise<ChatFiles | undefined> {
    return this.server.ask<ChatFiles>('chat').catch(() => undefined);
  }

  private heard(news: News): void {
    if (news.news === 'delta') {
      const one = this.told.find(({ id }) => id === news.delta.id);
      if (one && news.delta.kind === 'text') one.text += news.delta.text;
      this.pending.push(news.delta);
      this.timer ??= setTimeout(() => this.flush(), GATHER);
      return;
    }
    this.flush();
    if (news.news === 'begin') {
      const { id, mode, request } = news;
      const known = this.told.find((one) => one.id === id);
      if (known) Object.assign(known, { mode, request });
      else this.told = [...this.told.slice(1 - MOST_TURNS), { id, mode, request, text: '' }];
      this.post({ type: 'begin', id, mode, request });
    } else if (news.news === 'event') {
      this.post({ type: 'event', event: news.event });
    } else {
      const one = this.told.find(({ id }) => id === news.end.id);
      if (one) Object.assign(one, { end: news.end, text: one.text || news.end.text });
      this.post({ type: 'end', end: news.end });
      void this.files();
    }
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.length > 0) this.post({ type: 'deltas', deltas: this.pending });
    this.pending = [];
  }

  private post(message: ToView): void {
    if (this.ready) void this.view?.webview.postMessage(message);
  }

  private async clicked(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.post({ type: 'reset', turns: this.told });
        this.waiting();
        this.selected();
        return this.files();
      case 'send':
        return this.send(message.mode, message.text, message.selection);
      case 'stop':
        return void (await this.turns.stop());
      case 'new':
        if (await this.server.run('sessions', { action: 'new' })) this.reset([]);
        return;
      case 'add':
        return vscode.commands.executeCommand('pairwright.addFile');
      case 'drop':
        return this.files({ drop: [message.path] });
      case 'run':
        return void (await this.server.run('run', { command: message.command }));
      case 'proposal':
        if (message.what === 'review') return this.hunks.review(message.proposal);
        return void (await this.hunks.choose(message.what, { proposal: message.proposal }));
      case 'copy':
        return vscode.env.clipboard.writeText(message.code);
      case 'insert':
        return insert(message.code);
      case 'apply':
        return this.apply(message);
    }
  }

  async send(mode: Mode, text: string, selection: boolean): Promise<void> {
    const where = selection && mode !== 'help' ? here(vscode.window.activeTextEditor) : {};
    await this.turns.begin(mode, { text, ...where }, text);
  }

  private async apply({ code, before, info }: { code: string; before: string; info: string }): Promise<void> {
    if (isEdit(code)) {
      await this.turns.begin('apply', { text: asReply(code, before, info) }, 'Apply a code block');
      return;
    }
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    const text = `Make this change:\n\n${asReply(code, before, info)}`;
    await this.turns.begin('edit', { text, ...(uri ? { uri } : {}) }, 'Apply a code block');
  }
}

async function insert(code: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  await editor?.edit((edit) => edit.replace(editor.selection, code));
}

function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const at = (...path: string[]): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...path)).toString();
  return html(nonce, webview.cspSource, at('media', 'chat.css'), at('dist', 'chat.js'));
}

/** The page of the view; nothing from elsewhere is loaded, no style or script but ours runs. */
export function html(nonce: string, source: string, style: string, script: string): string {
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${style}">
<title>Pairwright</title>
</head>
<body>
<main id="transcript" role="log" aria-label="Conversation" aria-live="off" tabindex="0"></main>
<p id="status" role="status" aria-live="polite"></p>
<form id="form" aria-label="Request">
<ul id="files" aria-label="Files in the chat"></ul>
<textarea id="text" rows="3" aria-label="Request" placeholder="Ask, or say what to change"></textarea>
<div id="row">
<select id="mode" aria-label="Mode">
<option value="ask">Ask</option><option value="edit">Edit</option><option value="architect">Plan, then edit</option>
<option value="context">Choose files</option><option value="help">Help</option>
</select>
<label id="selection" hidden><input type="checkbox" id="selected" checked> <span id="where"></span></label>
<span id="cost"></span>
<button type="button" id="new" title="New conversation">New</button>
<button type="button" id="stop" hidden>Stop</button>
<button type="submit" id="send">Send</button>
</div>
</form>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
