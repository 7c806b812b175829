// The status bar: how the server is, and what runs.

import * as vscode from 'vscode';
import type { Server } from './server';
import type { TaskList } from './tasklist';
import { doing } from './taskrows';
import type { Turns } from './turns';
import type { Health } from './wire';

export class Status {
  private readonly item = vscode.window.createStatusBarItem('pairwright.status', vscode.StatusBarAlignment.Right, 50);
  private health: Health = { health: 'ok', quiescent: true, message: '' };

  constructor(
    private readonly server: Server,
    private readonly turns: Turns,
    private readonly tasks: TaskList,
  ) {
    this.item.name = 'Pairwright';
    this.item.command = 'pairwright.menu';
    server.onNotice(({ method, params }) => {
      if (method === 'pairwright/status') this.health = params as Health;
      this.draw();
    });
    server.onState(() => this.draw());
    turns.onNews(() => this.draw());
    tasks.onChange(() => this.draw());
    this.draw();
    this.item.show();
  }

  /** What stands in the bar, in words. */
  words(): { icon: string; text: string; bad: boolean } {
    const now = [...this.turns.running.values()].at(-1);
    const task = this.tasks.running;
    if (this.server.state === 'stopped') return { icon: 'circle-slash', text: 'stopped', bad: true };
    if (this.server.state === 'starting') return { icon: 'loading~spin', text: 'starting', bad: false };
    if (task) return { icon: 'loading~spin', text: doing(task, now ?? ''), bad: false };
    if (now !== undefined) return { icon: 'loading~spin', text: now, bad: false };
    if (!this.health.quiescent) return { icon: 'sync~spin', text: this.health.message || 'indexing', bad: false };
    if (this.health.health !== 'ok') return { icon: 'warning', text: this.health.message, bad: true };
    return { icon: 'sparkle', text: '', bad: false };
  }

  private draw(): void {
    const { icon, text, bad } = this.words();
    const label = text.length > 40 ? `${text.slice(0, 39)}…` : text;
    this.item.text = `$(${icon}) Pairwright${label ? `: ${label}` : ''}`;
    this.item.tooltip = text || 'Pairwright is ready';
    this.item.accessibilityInformation = { label: `Pairwright: ${text || 'ready'}`, role: 'button' };
    this.item.backgroundColor = bad ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  dispose(): void {
    this.item.dispose();
  }
}
