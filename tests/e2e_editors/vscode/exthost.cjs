// node exthost.cjs: run inside.cjs in the extension host of the real workbench. Exit code 0 when all passed.
const fs = require('node:fs');
const path = require('node:path');
const { PATIENCE, browse, keepLogs, profile, serve } = require('./workbench.cjs');
const shop = require('./shop.cjs');

const { PAIRWRIGHT_PYTHON: python, PAIRWRIGHT_REPOSITORY: root, VSCODE_SERVER: entry, VSCODE_NODE: node, OUT: out } = process.env;
const playwright = require(path.join(root, 'editors/vscode/node_modules/playwright-core'));

/** A folder with the extension as it is packed, and one that lends it a model. */
function extensions(tmp) {
  const folder = path.join(tmp, 'dev');
  for (const name of ['dist', 'media', 'package.json']) {
    fs.cpSync(path.join(root, 'editors/vscode', name), path.join(folder, 'pairwright', name), { recursive: true });
  }
  fs.cpSync(path.join(__dirname, 'lender'), path.join(folder, 'lender'), { recursive: true });
  return folder;
}

(async () => {
  const { tmp, workspace } = profile({
    files: shop.files,
    settings: { 'security.workspace.trust.enabled': false },
    machine: { 'pairwright.server.command': [python, '-m', 'pairwright', 'serve'] },
  });
  const args = ['--disable-workspace-trust', '--enable-smoke-test-driver'];
  const server = await serve({ entry, node, tmp, out, args, env: { OPENAI_API_KEY: 'scripted-key' } });
  let browser;
  let code = 1;
  try {
    browser = await browse(playwright, tmp);
    const page = browser.pages()[0];
    const done = new Promise((end, failed) => {
      setTimeout(() => failed(new Error('no result')), 400000 * PATIENCE).unref();
      void page.exposeFunction('codeAutomationExit', end);
    });
    const log = fs.createWriteStream(path.join(out, 'exthost.log'));
    await page.exposeFunction('codeAutomationLog', (type, args) => {
      const line = [args].flat().join(' ');
      log.write(`${line}\n`);
      if (line.startsWith('pairwright: ')) console.log(line.slice(12));
    });
    const remote = (where) => `vscode-remote://127.0.0.1:${server.port}${where}`;
    const payload = [['extensionDevelopmentPath', remote(extensions(tmp))],
      ['extensionTestsPath', remote(path.join(__dirname, 'inside.cjs'))], ['skipWelcome', 'true']];
    await page.goto(`http://127.0.0.1:${server.port}/?folder=${workspace}&payload=${encodeURIComponent(JSON.stringify(payload))}`, { timeout: 90000 * PATIENCE });
    code = await done;
    await page.screenshot({ path: path.join(out, 'exthost.png') });
  } catch (error) {
    console.log('FAILED', error.stack);
    await browser?.pages()[0]?.screenshot({ path: path.join(out, 'exthost-failed.png') }).catch(() => undefined);
  } finally {
    await browser?.close().catch(() => undefined);
    await server.stop();
    if (code) keepLogs(tmp, out);
    fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    process.exit(code ? 1 : 0);
  }
})();
