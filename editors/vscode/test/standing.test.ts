import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asDiff, at, drawn, next, proposed, standing } from '../src/standing';
import type { Hunk, Proposal, ProposedFile } from '../src/wire';

function hunk(id: string, from: number, to: number, old: string, fresh: string, more: Partial<Hunk> = {}): Hunk {
  const range = { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
  return { id, state: 'pending', old, new: fresh, approximate: false, range, stale: false, ...more };
}

function file(...hunks: Hunk[]): ProposedFile {
  return { path: 'a.py', kind: 'modify', movedFrom: null, hunks, uri: 'file:///a.py' };
}

function proposal(...files: ProposedFile[]): Proposal {
  return { id: 'p', request: '', state: 'pending', created: 0, missing: [], files };
}

const TWO = file(hunk('h2', 3, 4, 'd\n', 'D\nE\n'), hunk('h1', 0, 1, 'a\n', 'A\n'));

test('hunks that wait stand from top to end; chosen ones do not', () => {
  const done = hunk('h3', 2, 3, 'c\n', 'C\n', { state: 'applied' });
  const found = standing([proposal(file(...TWO.hunks, done))], (uri) => uri === 'file:///a.py');
  assert.deepEqual(found.map((one) => one.hunk.id), ['h1', 'h2']);
  assert.deepEqual(standing([proposal(TWO)], () => false), []);
});

test('the hunk at a line is the one that replaces it, or is inserted before it', () => {
  const found = standing([proposal(file(hunk('in', 2, 2, '', 'x\n'), hunk('h1', 4, 6, 'e\nf\n', 'E\n')))], () => true);
  const named = [0, 1, 2, 3, 4, 5, 6].map((line) => at(found, line)?.hunk.id);
  assert.deepEqual(named, [undefined, undefined, 'in', undefined, 'h1', 'h1', undefined]);
});

test('next and previous go round the end', () => {
  const found = standing([proposal(TWO)], () => true);
  assert.equal(next(found, 0)?.hunk.id, 'h2');
  assert.equal(next(found, 3)?.hunk.id, 'h1');
  assert.equal(next(found, 3, true)?.hunk.id, 'h1');
  assert.equal(next(found, 0, true)?.hunk.id, 'h2');
  assert.equal(next([], 0), undefined);
});

test('a file as proposed: every waiting hunk taken, stale and chosen ones left', () => {
  assert.equal(proposed(TWO, 'a\nb\nc\nd\n'), 'A\nb\nc\nD\nE\n');
  const [second, first] = TWO.hunks as [Hunk, Hunk];
  assert.equal(proposed(file({ ...second, stale: true }, first), 'a\nb\nc\nd\n'), 'A\nb\nc\nd\n');
  assert.equal(proposed(file({ ...first, state: 'rejected' }), 'a\n'), 'a\n');
});

test('positions are UTF-16, line ends may be of any kind, the last line may lack one', () => {
  const at = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };
  assert.equal(proposed(file(hunk('h', 0, 0, 'x', 'yy', { range: at })), 'a\r\n💡x\rb'), 'a\r\n💡yy\rb');
  assert.equal(proposed(file(hunk('h', 1, 2, 'b', 'B')), 'a\nb'), 'a\nB');
});

test('a new file is its text, a deleted one none', () => {
  const fresh = { id: 'h', state: 'pending', old: '', new: 'hello\n', approximate: false };
  assert.equal(proposed({ path: 'n', kind: 'create', movedFrom: null, hunks: [fresh] }, undefined), 'hello\n');
  assert.equal(proposed({ path: 'n', kind: 'delete', movedFrom: null, hunks: [fresh] }, 'text'), '');
});

test('new lines are drawn beside those that go; what is beyond is counted', () => {
  const [second] = TWO.hunks as [Hunk & { range: NonNullable<Hunk['range']> }];
  assert.deepEqual(drawn(second), { gone: [3], come: [{ line: 3, text: 'D' }], more: 1 });
  const inserted = { ...second, range: { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } }, new: 'x\n' };
  assert.deepEqual(drawn(inserted), { gone: [], come: [{ line: 2, text: 'x' }], more: 0 });
  assert.deepEqual(drawn({ ...second, new: '' }), { gone: [3], come: [], more: 0 });
});

test('a hunk as a diff', () => {
  assert.equal(asDiff(hunk('h', 0, 1, 'a\n', 'A\nB\n')), '-a\n+A\n+B');
});
