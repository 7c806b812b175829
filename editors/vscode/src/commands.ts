// The commands: those of the server under their own names, with a question where words are missing, and a few of ours.

import * as vscode from 'vscode';
import type { Chat } from './chat';
import { show } from './documents';
import type { Hunks } from './hunks';
import { checkpoint, checkpoints, drop, pick, sessions, suggested } from './lists';
import type { Mode } from './messages';
import { choose } from './models';
import type { Plans } from './plans';
import * as references from './references';
import type { Secrets } from './secrets';
import { diagnostics, here, type Where } from './selection';
import type { Server } from './server';
import * as tasks from './tasks';
import { Row, Waiting } from './tree';
import type { Turns } from './turns';
import { type Proposal, type Served, SERVED, type Taken } from './wire';

export interface Parts {
  server: Server;
  turns: Turns;
  hunks: Hunks;
  chat: Chat;
  plans: Plans;
  secrets: Secrets;
  log: vscode.LogOutputChannel;
}

type Args = Record<string, unknown>;
type Flow = (args: Args | undefined) => unknown;

/** Register every command. One called with an argument goes to the server as it is. */
export function register(parts: Parts): vscode.Disposable[] {
  const own = flows(parts);
  const served = Object.fromEntries(SERVED.map((name): [string, Flow] => [name, (args) => parts.server.run(name, args)]));
  return Object.entries({ ...served, ...own }).map(([name, flow]) =>
    vscode.commands.registerCommand(`pairwright.${name}`, (args: unknown) => flow(argsOf(args))),
  );
}

/** An argument object of ours, or what a row of ours is about, and not the URI or the editor that a menu hands over. */
function argsOf(value: unknown): Args | undefined {
  if (value instanceof Row) return value.args;
  const isOurs = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isOurs ? (value as Args) : undefined;
}

function flows(parts: Parts): Record<string, Flow> {
  return { ...requests(parts), ...presets(parts), ...choices(parts), ...pages(parts), ...long(parts), ...upkeep(parts) };
}

function requests({ server, turns, chat, hunks }: Parts): Record<string, Flow> {
  const words = async (title: string, placeHolder: string): Promise<string | undefined> =>
    vscode.window.showInputBox({ title: `Pairwright: ${title}`, placeHolder });
  const turn = (mode: Mode & Served, title: string, hint: string, cursor: boolean): Flow => async (args) => {
    const where: Args & Where = args ?? here(vscode.window.activeTextEditor, cursor);
    const preset = where['preset'];
    if (typeof preset === 'string') return turns.begin(mode, where, preset);
    const text = where['text'] ?? (await words(title, hint));
    if (typeof text !== 'string' || text.trim() === '') return undefined;
    const id = await turns.begin(mode, { ...where, text }, text);
    if (mode !== 'edit' && id !== undefined && !args?.['text']) await chat.open();
    return id;
  };
  return {
    ask: turn('ask', 'Ask', 'What does this do?', false),
    edit: turn('edit', 'Edit', 'What should change here?', true),
    architect: turn('architect', 'Plan, then edit', 'What is to be built?', false),
    context: turn('context', 'Choose files', 'What are you going to do?', false),
    help: turn('help', 'Help', 'A question about Pairwright', false),
    instruct: (args) => turns.begin('instruct', args ?? here(vscode.window.activeTextEditor), 'AI comment'),
    apply: async (args) => {
      const text = args?.['text'] ?? (await vscode.env.clipboard.readText());
      return turns.begin('apply', { ...args, text }, 'Apply a reply');
    },
    refine: async (args) => {
      const instruction = args?.['instruction'] ?? (await words('Refine', 'What should be different about it?'));
      if (typeof instruction !== 'string' || instruction.trim() === '') return undefined;
      const chosen = args ?? { proposal: hunks.proposals.at(-1)?.id };
      return turns.begin('refine', { ...chosen, instruction }, instruction);
    },
    cancel: (args) => turns.stop(args),
    resend: () => turns.again(),
    run: (args) => (args ? server.run('run', args) : suggested(server, turns.suggested)),
    openChat: () => chat.open(),
    addFile: () => chosen(chat, 'add'),
    addFileRead: () => chosen(chat, 'read'),
    dropFile: () => drop(server, chat),
    newChat: async () => {
      if (await server.run('sessions', { action: 'new' })) chat.reset([]);
    },
  };
}

/** Requests that need no words. */
function presets({ turns }: Parts): Record<string, Flow> {
  const preset = (mode: 'ask' | 'edit', name: string, told: string): Flow => () =>
    turns.begin(mode, { preset: name, ...here(vscode.window.activeTextEditor, mode === 'edit') }, told);
  return {
    explain: preset('ask', 'explain', 'Explain'),
    document: preset('edit', 'document', 'Document'),
    tests: preset('edit', 'tests', 'Write tests'),
    fix: () => {
      const editor = vscode.window.activeTextEditor;
      const found = diagnostics(editor);
      if (found.length > 0) return turns.begin('edit', { preset: 'fix', diagnostics: found, ...here(editor, true) }, 'Fix');
      return vscode.window.setStatusBarMessage('Pairwright: there is no diagnostic here.', 5000);
    },
  };
}

/** Put files into the chat: those that are picked, the file in the editor first. */
async function chosen(chat: Chat, how: 'add' | 'read'): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const found = await vscode.workspace.findFiles('**/*', undefined, 5000);
  const name = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri, false);
  const first = active && ['file'].includes(active.scheme) ? [name(active)] : [];
  const names = [...new Set([...first, ...found.map(name).sort()])];
  const title = how === 'add' ? 'Pairwright: files to be edited' : 'Pairwright: files for reference';
  const picked = await vscode.window.showQuickPick(names, { title, canPickMany: true });
  if (picked && picked.length > 0) await chat.files({ [how]: picked });
}

