import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { Secrets } from '../src/secrets';
import { user } from './editor';

function storage(): { held: Map<string, string>; secrets: Secrets } {
  const held = new Map<string, string>();
  const store = {
    get: (name: string) => Promise.resolve(held.get(name)),
    store: (name: string, value: string) => Promise.resolve(void held.set(name, value)),
    delete: (name: string) => Promise.resolve(void held.delete(name)),
  } as unknown as vscode.SecretStorage;
  user.questions = [];
  return { held, secrets: new Secrets(store) };
}

const ask = { provider: 'openai', refused: false };

test('a key is asked for once, and kept in the storage alone', async () => {
  const { held, secrets } = storage();
  user.inputs = ['sk-1'];
  assert.deepEqual(await secrets.answer(ask), { key: 'sk-1' });
  assert.deepEqual(await secrets.answer(ask), { key: 'sk-1' });
  assert.deepEqual([...held], [['pairwright.key.openai', 'sk-1']]);
  assert.equal(user.questions.length, 1);
});

test('a key that was refused is asked for again; one that is not given is not asked for twice', async () => {
  const { secrets } = storage();
  user.inputs = ['old', 'new', undefined];
  await secrets.answer(ask);
  assert.deepEqual(await secrets.answer({ ...ask, refused: true }), { key: 'new' });
  assert.equal(user.questions.at(-1), 'The last key was not accepted.');
  assert.deepEqual(await secrets.answer({ provider: 'mistral', refused: false }), { key: null });
  assert.deepEqual(await secrets.answer({ provider: 'mistral', refused: false }), { key: null });
  assert.equal(user.questions.length, 3);
});
