import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { converse, reads, tool, user } from '../conversation/kit.ts';

async function compacted(messages: readonly ChatMessage[], targetTokens: number) {
  const conversation = converse(messages);
  assert.equal((await conversation.compact({ trigger: 'command', targetTokens })).kind, 'compacted');
  return { view: conversation.request().map(contentText).join('\n') };
}

const edit = tool('c', 'edit', { path: 'src/log.ts', old_string: 'a', new_string: 'b' }, 'Done.');

describe('what a view says about things that change', () => {
  it('is in a state at the end, once the messages that say it are gone', async () => {
    const todo = tool('a', 'TaskCreate', { subject: 'Mend the log' }, 'Created #1.');
    const { view } = await compacted([user('Fix it.'), ...edit, ...todo, ...reads(12)], 1400);
    const state = view.slice(view.indexOf('## State'));
    assert.match(state, /\[ \] #1 Mend the log \(pending\)/);
    assert.equal(view.split('src/log.ts').length, 2, 'the note names the file');
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
});

describe('a question that the human answered in a tool', () => {
  it('is quoted with all of its options where there is room: the answer may only number them', async () => {
    const options = Array.from({ length: 60 }, (_, index) => `- Option ${index} is explained at some length.`);
    const question = `Which of these do you want?\n${options.join('\n')}`;
    const answer = 'User has answered your questions: Between 20 and 40.';
    const asks = tool('a', 'AskUserQuestion', { question }, answer);
    const { view } = await compacted([user('Fix it.'), ...asks, ...reads(30)], 3800);
    assert.match(view, /Option 30 is explained/);
    assert.match(view, /→ the user: Between 20 and 40\./);
  });
});
