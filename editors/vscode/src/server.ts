// The connection to the server: starts, restarts and stops it; says what this client can do; asks and answers.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import {
  LanguageClient,
  type ClientCapabilities,
  type LanguageClientOptions,
  type ServerOptions,
  State,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { Endings } from './endings';
import { choose, ownServer } from './locate';
import type { Wanted } from './lending';
import { describe, lends, stream } from './models';
import { Secrets } from './secrets';
import { PROTOCOL, type Served } from './wire';

const REFUSED = -32803;

export interface Refusal {
  name: Served;
  args: Record<string, unknown>;
  message: string;
}

export class Server {
  private client: LanguageClient | undefined;
  private tail: Promise<void> = Promise.resolve();
  private coming: Promise<void> | undefined;
  private readonly states = new vscode.EventEmitter<'starting' | 'running' | 'stopped'>();
  private readonly heard = new vscode.EventEmitter<{ method: string; params: unknown }>();
  /** Everything the server says beside LSP. */
  readonly onNotice = this.heard.event;
  readonly onState = this.states.event;
  private readonly refused = new vscode.EventEmitter<Refusal>();
  /** A command was refused, with a reason that has been shown. */
  readonly onRefusal = this.refused.event;
  state: 'starting' | 'running' | 'stopped' = 'stopped';
  /** Why it does not run, for the user. */
  problem = '';

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly secrets: Secrets,
  ) {}

  start(): Promise<void> {
    return this.inTurn(() => this.begin());
  }

  /** What is asked until the last of several restarts is through waits for it. */
  restart(): Promise<void> {
    this.set('starting');
    this.coming ??= this.inTurn(async () => {
      this.coming = undefined;
      this.set('starting');
      await this.end();
      await this.begin();
    });
    return this.coming;
  }

  stop(): Promise<void> {
    return this.inTurn(async () => {
      await this.end();
      this.set('stopped');
    });
  }

  /** A start that takes long and a restart do not meet: one after the other. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.tail = this.tail.then(work, work);
    return this.tail;
  }

  private async begin(): Promise<void> {
    if (this.client) return;
    this.set('starting');
    this.problem = '';
    try {
      const argv = await this.argv();
      this.log.info(`starting ${argv.join(' ')}`);
      this.client = this.made(argv);
      await this.client.start();
    } catch (error) {
      this.failed(error);
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose(3000).catch((error: unknown) => this.log.warn(String(error)));
  }

  /** Carry out a command of the server; what it refuses is shown, and the answer is undefined. */
  async run<T>(name: Served, args: Record<string, unknown> = {}): Promise<T | undefined> {
    try {
      return await this.ask<T>(name, args);
    } catch (error) {
      const { code, message } = error as { code?: number; message: string };
      this.log.warn(`pairwright.${name}: ${message}`);
      const show = code === REFUSED ? vscode.window.showWarningMessage : vscode.window.showErrorMessage;
      void show(`Pairwright: ${message}`);
      if (code === REFUSED) this.refused.fire({ name, args, message });
      return undefined;
    }
  }

  /** The same, for work nobody waits for: rejects when it fails. */
  async ask<T>(name: Served, args: Record<string, unknown> = {}): Promise<T> {
    const params = { command: `pairwright.${name}`, arguments: [{ version: PROTOCOL, ...args }] };
    return this.request<T>('workspace/executeCommand', params);
  }

  async request<T>(method: string, params: unknown): Promise<T> {
    await this.settled();
    if (!this.client || this.state !== 'running') {
      throw new Error(this.problem || 'the server does not run. Command "Pairwright: Restart Server" starts it.');
    }
    return this.client.sendRequest<T>(method, params);
  }

  /** A request that comes while the server starts waits for it. */
  private settled(): Promise<void> {
    if (this.state !== 'starting') return Promise.resolve();
    return new Promise((done) => {
      const heard = this.states.event((state) => {
        if (state === 'starting') return;
        heard.dispose();
        done();
      });
    });
  }

  private async argv(): Promise<string[]> {
    const settings = vscode.workspace.getConfiguration('pairwright.server');
    const choice = choose({
      command: settings.get<string[]>('command', []),
      python: settings.get<string>('python', ''),
      trusted: vscode.workspace.isTrusted,
    });
    if ('argv' in choice) return choice.argv;
    const folder = vscode.Uri.joinPath(this.context.globalStorageUri, 'server').fsPath;
    return vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Pairwright: installing its server', cancellable: true },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        const tell = (line: string): void => {
          this.log.info(line);
          progress.report({ message: line.split('\n').at(-1)?.slice(0, 80) ?? '' });
        };
        return ownServer(folder, await this.wishes(), tell, stop.signal);
      },
    );
  }

  /** What may be installed: the wheel that came with the extension, else the release of the same number; with what
   * the model on this machine needs, which not every platform has, else without. */
  private async wishes(): Promise<string[]> {
    const folder = vscode.Uri.joinPath(this.context.extensionUri, 'server');
    const entries = await vscode.workspace.fs.readDirectory(folder).then(
      (found) => found.map(([name]) => name),
      () => [],
    );
    const wheel = entries.find((name) => name.endsWith('.whl'));
    const { version } = this.context.extension.packageJSON as { version: string };
    const from = wheel === undefined ? `==${version}` : ` @ ${pathToFileURL(join(folder.fsPath, wheel)).href}`;
    return [`pairwright[local]${from}`, `pairwright${from}`];
  }

  private made(argv: string[]): LanguageClient {
    const [command, ...args] = argv as [string, ...string[]];
    const server: ServerOptions = { command, args };
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
      outputChannel: this.log,
      errorHandler: new Endings(),
      initializationOptions: { trusted: vscode.workspace.isTrusted, ...own() },
      synchronize: { configurationSection: 'pairwright' },
      middleware: { workspace: { configuration: answers } },
    };
    const client = new LanguageClient('pairwright', 'Pairwright', server, options);
    client.registerFeature(new Spoken());
    client.onRequest('pairwright/secret', (asked: { provider: string; refused: boolean }) => this.secrets.answer(asked));
    client.onRequest('pairwright/model/describe', describe);
    client.onRequest('pairwright/model/stream', (wanted: Wanted, token: vscode.CancellationToken) =>
      stream(wanted, token, (text) => client.sendNotification('pairwright/model/delta', { id: wanted.id, text })),
    );
    for (const method of NOTICES) {
      client.onNotification(method, (params: unknown) => this.heard.fire({ method, params }));
    }
    client.onDidChangeState(({ newState }) => {
      if (client === this.client) this.set(this.coming ? 'starting' : NAMES[newState]);
    });
    return client;
  }

  private failed(error: unknown): void {
    this.client = undefined;
    this.problem = error instanceof Error ? error.message : String(error);
    this.log.error(this.problem);
    this.set('stopped');
    void this.offer();
  }

  private async offer(): Promise<void> {
    const again = 'Try Again';
    const choice = await vscode.window.showErrorMessage(`Pairwright: ${this.problem}`, again, 'Settings', 'Log');
    if (choice === again) await this.start();
    if (choice === 'Settings') await vscode.commands.executeCommand('workbench.action.openSettings', 'pairwright.server');
    if (choice === 'Log') this.log.show();
  }

  private set(state: Server['state']): void {
    this.state = state;
    this.states.fire(state);
  }
}

