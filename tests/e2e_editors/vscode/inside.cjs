// Runs inside the real extension host (extensionTestsPath): the extension through the API of VS Code.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const vscode = require('vscode');
const { scripted } = require('./endpoint.cjs');
const shop = require('./shop.cjs');
const { until } = require('./workbench.cjs');

const tests = [];
const test = (name, run) => tests.push([name, run]);
const run = (name, args) => vscode.commands.executeCommand(`pairwright.${name}`, args);
const at = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
const open = async (name) => vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)));
const waiting = async () => (await run('proposals', {}))?.proposals ?? [];
const cursor = (editor, line) => { editor.selection = new vscode.Selection(line, 0, line, 0); };
// The workbench logs much of its own to the same place.
const tell = (text) => console.log(`pairwright: ${text}`);
let endpoint;

/** Nothing waits: an undo brings a proposal back. */
async function clear() {
  for (const { id } of await waiting()) await run('reject', { proposal: id });
}

/** Ask for an edit and wait for its proposal. */
async function propose(reply, chat = []) {
  await endpoint.say(reply);
  const id = await run('edit', { uri: at('basket.py').toString(), chat, text: 'Change it' });
  assert.ok(id);
  return until('the proposal', async () => (await waiting())[0], 120000);
}

test('the extension activates without waiting for the server, which then comes up', async () => {
  const extension = vscode.extensions.getExtension('pairwright.pairwright');
  const { activation, work } = await extension.activate();
  tell(`activation: ${activation.toFixed(1)} ms, of the processor ${work.toFixed(1)} ms`);
  await vscode.workspace.getConfiguration('pairwright').update('model.name', 'openai/scripted', true);
  await vscode.workspace.getConfiguration('pairwright').update('model.api_base', endpoint.url, true);
  await open('basket.py');
  const state = await until('the index', async () => {
    const found = await run('status', {}).catch(() => undefined);
    return found?.roots[0]?.ready && found;
  }, 60000);
  assert.equal(state.client.protocol, 1);
  // A busy machine stretches the clock.
  assert.ok(Math.min(activation, work) < 100);
});

test('hover tells what the map knows', async () => {
  const hovers = await until('a hover', async () => {
    const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', at('basket.py'), new vscode.Position(3, 5));
    return found.length > 0 && found;
  });
  assert.match(hovers[0].contents[0].value, /total/);
});

test('the map is a document', async () => {
  const map = await vscode.workspace.openTextDocument(vscode.Uri.parse('pairwright:/map'));
  assert.match(map.getText(), /basket\.py/);
});

test('an edit waits: lenses above its hunks, nothing changed', async () => {
  const editor = await open('basket.py');
  const proposal = await propose(shop.two);
  assert.equal(editor.document.getText(), shop.files['basket.py']);
  const titles = await until('the lenses', async () => {
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', at('basket.py'), 20);
    const found = lenses.map((one) => one.command.title);
    return found.some((one) => one.includes('Accept hunk 1 of 2')) && found;
  });
  assert.ok(titles.includes('Accept all 2'));
  assert.equal(proposal.files[0].hunks.length, 2);
});

test('one hunk is accepted and the other rejected, by the commands at the cursor', async () => {
  const editor = await open('basket.py');
  cursor(editor, 0);
  await run('nextHunk');
  assert.equal(editor.selection.active.line, 4);
  await run('acceptHunk');
  assert.equal(editor.document.lineAt(4).text, '    acc = 1');
  await run('nextHunk');
  assert.equal(editor.selection.active.line, 8);
  await run('rejectHunk');
  assert.equal(editor.document.lineAt(8).text, '    return acc');
  assert.deepEqual(await waiting(), []);
  assert.equal(editor.document.isDirty, false, 'a document without unsaved text is saved');
});

test('undo takes the accept back', async () => {
  const taken = await run('undo', {});
  assert.equal(taken.state, 'done', taken.message);
  assert.equal((await open('basket.py')).document.getText(), shop.files['basket.py']);
  assert.equal(vscode.window.activeTextEditor.document.isDirty, false, 'what was saved before is saved again');
});

test('a change of two files is reviewed in the diff editor, and taken whole', async () => {
  await propose(shop.spread, ['prices.py']);
  await run('review');
  const input = () => vscode.window.tabGroups.activeTabGroup.activeTab;
  await until('the review', async () => input()?.label.startsWith('Pairwright: proposal')).catch((error) => {
    throw new Error(`${error.message}; in front is ${input()?.label}`);
  });
  assert.equal((await run('accept', {})).state, 'applied');
  assert.match((await open('prices.py')).document.getText(), /return line\.price\n/);
  assert.equal((await run('undo', {})).state, 'done');
  assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty), 'both files are saved again');
});

