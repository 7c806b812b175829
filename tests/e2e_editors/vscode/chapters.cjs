// The second half of the story, in a trusted workspace: files, code blocks, review, a light theme, the walkthrough.
const assert = require('node:assert/strict');
const { answer, ask, chatFrame, command, keys, open } = require('./moves.cjs');
const { STATUS } = require('./packed.cjs');
const shop = require('./shop.cjs');
const { until } = require('./workbench.cjs');

const LENS = '.codelens-decoration a';

async function addPrices(page, chat) {
  await chat.click('button:has-text("+ File")');
  await page.locator('.quick-input-widget:has-text("files to be edited") input[type="text"]').waitFor();
  await page.keyboard.type('prices');
  // The list follows the words a moment later.
  const row = page.locator('.quick-input-list .monaco-list-row');
  await until('the one row', async () => (await row.count()) === 1);
  await row.click();
  await page.locator('.quick-input-count:has-text("1 Selected")').waitFor();
  await page.keyboard.press('Enter');
  await chat.locator('#files li:has-text("prices.py")').waitFor();
}

async function chips(page, chat, picture) {
  await addPrices(page, chat);
  await picture('chips');
  await chat.click('[aria-label="Take prices.py out of the chat"]');
  await chat.locator('#files li:has-text("prices.py")').waitFor({ state: 'detached' });
}

/** A block that is an edit is applied as it stands, any other one by a request. */
async function blocks(page, chat, endpoint, picture) {
  await open(page, 'basket.py');
  await endpoint.say(`Begin at one:\n\n${shop.two}`);
  await keys(page, 'c');
  await ask(chat, 'How would it begin at one?');
  const edit = chat.locator('.turn').last().locator('figure.edit');
  const lines = async (side) => (await edit.locator(side).allInnerTexts()).map((text) => text.trimEnd());
  assert.deepEqual(await lines('.gone'), ['-    acc = 0', '-    return acc']);
  assert.deepEqual(await lines('.come'), ['+    acc = 1', '+    return acc * 2']);
  assert.doesNotMatch(await edit.innerText(), /SEARCH|=====|REPLACE/);
  await chat.locator('.turn').last().locator('button:has-text("Apply")').first().click();
  await page.waitForSelector(`${LENS}:has-text("Accept hunk 1 of 2")`);
  await picture('applied-block');
  await chat.locator('.turn').last().locator('button:has-text("Reject all")').click();
  await page.locator(`${LENS}:has-text("Accept hunk")`).first().waitFor({ state: 'detached' });

  await endpoint.say('It could be shorter:\n\n```python\ndef total(lines):\n    return sum(map(price_of, lines))\n```\n');
  await ask(chat, 'Shorter?');
  await endpoint.say(shop.two);
  await chat.locator('.turn').last().locator('button:has-text("Apply")').first().click();
  await page.waitForSelector(`${LENS}:has-text("Accept hunk 1 of 2")`);
  assert.match((await endpoint.asked()).text, /return sum\(map\(price_of, lines\)\)/);
  await page.locator('.view-line:has-text("acc = 0")').click();
  await keys(page, 'Shift+N');
  await page.locator(`${LENS}:has-text("Accept hunk")`).first().waitFor({ state: 'detached' });
}

async function review(page, chat, endpoint, picture) {
  await addPrices(page, chat);
  await endpoint.say(shop.spread);
  await chat.selectOption('#mode', 'edit');
  await ask(chat, 'Change the prices');
  await chat.locator('.turn').last().locator('button:has-text("Review")').click();
  await page.waitForSelector('.multiDiffEntry:has-text("prices.py")');
  await command(page, 'Pairwright: All Hunks in a List');
  const row = page.locator('.pane:has-text("Waiting Changes") .monaco-list-row[aria-label^="file: prices.py"]');
  await row.hover();
  await picture('review');
  await row.locator('[aria-label^="Reject Whole Proposal"]').click();
  await row.waitFor({ state: 'detached' });
  await chat.locator('.turn').last().locator('button:has-text("Reject all")').click();
  await chat.selectOption('#mode', 'ask');
}

/** A task from its plan to its undo: by the lens, the notification, and the rows of the tree. */
async function task(page, endpoint, picture) {
  await command(page, 'Notifications: Clear All Notifications');
  await endpoint.say(shop.plan);
  await command(page, 'Pairwright: Plan a Task');
  await answer(page, 'What is to be made?', 'Add carts');
  await page.locator('.pane-header:has-text("Tasks")').click();
  const row = (label) => page.locator(`.pane:has-text("Tasks") .monaco-list-row[aria-label^="${label}"]`);
  await row('task: Carts, 0/3 files, planned').waitFor();
  await endpoint.say(shop.made['item.py']);
  await page.locator(`${LENS}:has-text("Run, Choosing File by File")`).click();
  const asked = (name) => page.locator(`.notification-toast:has-text("${name} is written; the task waits")`);
  await asked('item.py').waitFor();
  await page.locator(`${STATUS}:has-text("1/3 files, waits for your choice")`).waitFor();
  await row('file: item.py, create, waits for your choice').waitFor();
  await page.locator('.pane:has-text("Waiting Changes") .monaco-list-row[aria-label^="file: item.py"]').waitFor();
  await picture('task');

  await endpoint.say(shop.made['cart.py']);
  await asked('item.py').locator('.monaco-button:has-text("Accept")').click();
  await row('file: item.py, create, applied').waitFor();
  await row('file: cart.py, create, waits').hover();
  await row('file: cart.py').locator('[aria-label^="Reject Whole Proposal"]').click();
  await row('file: cart.py, create, left out').waitFor();
  await row('file: basket.py, left out').waitFor();
  await row('task: Carts').hover();
  await row('task: Carts').locator('[aria-label^="Undo the Whole Task"]').click();
  await row('task: Carts, 0/3 files, undone').waitFor();
  await picture('task-undone');
}

async function theme(page, picture) {
  await command(page, 'Preferences: Color Theme');
  await answer(page, 'Select Color Theme', 'Light Modern');
  await page.waitForSelector('.monaco-workbench.vs');
  await picture('light');
}

async function walkthrough(page, picture) {
  await command(page, 'Welcome: Open Walkthrough');
  await answer(page, 'walkthrough', 'Get started with Pairwright');
  await page.waitForSelector('.gettingStartedContainer:has-text("Edit, and choose")');
  await picture('walkthrough');
}

exports.chapters = async ({ page, endpoint, picture }) => {
  await keys(page, 'c');
  const chat = await chatFrame(page);
  await chips(page, chat, picture);
  await blocks(page, chat, endpoint, picture);
  await review(page, chat, endpoint, picture);
  await task(page, endpoint, picture);
  await theme(page, picture);
  await walkthrough(page, picture);
};