const NOTICES = [
  'pairwright/chat/delta',
  'pairwright/commit',
  'pairwright/document/changed',
  'pairwright/proposals/changed',
  'pairwright/status',
  'pairwright/task/changed',
  'pairwright/turn/end',
  'pairwright/turn/event',
];

const NAMES = { [State.Starting]: 'starting', [State.Running]: 'running', [State.Stopped]: 'stopped' } as const;

/** How models are reached, as the user's own settings say it: what a folder says of it counts only where it is trusted. */
function own(): { model: Record<string, string> } {
  const settings = vscode.workspace.getConfiguration('pairwright.model');
  const said = (name: string): [string, string] => [name, settings.inspect<string>(name)?.globalValue ?? ''];
  return { model: Object.fromEntries([said('proxy'), said('ca_file')]) };
}

type Pull = Parameters<NonNullable<NonNullable<NonNullable<LanguageClientOptions['middleware']>['workspace']>['configuration']>>;

/** Settings without those of this client alone, which the server would call unknown. */
async function answers(...[params, token, next]: Pull): Promise<unknown[]> {
  const found = await next(params, token);
  if (!Array.isArray(found)) return [];
  return found.map((value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { server: _server, chat: _chat, ...rest } = value as Record<string, unknown>;
    return rest;
  });
}

/** What this client speaks beside LSP; the command ids stay with the extension. */
class Spoken implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const pairwright = { protocol: PROTOCOL, commands: false, secrets: true, models: lends() };
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), pairwright };
  }

  initialize(): void {}

  getState(): { kind: 'static' } {
    return { kind: 'static' };
  }

  clear(): void {}
}
