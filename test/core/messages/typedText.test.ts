import assert from 'node:assert/strict';
import { splitUserText } from '../../../src/core/messages/typedText.ts';

describe('what a human typed in a message that a client made', () => {
  const typed: readonly (readonly [what: string, text: string, words: string])[] = [
    ['an element for it', '<context>\nToday\n</context>\n<userRequest>\nrename foo\n</userRequest>', 'rename foo'],
    [
      'a task',
      '<task>\nfix <b>it</b>\n</task>\n<environment_details>\n# Mode\n</environment_details>',
      'fix <b>it</b>',
    ],
    ['behind a reminder', '<system-reminder>\nnever x\n</system-reminder>\nnow fix the tests', 'now fix the tests'],
    ['before a reminder', 'now fix the tests\n<system-reminder>\nnever x\n</system-reminder>', 'now fix the tests'],
    [
      'the answer to a tool that asked',
      "[ask_followup_question for 'Which?'] Result:\n<answer>\nuse B\n</answer>\n<environment_details>\nx\n</environment_details>",
      'use B',
    ],
    [
      'behind a slash command',
      '<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the login bug</command-args>',
      'the login bug',
    ],
    [
      'under a heading',
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nmake it faster',
      'make it faster',
    ],
    ['all of it', 'what does <context> mean in React?', 'what does <context> mean in React?'],
    ['an element that is all there is', '<task>\nship it\n</task>', 'ship it'],
  ];
  for (const [what, text, words] of typed) {
    it(`is read: ${what}`, () => assert.equal(splitUserText(text).typed?.trim(), words));
  }

  it('is told from the files beside it', () => {
    const { typed: words, attached } = splitUserText(
      'fix it\n<file_content path="a.ts">\nnever touch\n</file_content>',
    );
    assert.equal(words?.trim(), 'fix it');
    assert.match(attached, /never touch/);
  });

  it('is nothing where a client wrote all', () => {
    assert.equal(splitUserText('<environment_context>\n<cwd>/x</cwd>\n</environment_context>').typed, undefined);
  });
});
