import assert from 'node:assert/strict';
import { test } from 'node:test';
import { called, failed, meant, type Offered } from '../src/lending';

function model(vendor: string, id: string, family = id): Offered {
  return { vendor, id, family, name: id.toUpperCase(), maxInputTokens: 1000 };
}

const MODELS = [model('local', 'a/b'), model('copilot', 'gpt-4o-2024', 'gpt-4o'), model('copilot', 'claude')];

function check(name: string, expected: string | undefined): void {
  const found = meant(MODELS, name);
  assert.equal(found && called(found), expected);
}

test('a model is meant by vendor and id, by vendor and family, by either alone', () => {
  check('local/a/b', 'local/a/b');
  check('copilot/gpt-4o', 'copilot/gpt-4o-2024');
  check('gpt-4o', 'copilot/gpt-4o-2024');
  check('claude', 'copilot/claude');
  check('local/claude', undefined);
});

test('without a name Copilot is asked, else whoever is there', () => {
  check('', 'copilot/gpt-4o-2024');
  assert.equal(meant(MODELS.slice(0, 1), '')?.vendor, 'local');
  assert.equal(meant([], ''), undefined);
});

test('failures keep their words and get the kind that the server knows', () => {
  const error = (code: string, cause?: Error): Error => Object.assign(new Error('No.'), { code, cause });
  assert.deepEqual(failed(error('NoPermissions')), { error: { kind: 'auth', message: 'No.' } });
  assert.deepEqual(failed(error('Blocked')), { error: { kind: 'rate', message: 'No.' } });
  assert.deepEqual(failed(error('ChatQuotaExceeded')), { error: { kind: 'rate', message: 'No.' } });
  assert.deepEqual(failed(error('Unknown', new Error('too long'))), { error: { message: 'No.: too long' } });
  assert.deepEqual(failed('gone'), { error: { message: 'gone' } });
});
