import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Endings } from '../src/endings';

const CONTINUE = 1, STAY = 1, AGAIN = 2;

test('writes that fail never give the server up', () => {
  const endings = new Endings();
  for (let times = 0; times < 20; times += 1) assert.equal(endings.error().action, CONTINUE);
});

test('a server that ends now and then is started again each time', () => {
  let now = 0;
  const endings = new Endings(() => (now += 60_000));
  for (let times = 0; times < 20; times += 1) assert.equal(endings.closed().action, AGAIN);
});

test('one that keeps ending is left, with a word on how to go on', () => {
  const endings = new Endings(() => 0);
  const told = [1, 2, 3, 4, 5].map(() => endings.closed());
  assert.deepEqual(told.map(({ action }) => action), [AGAIN, AGAIN, AGAIN, AGAIN, STAY]);
  assert.match(told[4]?.message ?? '', /Restart Server/);
});
