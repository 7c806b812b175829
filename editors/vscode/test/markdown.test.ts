import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spans, type Step, Stream } from '../webview/markdown';

/** The blocks of a text fed in pieces of `size`, as `kind[level] info|text`. */
function blocks(text: string, size: number): string[] {
  const stream = new Stream();
  const steps: Step[] = [];
  for (let i = 0; i < text.length; i += size) steps.push(...stream.feed(text.slice(i, i + size)));
  steps.push(...stream.end());
  const found: string[] = [];
  let isOpen = false;
  for (const step of steps) {
    if (step.step === 'open') {
      assert.equal(isOpen, false, 'a block opens inside another');
      isOpen = true;
      found.push(`${step.kind}${step.level} ${step.info}|`);
    } else if (step.step === 'text') {
      assert.equal(isOpen, true, 'text outside a block');
      found[found.length - 1] += step.text;
    } else {
      isOpen = false;
    }
  }
  assert.equal(isOpen, false);
  return found;
}

function check(text: string, expected: string[]): void {
  for (const size of [1, 2, 3, 7, 1000]) assert.deepEqual(blocks(text, size), expected, `in pieces of ${size}`);
}

test('paragraphs, headings, items and quotes', () => {
  check('# One\nText of\ntwo lines\n\nnext\n- a\n  - b\n2. c\n> said', [
    'heading1 |One',
    'paragraph0 |Text of\ntwo lines',
    'paragraph0 |next',
    'item0 |- a',
    'item1 |- b',
    'item0 |2. c',
    'quote0 |said',
  ]);
});

test('code keeps every letter, also fences that are shorter or inside a line', () => {
  check('````python\nx = "```"\n```\n  y\n\n````\nend', ['code0 python|x = "```"\n```\n  y\n\n', 'paragraph0 |end']);
  check('~~~\n# no heading\n~~~', ['code0 |# no heading\n']);
});

test('an answer that was cut short keeps its code', () => {
  check('a\n```js\nlet x', ['paragraph0 |a', 'code0 js|let x']);
});

test('what only looks like the beginning of a block is text', () => {
  check('#nothing\n-5 degrees\n`inline` first', ['paragraph0 |#nothing\n-5 degrees\n`inline` first']);
});

test('an edit without a fence is code from its first marker to its last', () => {
  const edit = '<<<<<<< SEARCH\n# a\n- b\n=======\n```\n>>> c\n>>>>>>> REPLACE\n';
  check(`a.py\n${edit}then`, ['paragraph0 |a.py', `code0 |${edit}`, 'paragraph0 |then']);
  check('<b> is\n<<< no edit\n<<<<<<< SEEN', ['paragraph0 |<b> is\n<<< no edit\n<<<<<<< SEEN']);
});

test('parts of a line; only web links are links', () => {
  assert.deepEqual(spans('a `b*c*` **d** *e* [f](https://x.y/z) [g](javascript:h) 2 * 3 * 4'), [
    { kind: 'plain', text: 'a ' },
    { kind: 'code', text: 'b*c*' },
    { kind: 'plain', text: ' ' },
    { kind: 'strong', text: 'd' },
    { kind: 'plain', text: ' ' },
    { kind: 'emphasis', text: 'e' },
    { kind: 'plain', text: ' ' },
    { kind: 'link', text: 'f', href: 'https://x.y/z' },
    { kind: 'plain', text: ' [g](javascript:h) 2 * 3 * 4' },
  ]);
});
