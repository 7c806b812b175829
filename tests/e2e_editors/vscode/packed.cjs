// The .vsix installed into the real workbench, and a page of it. Pictures go to OUT.
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const shop = require('./shop.cjs');
const { PATIENCE, browse, keepLogs, profile, serve } = require('./workbench.cjs');

const { PAIRWRIGHT_REPOSITORY: root, VSCODE_SERVER: entry, VSCODE_NODE: node, OUT: out } = process.env;
const playwright = require(path.join(root, 'editors/vscode/node_modules/playwright-core'));
const PRE = path.join(path.dirname(entry), 'vs/workbench/contrib/webview/browser/pre');

exports.STATUS = '[id="pairwright.pairwright.pairwright.status"]';

/** The frames that hold webviews come from a network that is not there: their two files are those of the workbench. */
async function webviews(browser) {
  await browser.route((url) => url.hostname.endsWith('.vscode-cdn.net'), (route) => {
    const file = path.join(PRE, path.basename(new URL(route.request().url()).pathname));
    return fs.existsSync(file) ? route.fulfill({ path: file }) : route.abort();
  });
}

function install(tmp) {
  const vsix = path.join(root, 'editors/vscode/pairwright.vsix');
  const argv = [entry, '--server-data-dir', `${tmp}/server`, '--extensions-dir', `${tmp}/extensions`,
    '--accept-server-license-terms', '--install-extension', vsix];
  execFileSync(node, argv, { stdio: 'ignore', env: { ...process.env, HOME: tmp, TMPDIR: tmp } });
}

/** Run `story` in the workbench and end the process: 0 when it came to its end. */
exports.told = async (name, { settings, machine, args, env }, story) => {
  const made = profile({ files: shop.files, settings, machine });
  const { tmp } = made;
  install(tmp);
  const server = await serve({ entry, node, tmp, out, args, env });
  let browser;
  let code = 1;
  let count = 0;
  const picture = (what) => browser.pages()[0].screenshot({ path: path.join(out, `${name}-${(count += 1)}-${what}.png`) });
  try {
    browser = await browse(playwright, tmp);
    await webviews(browser);
    const page = browser.pages()[0];
    page.setDefaultTimeout(60000 * PATIENCE);
    await page.goto(`http://127.0.0.1:${server.port}/?folder=${made.workspace}`, { timeout: 90000 * PATIENCE });
    await story({ ...made, page, picture });
    console.log(`ok - ${count} pictures in ${out}`);
    code = 0;
  } catch (error) {
    console.log('FAILED', error.stack);
    await picture('failed').catch(() => undefined);
  } finally {
    await browser?.close().catch(() => undefined);
    await server.stop();
    if (code) keepLogs(tmp, out);
    fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    process.exit(code);
  }
};
