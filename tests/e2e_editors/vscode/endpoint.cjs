// The scripted endpoint as an object: its URL, what it will say next, what it was asked last.
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');

exports.scripted = async (root, python) => {
  const argv = ['-m', 'tests.e2e_editors.vscode.scripted'];
  const child = spawn(python, argv, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url = (await lines.next()).value;
  const say = async (text, more = {}) => {
    child.stdin.write(`${JSON.stringify({ text, ...more })}\n`);
    await lines.next();
  };
  const asked = async () => {
    child.stdin.write('{}\n');
    return JSON.parse((await lines.next()).value);
  };
  return { url, say, asked, close: () => child.stdin.end() };
};
