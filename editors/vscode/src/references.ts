// The list of references: other repositories that are searched for how something is done.

import * as vscode from 'vscode';
import { pick } from './lists';
import type { Server } from './server';

type Args = Record<string, unknown>;

interface Reference {
  name: string;
  kind: string;
  source: string;
  revision: string | null;
}

async function words(title: string, placeHolder: string): Promise<string | undefined> {
  const said = await vscode.window.showInputBox({ title: `Pairwright: ${title}`, placeHolder });
  return said?.trim() || undefined;
}

export async function add(server: Server, args: Args | undefined): Promise<unknown> {
  const source = args?.['source'] ?? (await words('add a reference', 'a folder, an installed package or a git URL'));
  if (source === undefined) return undefined;
  const title = `Pairwright: adding ${String(source)}`;
  const found = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    server.run<Reference>('reference.add', { ...args, source }),
  );
  if (found) vscode.window.setStatusBarMessage(`Pairwright: ${found.name} is a reference.`, 8000);
  return found;
}

export async function remove(server: Server, args: Args | undefined): Promise<unknown> {
  const reference = args?.['reference'] ?? (await listed(server, 'Pairwright: take out of the references'));
  return reference === undefined ? undefined : server.run('reference.remove', { reference });
}

/** Search them; what is found is shown as Markdown. */
export async function search(server: Server, args: Args | undefined): Promise<unknown> {
  const text = args?.['text'] ?? (await words('search the references', 'retry with a growing delay'));
  if (text === undefined) return undefined;
  const found = await server.run<{ text: string }>('reference.search', { ...args, text });
  if (found && !args) {
    const document = await vscode.workspace.openTextDocument({ content: found.text, language: 'markdown' });
    await vscode.window.showTextDocument(document, { preview: true });
  }
  return found;
}

async function listed(server: Server, title: string): Promise<string | undefined> {
  const found = await server.run<{ references: Reference[] }>('reference.list');
  if (!found) return undefined;
  if (found.references.length === 0) {
    vscode.window.setStatusBarMessage('Pairwright: there are no references.', 5000);
    return undefined;
  }
  const items = found.references.map(({ name, kind, source, revision }) => ({
    label: name,
    description: `${kind} ${source}`,
    detail: revision?.slice(0, 12) ?? '',
    value: name,
  }));
  return pick(title, items);
}
