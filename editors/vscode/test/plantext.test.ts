import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults, headingOf, taskOf } from '../src/plantext';

const HEAD = '<!-- pairwright-task {"root": "/shop", "task": "20261130-120000-ab12"} -->\n';
const PLAN = `${HEAD}<!-- Change what you like. -->

# Plan: Carts

- shop/item.py holds the prices

## create shop/item.py

## 2. modify \`shop/item.py.bak\`

### create: shop/cart.py
- depends: shop/lost.py
`;

test('a plan names its task in a comment; other documents name none', () => {
  assert.equal(taskOf(PLAN), '20261130-120000-ab12');
  for (const text of ['', '# Plan: Carts', '<!-- pairwright-task {"task" -->', '<!-- pairwright-task {"task": 4} -->']) {
    assert.equal(taskOf(text), '');
  }
});

test('the heading of a file is the one that names it whole, whatever is around it', () => {
  assert.equal(headingOf(PLAN, 'shop/item.py'), 7);
  assert.equal(headingOf(PLAN, 'shop/item.py.bak'), 9);
  assert.equal(headingOf(PLAN, 'shop/cart.py'), 11);
  assert.equal(headingOf(PLAN, 'shop/lost.py'), 0);
});

test('a fault stands at the heading of its file, one of the whole at the top', () => {
  const cart = 'shop/cart.py depends on shop/lost.py, which is neither in the plan nor in the workspace.';
  const bak = 'shop/item.py.bak: it is excluded by ignore rules.';
  const whole = 'The plan names no file.';
  assert.deepEqual(faults(['The plan cannot be carried out:', cart, bak, whole].join('\n'), PLAN), [
    { line: 11, text: cart },
    { line: 9, text: bak },
    { line: 0, text: whole },
  ]);
});

test('of two headings for one file the second is at fault', () => {
  const text = 'a.py is in the plan twice: give each file one heading.';
  assert.deepEqual(faults(`The plan cannot be carried out:\n${text}`, '## create a.py\n## modify a.py\n'), [{ line: 1, text }]);
});

test('another refusal has no faults', () => {
  assert.deepEqual(faults('Task t is running already.', PLAN), []);
});
