// Lists to choose from: conversations, checkpoints.

import * as vscode from 'vscode';
import type { Chat } from './chat';
import type { Server } from './server';

interface Choice<T> extends vscode.QuickPickItem {
  value: T;
}

export async function pick<T>(title: string, items: Choice<T>[]): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.value;
}

interface Talk {
  session: string;
  title: string;
  updated: number;
  turns: number;
}

/** Go on with another conversation. */
export async function sessions(server: Server, chat: Chat): Promise<void> {
  const found = await server.run<{ current: string; sessions: Talk[] }>('sessions', { action: 'list' });
  if (!found) return;
  const items = found.sessions.map(({ session, title, turns }) => ({
    label: title || 'Untitled',
    description: `${turns} turns${session === found.current ? ', in progress' : ''}`,
    value: session,
  }));
  const session = await pick('Pairwright: go on with a conversation', items);
  if (session === undefined) return;
  const answer = await server.run<{ turns: { mode: string; request: string; answer: string }[] }>('sessions', {
    action: 'resume',
    session,
  });
  if (!answer) return;
  chat.reset(answer.turns);
  await chat.open();
}

interface Checkpoint {
  id: string;
  note: string;
  text: string;
  paths: string[];
  undone: boolean;
}

/** Look at what a change did; bring its state back from there. */
export async function checkpoints(server: Server): Promise<void> {
  const found = await server.run<{ checkpoints: Checkpoint[] }>('checkpoints', { limit: 200 });
  if (!found) return;
  const items = found.checkpoints.map((one) => ({
    label: one.text,
    description: one.undone ? 'undone' : '',
    detail: one.paths.slice(0, 5).join(', '),
    value: one.id,
  }));
  const checkpoint = await pick('Pairwright: checkpoints', items);
  if (checkpoint === undefined) return;
  await vscode.commands.executeCommand('pairwright.changes', { checkpoint });
  const undo = 'Undo This Change';
  const back = 'Restore Files to This Checkpoint';
  const choice = await vscode.window.showInformationMessage(`Pairwright: checkpoint ${checkpoint.slice(0, 7)}`, undo, back);
  if (choice === undo) await vscode.commands.executeCommand('pairwright.undo', { checkpoint });
  if (choice === back) await vscode.commands.executeCommand('pairwright.restore', { checkpoint });
}
