import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { HandAct, StrategyId } from '../../../src/core/compaction/compaction.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { figuresOf } from '../../../src/core/conversation/figures.ts';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import { parseSummary } from '../../../src/core/session/parseSummary.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assertSound, assistant, compact, converse, PROFILE, reads, reopened, system, tool, user } from './kit.ts';

const LONG = 'A line of the output of a tool.\n'.repeat(60);
/** One call with three results. */
const parallel = (round: number | '' = ''): ChatMessage[] => {
  const ids = ['a', 'b', 'c'].map((id) => `${id}${round}`);
  const calls = ids.map((id) => {
    return {
      id,
      type: 'function',
      function: { name: 'read_file', arguments: JSON.stringify({ path: `src/${id}.ts` }) },
    };
  });
  const results = ids.map((id): ChatMessage => ({ role: 'tool', tool_call_id: id, content: `${id}: ${LONG}` }));
  return [{ role: 'assistant', content: 'I look.', tool_calls: calls }, ...results];
};
/** 0 prompt, 1 request, 2-5 call with three results, 6 reply, 7 request. */
const START = [system('You are an agent.'), user('Look at it.'), ...parallel(), assistant('Seen.'), user('Go on.')];

async function summarized(targetTokens: number, strategy: StrategyId = 'heuristic'): Promise<Conversation> {
  const conversation = converse([...START, ...reads(20), user('Go on.')]);
  await compact(conversation, { strategy, targetTokens });
  return conversation;
}

const sent = (conversation: Conversation) => conversation.request();
const textOf = (conversation: Conversation, callId: string) =>
  contentText(
    sent(conversation).find(({ tool_call_id }) => tool_call_id === callId) ?? assert.fail(`no result of ${callId}`),
  );

async function change(conversation: Conversation, act: HandAct, ...ids: number[]) {
  const done = await conversation.changeByHand(act, ids);
  return done.ok ? done.value : assert.fail(inEnglish(done.error));
}

async function refuse(conversation: Conversation, act: HandAct, id: number, why: RegExp): Promise<void> {
  const done = await conversation.changeByHand(act, [id]);
  assert.ok(!done.ok && why.test(inEnglish(done.error)), `${act} ${id}`);
}

