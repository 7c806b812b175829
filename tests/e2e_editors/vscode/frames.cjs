// node frames.cjs: the page of the chat view under 200 tokens a second over a transcript of 5,000 lines. Gaps between
// frames are those of requestAnimationFrame in Chromium.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { browse } = require('./workbench.cjs');

const root = process.env.PAIRWRIGHT_REPOSITORY;
const client = path.join(root, 'editors/vscode');
const playwright = require(path.join(client, 'node_modules/playwright-core'));
const LINES = 5000;
const SECONDS = 10;
const RATE = 200;

/** Turns of an ordinary look: prose, lists, code. */
function transcript() {
  const part = '## A part\nSome words about `code` and **more** of it.\n\n- one\n- two\n\n```python\n' +
    Array.from({ length: 14 }, (_, i) => `def name_${i}(value): return value + ${i}\n`).join('') + '```\n';
  const lines = part.split('\n').length - 1;
  const turns = [];
  for (let i = 0; turns.length * lines * 5 < LINES; i++) {
    const text = part.repeat(5);
    turns.push({ id: `t${i}`, mode: 'ask', request: `Question ${i}`, text, end: { id: `t${i}`, text, outcome: 'done' } });
  }
  return turns;
}

const inside = async ({ turns, seconds, rate }) => {
  const post = (data) => window.dispatchEvent(new MessageEvent('message', { data }));
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  post({ type: 'reset', turns });
  post({ type: 'begin', id: 'live', mode: 'ask', request: 'Talk' });
  await sleep(500);
  const gaps = [];
  let last = performance.now();
  let going = true;
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    if (going) requestAnimationFrame(frame);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
  const total = seconds * rate;
  const begun = performance.now();
  let said = 0;
  // Prose and code in turn, a token of about five characters, as the extension hands them over: every 12 ms.
  // Every second block of code is an edit.
  const marks = { 200: '\n```js\n', 201: '<<<<<<< SEARCH\n', 300: '\n=======\n', 398: '\n>>>>>>> REPLACE\n', 399: '\n```\n\n' };
  const isMark = (i) => [200, 399].includes(i % 400) || (i % 800 > 400 && i % 400 in marks);
  const token = (i) => (isMark(i) ? marks[i % 400] : i % 12 === 11 ? 'end.\n' : `w${i} `);
  while (said < total) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * rate));
    if (due > said) {
      const text = Array.from({ length: due - said }, (_, i) => token(said + i)).join('');
      post({ type: 'deltas', deltas: [{ id: 'live', seq: said, kind: 'text', text }] });
      said = due;
    }
    await sleep(12);
  }
  going = false;
  post({ type: 'end', end: { id: 'live', text: '', outcome: 'done' } });
  await sleep(100);
  const live = [...document.querySelectorAll('.turn')].at(-1).querySelector('.answer').textContent;
  const missing = Array.from({ length: total }, (_, i) => token(i).trim()).filter((one) => /^w/.test(one) && !live.includes(one));
  const markers = /<<<<<<<|=======|>>>>>>>/.test(live);
  const box = document.getElementById('transcript');
  const follows = box.scrollTop + box.clientHeight >= box.scrollHeight - 40;
  box.scrollTop -= 500;
  await sleep(100);
  post({ type: 'deltas', deltas: [{ id: 'live', seq: 1, kind: 'text', text: 'x\n\n'.repeat(20) }] });
  await sleep(200);
  const stays = box.scrollTop + box.clientHeight < box.scrollHeight - 100;
  return { gaps, missing: missing.length, markers, follows, stays };
};

(async () => {
  const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'pw-frames-'));
  const browser = await browse(playwright, tmp, { viewport: { width: 420, height: 800 } });
  let code = 1;
  try {
    const page = browser.pages()[0];
    const source = fs.readFileSync(path.join(client, 'src/chat.ts'), 'utf8');
    const body = /<body>([\s\S]*?)<script nonce/.exec(source)[1];
    await page.setContent(`<!DOCTYPE html><html><body>${body}</body></html>`);
    await page.addStyleTag({ path: path.join(client, 'media/chat.css') });
    await page.evaluate(() => { window.acquireVsCodeApi = () => ({ postMessage: () => undefined }); });
    await page.addScriptTag({ path: path.join(client, 'dist/chat.js') });
    const { gaps, missing, markers, follows, stays } = await page.evaluate(inside, { turns: transcript(), seconds: SECONDS, rate: RATE });
    const sorted = [...gaps].sort((a, b) => a - b);
    const p95 = sorted[Math.floor(sorted.length * 0.95)];
    const worst = sorted.at(-1);
    console.log(`${gaps.length} frames; gaps: p50 ${sorted[gaps.length >> 1].toFixed(1)}, p95 ${p95.toFixed(1)}, worst ${worst.toFixed(1)} ms`);
    await page.screenshot({ path: path.join(process.env.OUT, 'frames.png') });
    assert.equal(missing, 0, 'every token is there');
    assert.ok(!markers, 'edits show no markers');
    assert.ok(follows, 'the end is in sight');
    assert.ok(stays, 'a reader who scrolled up is left there');
    assert.ok(p95 < 34, `p95 ${p95} ms`);
    assert.ok(worst <= 100, `worst ${worst} ms`);
    code = 0;
  } catch (error) {
    console.log('FAILED', error.message);
  } finally {
    await browser.close();
    fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    process.exit(code);
  }
})();
