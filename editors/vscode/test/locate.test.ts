import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile, mkdir, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { choose, ownServer, pythonOf, run, steps } from '../src/locate';

test('the setting wins; an interpreter of the workspace needs trust; else the own environment', () => {
  const none = { command: [], python: '', trusted: false };
  assert.deepEqual(choose({ ...none, command: ['pw', 'serve'] }), { argv: ['pw', 'serve'] });
  assert.deepEqual(choose({ ...none, python: '/v/python' }), { own: true });
  assert.deepEqual(choose({ ...none, python: '/v/python', trusted: true }), {
    argv: ['/v/python', '-m', 'pairwright', 'serve'],
  });
  assert.deepEqual(choose(none), { own: true });
});

test('uv makes the environment where there is one, else venv and pip', () => {
  assert.deepEqual(steps('/e', 'x.whl', true, '').map(([program]) => program), ['uv', 'uv']);
  assert.deepEqual(steps('/e', 'x.whl', false, 'python3')[0], ['python3', '-m', 'venv', '/e']);
  assert.equal(steps('/e', 'x.whl', false, 'python3')[1]?.[0], pythonOf('/e'));
});

test('an environment that holds what is wanted is used as it is', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'pw-')), 'server');
  const python = pythonOf(folder);
  await mkdir(join(python, '..'), { recursive: true });
  await writeFile(python, '#!/bin/sh\n');
  await chmod(python, 0o755);
  await writeFile(join(folder, 'installed.txt'), 'pairwright==1');
  const argv = await ownServer(folder, ['pairwright[local]==1', 'pairwright==1'], assert.fail, new AbortController().signal);
  assert.deepEqual(argv, [python, '-m', 'pairwright', 'serve']);
  assert.equal(await readFile(python, 'utf8'), '#!/bin/sh\n');
});

test('a step that fails says what it printed', async () => {
  const argv = [process.execPath, '-e', 'console.error("no space left"); process.exit(3)'];
  await assert.rejects(run(argv, () => undefined), /ended with 3: no space left/);
});
