// Long tasks: a plan of files is made, looked at, and carried out file by file.

import * as vscode from 'vscode';
import { show } from './documents';
import type { Hunks } from './hunks';
import { here } from './selection';
import type { Server } from './server';
import type { Turns } from './turns';
import type { Taken } from './wire';

/** `open`: true in what a row of the tree or a lens hands over, where words are asked for and answers shown. */
type Args = Record<string, unknown>;

const PROSE = new Set(['markdown', 'plaintext', 'restructuredtext']);

/** Plan what the user says, or what the document in front says; of a task that is named, change its plan. */
export async function plan(turns: Turns, args: Args | undefined): Promise<string | undefined> {
  if (args?.['open'] === true) return change(turns, args);
  if (args) return turns.begin('task.plan', args, String(args['text'] ?? 'Plan a task'));
  const editor = vscode.window.activeTextEditor;
  const uri = editor && PROSE.has(editor.document.languageId) ? here(editor).uri : undefined;
  const text = await vscode.window.showInputBox({
    title: 'Pairwright: plan a task',
    placeHolder: 'What is to be made?',
    ...(uri === undefined ? {} : { prompt: 'Left empty: what the document in front says.' }),
  });
  if (text === undefined || (text.trim() === '' && uri === undefined)) return undefined;
  const source = text.trim() === '' ? { uri } : { text };
  return turns.begin('task.plan', source, text.trim() || 'Plan what the document says');
}

async function change(turns: Turns, { task, root }: Args): Promise<string | undefined> {
  const title = 'Pairwright: change the plan';
  const text = await vscode.window.showInputBox({ title, placeHolder: 'What is to be different?' });
  return text?.trim() ? turns.begin('task.plan', { task, root, text }, text) : undefined;
}

/** Carry out the plan in front, else the newest. */
export async function run(turns: Turns, args: Args | undefined): Promise<string | undefined> {
  const { uri } = here(vscode.window.activeTextEditor);
  return turns.begin('task.run', args ?? (uri === undefined ? {} : { uri }), 'Run the task');
}

/** The file in front is written anew, or left out. */
export async function file(what: 'redo' | 'skip', turns: Turns, server: Server, args: Args | undefined): Promise<unknown> {
  const chosen = args ?? here(vscode.window.activeTextEditor);
  if (what === 'redo') return turns.begin('task.redo', chosen, 'Write this file of the task anew');
  return server.run('task.skip', chosen);
}

export async function stop(server: Server, args: Args | undefined): Promise<unknown> {
  const answer = await server.run<{ stopped: string[] }>('task.stop', args);
  if (answer?.stopped.length === 0) vscode.window.setStatusBarMessage('Pairwright: nothing is running.', 5000);
  return answer;
}

export async function undo(server: Server, hunks: Hunks, args: Args | undefined): Promise<unknown> {
  const taken = await server.run<Taken>('task.undo', args);
  if (taken) await hunks.after(taken);
  return taken;
}

export async function state(server: Server, args: Args | undefined): Promise<unknown> {
  const answer = await server.run<{ uri: string }>('task.show', args);
  if (answer && (!args || args['open'] === true)) await show(answer.uri);
  return answer;
}
