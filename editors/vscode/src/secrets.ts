// Keys of model providers, in the editor's secret storage.

import * as vscode from 'vscode';

export class Secrets {
  /** Providers whose key the user was asked for and did not give. */
  private readonly declined = new Set<string>();

  constructor(private readonly store: vscode.SecretStorage) {}

  /** The answer to `pairwright/secret`. Asks once a session for a key that is not there, and again for a refused one. */
  async answer(asked: { provider: string; refused: boolean }): Promise<{ key: string | null }> {
    const held = await this.store.get(slot(asked.provider));
    if (held !== undefined && !asked.refused) return { key: held };
    if (this.declined.has(asked.provider)) return { key: null };
    return { key: (await this.enter(asked.provider, asked.refused)) ?? null };
  }

  async enter(provider: string, refused = false): Promise<string | undefined> {
    const key = await vscode.window.showInputBox({
      title: `Pairwright: key of ${provider}`,
      prompt: refused ? 'The last key was not accepted.' : 'Kept in the secret storage of this editor.',
      password: true,
      ignoreFocusOut: true,
    });
    if (!key) {
      this.declined.add(provider);
      return undefined;
    }
    this.declined.delete(provider);
    await this.store.store(slot(provider), key);
    return key;
  }

  async set(): Promise<void> {
    const provider = await asked('Whose key? As in the model name: openai, anthropic, gemini …');
    if (provider) await this.enter(provider);
  }

  async forget(): Promise<void> {
    const provider = await asked('Whose key is to be forgotten?');
    if (!provider) return;
    await this.store.delete(slot(provider));
    void vscode.window.showInformationMessage(`Pairwright: the key of ${provider} is forgotten.`);
  }
}

function slot(provider: string): string {
  return `pairwright.key.${provider}`;
}

function asked(prompt: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({ title: 'Pairwright', prompt, placeHolder: 'openai' });
}
