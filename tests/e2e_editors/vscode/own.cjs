// node own.cjs: no setting names a server, so that the extension makes its own environment from the wheel in the .vsix:
// by uv or pip, from the package index. Slow, so not among the parts that `run` takes by itself.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { open } = require('./moves.cjs');
const { STATUS, told } = require('./packed.cjs');
const { until } = require('./workbench.cjs');

const LONG = 540000;

void told('own', { settings: {}, machine: {}, args: ['--disable-workspace-trust'] }, async ({ page, picture, tmp }) => {
  const begun = Date.now();
  await page.waitForSelector('.notification-toast:has-text("installing its server")');
  await picture('installing');
  await until('the server', async () => (await page.locator(STATUS).innerText()).trim() === 'Pairwright', LONG);
  console.log(`installed and started in ${Math.round((Date.now() - begun) / 1000)} s`);
  await open(page, 'basket.py');
  await page.locator('.view-line:has-text("def total")').locator('span:text("total")').first().hover();
  await page.waitForSelector('.monaco-hover:has-text("total")');
  await picture('hover');
  const mark = path.join(tmp, 'server/data/User/globalStorage/pairwright.pairwright/server/installed.txt');
  assert.match(fs.readFileSync(mark, 'utf8'), /pairwright(\[local\])? @ file:.*\.whl/);
});