describe('what the user drops, shortens or restores', () => {
  it('is a record of its own: a line with the handle replaces one result, the pair stays', async () => {
    const conversation = converse(START);
    const before = conversation.budget().used.tokens;
    const raw = JSON.stringify(conversation.snapshot().messages);
    const { compaction } = await change(conversation, 'dropped', 4);
    assert.match(textOf(conversation, 'b'), /^\[t4 dropped by the user: read src\/b\.ts/);
    assert.match(textOf(conversation, 'a'), /^a: A line/);
    assertSound(conversation);
    assert.equal(JSON.stringify(conversation.snapshot().messages), raw, 'the transcript is never edited');
    assert.equal(compaction.strategy, 'manual');
    assert.equal(compaction.receipt.tokensBefore, before);
    assert.equal(compaction.receipt.tokensAfter, conversation.budget().used.tokens);
    assert.ok(conversation.budget().used.tokens < before - 300);
    const [found] = (await conversation.recall({ query: 't4' })).found;
    assert.match(String(found?.text), /b: A line of the output/, 'recall opens it');
  });

  it('counts as a change of its block also where an earlier one changed a later result', async () => {
    const conversation = converse(START);
    await change(conversation, 'dropped', 5);
    const { compaction } = await change(conversation, 'dropped', 3);
    assert.equal(compaction.receipt.summarized, 4, 'the block of four messages is checked against the laws');
  });

  it('leaves what is frozen as it is, and says why', async () => {
    const conversation = converse(START);
    conversation.pin(4);
    const raw = JSON.stringify(sent(conversation));
    for (const [id, why] of [
      [0, /Instructions always stay whole/],
      [7, /Your current request always stays whole/],
      [3, /Message 4 is pinned\. Unpin it first/],
      [99, /There is no message 99/],
    ] as const)
      await refuse(conversation, 'dropped', id, why);
    assert.equal(JSON.stringify(sent(conversation)), raw);
    assert.deepEqual(conversation.compactions(), []);
    const { refused } = await change(conversation, 'dropped', 6, 7);
    assert.deepEqual(refused.map(inEnglish), ['Your current request always stays whole.'], 'the others are done');
    const running = converse([...START, ...tool('x', 'read_file', {}, LONG).slice(0, 1)]);
    await refuse(running, 'dropped', 8, /still running/);
  });

  it('can be shortened, and not once more', async () => {
    const conversation = converse(START);
    await change(conversation, 'shortened', 3);
    const text = textOf(conversation, 'a');
    assert.ok(text.length < LONG.length / 2 && text.includes('t3'), text);
    await refuse(conversation, 'shortened', 3, /already short/);
    await change(conversation, 'dropped', 3);
    assert.match(textOf(conversation, 'a'), /^\[t3 dropped/);
  });

  it('stays dropped through later runs, and their summaries do not quote it', async () => {
    const secret = 'The vault opens with 7f3a9.';
    const conversation = converse([
      system('You are an agent.'),
      user('Look at it.'),
      ...tool('s', 'run_command', { command: 'cat vault.txt' }, `${secret}\n${LONG}`),
      assistant('Seen.'),
      user(`Remember this: the launch code is 4411-B. ${'It matters. '.repeat(30)}`),
      assistant('Noted.'),
      ...reads(20),
      user('Go on.'),
    ]);
    await change(conversation, 'dropped', 3, 5);
    for (const strategy of ['adaptive', 'extractive', 'heuristic'] as const) {
      conversation.append([...reads(15, 30, conversation.transcript.nextId), user('Go on.')]);
      await compact(conversation, { strategy, targetTokens: 1500 });
      const request = JSON.stringify(sent(conversation));
      assert.ok(!request.includes('7f3a9') && !request.includes('4411-B'), strategy);
    }
    assertSound(conversation);
  });

  it('is not in the state of a later run either, until the drop is undone', async () => {
    const rule = 'You must never use tabs in src/foo.ts.';
    const task = { content: 'Oil the gate', status: 'pending' };
    const other = 'You must never rename src/bar.ts.';
    const conversation = converse([
      system('You are an agent.'),
      user('Look at it.'),
      assistant('Yes.'),
      user(rule),
      ...tool('todo', 'todo_write', { todos: [task] }, 'Written.'),
      user(other),
      ...reads(20, 40),
      user('And now?'),
    ]);
    const state = () => sent(conversation).map(contentText).find(isState) ?? assert.fail('no state');
    const run = () => compact(conversation, { strategy: 'extractive', targetTokens: 1500 });
    const { compaction } = await change(conversation, 'dropped', 3, 4);
    await run();
    const isTold = sent(conversation).some((message) => contentText(message).includes(other));
    assert.ok(isTold, 'what was not dropped is told');
    for (const message of sent(conversation)) {
      assert.ok(!contentText(message).includes(rule));
      assert.ok(!isState(contentText(message)) || !contentText(message).includes(task.content));
    }
    conversation.undo();
    assert.ok(conversation.undo(compaction.id));
    await run();
    assert.ok(state().includes(task.content));
    assert.ok(sent(conversation).some((message) => contentText(message).includes(rule)));
  });

  it('leaves the state of a run as it is: the next run takes it out', async () => {
    const task = (id: string) => tool(id, 'TaskCreate', { subject: `Mend ${id}` }, `Task #${id} created`);
    for (const act of ['dropped', 'restored'] as const) {
      const conversation = converse(
        [system('You are an agent.'), user('Look.'), ...task('1'), ...[1, 2, 3, 4].flatMap(parallel), user('Go on.')],
        { profile: { ...PROFILE, contextWindow: 30_000 } },
      );
      const states = () => sent(conversation).map(contentText).filter(isState);
      await conversation.compact({ trigger: 'command', targetTokens: 3700 });
      const told = conversation.items().find((item) => item.kind === 'replaced' && item.replacement.by.volatile === 1);
      assert.ok(told !== undefined && told.kind === 'replaced' && told.replacement.by.kind === 'shortened');
      await change(conversation, act, told.range.from + 1);
      assert.equal(states().length, 1);
      conversation.append([...task('2'), ...[5, 6, 7].flatMap(parallel), user('More.')]);
      await compact(conversation, { targetTokens: 5700 });
      assert.equal(states().length, 1, act);
    }
  });

  it('may be chosen while messages come: the record is made, and they are not touched', async () => {
    let clock = 0;
    let left = 0;
    const conversation = converse([system('You are an agent.'), user('Look.'), ...reads(100, 5), user('And now?')], {
      ports: {
        newId: () => {
          left = 8;
          return 'run1';
        },
        now: () => 0,
        elapsed: () => {
          clock += 10;
          return clock;
        },
        pause: async () => {
          left -= 1;
          if (left >= 0) conversation.append([assistant('One more.')]);
        },
      },
    });
    await change(conversation, 'dropped', 10);
    assertSound(conversation);
    assert.equal(contentText(sent(conversation).at(-1) ?? user('')), 'One more.');
  });
});

const isState = (text: string): boolean => text.includes('State when this was written');

describe('restore', () => {
  it('of both ends of a summary brings back these two, not what is between', async () => {
    const conversation = await summarized(1500, 'extractive');
    const note = conversation.items().find(({ kind, range }) => kind === 'replaced' && range.to - range.from > 20);
    assert.ok(note !== undefined);
    const { from, to } = note.range;
    const { compaction } = await change(conversation, 'restored', from, to);
    const between = conversation.items().filter(({ range }) => from < range.from && range.to < to);
    const kinds = between.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['replaced']);
    assertSound(conversation);
    assert.equal(compaction.receipt.tokensAfter, conversation.budget().used.tokens);
  });

  it('brings one message back alone, also of several that were dropped together', async () => {
    const conversation = converse(START);
    await change(conversation, 'dropped', 3, 4, 5, 6);
    assert.equal(conversation.compactions().length, 1, 'one record');
    assert.match(contentText(sent(conversation).at(-2) ?? user('')), /\[t6 dropped by the user: assistant: Seen\.\]/);
    const { compaction } = await change(conversation, 'restored', 4);
    assert.match(textOf(conversation, 'b'), /^b: A line/);
    assert.match(textOf(conversation, 'a'), /^\[t3 dropped/);
    assert.ok(conversation.undo(compaction.id));
    assert.match(textOf(conversation, 'b'), /^\[t4 dropped/);
    await refuse(conversation, 'restored', 1, /already whole/);
  });

  it('brings a shortened result back and leaves the others of its call', async () => {
    const conversation = converse([...START, ...reads(12), user('Go on.')]);
    await conversation.compact({ trigger: 'command', strategy: 'adaptive', targetTokens: 3500 });
    assert.ok(textOf(conversation, 'a').length < LONG.length / 2, 'the run shortened it');
    await change(conversation, 'restored', 3);
    assert.match(textOf(conversation, 'a'), /^a: (A line of the output of a tool\.\n){60}$/);
    assert.ok(textOf(conversation, 'b').length < LONG.length / 2);
    assertSound(conversation);
  });
});

describe('a manual record', () => {
  it('survives the file: the same view, and the same acts', async () => {
    const conversation = await summarized(1500);
    await change(conversation, 'restored', 3);
    await change(conversation, 'dropped', 4);
    await change(conversation, 'shortened', 5);
    assert.equal(figuresOf(conversation, 0).compressions, 1, 'it is no compression');
    const reloaded = reopened(conversation);
    assert.equal(JSON.stringify(sent(reloaded)), JSON.stringify(sent(conversation)));
    await refuse(reloaded, 'dropped', 4, /./);
    await refuse(reloaded, 'restored', 3, /./);
    await change(reloaded, 'restored', 4);
    assert.match(textOf(reloaded, 'b'), /^b: A line/);
    assert.ok(reloaded.undo());
    assert.equal(JSON.stringify(sent(reloaded)), JSON.stringify(sent(conversation)));
  });

  it('that is malformed or names no message is dropped alone, and said', async () => {
    const conversation = converse(START);
    await change(conversation, 'dropped', 3);
    const [record] = JSON.parse(JSON.stringify(conversation.snapshot().compactions));
    const parse = (...compactions: unknown[]) =>
      parseSummary({ v: 1, title: 'T', createdAt: 0, compactions, pins: [] }, START.length);
    assert.equal(parse(record)?.details.compactions.length, 1);
    for (const edits of [[{ id: 50, kind: 'whole' }], [{ id: 3, kind: 'dropped' }], [{ id: -1, kind: 'whole' }], 7])
      assert.equal(parse({ ...record, edits })?.dropped.length, 1, JSON.stringify(edits));
  });

  it('is given up by a pin of several messages, by one step; one that does not exist pins none', async () => {
    const conversation = converse([...START, ...reads(2), user('Go on.')]);
    await change(conversation, 'dropped', 3, 4, 9);
    const events: KarlEvent[] = [];
    conversation.on((event) => events.push(event));
    assert.throws(() => conversation.pin(3, 9, 999), RangeError);
    assert.deepEqual([[...conversation.pins()], events], [[], []]);
    conversation.pin(3, 9);
    assert.match(textOf(conversation, 'b'), /^b: A line/);
    assert.doesNotMatch(JSON.stringify(conversation.request()), /dropped by the user/);
    assert.deepEqual([[...conversation.pins()], events.length], [[3, 9], 1]);
    conversation.unpin(3, 9);
    assert.deepEqual([[...conversation.pins()], events.length], [[], 2]);
  });
});
