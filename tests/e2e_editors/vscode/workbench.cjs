// The real VS Code workbench: its server, a profile of its own, and a page of Chromium that shows it.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

const freePort = () => new Promise((done) => {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});
const status = (url) => new Promise((done) => {
  http.get(url, (answer) => { answer.resume(); done(answer.statusCode); }).on('error', () => done(0));
});
/** By how much every limit is stretched, for a machine that does much else. */
const PATIENCE = Number(process.env.PATIENCE || 1);
exports.PATIENCE = PATIENCE;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
exports.sleep = sleep;

exports.until = async (what, check, ms = 60000) => {
  for (const end = Date.now() + ms * PATIENCE; ;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timeout: ${what}`);
    await sleep(100);
  }
};

/** A folder with files, a profile with settings; `machine` are those that a remote window takes from nowhere else.
 * `said` gives the text of both files of settings. */
exports.profile = ({ files, settings, machine }) => {
  const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'pw-vscode-'));
  const workspace = path.join(tmp, 'shop');
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    fs.writeFileSync(path.join(workspace, name), text);
  }
  const data = path.join(tmp, 'server', 'data');
  const put = (kind, value) => {
    fs.mkdirSync(path.join(data, kind), { recursive: true });
    fs.writeFileSync(path.join(data, kind, 'settings.json'), JSON.stringify(value));
  };
  const user = { 'workbench.startupEditor': 'none', 'telemetry.telemetryLevel': 'off', 'chat.disableAIFeatures': true,
    'extensions.ignoreRecommendations': true, ...settings };
  put('User', user);
  put('Machine', machine);
  const read = (kind) => fs.readFileSync(path.join(data, kind, 'settings.json'), 'utf8');
  return { tmp, workspace, said: () => read('User') + read('Machine') };
};

exports.keepLogs = (tmp, out) => {
  const logs = path.join(tmp, 'server/data/logs');
  if (fs.existsSync(logs)) fs.cpSync(logs, path.join(out, 'logs'), { recursive: true, force: true });
};

/** Start the workbench's server; `entry` is its server-main.js, run by `node`. */
exports.serve = async ({ entry, node, tmp, out, args = [], env = {} }) => {
  const port = await freePort();
  const own = { HOME: tmp, TMPDIR: tmp, XDG_RUNTIME_DIR: tmp, XDG_CONFIG_HOME: `${tmp}/config`, XDG_DATA_HOME: `${tmp}/share`,
    XDG_CACHE_HOME: `${tmp}/cache`, XDG_STATE_HOME: `${tmp}/state` };
  const log = fs.openSync(path.join(out, 'server.log'), 'w');
  const argv = [entry, '--server-data-dir', `${tmp}/server`, '--extensions-dir', `${tmp}/extensions`, '--host', '127.0.0.1',
    '--port', String(port), '--without-connection-token', '--accept-server-license-terms', '--telemetry-level', 'off', ...args];
  const child = spawn(node, argv, { env: { ...process.env, ...own, ...env }, stdio: ['ignore', log, log], detached: true });
  await exports.until('the workbench server', async () => (await status(`http://127.0.0.1:${port}/version`)) === 200);
  const stop = async () => {
    const kill = (signal) => { try { process.kill(-child.pid, signal); } catch { /* it has ended */ } };
    const ended = child.exitCode === null ? new Promise((done) => child.once('exit', done)) : undefined;
    kill('SIGTERM');
    await Promise.race([ended, sleep(5000)]);
    kill('SIGKILL');
  };
  return { port, stop };
};

/** A browser whose pages reach this machine only. */
exports.browse = async (playwright, tmp, more = {}) => {
  const browser = await playwright.chromium.launchPersistentContext(path.join(tmp, 'chromium'), {
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true, viewport: { width: 1280, height: 800 },
    args: FLAGS, ...more });
  await browser.route((url) => url.hostname !== '127.0.0.1' && !url.hostname.endsWith('.vscode-cdn.net'), (route) => route.abort());
  return browser;
};
