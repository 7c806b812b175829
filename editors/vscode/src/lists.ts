// Lists to choose from: conversations, checkpoints.

import * as vscode from 'vscode';
import type { Chat } from './chat';
import type { Server } from './server';
import type { ChatFiles } from './wire';

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

/** A checkpoint that the user chooses. */
export async function checkpoint(server: Server): Promise<string | undefined> {
  const found = await server.run<{ checkpoints: Checkpoint[] }>('checkpoints', { limit: 200 });
  if (!found) return undefined;
  if (found.checkpoints.length === 0) vscode.window.setStatusBarMessage('Pairwright: nothing was changed yet.', 5000);
  const items = found.checkpoints.map((one) => ({
    label: one.text,
    description: one.undone ? 'undone' : '',
    detail: one.paths.slice(0, 5).join(', '),
    value: one.id,
  }));
  return items.length > 0 ? pick('Pairwright: checkpoints', items) : undefined;
}

/** Look at what a change did; bring its state back from there. */
export async function checkpoints(server: Server): Promise<void> {
  const chosen = await checkpoint(server);
  if (chosen === undefined) return;
  await vscode.commands.executeCommand('pairwright.changes', { checkpoint: chosen });
  const undo = 'Undo This Change';
  const back = 'Restore Files to This Checkpoint';
  const choice = await vscode.window.showInformationMessage(`Pairwright: checkpoint ${chosen.slice(0, 7)}`, undo, back);
  if (choice === undo) await vscode.commands.executeCommand('pairwright.undo', { checkpoint: chosen });
  if (choice === back) await vscode.commands.executeCommand('pairwright.restore', { checkpoint: chosen });
}

/** Run one of the shell commands that the last answer suggested; the server asks before it does. */
export async function suggested(server: Server, commands: readonly string[]): Promise<void> {
  if (commands.length === 0) {
    vscode.window.setStatusBarMessage('Pairwright: the last answer suggests no shell command.', 5000);
    return;
  }
  const command = await pick('Pairwright: run', commands.map((one) => ({ label: one, value: one })));
  if (command === undefined) return;
  const ran = await server.run<{ state: string; code: number | null; output?: string }>('run', { command });
  if (ran?.state !== 'ran') return;
  vscode.window.setStatusBarMessage(`Pairwright: ${command}: exit code ${ran.code}`, 8000);
  const document = await vscode.workspace.openTextDocument({ content: ran.output ?? '', language: 'plaintext' });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Take files out of the chat. */
export async function drop(server: Server, chat: Chat): Promise<void> {
  const files = await server.run<ChatFiles>('chat');
  if (!files) return;
  const names = [...files.editable, ...files.read];
  if (names.length === 0) {
    vscode.window.setStatusBarMessage('Pairwright: no file is in the chat.', 5000);
    return;
  }
  const title = 'Pairwright: take files out of the chat';
  const picked = await vscode.window.showQuickPick(names, { title, canPickMany: true });
  if (picked && picked.length > 0) await chat.files({ drop: picked });
}
