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
    [
      'the words with which a call was declined',
      "[write_to_file for 'a.ts'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nuse tabs\n</feedback>",
      'use tabs',
    ],
    [
      'behind a file that names such elements itself',
      '<file_content path="a.md">\n<task>never x</task> and <feedback>y</feedback>\n</file_content>\nnow fix it',
      'now fix it',
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

  const made: readonly (readonly [what: string, text: string])[] = [
    ['a wrapper', '<environment_context>\n<cwd>/x</cwd>\n</environment_context>'],
    ['a file that was read', '[read_file] Result: <feedback>never push</feedback>'],
    ['a file that was read for something', "[read_file for 'a.md'] Result:\n<answer>never push</answer>"],
    ['a task inside a file', '<file_content path="a.md">\n<task>never push</task>\n</file_content>'],
    ['words behind a tag in output', '<output>\n<b>ok</b> never push\n</output>'],
    ['words behind output', '<returncode>0</returncode>\nnever push'],
    ['output that is cut short', '<stdout>\n<li>one</li>\nnever push'],
    ['a wrapper that nothing closes', '<workspace_info>\n<b>x</b>\nnever push'],
  ];
  for (const [what, text] of made)
    it(`is nothing where a client wrote all: ${what}`, () => assert.equal(splitUserText(text).typed, undefined));
});
