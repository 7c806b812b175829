// node smoke.cjs: the .vsix installed into the real workbench, then mouse and keys only. Pictures go to OUT.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { scripted } = require('./endpoint.cjs');
const shop = require('./shop.cjs');
const { browse, profile, serve, until } = require('./workbench.cjs');

const { PAIRWRIGHT_PYTHON: python, PAIRWRIGHT_REPOSITORY: root, VSCODE_SERVER: entry, VSCODE_NODE: node, OUT: out } = process.env;
const playwright = require(path.join(root, 'editors/vscode/node_modules/playwright-core'));
const STATUS = '[id="pairwright.pairwright.pairwright.status"]';
const PRE = path.join(path.dirname(entry), 'vs/workbench/contrib/webview/browser/pre');

/** The frames that hold webviews come from a network that is not there: their two files are those of the workbench. */
async function webviews(browser) {
  await browser.route((url) => url.hostname.endsWith('.vscode-cdn.net'), (route) => {
    const file = path.join(PRE, path.basename(new URL(route.request().url()).pathname));
    return fs.existsSync(file) ? route.fulfill({ path: file }) : route.abort();
  });
}

async function open(page, name) {
  await page.keyboard.press('Control+P');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(name);
  await page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForSelector(`.tab.active:has-text("${name}")`);
}

async function keys(page, second) {
  await page.keyboard.press('Alt+p');
  await page.keyboard.press(second);
}

/** The innermost frame of the chat view. */
async function chatFrame(page) {
  return until('the chat view', async () => {
    for (const frame of page.frames()) if (await frame.$('#transcript').catch(() => null)) return frame;
    return undefined;
  });
}

async function story(page, endpoint, picture, workspace) {
  const text = () => page.locator('.editor-instance .view-lines').first().innerText();
  const disk = () => fs.readFileSync(path.join(workspace, 'basket.py'), 'utf8');

  await page.waitForSelector(STATUS, { timeout: 60000 });
  const trust = page.locator('.monaco-dialog-box .monaco-button:has-text("No, I don")');
  await trust.click({ timeout: 20000 });
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
  await page.waitForSelector('.codelens-decoration:has-text("Accept hunk 1 of 2")');
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
  const said = async () => (await page.locator(STATUS).innerText()).trim();
  await until('the restart in a workspace that is trusted', async () => (await said()) !== 'Pairwright');
  await until('the server again', async () => (await said()) === 'Pairwright', 60000);
  assert.equal(await page.locator('.statusbar-item:has-text("Restricted Mode")').count(), 0);
  await page.keyboard.press('Escape');
  await picture('trusted');
}

(async () => {
  const endpoint = await scripted(root, python);
  const { tmp, workspace } = profile({
    files: shop.files,
    settings: { 'security.workspace.trust.startupPrompt': 'always', 'pairwright.model.name': 'openai/scripted',
      'pairwright.model.api_base': endpoint.url, 'workbench.colorTheme': process.env.THEME || 'Default Dark Modern' },
    machine: { 'pairwright.server.command': [python, '-m', 'pairwright', 'serve'] },
  });
  const vsix = path.join(root, 'editors/vscode/pairwright.vsix');
  execFileSync(node, [entry, '--server-data-dir', `${tmp}/server`, '--extensions-dir', `${tmp}/extensions`,
    '--accept-server-license-terms', '--install-extension', vsix], { stdio: 'ignore', env: { ...process.env, HOME: tmp, TMPDIR: tmp } });
  const server = await serve({ entry, node, tmp, out, env: { OPENAI_API_KEY: 'scripted-key' } });
  let browser;
  let code = 1;
  let count = 0;
  const picture = (name) => browser.pages()[0].screenshot({ path: path.join(out, `${(count += 1)}-${name}.png`) });
  try {
    browser = await browse(playwright, tmp);
    await webviews(browser);
    const page = browser.pages()[0];
    page.setDefaultTimeout(30000);
    await page.goto(`http://127.0.0.1:${server.port}/?folder=${workspace}`);
    await story(page, endpoint, picture, workspace);
    console.log(`ok - ${count} pictures in ${out}`);
    code = 0;
  } catch (error) {
    console.log('FAILED', error.stack);
    await picture('failed').catch(() => undefined);
  } finally {
    endpoint.close();
    await browser?.close().catch(() => undefined);
    await server.stop();
    if (code) fs.cpSync(path.join(tmp, 'server/data/logs'), path.join(out, 'logs'), { recursive: true, force: true });
    fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    process.exit(code);
  }
})();
