import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sides, unified } from '../webview/edits';

/** What is shown of a block of code that comes in pieces of `size`: `side:text` in a row, and edits as diffs. */
function shown(text: string, size: number): string[] {
  const sides = new Sides();
  const ops = [];
  for (let i = 0; i < text.length; i += size) ops.push(...sides.feed(text.slice(i, i + size)));
  ops.push(...sides.end());
  const found: string[] = [];
  for (const op of ops) {
    if (op.op === 'edit') found.push('edit');
    else if (op.op === 'done') found.push(`done ${JSON.stringify([op.old, op.fresh])}`);
    else if (found.at(-1)?.startsWith(`${op.side}:`)) found[found.length - 1] += op.text;
    else found.push(`${op.side}:${op.text}`);
  }
  return found;
}

function check(text: string, expected: string[]): void {
  for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(shown(text, size), expected, `in pieces of ${size}`);
}

test('an edit has two sides and no markers, in the forms that the server takes', () => {
  const expected = ['edit', 'gone:a\nb\n', 'come:a\nc\n', 'done ["a\\nb\\n","a\\nc\\n"]'];
  check('<<<<<<< SEARCH\na\nb\n=======\na\nc\n>>>>>>> REPLACE\n', expected);
  check('<<<<<SEARCH a.py\na\nb\n=========\na\nc\n>>>>> replace:\n', expected);
});

test('an edit at the end of its block needs no line end; text around it stays', () => {
  check('a.py\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE', ['plain:a.py\n', 'edit', 'come:new\n', 'done ["","new\\n"]']);
});

test('an edit that was cut short shows what there is', () => {
  check('<<<<<<< SEARCH\nold\n=======\nne', ['edit', 'gone:old\n', 'come:ne']);
});

test('lines that only look like markers are code', () => {
  const code = 'a << 3\n<<<< SEARCH\n  <b>\n====\n>>> print()\n';
  check(code, [`plain:${code}`]);
  const inside = '== x\n<<<<<<< SEARCH\n>>>>>>> REPLACE\n';
  check(`<<<<<<< SEARCH\n${inside}=======\n=======\n>>>>>>> REPLACE\n`, [
    'edit', `gone:${inside}`, 'come:=======\n', `done ${JSON.stringify([inside, '=======\n'])}`,
  ]);
});

function diff(old: string, fresh: string): string[] {
  return unified(old, fresh).map(({ mark, text }) => mark + text);
}

test('lines that both sides have are told from those that go and come', () => {
  assert.deepEqual(diff('a\nb\nc\nd\n', 'a\nx\nc\ny\nd\n'), [' a', '-b', '+x', ' c', '+y', ' d']);
  assert.deepEqual(diff('', 'a\n'), ['+a']);
  assert.deepEqual(diff('a\n\n', ''), ['-a', '-']);
  assert.deepEqual(diff('a\n', 'a\n'), [' a']);
});

test('far from a change lines are left out and counted', () => {
  const many = Array.from({ length: 20 }, (_, i) => `l${i}\n`).join('');
  const found = diff(`${many}old\n${many}`, `${many}new\n${many}`);
  assert.deepEqual(found.slice(0, 6), ['…17 lines', ' l17', ' l18', ' l19', '-old', '+new']);
  assert.equal(found.at(-1), '…17 lines');
});

test('a diff gives both sides back, whatever they are', () => {
  let seed = 1;
  const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  const text = (): string => Array.from({ length: random(9) }, () => `${'abc'[random(3)]}\n`).join('');
  for (let times = 0; times < 400; times += 1) {
    const [old, fresh] = [text(), text()];
    const rows = unified(old, fresh).filter(({ mark }) => mark !== '…');
    if (rows.length !== unified(old, fresh).length) continue;
    const side = (mark: '-' | '+'): string => rows.filter((row) => row.mark === ' ' || row.mark === mark).map((row) => `${row.text}\n`).join('');
    assert.deepEqual([side('-'), side('+')], [old, fresh]);
  }
});