test('typing beside a hunk moves it; typing into it makes it stale', async () => {
  await propose(shop.two);
  const editor = await open('basket.py');
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# first\n'));
  const first = () => waiting().then(([one]) => one.files[0].hunks[0]);
  await until('the hunk moves', async () => (await first()).range.start.line === 5);
  await editor.edit((edit) => edit.insert(new vscode.Position(5, 4), 'my_'));
  await until('the hunk is stale', async () => (await first()).stale);
  await run('reject', {});
  assert.deepEqual((await run('cancel', {})).cancelled, [], 'nothing runs');
  await vscode.commands.executeCommand('workbench.action.files.revert');
});

test('a preset needs no words, and what was sent last is sent again', async () => {
  const editor = await open('basket.py');
  cursor(editor, 4);
  await clear();
  await endpoint.say(shop.two);
  await run('document');
  const { id } = await until('the proposal', async () => (await waiting())[0]);
  await run('reject', { proposal: id });
  await endpoint.say(shop.two);
  await run('resend');
  await until('the proposal again', async () => (await waiting())[0]);
  await run('reject', {});
});

require('./inside_tasks.cjs').add({ test, run, at, clear, waiting, endpoint: () => endpoint });

test('an answer that streams is stopped', async () => {
  await endpoint.say('word '.repeat(2000), { size: 5, delay: 0.05 });
  const id = await run('ask', { text: 'Talk for long' });
  await new Promise((done) => setTimeout(done, 500));
  const { cancelled } = await run('cancel', {});
  assert.deepEqual(cancelled, [id]);
});

/** With a model of the editor's own, that of the extension `lender`. */
async function lent(body) {
  const settings = vscode.workspace.getConfiguration('pairwright');
  const asked = async () => (await vscode.commands.executeCommand('lender.asked')).at(-1);
  const uses = async (name) => {
    await settings.update('model.name', name, true);
    await until(`the model ${name}`, async () => (await run('tokens', { text: '?' }))?.model === name);
  };
  await uses('client/lender/parrot');
  try {
    await body({ say: (said) => vscode.commands.executeCommand('lender.say', said), asked });
  } finally {
    await uses('openai/scripted');
  }
}

test('a model of the editor is asked without a key, and its edits wait like any others', () => lent(async ({ say, asked }) => {
  await clear();
  await say({ text: shop.two });
  assert.ok(await run('edit', { uri: at('basket.py').toString(), text: 'Change it by the parrot' }));
  const proposal = await until('the proposal', async () => (await waiting())[0]);
  assert.equal(proposal.files[0].hunks.length, 2);
  const { model, messages } = await asked();
  assert.equal(model, 'parrot');
  assert.ok(messages.every(({ role }) => ['user', 'assistant'].includes(role)));
  assert.match(messages.map(({ text }) => text).join(''), /Change it by the parrot/);
  await run('reject', {});
  assert.equal((await run('tokens', { text: 'What now?' })).window, 30000 + 4096);
}));

test('a stop reaches the model of the editor; its failures are told', () => lent(async ({ say, asked }) => {
  await say({ text: 'word '.repeat(2000), delay: 50 });
  const id = await run('ask', { text: 'Talk for long' });
  await until('the request', async () => (await asked()).messages.at(-1).text.includes('Talk for long'));
  assert.deepEqual((await run('cancel', {})).cancelled, [id]);
  await until('the stop', async () => (await asked()).cancelled);
  await say({ fail: 'The parrot has flown.' });
  await run('ask', { text: 'Where is it?' });
  const said = async () => (await run('sent', { request: undefined })).text;
  await until('the request', async () => (await said()).includes('Where is it?'));
}));

test('what was sent is a document', async () => {
  const { uri } = await run('sent', { request: undefined });
  const sent = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  assert.match(sent.getText(), /Where is it\?/);
});

test('a server that is killed comes back, and serves', async () => {
  const pids = execFileSync('pgrep', ['-P', String(process.pid)]).toString().trim().split('\n');
  const mine = pids.filter((pid) => execFileSync('ps', ['-o', 'args=', '-p', pid]).toString().includes('pairwright serve'));
  assert.equal(mine.length, 1);
  process.kill(Number(mine[0]), 'SIGKILL');
  await until('the server again', async () => {
    const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', at('basket.py'), new vscode.Position(3, 5));
    return found.length > 0;
  }, 120000);
});

test('restart by command; what is asked meanwhile waits for the server', async () => {
  const again = run('restart');
  assert.equal((await run('status', {})).client.protocol, 1);
  await again;
  await until('the index', async () => (await run('status', {}))?.roots[0]?.ready, 60000);
});

exports.run = async () => {
  endpoint = await scripted(process.env.PAIRWRIGHT_REPOSITORY, process.env.PAIRWRIGHT_PYTHON);
  let bad = 0;
  for (const [name, body] of tests) {
    try {
      await body();
      tell(`ok - ${name}`);
    } catch (error) {
      bad += 1;
      tell(`not ok - ${name}\n${error.stack}`);
    }
  }
  endpoint.close();
  tell(`${tests.length - bad} passed, ${bad} failed`);
  if (bad > 0) throw new Error(`${bad} tests failed`);
};
