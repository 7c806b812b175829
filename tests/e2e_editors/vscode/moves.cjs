// What a user does in the workbench, by mouse and keys.
const { until } = require('./workbench.cjs');

const INPUT = '.quick-input-widget:not([style*="display: none"]) input';

exports.open = async (page, name) => {
  await page.keyboard.press('Control+P');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(name);
  await page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForSelector(`.tab.active:has-text("${name}")`);
};

/** Both strokes of a key of ours. */
exports.keys = async (page, second) => {
  await page.keyboard.press('Alt+p');
  await page.keyboard.press(second);
};

/** A command of the palette, by its title. */
exports.command = async (page, title) => {
  await page.keyboard.press('F1');
  await page.waitForSelector(INPUT);
  await page.keyboard.type(title);
  await page.locator(`.quick-input-list .monaco-list-row:has-text("${title}")`).first().click();
};

/** Answer the question that stands at the top of the window, as its title or in its field. */
exports.answer = async (page, about, words) => {
  const box = '.quick-input-widget';
  await page.locator(`${box}:has-text("${about}") input, ${box} input[placeholder*="${about}"]`).first().waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
};

/** The innermost frame of the chat view. */
exports.chatFrame = (page) => until('the chat view', async () => {
  for (const frame of page.frames()) if (await frame.$('#transcript').catch(() => null)) return frame;
  return undefined;
});

/** Send a request from the chat view and wait for its end. */
exports.ask = async (chat, words) => {
  const count = await chat.locator('.turn').count();
  await chat.fill('#text', words);
  await chat.press('#text', 'Enter');
  await until('the turn', async () => (await chat.locator('.turn').count()) > count);
  await until('its end', async () => ['Done', 'Stopped'].includes(await chat.innerText('#status')), 120000);
};
