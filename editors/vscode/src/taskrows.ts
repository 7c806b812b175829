// How long tasks and their files are told in a row of the tree and in the status bar. Pure: knows no editor.

import type { Task, TaskFile } from './wire';

/** A row. `color`: a color of the theme for its icon, empty for none. `context`: what menus go by. */
export interface Told {
  label: string;
  description: string;
  icon: string;
  color: string;
  context: string;
  tooltip: string;
}

const STATUS: Record<Task['status'], [icon: string, words: string]> = {
  planned: ['checklist', 'planned'],
  running: ['sync~spin', 'running'],
  waiting: ['git-pull-request', 'waits for your choice'],
  stopped: ['debug-pause', 'stopped'],
  done: ['check-all', 'done'],
  undone: ['discard', 'undone'],
};

const PHASE: Record<TaskFile['phase'], [icon: string, color: string, words: string]> = {
  pending: ['circle-outline', '', 'to be written'],
  verified: ['pass', 'testing.iconPassed', 'written'],
  proposed: ['git-pull-request', 'charts.blue', 'waits for your choice'],
  applied: ['pass-filled', 'testing.iconPassed', 'applied'],
  failed: ['error', 'testing.iconFailed', 'failed'],
  skipped: ['circle-slash', '', 'left out'],
  stale: ['warning', 'list.warningForeground', 'changed since by somebody else'],
};

const WRITTEN = new Set(['verified', 'proposed', 'applied']);
const LOST = new Set(['failed', 'skipped', 'stale']);

/** As `3/7 files`. */
export function progress({ files }: Task): string {
  const done = files.filter(({ phase }) => WRITTEN.has(phase)).length;
  return `${done}/${files.length} ${files.length === 1 ? 'file' : 'files'}`;
}

/** Whether some file is not written and will not be. */
export function lacks({ files }: Task): boolean {
  return files.some(({ phase }) => LOST.has(phase));
}

/** What the task is called. */
export function titled(task: Task): string {
  return task.title || task.request.trim().split('\n')[0] || 'A task';
}

/** What is being done, for the status bar. */
export function doing(task: Task, now: string): string {
  const isAsked = task.review === 'file' && task.files.some(({ phase }) => phase === 'proposed');
  return [progress(task), isAsked ? 'waits for your choice' : now].filter((one) => one !== '').join(', ');
}

export function ofTask(task: Task): Told {
  const [icon, words] = STATUS[task.status];
  return {
    label: titled(task),
    description: `${progress(task)}, ${words}`,
    icon,
    color: '',
    context: `task.${task.status}`,
    tooltip: [task.request.trim(), task.summary, task.reason].filter((one) => one !== '').join('\n\n'),
  };
}

/** A file of a task; menus see whether the task runs, when a file can be neither left out nor written anew. */
export function ofFile(task: Task, file: TaskFile): Told {
  const [icon, color, words] = PHASE[file.phase];
  const tries = file.tries === 0 || file.phase !== 'pending' ? '' : `tried ${file.tries === 1 ? 'once' : `${file.tries} times`}`;
  const notes = [file.action === 'modify' ? '' : file.action, words, tries, file.reason];
  return {
    label: file.path,
    description: notes.filter((one) => one !== '').join(', '),
    icon,
    color,
    context: `file.${file.phase}.${task.status === 'running' ? 'busy' : 'idle'}`,
    tooltip: file.reason,
  };
}
