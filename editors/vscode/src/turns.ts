// The turns that run: what the chat view and the status bar are told of them.

import * as vscode from 'vscode';
import type { Server } from './server';
import type { Delta, Served, TurnEnd, TurnEvent } from './wire';

export type News =
  | { news: 'begin'; id: string; mode: string; request: string }
  | { news: 'delta'; delta: Delta }
  | { news: 'event'; event: TurnEvent }
  | { news: 'end'; end: TurnEnd };

export class Turns {
  private readonly told = new vscode.EventEmitter<News>();
  readonly onNews = this.told.event;
  /** Running turns and what each is doing. */
  readonly running = new Map<string, string>();
  private readonly known = new Set<string>();

  constructor(private readonly server: Server) {
    server.onNotice(({ method, params }) => this.heard(method, params));
    server.onState((state) => {
      if (state === 'stopped') this.lost();
    });
  }

  /** Start a turn; its id, or undefined when the server refused or asks in a document of its own. */
  async begin(mode: Served, args: Record<string, unknown>, request: string): Promise<string | undefined> {
    const answer = await this.server.run<{ id: string | null }>(mode, args);
    if (!answer?.id) return undefined;
    const { id } = answer;
    if (!this.known.has(id)) this.running.set(id, 'Starting');
    this.known.add(id);
    this.told.fire({ news: 'begin', id, mode, request });
    return id;
  }

  stop(): Promise<unknown> {
    return this.server.run('cancel');
  }

  /** A turn may be heard of before the answer to its command names it, and one the server begins has no command. */
  private open(id: string): void {
    if (this.known.has(id)) return;
    this.known.add(id);
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
      this.running.delete(end.id);
      this.told.fire({ news: 'end', end });
    }
  }

  /** The server died: nothing more will be said of what ran. */
  private lost(): void {
    for (const id of [...this.running.keys()]) {
      const end: TurnEnd = { id, text: '', outcome: 'stop', reason: 'failed', message: 'The server has stopped.' };
      this.running.delete(id);
      this.told.fire({ news: 'end', end });
    }
  }
}
