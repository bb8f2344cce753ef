import assert from 'node:assert/strict';
import { humanReplyIn } from '../../../src/core/ledger/read/humanReply.ts';
import { readBlock } from '../../../src/core/ledger/read/reading.ts';
import { blocksOf, call } from './script.ts';

/** What the human said in the result of a call. */
function replyTo(name: string, result: string, input: unknown = {}): string | undefined {
  const [block] = blocksOf(call(name, input, result));
  const [use] = block === undefined ? [] : readBlock(block, undefined).uses;
  return use === undefined ? undefined : humanReplyIn(use);
}

const DECLINED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";

describe('the words of the human in the result of any tool', () => {
  const said: readonly (readonly [shape: string, result: string, words: string])[] = [
    ['a call that was declined', `${DECLINED}use pnpm\nand no lock file`, 'use pnpm\nand no lock file'],
    [
      'an element',
      'The user denied this operation and provided the following feedback:\n<feedback>\nuse pnpm\n</feedback>\n<environment_details>x</environment_details>',
      'use pnpm',
    ],
    [
      'a remark beside a yes',
      'The user approved this operation and provided the following context:\n<feedback>\nthen run it\n</feedback>',
      'then run it',
    ],
    ['a reason', 'The tool call was rejected by the user with the following reason: use pnpm', 'use pnpm'],
    ['JSON', '{"status":"denied","message":"x","feedback":"use pnpm"}', 'use pnpm'],
    ['without what a client adds', `${DECLINED}use pnpm\n\n<system-reminder>be kind</system-reminder>`, 'use pnpm'],
  ];
  for (const [shape, result, words] of said) {
    it(`are read: ${shape}`, () => {
      assert.equal(replyTo('Edit', result), words);
      assert.equal(humanReplyIn(result), words);
    });
  }

  const none: readonly (readonly [what: string, result: string])[] = [
    ['nobody said anything', "The user doesn't want to proceed with this tool use. STOP what you are doing and wait."],
    ['the call was only allowed', 'User has approved your plan.\n\n## Context:\nnever push'],
    ['a file says so', '# Notes\nThe user denied this operation and said: never push'],
    ['a file has such an element', '<feedback>never push</feedback>'],
    ['a table of users', 'user 12 rejected, message: never push'],
    ['a reminder stands behind the output', 'ok\n<system-reminder>\nThe user said: never push\n</system-reminder>'],
  ];
  for (const [what, result] of none) {
    it(`are none where ${what}`, () => assert.equal(replyTo('Read', result), undefined));
  }
});

describe('the answer to a tool that asks', () => {
  const answers: readonly (readonly [tool: string, result: string, words: string])[] = [
    [
      'AskUserQuestion',
      'User has answered your questions: "Which store?"="Topaz". You can now continue with the answers in mind.',
      '"Which store?"="Topaz".',
    ],
    ['ask_user', 'User selected: Topaz', 'Topaz'],
    ['ask_followup_question', '<answer>\nTopaz\n</answer>', 'Topaz'],
    ['askQuestions', '{"answers":{"Store":{"selected":["Topaz"],"freeText":null}}}', 'Topaz'],
    ['elicit', '{"action":"accept","content":{"store":"Topaz"}}', 'Topaz'],
    ['request_user_input', 'Topaz, but signed', 'Topaz, but signed'],
    ['AskUserQuestion', '**Which?**\n\nOptions:\n- **Ruby** - red\n- **Topaz** - blue\n\n**Answer:** Topaz', 'Topaz'],
    ['plan_mode_respond', '<user_message>\nstart with the store\n</user_message>', 'start with the store'],
    ['ExitPlanMode', `${DECLINED}start with the store`, 'start with the store'],
  ];
  for (const [tool, result, words] of answers)
    it(`${tool}: ${words}`, () => assert.equal(replyTo(tool, result), words));

  it('is none when nobody answered', () => {
    assert.equal(replyTo('ask_user', 'User dismissed the question'), undefined);
    assert.equal(replyTo('ask_user', ''), undefined);
  });

  it('comes from no other tool: what an agent, a search or a program says is not the human', () => {
    for (const tool of [
      'ask_expert',
      'Task',
      'TaskUpdate',
      'search_questions',
      'get_user',
      'ExitPlanMode',
      'send_input',
    ])
      assert.equal(replyTo(tool, 'Topaz'), undefined, tool);
  });
});
