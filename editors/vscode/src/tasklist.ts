// The long tasks of all folders as the server tells them, the newest first.

import * as vscode from 'vscode';
import type { Hunks } from './hunks';
import type { Server } from './server';
import type { Task, TaskFile } from './wire';

/** A task and the folder it is of. */
export interface Known {
  task: Task;
  root: string;
}

/** Files of a running task that wait for a choice, in one proposal. */
export interface Asked {
  task: Task;
  proposal: string;
  files: TaskFile[];
}

export class TaskList {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onChange = this.changed.event;
  private readonly asked = new vscode.EventEmitter<Asked>();
  /** A run waits for a choice; told once for each proposal. */
  readonly onAsked = this.asked.event;
  all: readonly Known[] = [];
  private readonly told = new Set<string>();
  /** Heard since a list was asked for, which may be older. */
  private readonly fresh = new Map<string, Task>();

  constructor(
    private readonly server: Server,
    private readonly hunks: Hunks,
  ) {
    server.onState((state) => {
      if (state === 'running') void this.refresh();
    });
    server.onNotice(({ method, params }) => {
      if (method === 'pairwright/task/changed') this.heard(params as Task & { save?: string[] });
    });
    hunks.onRefresh(() => void this.chosen());
  }

  get(ident: string): Known | undefined {
    return this.all.find(({ task }) => task.task === ident);
  }

  /** The task that runs, the newest of several. */
  get running(): Task | undefined {
    return this.all.find(({ task }) => task.status === 'running')?.task;
  }

  /** Ask for all of them anew. */
  async refresh(): Promise<void> {
    const found: Known[] = [];
    this.fresh.clear();
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const root = uri.toString();
      const answer = await this.server.ask<{ tasks: Task[] }>('task.list', { root }).catch(() => undefined);
      for (const task of answer?.tasks ?? []) found.push({ task: this.fresh.get(task.task) ?? task, root });
    }
    this.all = found.sort((a, b) => (a.task.task < b.task.task ? 1 : -1));
    this.changed.fire();
    // A run whose server was killed is only known to have ended once somebody looks.
    await this.look(({ task }) => task.status === 'running');
  }

  private heard({ save, ...task }: Task & { save?: string[] }): void {
    void this.hunks.save(save);
    this.fresh.set(task.task, task);
    const known = this.get(task.task);
    if (!known) {
      void this.refresh();
      return;
    }
    this.put({ ...known, task });
    if (task.status !== 'running' || task.review !== 'file') return;
    const waiting = task.files.filter(({ phase }) => phase === 'proposed');
    for (const { proposal } of waiting) {
      if (this.told.has(proposal)) continue;
      this.told.add(proposal);
      this.asked.fire({ task, proposal, files: waiting.filter((file) => file.proposal === proposal) });
    }
  }

  private put(known: Known): void {
    this.all = this.all.map((one) => (one.task.task === known.task.task ? known : one));
    this.changed.fire();
  }

  /** What waited and is no more among the proposals was chosen: the server is asked what the task is now. */
  private chosen(): Promise<void> {
    const open = new Set(this.hunks.proposals.map(({ id }) => id));
    return this.look(
      ({ task: { status, files } }) =>
        status === 'waiting' && files.some(({ phase, proposal }) => phase === 'proposed' && !open.has(proposal)),
    );
  }

  private async look(which: (known: Known) => boolean): Promise<void> {
    for (const { task, root } of this.all.filter(which)) {
      const args = { task: task.task, root };
      const answer = await this.server.ask<{ task: Task }>('task.show', args).catch(() => undefined);
      if (answer) this.put({ task: answer.task, root });
    }
  }
}
