import type { Locator } from 'playwright-core';

// A user presses again what did not answer, and waits until what was asked for is there. So does every step of a UI
// test.

/** What takes longer hangs, ms: it ends a test, and judges no speed. */
export const TIMEOUT = 45_000;

/**
 * How long a key or a click is given to show an effect before it is tried again, ms: one that is heard late must not
 * count twice.
 */
export const TRY_TIMEOUT = 10_000;

/** What shows that a step was heard: an element that is visible, or a condition. */
export type Sign = Locator | (() => Promise<boolean>);

/**
 * Does something that may not be heard yet, again and again as a user would, until there is a sign of it. Does nothing
 * when the sign is there already. Throws the last error when it never comes.
 */
export async function until(sign: Sign, act: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT; ; ) {
    try {
      if (await holds(sign)) return;
      await act();
      await (typeof sign === 'function'
        ? waitFor(sign, Boolean, { timeout: TRY_TIMEOUT })
        : sign.waitFor({ timeout: TRY_TIMEOUT }));
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function holds(sign: Sign): Promise<boolean> {
  return typeof sign === 'function' ? await sign() : await sign.isVisible();
}

/** The same for something that makes an element go away, or hides it. */
export async function untilGone(gone: Locator, act: () => Promise<unknown>): Promise<void> {
  await until(() => gone.isHidden(), act);
}

/**
 * Clicks something until there is a sign of it. The sign must not be there before the click: it would be one of an
 * older state.
 */
export async function press(target: Locator, sign: Sign): Promise<void> {
  if (await holds(sign)) throw new Error(`before a click on ${target} there is already ${sign}`);
  await until(sign, () => target.click({ timeout: TRY_TIMEOUT }));
}

/** Clicks something until it, or what it closes, is gone. */
export async function pressAway(target: Locator, gone: Locator = target): Promise<void> {
  await dismiss(gone, () => target.click({ timeout: TRY_TIMEOUT }));
}

/**
 * Waits for an element and does what makes it go away until it is gone; once at least, since what is drawn again is out
 * of sight for a moment.
 */
export async function dismiss(gone: Locator, act: () => Promise<unknown>): Promise<void> {
  await gone.waitFor({ timeout: TIMEOUT });
  let isDone = false;
  const actOnce = async () => {
    await act();
    isDone = true;
  };
  await until(async () => isDone && (await gone.isHidden()), actOnce);
}

/** Whether an element is in the page, in sight or not: a sign for `until`. */
export function isThere(element: Locator): () => Promise<boolean> {
  return async () => (await element.count()) > 0;
}

export async function expectCount(what: Locator, count: number): Promise<void> {
  const read = () => what.count();
  await waitFor(read, (seen) => seen === count, { what: `the count of ${what} is` });
}

/** Waits until what is read is this; `read` is called again and again. */
export async function expectValue<Value>(read: () => Promise<Value>, wanted: Value, what = ''): Promise<void> {
  await waitFor(read, (value) => value === wanted, { what });
}

/** Waits until the text of an element matches and returns it, in one line; throws with the text that there was. */
export async function expectText(element: Locator, wanted: RegExp): Promise<string> {
  const read = () => readText(element);
  const what = `the text of ${element}, that is to match ${wanted}, is`;
  return await waitFor(read, (text) => wanted.test(text), { what });
}

/** The text of an element as one line; empty when it is not there. */
export async function readText(element: Locator): Promise<string> {
  return (await element.allTextContents()).join(' ').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Waits until a condition holds; `read` is called again and again. After the time limit it throws with the last value,
 * and with `what` that is the value of.
 */
export async function waitFor<Value>(
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  { timeout = TIMEOUT, what = '' }: { readonly timeout?: number; readonly what?: string } = {},
): Promise<Value> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`${what} still ${JSON.stringify(value)} after ${timeout} ms`.trim());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
