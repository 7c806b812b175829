// The list of references: other repositories that are searched for how something is done.

import * as vscode from 'vscode';
import { pick } from './lists';
import type { Server } from './server';

type Args = Record<string, unknown>;

interface Reference {
  name: string;
  kind: string;
  source: string;
  path: string;
  revision: string;
  licence: string;
}

/** A definition of a reference. `first`, `last`: lines from 1. */
interface Found {
  reference: string;
  path: string;
  first: number;
  last: number;
  name: string;
  signature: string;
  why: string;
  revision: string;
  licence: string;
}

async function words(title: string, placeHolder: string, prompt = ''): Promise<string | undefined> {
  const said = await vscode.window.showInputBox({ title: `Pairwright: ${title}`, placeHolder, prompt });
  return said?.trim();
}

export async function add(server: Server, args: Args | undefined): Promise<unknown> {
  const wanted = args?.['source'] === undefined ? await asked() : args;
  if (!wanted) return undefined;
  const title = `Pairwright: adding ${String(wanted['source'])}`;
  const found = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    server.run<Reference>('reference.add', wanted),
  );
  if (found) {
    const { name, revision, licence } = found;
    vscode.window.setStatusBarMessage(`Pairwright: ${name} is a reference (${short(revision)}, licence ${licence}).`, 8000);
  }
  return found;
}

/** What is to be added, by a question or two. */
async function asked(): Promise<Args | undefined> {
  const kind = await pick('Pairwright: add a reference', [
    { label: '$(folder) A folder', description: 'of this machine', value: 'folder' },
    { label: '$(package) An installed package', description: 'of a Python environment', value: 'package' },
    { label: '$(repo) A git repository', description: 'one commit is fetched', value: 'git' },
  ]);
  if (kind === 'folder') return folder();
  if (kind === 'package') return installedPackage();
  return kind === 'git' ? repository() : undefined;
}

async function folder(): Promise<Args | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Pairwright: add a folder to the references',
    openLabel: 'Add',
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0] && { source: chosen[0].fsPath };
}

async function installedPackage(): Promise<Args | undefined> {
  const source = await words('add an installed package', 'networkx');
  if (!source) return undefined;
  const sites = await environments();
  if (sites.length === 0) return { source };
  const own = { label: 'The environment of Pairwright', value: '' };
  const items = sites.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), value: uri.fsPath }));
  const site = await pick(`Pairwright: where ${source} is installed`, [...items, own]);
  return site === undefined ? undefined : { source, ...(site ? { site } : {}) };
}

/** Folders of installed packages of environments that lie in the workspace under their usual names. */
async function environments(): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const environment of ['.venv', 'venv', 'env']) {
      const base = vscode.Uri.joinPath(uri, environment);
      for (const name of await names(vscode.Uri.joinPath(base, 'lib'))) {
        if (name.startsWith('python')) found.push(vscode.Uri.joinPath(base, 'lib', name, 'site-packages'));
      }
      if ((await names(vscode.Uri.joinPath(base, 'Lib'))).includes('site-packages')) {
        found.push(vscode.Uri.joinPath(base, 'Lib', 'site-packages'));
      }
    }
  }
  return found;
}

async function names(uri: vscode.Uri): Promise<string[]> {
  return vscode.workspace.fs.readDirectory(uri).then(
    (entries) => entries.map(([name]) => name),
    () => [],
  );
}

async function repository(): Promise<Args | undefined> {
  const source = await words('add a git repository', 'https://example.org/owner/name.git');
  if (!source) return undefined;
  const hint = 'A commit, tag or branch. Left empty: the commit that HEAD is now. What it is then stays.';
  const revision = await words('which revision', 'v2.1', hint);
  return revision === undefined ? undefined : { source, ...(revision ? { revision } : {}) };
}

/** All of them; the chosen one is searched. */
export async function list(server: Server, args: Args | undefined): Promise<unknown> {
  if (args) return server.run('reference.list', args);
  const name = await listed(server, 'Pairwright: references; choose one to search it');
  return name === undefined ? undefined : search(server, undefined, [name]);
}

export async function remove(server: Server, args: Args | undefined): Promise<unknown> {
  const reference = args?.['reference'] ?? (await listed(server, 'Pairwright: take out of the references'));
  return reference === undefined ? undefined : server.run('reference.remove', { reference });
}

/** Search them, all where none is named; what is chosen of what is found is opened at its lines. */
export async function search(server: Server, args: Args | undefined, names: string[] = []): Promise<unknown> {
  const text = args?.['text'] ?? (await words('search the references', 'retry with a growing delay'));
  if (!text) return undefined;
  const found = await server.run<{ found: Found[]; text: string }>('reference.search', { names, ...args, text });
  if (found && (!args || args['open'] === true)) await choose(server, found.found, found.text, String(text));
  return found;
}

async function choose(server: Server, found: Found[], page: string, text: string): Promise<void> {
  if (found.length === 0) {
    vscode.window.setStatusBarMessage('Pairwright: no reference has anything like it.', 5000);
    return;
  }
  const items = found.map((one) => ({
    label: one.name,
    description: `${one.reference}/${one.path}:${one.first}-${one.last}`,
    detail: [one.signature, `${short(one.revision)}, licence ${one.licence}`, one.why].filter((part) => part).join(' · '),
    value: one as Found | undefined,
  }));
  const all = { label: '$(markdown) All of it', description: 'in one document', value: undefined };
  const chosen = await vscode.window.showQuickPick([...items, all], {
    title: `Pairwright: found for ${text}`,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.value) await open(server, chosen.value);
  else if (chosen) {
    const document = await vscode.workspace.openTextDocument({ content: page, language: 'markdown' });
    await vscode.window.showTextDocument(document, { preview: true });
  }
}

async function open(server: Server, { reference, path, first, last }: Found): Promise<void> {
  const known = await server.run<{ references: Reference[] }>('reference.list');
  const root = known?.references.find(({ name }) => name === reference);
  if (!root) return;
  const uri = vscode.Uri.joinPath(vscode.Uri.file(root.path), path);
  const selection = new vscode.Range(first - 1, 0, last, 0);
  await vscode.window.showTextDocument(uri, { preview: true, selection });
}

async function listed(server: Server, title: string): Promise<string | undefined> {
  const found = await server.run<{ references: Reference[] }>('reference.list');
  if (!found) return undefined;
  if (found.references.length === 0) {
    vscode.window.setStatusBarMessage('Pairwright: there are no references.', 5000);
    return undefined;
  }
  const items = found.references.map(({ name, kind, source, revision, licence }) => ({
    label: name,
    description: `${kind} ${source}`,
    detail: `${short(revision)}, licence ${licence}`,
    value: name,
  }));
  return pick(title, items);
}

/** A commit by its first letters, any other revision as it is. */
function short(revision: string): string {
  return /^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, 12) : revision;
}
