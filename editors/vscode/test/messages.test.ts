import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asReply, isEdit } from '../src/messages';
import { Cost } from '../webview/cost';

test('blocks that are edits are told from plain code', () => {
  assert.ok(isEdit('<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n'));
  assert.ok(isEdit('--- a/x\n+++ b/x\n@@ @@\n-a\n+b\n'));
  assert.ok(isEdit('*** Begin Patch\n'));
  assert.ok(!isEdit('a << 3\n--- \n'));
});

test('a block becomes a reply with the line that names its file; its fence is longer than any inside', () => {
  assert.equal(asReply('x', 'Change this:\nsrc/a.py', 'python'), 'src/a.py\n```python\nx\n```\n');
  assert.equal(asReply('```\n', '', ''), '````\n```\n````\n');
});

test('tokens and cost are summed; an unpriced request is said', () => {
  const cost = new Cost();
  cost.take({ id: 'a', seq: 1, kind: 'started', model: 'openai/x' });
  assert.equal(cost.words(), 'openai/x');
  cost.take({ id: 'a', seq: 2, kind: 'usage', prompt: 1234, completion: 56, cost: 0.01 });
  cost.take({ id: 'a', seq: 3, kind: 'usage', prompt: 1, completion: 1, cost: null });
  assert.equal(cost.words(), 'openai/x · 1,235 + 57 tokens · $0.0100 and unpriced ones');
});
