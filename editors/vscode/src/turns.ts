// The turns that run: what the chat view and the status bar are told of them, and the last one, to be sent again.

import * as vscode from 'vscode';
import type { Server } from './server';
import type { Delta, Served, TurnEnd, TurnEvent } from './wire';

export type News =
  | { news: 'begin'; id: string; mode: string; request: string }
  | { news: 'delta'; delta: Delta }
  | { news: 'event'; event: TurnEvent }
  | { news: 'end'; end: TurnEnd; mode: string };

interface Sent {
  mode: Served;
  args: Record<string, unknown>;
  request: string;
}

export class Turns {
  private readonly told = new vscode.EventEmitter<News>();
  readonly onNews = this.told.event;
  /** Running turns and what each is doing. */
  readonly running = new Map<string, string>();
  /** Shell commands that the last answer suggested. */
  suggested: string[] = [];
  private readonly modes = new Map<string, string>();
  private last: Sent | undefined;

  constructor(private readonly server: Server) {
    server.onNotice(({ method, params }) => this.heard(method, params));
    server.onState((state) => {
      if (state !== 'running') this.lost();
    });
  }

  /** Start a turn; its id, or undefined when the server refused or asks in a document of its own. */
  async begin(mode: Served, args: Record<string, unknown>, request: string): Promise<string | undefined> {
    this.last = { mode, args, request };
    const answer = await this.server.run<{ id: string | null }>(mode, args);
    if (!answer?.id) return undefined;
    const { id } = answer;
    if (!this.modes.has(id)) this.running.set(id, 'Starting');
    this.modes.set(id, mode);
    this.told.fire({ news: 'begin', id, mode, request });
    return id;
  }

  /** Send the last request once more. */
  async again(): Promise<string | undefined> {
    if (this.last) return this.begin(this.last.mode, this.last.args, this.last.request);
    void vscode.window.showWarningMessage('Pairwright: there is no request to send again.');
    return undefined;
  }

  async stop(args?: Record<string, unknown>): Promise<unknown> {
    const answer = await this.server.run<{ cancelled: string[] }>('cancel', args);
    if (answer?.cancelled.length === 0) vscode.window.setStatusBarMessage('Pairwright: nothing is running.', 5000);
    return answer;
  }

  /** A turn may be heard of before the answer to its command names it, and one the server begins has no command. */
  private open(id: string): void {
    if (this.modes.has(id)) return;
    this.modes.set(id, '');
    this.running.set(id, 'Starting');
    this.told.fire({ news: 'begin', id, mode: '', request: '' });
  }

  private heard(method: string, params: unknown): void {
    if (method === 'pairwright/chat/delta') {
      const delta = params as Delta;
      this.open(delta.id);
      this.running.set(delta.id, 'Answering');
      this.told.fire({ news: 'delta', delta });
    } else if (method === 'pairwright/turn/event') {
      const event = params as TurnEvent;
      this.open(event.id);
      if (event.kind === 'status') this.running.set(event.id, String(event['text']));
      this.told.fire({ news: 'event', event });
    } else if (method === 'pairwright/turn/end') {
      const end = params as TurnEnd;
      this.open(end.id);
      this.ended(end);
    }
  }

  private ended(end: TurnEnd): void {
    this.running.delete(end.id);
    if (end.outcome === 'done') this.suggested = end.shell ?? [];
    this.told.fire({ news: 'end', end, mode: this.modes.get(end.id) ?? '' });
  }

  /** The server died: nothing more will be said of what ran. */
  private lost(): void {
    for (const id of [...this.running.keys()]) {
      this.ended({ id, text: '', outcome: 'stop', reason: 'lost', message: 'The server has ended.' });
    }
  }
}
