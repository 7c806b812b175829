// Long tasks and references inside the real extension host: what a row, a lens or a command of the palette does.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const shop = require('./shop.cjs');
const { until } = require('./workbench.cjs');

exports.add = ({ test, run, at, clear, waiting, endpoint }) => {
  let task;
  const last = async () => (await run('task.list', {})).tasks[0];
  const phases = ({ files }) => files.map(({ phase }) => phase);
  const stands = (what, wanted) => until(what, async () => {
    const found = await last();
    return wanted(found) && found;
  }, 120000);
  const exists = (name) => fs.existsSync(at(name).fsPath);
  const text = async (name) => (await vscode.workspace.openTextDocument(at(name))).getText();
  const saved = () => until('no file unsaved', () => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  const front = () => vscode.window.activeTextEditor;
  const change = async (document, old, fresh) => {
    const start = document.positionAt(document.getText().indexOf(old));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(start, document.positionAt(document.offsetAt(start) + old.length)), fresh);
    await vscode.workspace.applyEdit(edit);
  };

  test('a task is planned, and its plan comes up without taking the focus', async () => {
    await clear();
    await vscode.window.showTextDocument(at('basket.py'));
    await endpoint().say(shop.plan);
    assert.ok(await run('task.plan', { text: 'Add carts' }));
    task = (await stands('the plan', (found) => found?.status === 'planned')).task;
    const shown = () => vscode.window.visibleTextEditors.map(({ document }) => document.getText());
    await until('its document', () => shown().some((one) => one.includes(`"task": "${task}"`)));
  });

  test('the plan is opened at a file, has lenses, and its faults stand where they are', async () => {
    await run('task.open', { task, path: 'cart.py' });
    const { document, selection } = front();
    assert.equal(document.lineAt(selection.active.line).text, '## create cart.py');
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri);
    assert.ok(lenses.some(({ command }) => command?.title.includes('Run This Plan')));
    await change(document, '## modify basket.py', '## modify lost.py');
    assert.equal(await run('task.run', { uri: document.uri.toString() }), undefined, 'it is refused');
    const [mark] = vscode.languages.getDiagnostics(document.uri);
    assert.match(mark.message, /^lost\.py does not exist/);
    assert.equal(document.lineAt(mark.range.start.line).text, '## modify lost.py');
    await run('task.open', { task });
    assert.match(front().document.getText(), /lost\.py/, 'what was changed in it stays');
    await change(document, '## modify lost.py', '## modify basket.py');
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
  });

  test('it is run file by file: the first is accepted, the second stopped while it is written', async () => {
    await endpoint().say(shop.made['item.py']);
    await endpoint().say(shop.made['cart.py'], { size: 4, delay: 0.5 });
    assert.ok(await run('task.run', { task, review: 'file' }));
    const { files } = await stands('the first file', (found) => phases(found)[0] === 'proposed');
    assert.ok(!exists('item.py'));
    assert.equal((await waiting())[0].id, files[0].proposal);
    await run('accept', { proposal: files[0].proposal, files: ['item.py'] });
    await stands('its accept', (found) => phases(found)[0] === 'applied');
    await until('the second file', async () => (await endpoint().asked()).text.includes('cart.py.\n'), 60000);
    assert.deepEqual((await run('task.stop', { task })).stopped, [task]);
    await stands('the stop', (found) => found.status === 'stopped');
  });

  test('a file is left out and written anew after all; the run goes on to the end', async () => {
    assert.deepEqual(phases(await run('task.skip', { task, path: 'cart.py' })), ['applied', 'skipped', 'pending']);
    await endpoint().say(shop.made['cart.py']);
    await endpoint().say(shop.made['basket.py']);
    assert.ok(await run('task.redo', { task, path: 'cart.py', review: 'task' }));
    await stands('the end', (found) => found.status === 'done');
    await saved();
    assert.match(await text('basket.py'), /acc = 10/);
    assert.match(await text('cart.py'), /def count/);
    const { uri } = await run('task.show', { task, open: true });
    assert.equal(front().document.uri.toString(), vscode.Uri.parse(uri).toString());
    assert.match(front().document.getText(), /create `cart\.py`: applied/);
  });

  test('the whole task is taken back', async () => {
    const taken = await run('task.undo', { task });
    assert.equal(taken.state, 'done', taken.message);
    await until('the files', () => !exists('item.py') && !exists('cart.py'));
    assert.equal(await text('basket.py'), shop.files['basket.py']);
    assert.equal((await last()).status, 'undone');
    await saved();
  });

  test('a task that was stopped goes on by resume, and its one proposal is rejected', async () => {
    await endpoint().say(shop.made['item.py'], { size: 4, delay: 0.5 });
    await run('task.run', { task, review: 'end' });
    await until('the request', async () => (await endpoint().asked()).text.includes('item.py.\n'), 60000);
    await run('task.stop');
    await stands('the stop', (found) => found.status === 'stopped');
    for (const name of ['item.py', 'cart.py', 'basket.py']) await endpoint().say(shop.made[name]);
    assert.ok(await run('task.resume', { task, review: 'end' }));
    const { files } = await stands('the end', (found) => found.status === 'waiting');
    assert.equal(new Set(files.map(({ proposal }) => proposal)).size, 1);
    await run('reject', { proposal: files[0].proposal });
    assert.equal(await text('basket.py'), shop.files['basket.py']);
    assert.ok(!exists('item.py'));
  });

  test('a folder is a reference; what is found in it is opened at its lines', async () => {
    assert.equal((await run('reference.add', { source: at('.').fsPath, name: 'shelf' }))?.name, 'shelf');
    const { found } = await run('reference.search', { text: 'the price of a line' });
    assert.equal(found[0].path, 'prices.py');
    const chosen = run('reference.search', { text: 'the price of a line', open: true });
    const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await until('the choice', async () => {
      await accept();
      return front()?.document.uri.path.endsWith('/prices.py');
    });
    await chosen;
    assert.equal(front().selection.start.line, found[0].first - 1);
    await run('reference.remove', { reference: 'shelf' });
  });

  test('a git repository is a reference at one commit', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pw-git-'));
    const git = (...argv) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...argv], { cwd: folder }).toString().trim();
    git('init', '-q');
    fs.writeFileSync(path.join(folder, 'wait.py'), 'def backoff(tries):\n    """The delay before a try, growing."""\n    return 2 ** tries\n');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    const revision = git('rev-parse', 'HEAD');
    git('commit', '-q', '--allow-empty', '-m', 'two');
    const added = await run('reference.add', { source: `file://${folder}`, name: 'pinned', revision });
    assert.equal(added?.revision, revision);
    const { references } = await run('reference.list', {});
    assert.deepEqual(references.map(({ name }) => name), ['pinned']);
    const { found } = await run('reference.search', { text: 'growing delay before a try' });
    assert.equal(found[0].name, 'backoff');
    assert.deepEqual(await run('reference.remove', { reference: 'pinned' }), { removed: 'pinned' });
    fs.rmSync(folder, { recursive: true });
  });
};