function choices({ server, hunks }: Parts): Record<string, Flow> {
  const back = (name: 'undo' | 'redo' | 'restore'): Flow => async (args) => {
    const taken = await server.run<Taken>(name, args);
    if (taken) await hunks.after(taken);
    if (taken?.restore && taken.state !== 'done') {
      const yes = 'Restore Whole Files';
      const choice = await vscode.window.showWarningMessage(`Pairwright: ${taken.message}`, yes);
      const whole = choice === yes ? await server.run<Taken>('restore', taken.restore) : undefined;
      if (whole) await hunks.after(whole);
    }
    await hunks.refresh();
    return taken;
  };
  return {
    accept: (args) => hunks.choose('accept', args ?? {}),
    reject: (args) => hunks.choose('reject', args ?? {}),
    acceptHunk: () => hunks.chooseHere('accept'),
    rejectHunk: () => hunks.chooseHere('reject'),
    nextHunk: () => hunks.go(false),
    previousHunk: () => hunks.go(true),
    review: (args) => hunks.review(args?.['proposal'] as string | undefined, args?.['path'] as string | undefined),
    hunks: () =>
      hunks.proposals.length > 0
        ? vscode.commands.executeCommand(`${Waiting.view}.focus`)
        : vscode.window.setStatusBarMessage('Pairwright: no hunk waits for a choice.', 5000),
    undo: back('undo'),
    redo: back('redo'),
    restore: async (args) => {
      const chosen = args ?? { checkpoint: await checkpoint(server) };
      return chosen['checkpoint'] === undefined ? undefined : back('restore')(chosen);
    },
  };
}

function pages({ server, chat }: Parts): Record<string, Flow> {
  const text = async (content: string, language: string): Promise<void> => {
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document, { preview: true });
  };
  const told = (name: Served, language: string): Flow => async (args) => {
    const active = vscode.window.activeTextEditor;
    const answer = await server.run<{ text: string }>(name, args ?? here(active));
    if (answer && !args) await text(answer.text, language);
    return answer;
  };
  const served = (name: Served, uri: string): Flow => async (args) => {
    if (args) return server.run(name, args);
    return show(uri);
  };
  return {
    map: served('map', 'pairwright:/map'),
    sent: async (args) => {
      const answer = await server.run<{ uri: string }>('sent', args);
      if (answer && !args) await show(answer.uri);
      return answer;
    },
    'records.show': async (args) => {
      const { uri } = here(vscode.window.activeTextEditor);
      const answer = await server.run<{ uri: string }>('records.show', args ?? (uri === undefined ? {} : { files: [uri] }));
      if (answer && !args) await show(answer.uri);
      return answer;
    },
    show: async (args) => {
      const answer = await server.run<{ proposal: Proposal }>('show', args);
      if (answer) await show(`pairwright:/proposal/${answer.proposal.id}.diff`);
      return answer;
    },
    blast: told('blast', 'markdown'),
    'reference.add': (args) => references.add(server, args),
    'reference.list': (args) => references.list(server, args),
    'reference.remove': (args) => references.remove(server, args),
    'reference.search': (args) => references.search(server, args),
    doctor: told('doctor', 'plaintext'),
    tokens: async (args) => {
      const answer = await server.run<{ text: string }>('tokens', args ?? { mode: 'ask', ...here(vscode.window.activeTextEditor) });
      if (answer && !args) await text(answer.text, 'plaintext');
      return answer;
    },
    checkpoints: (args) => (args ? server.run('checkpoints', args) : checkpoints(server)),
    sessions: (args) => (args ? server.run('sessions', args) : sessions(server, chat)),
    changes: async (args) => {
      const answer = await server.run<{ uri: string }>('changes', args);
      if (answer) await show(answer.uri);
      return answer;
    },
    status: async (args) => {
      const answer = await server.run<object>('status', args);
      if (answer && !args) await text(JSON.stringify(answer, null, 2), 'json');
      return answer;
    },
  };
}

function long({ server, turns, hunks, plans }: Parts): Record<string, Flow> {
  return {
    'task.plan': (args) => tasks.plan(turns, args),
    'task.run': (args) => tasks.run(turns, args),
    'task.resume': (args) => turns.begin('task.resume', args ?? {}, 'Go on with the task'),
    'task.redo': (args) => tasks.file('redo', turns, server, args),
    'task.skip': (args) => tasks.file('skip', turns, server, args),
    'task.stop': (args) => tasks.stop(server, args),
    'task.undo': (args) => tasks.undo(server, hunks, args),
    'task.open': (args) => plans.open(args),
    'task.show': (args) => tasks.state(server, args),
  };
}

function upkeep({ server, secrets, log, turns }: Parts): Record<string, Flow> {
  return {
    restart: () => server.restart(),
    log: () => log.show(),
    setKey: () => secrets.set(),
    forgetKey: () => secrets.forget(),
    model: () => choose(),
    menu: async () => {
      const stop = turns.running.size > 0 ? [['Stop', 'cancel']] : [];
      const rest = [
        ['Open chat', 'openChat'],
        ['Review proposal', 'review'],
        ['Undo last accept', 'undo'],
        ['Plan a task', 'task.plan'],
        ['Repo map', 'map'],
        ['What was sent', 'sent'],
        ['Choose a model', 'model'],
        ['Settings', 'settings'],
        ['Log', 'log'],
        ['Restart server', 'restart'],
      ];
      const chosen = await pick('Pairwright', [...stop, ...rest].map(([label = '', value = '']) => ({ label, value })));
      if (chosen !== undefined) await vscode.commands.executeCommand(`pairwright.${chosen}`);
    },
    settings: () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:pairwright.pairwright'),
  };
}
