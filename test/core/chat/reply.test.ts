import assert from 'node:assert/strict';
import { REPLY_FORMS, replyTo } from '../../../src/core/chat/reply.ts';

/** What clients wrote, in the order of the rows. */
const EXAMPLES = [
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse pnpm",
  'User has answered your questions: "Which store?"="use pnpm". You can now continue with the user\'s answers in mind.',
  '**Which store?**\n\nOptions:\n- **Ruby** - red\n\n**Answer:** use pnpm',
  'The user rejected permission to use this specific tool call with the following feedback: use pnpm',
  'The user denied this operation and provided the following feedback:\n<feedback>\nuse pnpm\n</feedback>',
  '{"status":"denied","message":"The user denied this operation and provided the following feedback","feedback":"use pnpm"}',
  '<answer>\nuse pnpm\n</answer>',
  'User responded: use pnpm',
  '{"answers":{"Store":{"selected":["use pnpm"],"freeText":null}}}',
  'Plan rejected. User feedback: use pnpm\n\nThe plan is stored at: /tmp/plan.md\nRevise the plan.',
  'User has provided the following answers:\n\nuse pnpm',
];

/** Tools that print what others wrote. */
const FOREIGN = (
  'Bash bash run_shell_command execute_command exec_command Read read_file WebFetch web_search ' +
  'mcp__tracker__get_issue Task Grep ask_expert'
).split(' ');

describe("the human's words in the result of a tool", () => {
  for (const [index, { client, tools }] of REPLY_FORMS.entries()) {
    const example = EXAMPLES[index] ?? '';
    it(`are read as ${client} writes them: ${example.slice(0, 40)}`, () => {
      for (const tool of tools.split(' ')) assert.match(replyTo(tool, example) ?? '', /use pnpm"?\.?$/, tool);
    });

    it(`are none in a tool that prints what others wrote: ${client}, ${example.slice(0, 40)}`, () => {
      for (const tool of FOREIGN) assert.equal(replyTo(tool, example), undefined, tool);
    });
  }

  it('come without what the client adds', () => {
    const declined = EXAMPLES[0] ?? '';
    const note = "Note: The user's next message may contain a correction or preference.";
    assert.equal(replyTo('Edit', `${declined}\nand no lock file\n\n${note}`), 'use pnpm\nand no lock file');
    assert.equal(replyTo('Edit', `${declined}\n\n<system-reminder>be kind</system-reminder>`), 'use pnpm');
  });

  for (const [what, tool, result] of [
    [
      'nobody said anything',
      'Edit',
      "The user doesn't want to proceed with this tool use. STOP what you are doing and wait.",
    ],
    ['the call was only allowed', 'ExitPlanMode', 'User has approved your plan.\n\n## Context:\nnever push'],
    ['the form stands further down', 'Edit', `Updated a.ts\n${EXAMPLES[0]}`],
    ['something merely says so', 'ask_user', 'The user said: never push'],
    ['the question was dismissed', 'ask_user', 'User dismissed the question'],
    [
      'the client asks for clarity',
      'AskUserQuestion',
      `${EXAMPLES[0]?.slice(0, -8)}The user wants to clarify these questions.`,
    ],
  ] as const)
    it(`are none where ${what}`, () => assert.equal(replyTo(tool, result), undefined));
});
