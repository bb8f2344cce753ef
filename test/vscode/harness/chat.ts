import type { Locator, Page } from 'playwright-core';
import { pressAway, TIMEOUT, TRY_TIMEOUT, until } from './tries.ts';

// VS Code's own chat, driven like a user would.

const INPUT = '.interactive-session .chat-input-container .monaco-editor';

/** How long a message that was sent may take to appear, ms: if it were sent again too early, it would be said twice. */
const SENT_TIMEOUT = 30_000;

/** Opens the chat and waits until a model is chosen in it: VS Code learns of models after its window has opened. */
export async function openChat(page: Page, model: string): Promise<void> {
  const session = page.locator('.interactive-session').first();
  await until(session, () => page.keyboard.press('Control+Alt+I'));
  await session.locator('.chat-input-toolbars .action-item', { hasText: model }).waitFor({ timeout: TIMEOUT });
}

/** What the rows of the open chat's model picker with a model of this name say of it, its group among them. */
export async function readPicker(page: Page, model: string): Promise<readonly (string | null)[]> {
  const rows = await openPicker(page, model);
  const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
  await page.keyboard.press('Escape');
  return labels;
}

/** Chooses the model in the open chat's model picker, also where it seems to be chosen; `before`: the one that is. */
export async function chooseModel(page: Page, model: string, before = model): Promise<void> {
  const rows = await openPicker(page, model, before);
  await pressAway(rows.first());
}

/** Searches the picker for the model, since the group that it is in may be folded. */
async function openPicker(page: Page, model: string, before = model): Promise<Locator> {
  const rows = page.locator('.action-widget .monaco-list-row', { hasText: model });
  await until(rows.first(), async () => {
    await page.keyboard.press('Escape');
    const chosen = page.locator('.interactive-session .chat-input-toolbars .action-item', { hasText: before });
    await chosen.click({ timeout: TRY_TIMEOUT });
    await page.locator('.action-widget input').fill(model, { timeout: TRY_TIMEOUT });
  });
  return rows;
}

/**
 * Sends a message to the model that is chosen in the open chat, until the model has it. What is sent while VS Code still
 * activates its extensions can be lost; it is sent again then, as a user would. When models are offered anew, VS Code
 * (1.139) may go on with one that is no longer offered, by the same name in another group, and answers "Language model
 * unavailable" to every message, until the model is chosen again; this is done then, and "Retry" pressed.
 */
export async function sendInChat(page: Page, model: string, text: string, isHeard: () => boolean): Promise<void> {
  await page.locator('.statusbar-item', { hasText: 'Activating Extensions' }).waitFor({ state: 'hidden' });
  const sent = page.locator('.interactive-session .interactive-request', { hasText: text });
  const send = '.interactive-session .chat-execute-toolbar a.action-label[aria-label^="Send"]';
  await until(sent.first(), async () => {
    await focusChat(page);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
    await page
      .locator(`${INPUT} .view-line`, { hasText: text.split(' ')[0] ?? text })
      .first()
      .waitFor({ timeout: TRY_TIMEOUT });
    await page.locator(send).first().click({ timeout: TRY_TIMEOUT });
    await sent.first().waitFor({ timeout: SENT_TIMEOUT });
  });
  const refused = page.locator('.interactive-response', { hasText: 'Language model unavailable' }).last();
  await until(
    async () => isHeard(),
    async () => {
      if (!(await refused.isVisible())) return;
      await chooseModel(page, model);
      await refused.getByRole('button', { name: 'Retry' }).click({ timeout: TRY_TIMEOUT });
    },
  );
}

export async function focusChat(page: Page): Promise<void> {
  await page.locator(`${INPUT} .native-edit-context, ${INPUT} textarea`).first().focus({ timeout: TRY_TIMEOUT });
}

export async function waitForAnswer(page: Page, text: string, timeout = TIMEOUT): Promise<void> {
  await page
    .locator('.interactive-item-container.interactive-response', { hasText: text })
    .first()
    .waitFor({ timeout });
}

export async function allow(page: Page, timeout = TIMEOUT): Promise<void> {
  // The same question is also in a part of the answer that is folded.
  const button = page.locator('.interactive-session .monaco-button:visible', { hasText: /^Allow/ }).first();
  await button.waitFor({ timeout });
  await pressAway(button);
}

/** What the ring of the chat says, e.g. "Context window usage: 31%". */
export async function readContextRing(page: Page): Promise<string> {
  return (await page.locator('.chat-context-usage-widget').first().getAttribute('aria-label')) ?? '';
}
