import type { Context, Suite, Test } from 'mocha';
import { closePagesOfTest, noteTest, savePicturesOf } from './failurePictures.ts';
import { closeSharedEditor, closeSharedWindow } from './sharedEditor.ts';
import { retryLimit } from './testCount.ts';

// Hooks around every test, in each process that runs tests: `mochaHooks` is the name that mocha looks for.

/** Saves pictures of a test that fails, even at its first try, and closes the windows that it left open. */
export const mochaHooks = {
  beforeAll(this: Context): void {
    const root = this.test?.parent;
    if (root !== undefined) watchTests(root);
  },
  beforeEach(this: Context): void {
    retryLimit.beforeEach.call(this);
    noteTest();
  },
  async afterEach(this: Context): Promise<void> {
    retryLimit.afterEach.call(this);
    // A test that will be tried again has no state.
    if (this.currentTest?.state === 'passed') return;
    await closePagesOfTest();
    await closeSharedWindow();
  },
  /**
   * After all files of a process. Where files run side by side this comes after each of them: their editor and its window
   * serve the next file too, and end with their process.
   */
  async afterAll(): Promise<void> {
    if (process.env.MOCHA_WORKER_ID === undefined) await closeSharedEditor();
  },
};

/** Pictures are taken before any hook of a suite closes what they show. */
function watchTests(suite: Suite): void {
  for (const test of suite.tests) takePictures(test);
  for (const inner of suite.suites) watchTests(inner);
}

function takePictures(test: Test): void {
  const { fn } = test;
  // A test that calls back instead of returning a promise cannot be seen to fail here.
  if (fn === undefined || fn.length > 0) return;
  test.fn = async function (this: Context) {
    try {
      await (fn as (this: Context) => unknown).call(this);
    } catch (error) {
      if (this.test?.isPending() !== true) await savePicturesOf(test.fullTitle());
      throw error;
    }
  };
}
