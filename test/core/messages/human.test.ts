import assert from 'node:assert/strict';
import { HumanFinder } from '../../../src/core/conversation/humans.ts';
import { attach } from '../../../src/core/messages/attachments.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { CLIENT_OPENINGS } from '../../../src/core/messages/clients.ts';
import { byHuman, splitUserText, writerOf } from '../../../src/core/messages/human.ts';
import { contentText, parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';

function user(content: string): ChatMessage {
  return { role: 'user', content };
}

function writer(message: ChatMessage) {
  return writerOf(message, contentText(message));
}

function typedIn(message: ChatMessage): string | undefined {
  return splitUserText(message, contentText(message)).typed?.trim();
}

function requestsIn(...messages: readonly ChatMessage[]): readonly number[] {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(parseMessage(message, transcript.nextId));
  return [...new HumanFinder(transcript).find().requests];
}

/** How people begin messages; each was once taken for a client's. */
const ORDINARY = [
  '<Button> is misaligned on the settings page.',
  '<output> is empty in the second tab, why?',
  '<context> is undefined in my React app.',
  '<my-widget>\n  <slot></slot>\n</my-widget>\nrenders twice',
  '<template><p>never</p></template>',
  'Observation: the page flickers while it loads.',
  'Output: it prints nothing at all.',
  'Result of the last run: two failures.',
  'Tool result looks wrong to me.',
  'Command output:\nboom\nWhat is that?',
  'The following files must not be edited: a.ts',
  'The output is cut off after 80 columns.',
  'Here are the contents of src/a.ts:\nconst a = 1;',
  '[note] keep the old API.',
  '# Context for this task\nWe sell shoes.',
  '> quoted\nDo that.',
  '```\nconst a = 1;\n```\nWhat does it do?',
  'I updated the files. Please look again.',
  '[read_file] Result was wrong.',
  'Caveat: the numbers are estimates.',
];

describe('what the human wrote in a place of Karl', () => {
  const typed = [
    ...ORDINARY,
    ...CLIENT_OPENINGS.map(({ example }) => example),
    '',
    '<system-reminder>x</system-reminder>',
  ];
  for (const text of typed) {
    it(`is the human's: ${JSON.stringify(text.slice(0, 40))}`, () => {
      const message = byHuman(text);
      assert.equal(writer(message), 'human');
      assert.equal(splitUserText(message, text).typed, text);
    });
  }

  it('has nothing but attachments besides', () => {
    const content = attach('<task>Never touch b.ts.</task>', [{ kind: 'file', path: 'a.md', text: 'Delete b.ts.' }]);
    const { typed, attached } = splitUserText(byHuman(content), String(content));
    assert.equal(typed, '<task>Never touch b.ts.</task>');
    assert.match(attached, /^\s*<attachment path="a\.md">\nDelete/);
  });
});

describe('a message in the user role of which nobody knows who wrote it', () => {
  for (const text of ORDINARY)
    it(`is the human's: ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(writer(user(text)), 'human');
      assert.equal(typedIn(user(text)), text.trim());
    });

  for (const { client, example } of CLIENT_OPENINGS)
    it(`is the client's as ${client} writes it: ${JSON.stringify(example.slice(0, 40))}`, () => {
      assert.equal(writer(user(example)), 'client');
      assert.equal(typedIn(user(example)), undefined);
    });

  for (const text of [
    '',
    '<environment_details>\nopen files\n</environment_details>',
    '<system-reminder>Use the list.</system-reminder>',
    '<command-name>/clear</command-name>\n<command-args></command-args>',
    '<karl-history id="x">\nHistory, not instructions.\n</karl-history id="x">',
    '<environment_info>\nLinux\n</environment_info>\n<workspace_info>\nsrc/\n</workspace_info>',
    '[read_file] Result: <feedback>never push</feedback>',
    "[execute_command for 'cat a'] Result:\n<feedback>\nnever push\n</feedback>",
    '<file_content path="a.md">\n<task>never push</task>\n</file_content>',
    '<bash-stdout>\n</bash-stdout>\nnever push',
  ])
    it(`is the client's: ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(writer(user(text)), 'client'));

  const framed: readonly (readonly [text: string, words: string])[] = [
    ['<context>\nToday\n</context>\n<userRequest>\nrename foo\n</userRequest>', 'rename foo'],
    ['<task>\nfix <b>it</b>\n</task>\n<environment_details>\n# Mode\n</environment_details>', 'fix <b>it</b>'],
    ['<system-reminder>\nnever x\n</system-reminder>\nnow fix the tests', 'now fix the tests'],
    ['now fix the tests\n<system-reminder>\nnever x\n</system-reminder>', 'now fix the tests'],
    ['<user_input mode="act">rename foo</user_input>', 'rename foo'],
    [
      "[ask_followup_question for 'Which?'] Result:\n<answer>\nuse B\n</answer>\n<environment_details>\nx\n</environment_details>",
      'use B',
    ],
    [
      '<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the login bug</command-args>',
      'the login bug',
    ],
    [
      '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nmake it faster',
      'make it faster',
    ],
    [
      "[write_to_file for 'a.ts'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nuse tabs\n</feedback>",
      'use tabs',
    ],
    [
      '<file_content path="a.md">\n<task>never x</task> and <feedback>y</feedback>\n</file_content>\nnow fix it',
      'now fix it',
    ],
    ['fix it\n<file_content path="a.ts">\nnever touch\n</file_content>', 'fix it'],
  ];
  for (const [text, words] of framed)
    it(`has the words of the human in a client's frame: ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(writer(user(text)), 'human');
      assert.equal(typedIn(user(text)), words);
    });
});

describe('the current request', () => {
  const reply: ChatMessage = { role: 'assistant', content: 'ok' };

  it('is the newest message of the user role, and the newest that the human wrote', () => {
    assert.deepEqual(requestsIn(user('Fix it.'), reply, user('OBSERVATION:\nboom'), reply), [0, 2]);
    assert.deepEqual(requestsIn(user('Fix it.'), reply, user('<system-reminder>x</system-reminder>')), [0, 2]);
    assert.deepEqual(requestsIn(user('<system-reminder>x</system-reminder>'), reply), [0]);
    assert.deepEqual(requestsIn(user('One.'), reply, user('Two.')), [2]);
  });

  it('is what was typed, though it looks like a client', () => {
    assert.deepEqual(
      requestsIn(user('One.'), reply, byHuman('OBSERVATION:\nboom'), reply, user('Ran `ls`\n```\na\n```')),
      [2, 4],
    );
  });
});
