// The models of the editor (`vscode.lm`), for the server to ask and for the user to choose from.

import * as vscode from 'vscode';
import { called, type Ended, failed, meant, type Wanted } from './lending';

const WHY = 'Pairwright answers your requests with it.';

/** Whether this editor lends models at all; forks may not. */
export function lends(): boolean {
  return typeof (vscode as { lm?: { selectChatModels?: unknown } }).lm?.selectChatModels === 'function';
}

/** The answer to `pairwright/model/describe`. */
export async function describe({ model }: { model: string }): Promise<{ model: string | null; window?: number }> {
  const found = meant(await vscode.lm.selectChatModels(), model);
  return found ? { model: called(found), window: found.maxInputTokens } : { model: null };
}

/** The answer to `pairwright/model/stream`; `tell` is awaited, so that nothing overtakes the end. */
export async function stream(
  wanted: Wanted,
  token: vscode.CancellationToken,
  tell: (text: string) => Promise<void>,
): Promise<Ended> {
  try {
    const found = meant(await vscode.lm.selectChatModels(), wanted.model);
    if (!found) throw vscode.LanguageModelError.NotFound(`${wanted.model} is gone.`);
    const { User, Assistant } = vscode.LanguageModelChatMessage;
    const messages = wanted.messages.map(({ role, content }) => (role === 'user' ? User(content) : Assistant(content)));
    const answer = await found.sendRequest(messages, { justification: WHY }, token);
    for await (const text of answer.text) await tell(text);
    return { finish: 'stop' };
  } catch (error) {
    return failed(error);
  }
}

interface Choice extends vscode.QuickPickItem {
  value?: string;
}

/** Let the user choose a model; it is kept where the setting stands, else in the user's settings. */
export async function choose(): Promise<string | undefined> {
  const settings = vscode.workspace.getConfiguration('pairwright');
  const own = lends() ? await vscode.lm.selectChatModels() : [];
  const items: Choice[] = [
    ...own.map((model) => ({
      label: model.name,
      description: `client/${called(model)}`,
      detail: `Of this editor, without a key. Reads ${model.maxInputTokens.toLocaleString('en-US')} tokens.`,
      value: `client/${called(model)}`,
    })),
    {
      label: 'On this machine',
      description: 'no account',
      detail: 'The small model that was fetched, else Ollama, LM Studio or llama.cpp where one runs.',
      value: '',
    },
    { label: 'Another one…', description: 'provider/model', detail: 'By its name, as anthropic/claude-sonnet-4-5.' },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Pairwright: choose a model',
    placeHolder: `Now: ${settings.get('model.name', '') || 'the one on this machine'}`,
    matchOnDescription: true,
  });
  if (!chosen) return undefined;
  const name = chosen.value ?? (await written());
  if (name === undefined) return undefined;
  const isHere = settings.inspect('model.name')?.workspaceValue !== undefined;
  await settings.update('model.name', name, !isHere);
  return name;
}

async function written(): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: 'Pairwright: name of the model',
    placeHolder: 'anthropic/claude-sonnet-4-5',
  });
  return name?.trim() || undefined;
}
