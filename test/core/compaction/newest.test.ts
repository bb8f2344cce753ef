import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { contentText } from '../../../src/core/messages/parse.ts';
import { assistant, converse, reads, tool, user } from '../conversation/kit.ts';

async function compacted(messages: readonly ChatMessage[], targetTokens: number) {
  const conversation = converse(messages);
  const result = await conversation.compact({ trigger: 'command', targetTokens });
  assert.equal(result.kind, 'compacted');
  const rungs = result.kind === 'compacted' ? result.receipt.rungs : [];
  return { rungs, view: conversation.request().map(contentText).join('\n') };
}

function saying(text: string, [call, result]: readonly ChatMessage[]): ChatMessage[] {
  return call === undefined || result === undefined ? [] : [{ ...call, content: text }, result];
}

const edit = tool('c', 'edit', { path: 'src/log.ts', old_string: 'a', new_string: 'b' }, 'Done.');

describe('what a view says about things that change', () => {
  it('is in a state at the end, even if the messages that say it are still there', async () => {
    const todo = tool('a', 'TaskCreate', { subject: 'Mend the log' }, 'Created #1.');
    const check = tool('b', 'bash', { command: 'npm test' }, '2 failed, 9 passed\nexit code 1');
    const { rungs, view } = await compacted([user('Fix it.'), ...reads(8), ...edit, ...todo, ...check], 2500);
    assert.deepEqual(rungs, ['mask']);
    const state = view.slice(view.indexOf('## State'));
    assert.match(state, /\[ \] #1 Mend the log \(pending\)/);
    assert.match(state, /Files edited: the newest[^\n]*\n- \[t\d+\] src\/log\.ts/);
  });

  it('is not said twice when there is no room for it', async () => {
    const rules = 'Look at every part. '.repeat(200);
    const { view } = await compacted([user('Fix it.'), ...edit, ...reads(12), assistant('Edited.'), user(rules)], 300);
    assert.equal(view.split('src/log.ts').length, 2, view);
  });

  it('includes what its list says about an open to-do besides the title, until it is done', async () => {
    const description =
      'The hook picks the file before it has read its input: read the input first, then open the log.';
    const made = tool('a', 'TaskCreate', { subject: 'Mend the log', description }, 'Created #1.');
    const begun = tool('b', 'TaskUpdate', { taskId: '1', status: 'in_progress' }, 'Updated #1.');
    const done = tool('c', 'TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated #1.');
    const open = await compacted([user('Fix it.'), ...made, ...begun, ...reads(12)], 1400);
    assert.ok(open.view.includes(`[ ] #1 Mend the log (in_progress): ${description}`), open.view);
    const closed = await compacted([user('Fix it.'), ...made, ...begun, ...done, ...reads(12)], 1400);
    assert.match(closed.view, /\[x\] #1 Mend the log \(completed\)$/m);
  });

  it('is not "still running" for a step that was repeated: what was said with the newest one counts', async () => {
    const poll = (text: string, result: string) => saying(text, tool(text, 'poll', { session: 7, input: '' }, result));
    const waits = ['one', 'two', 'three'].flatMap((turn) => poll(`Still running after turn ${turn}.`, 'running'));
    const polls = [...waits, ...poll('Now it must be finished.', 'ended')];
    const { view } = await compacted([user('Fix it.'), ...polls, ...reads(12)], 1400);
    assert.doesNotMatch(view, /Still running/);
    assert.match(view, /Now it must be finished\./);
  });
});

describe('a question that the human answered in a tool', () => {
  it('is quoted with all of its options where there is room: the answer may only number them', async () => {
    const options = Array.from({ length: 60 }, (_, index) => `- Option ${index} is explained at some length.`);
    const question = `**Which of these do you want?**\n${options.join('\n')}`;
    const asks = tool('a', 'AskUserQuestion', { summary: 'Asked.' }, `${question}\n**Answer:** Between 20 and 40.`);
    const { view } = await compacted([user('Fix it.'), ...asks, ...reads(30)], 3800);
    assert.match(view, /Option 30 is explained/);
    assert.match(view, /→ the user: Between 20 and 40\./);
  });
});
