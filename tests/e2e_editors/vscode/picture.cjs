// node picture.cjs: the picture of README and docs: an answer in the chat, and two hunks that wait beside it.
const fs = require('node:fs');
const path = require('node:path');
const { scripted } = require('./endpoint.cjs');
const { chatFrame, keys, open } = require('./moves.cjs');
const { STATUS, told } = require('./packed.cjs');
const { until } = require('./workbench.cjs');

const { PAIRWRIGHT_PYTHON: python, PAIRWRIGHT_REPOSITORY: root } = process.env;

async function story({ page, endpoint, picture, workspace }) {
  const { files, answer, edit } = JSON.parse(process.env.PICTURE);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(workspace, name), text);
  await page.setViewportSize({ width: 1180, height: 640 });
  await page.waitForSelector(STATUS, { timeout: 60000 });
  await open(page, 'basket.py');
  await until('the server', async () => (await page.locator(STATUS).innerText()).trim() === 'Pairwright', 60000);

  await page.locator('.view-line:has-text("def total")').click();
  await endpoint.say(edit);
  await keys(page, 'e');
  await page.waitForSelector('.quick-input-widget input[placeholder="What should change here?"]');
  await page.keyboard.type('Refuse counts below one, and simplify the total');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.codelens-decoration:has-text("Accept hunk 2 of 2")', { timeout: 120000 });

  await keys(page, 'c');
  const chat = await chatFrame(page);
  await endpoint.say(answer);
  await chat.fill('#text', 'Who relies on total?');
  await chat.press('#text', 'Enter');
  await until('the answer', async () => (await chat.innerText('#status')) === 'Done', 180000);
  await page.locator('.pane-header:has-text("Waiting Changes")').click();
  await page.mouse.move(900, 560);
  await picture('work');
}

(async () => {
  const endpoint = await scripted(root, python);
  const settings = { 'pairwright.model.name': 'openai/scripted', 'pairwright.model.api_base': endpoint.url,
    'workbench.colorTheme': 'Default Dark Modern', 'editor.minimap.enabled': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden' };
  const machine = { 'pairwright.server.command': [python, '-m', 'pairwright', 'serve'] };
  const args = ['--disable-workspace-trust'];
  await told('picture', { settings, machine, args, env: { OPENAI_API_KEY: 'scripted-key' } }, (made) =>
    story({ ...made, endpoint }));
})();
