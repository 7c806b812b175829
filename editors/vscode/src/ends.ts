// What the user is told at the end of a turn: the same words as in Neovim. Focus stays where it is.

import * as vscode from 'vscode';
import type { Chat } from './chat';
import type { Hunks } from './hunks';
import type { Asked } from './tasklist';
import { lacks } from './taskrows';
import type { Turns } from './turns';
import type { Proposal, Task, TurnEnd } from './wire';

export interface Ended {
  hunks: Hunks;
  chat: Chat;
  turns: Turns;
}

const EDITS = new Set(['edit', 'refine', 'apply', 'instruct']);

export async function ended(end: TurnEnd, mode: string, parts: Ended): Promise<void> {
  if (end.outcome === 'stop') {
    if (end.reason !== 'cancelled') void vscode.window.showWarningMessage(`Pairwright: ${end.message}`);
    return;
  }
  if (end.task && !end.proposal) return stands(end.task);
  if (end.refine) return refine(parts.turns);
  if (end.accepted) await parts.hunks.after(end.accepted);
  else if (end.proposal) await proposed(end.proposal, end.missing ?? [], parts.hunks);
  else if (EDITS.has(mode)) await offer('no edit in the answer.', 'Open Chat', () => parts.chat.open());
  if (end.shell?.length && !parts.chat.visible) {
    const count = end.shell.length === 1 ? 'a shell command' : `${end.shell.length} shell commands`;
    await offer(`the answer suggests ${count}.`, 'Run', () => vscode.commands.executeCommand('pairwright.run'));
  }
}

/** A task that was planned, or whose run is over. */
async function stands(task: Task): Promise<void> {
  const args = { task: task.task };
  const then = (name: string, more = {}) => () =>
    vscode.commands.executeCommand(`pairwright.task.${name}`, { ...args, ...more });
  if (task.status === 'planned') return offer('the task is planned. Look at the plan, then run it.', 'Run', then('run'));
  if (lacks(task)) return offer(`${task.summary}.`, 'State', then('show', { open: true }));
  vscode.window.setStatusBarMessage(`Pairwright: ${task.summary}.`, 8000);
}

/** A run waits for a choice about a file. What was chosen elsewhere meanwhile is not chosen again. */
export async function asked({ proposal, files }: Asked, hunks: Hunks): Promise<void> {
  const named = files.map(({ path }) => path).join(', ');
  const choices = ['Review', 'Accept', 'Reject'] as const;
  const chosen = await vscode.window.showInformationMessage(`Pairwright: ${named} is written; the task waits for your choice.`, ...choices);
  if (chosen === undefined) return;
  await hunks.refresh();
  if (!hunks.proposals.some(({ id }) => id === proposal)) {
    vscode.window.setStatusBarMessage(`Pairwright: ${named} was chosen about already.`, 5000);
    return;
  }
  if (chosen === 'Review') return hunks.review(proposal);
  await hunks.choose(chosen === 'Accept' ? 'accept' : 'reject', { proposal });
}

/** A proposal is drawn where it is, and offered where it is not in sight or lacks something. */
async function proposed(ident: string, missing: string[], hunks: Hunks): Promise<void> {
  await hunks.refresh();
  const proposal = hunks.proposals.find(({ id }) => id === ident);
  if (!proposal) return;
  const review = (): Promise<void> => hunks.review(proposal.id);
  if (missing.length > 0) return offer(`not placed: ${missing.join('; ')}`, 'Review', review);
  const isSeen = vscode.window.visibleTextEditors.some(({ document }) => hunks.at(document.uri).length > 0);
  if (isSeen && proposal.files.length === 1) return;
  await offer(summary(proposal), 'Review', review);
}

export function summary({ files }: Proposal): string {
  const count = files.reduce((sum, file) => sum + file.hunks.length, 0);
  return `${count} ${count === 1 ? 'change' : 'changes'} proposed in ${files.map(({ path }) => path).join(', ')}`;
}

/** The plan of architect mode is not what was wanted: ask what is to be different, and plan again. */
async function refine(turns: Turns): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: 'Pairwright: plan, then edit',
    prompt: 'What is to be different?',
    ignoreFocusOut: true,
  });
  if (text?.trim()) await turns.begin('architect', { text }, text);
}

async function offer(text: string, button: string, then: () => unknown): Promise<void> {
  const chosen = await vscode.window.showInformationMessage(`Pairwright: ${text}`, button);
  if (chosen === button) await then();
}
