import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { describe, lends, stream } from '../src/models';
import { user } from './editor';

const TOKEN = { isCancellationRequested: false } as vscode.CancellationToken;
const asked: unknown[][] = [];

async function* pieces(all: string[], fails?: Error): AsyncGenerator<string> {
  yield* all;
  if (fails) throw fails;
}

function offer(all: string[], fails?: Error): void {
  const model = { vendor: 'copilot', id: 'gpt', family: 'gpt', name: 'GPT', maxInputTokens: 9000 };
  const sendRequest = (...args: unknown[]): Promise<{ text: AsyncIterable<string> }> => {
    asked.push(args);
    return Promise.resolve({ text: pieces(all, fails) });
  };
  user.models = [{ ...model, sendRequest }];
}

const WANTED = {
  id: 's1',
  model: 'copilot/gpt',
  messages: [{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Yes?' }] as const,
  maxTokens: 10,
};

async function check(expected: unknown): Promise<string[]> {
  const told: string[] = [];
  const tell = async (text: string): Promise<void> => {
    await new Promise((done) => setTimeout(done, 1));
    told.push(text);
  };
  assert.deepEqual(await stream({ ...WANTED, messages: [...WANTED.messages] }, TOKEN, tell), expected);
  return told;
}

test('a model is described by its name and window', async () => {
  offer([]);
  assert.ok(lends());
  assert.deepEqual(await describe({ model: '' }), { model: 'copilot/gpt', window: 9000 });
  assert.deepEqual(await describe({ model: 'copilot/other' }), { model: null });
});

test('every piece is told before the end, and the request can be cancelled', async () => {
  offer(['One ', 'two ', 'three']);
  assert.deepEqual(await check({ finish: 'stop' }), ['One ', 'two ', 'three']);
  const [messages, , token] = asked.at(-1) ?? [];
  assert.deepEqual(messages, WANTED.messages);
  assert.equal(token, TOKEN);
});

test('a failure in the middle ends with its reason; a model that is gone is named', async () => {
  offer(['One '], Object.assign(new Error('Not allowed.'), { code: 'NoPermissions' }));
  assert.deepEqual(await check({ error: { kind: 'auth', message: 'Not allowed.' } }), ['One ']);
  user.models = [];
  await check({ error: { kind: 'refused', message: 'copilot/gpt is gone.' } });
});
