// node smoke.cjs: mouse and keys only, first in a workspace that is not trusted, then in a trusted one.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { chapters } = require('./chapters.cjs');
const { scripted } = require('./endpoint.cjs');
const { answer, chatFrame, keys, open } = require('./moves.cjs');
const { STATUS, told } = require('./packed.cjs');
const shop = require('./shop.cjs');
const { until } = require('./workbench.cjs');

const { PAIRWRIGHT_PYTHON: python, PAIRWRIGHT_REPOSITORY: root } = process.env;
const SECRET = 'sk-of-the-shop-4711';

async function story({ page, endpoint, picture, workspace, said }) {
  const text = () => page.locator('.editor-instance .view-lines').first().innerText();
  const disk = () => fs.readFileSync(path.join(workspace, 'basket.py'), 'utf8');

  await page.waitForSelector(STATUS);
  const trust = page.locator('.monaco-dialog-box .monaco-button:has-text("No, I don")');
  await trust.click();
  await open(page, 'basket.py');
  await until('the server in a workspace that is not trusted', async () =>
    (await page.locator(STATUS).innerText()).trim() === 'Pairwright', 60000);
  await picture('untrusted');

  await page.locator('.view-line:has-text("def total")').locator('span:text("total")').first().hover();
  await page.waitForSelector('.monaco-hover:has-text("total")');
  await picture('hover');
  await page.keyboard.press('Escape');

  await page.locator('.view-line:has-text("acc = 0")').click();
  await endpoint.say(shop.two);
  await keys(page, 'e');
  await page.waitForSelector('.quick-input-widget input[placeholder="What should change here?"]');
  await page.keyboard.type('Begin at one and double the result');
  await picture('inline');
  await page.keyboard.press('Enter');
  // The server is not of a known provider: its key is asked for once, and kept by the editor alone.
  await answer(page, 'key of 0.0.0.0', SECRET);
  await page.waitForSelector('.codelens-decoration:has-text("Accept hunk 1 of 2")');
  assert.equal((await endpoint.asked()).key, SECRET);
  assert.ok(!said().includes(SECRET), 'the key stands in no settings');
  await page.mouse.move(700, 600);
  await picture('hunks');

  await page.locator('.codelens-decoration a:has-text("Accept hunk 1 of 2")').click();
  await until('the first hunk', async () => disk().includes('acc = 1'));
  await page.locator('.codelens-decoration:has-text("Accept hunk 1 of 2")').waitFor({ state: 'detached' });
  await page.locator('.codelens-decoration a:has-text("Reject")').first().click();
  await until('nothing waits', async () => (await page.locator('.codelens-decoration:has-text("Reject")').count()) === 0);
  assert.match(await text(), /return\sacc\n|return\sacc$/m);
  await keys(page, 'u');
  await until('the undo', async () => (await text()).replace(/\u00a0/g, ' ').includes('acc = 0'));

  await endpoint.say('The **total** adds prices.\n\n```python\nprint(total([]))\n```\n\n' + 'word '.repeat(60), { size: 6, delay: 0.04 });
  await keys(page, 'c');
  const chat = await chatFrame(page);
  await chat.fill('#text', 'What does total do?');
  await chat.press('#text', 'Enter');
  await chat.waitForSelector('#stop:not([hidden])');
  await until('the beginning of the answer', async () => (await chat.locator('.answer').last().innerText()).includes('total'));
  await picture('chat-streams');
  await until('the answer', async () => (await chat.innerText('#status')) === 'Done');
  assert.equal(await chat.locator('.turn').last().locator('figure.code button').count(), 3);
  assert.equal(await chat.locator('button:has-text("Accept all"):visible').count(), 0, 'nothing waits any more');
  await picture('chat');

  await endpoint.say('long '.repeat(2000), { size: 5, delay: 0.05 });
  await chat.fill('#text', 'Talk');
  await chat.press('#text', 'Enter');
  await chat.click('#stop');
  await until('the stop', async () => (await chat.innerText('#status')) === 'Stopped');

  await page.locator('a:has-text("Manage")').click();
  await page.locator('.workspace-trust-editor .monaco-button:has-text("Trust")').first().click();
  const state = async () => (await page.locator(STATUS).innerText()).trim();
  await until('the restart in a workspace that is trusted', async () => (await state()) !== 'Pairwright');
  await until('the server again', async () => (await state()) === 'Pairwright', 60000);
  assert.equal(await page.locator('.statusbar-item:has-text("Restricted Mode")').count(), 0);
  await page.locator('.monaco-modal-editor-block .codicon-close').first().click();
  await page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
  await picture('trusted');
}

(async () => {
  const endpoint = await scripted(root, python);
  const settings = { 'security.workspace.trust.startupPrompt': 'always', 'pairwright.model.name': 'openai/scripted',
    // The address is no provider's and not this machine's by name, so that its key has to be stored.
    'pairwright.model.plain_http': true,
    'pairwright.model.api_base': endpoint.url.replace('127.0.0.1', '0.0.0.0'), 'workbench.colorTheme': process.env.THEME || 'Default Dark Modern' };
  const machine = { 'pairwright.server.command': [python, '-m', 'pairwright', 'serve'] };
  await told('smoke', { settings, machine, env: { OPENAI_API_KEY: 'scripted-key' } }, async (made) => {
    await story({ ...made, endpoint });
    await chapters({ ...made, endpoint });
  });
})();
