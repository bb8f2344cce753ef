import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../../src/core/messages/chat.ts';
import { InvalidMessageError } from '../../../../src/core/messages/parse.ts';
import { assistant, PROFILE, system, tool, user } from '../kit.ts';
import { makeThreads, READ, request, send, viewOf } from './kit.ts';

const PROMPT = system('You help.');

/** A session of `turns` questions, each with a call and an answer. */
function session(turns: number, name = ''): ChatMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`${name}Question ${turn}?`),
    ...tool(`call_${name}a1b2c3d4e${turn}`, 'read', { path: `${name}${turn}.ts` }, `${name}content of ${turn}`),
    assistant(`${name}Answer ${turn}.`),
  ]).flat();
}

describe('Threads', () => {
  const start = [PROMPT, user('Fix the parser.')];
  const grown = [...start, ...tool('c1', 'read', { path: 'a.ts' }, 'one line'), user('Go on.')];

  it('a request that goes on where the last one ended is the same thread; only what is new is appended', async () => {
    const threads = makeThreads();
    const first = await send(threads, start);
    const second = await send(threads, grown);
    assert.deepEqual([first.isNew, second.isNew, second.id, second.appended], [true, false, first.id, 3]);
    assert.deepEqual(viewOf(second), grown);
  });

  it('a request that is sent again adds nothing', async () => {
    const threads = makeThreads();
    const first = await send(threads, grown);
    const again = await send(threads, grown);
    assert.deepEqual([again.id, again.isNew, again.appended], [first.id, false, 0]);
  });

  it('a system prompt that changes makes no new thread; the newest is sent, and all else is as it was', async () => {
    const threads = makeThreads();
    const first = await send(threads, start);
    const prompt = [system('You help. Today is Tuesday.'), system('Be brief.')];
    const second = await send(threads, [...prompt, ...grown.slice(1)]);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), [...prompt, ...grown.slice(1)]);
    assert.deepEqual(viewOf(await send(threads, grown)), grown);
  });

  it('a prompt that comes later is placed first', async () => {
    const threads = makeThreads();
    await send(threads, start.slice(1));
    assert.deepEqual(viewOf(await send(threads, grown)), grown);
    assert.deepEqual(viewOf(await send(threads, grown.slice(1))), grown.slice(1));
  });

  it('the newest tools and the newest model count', async () => {
    const threads = makeThreads();
    await send(threads, start);
    const profile = { ...PROFILE, id: 'other', contextWindow: 20_000 };
    const { conversation } = await send(threads, grown, { profile, tools: [READ, READ] });
    assert.equal(conversation.profile().id, 'other');
    assert.ok(conversation.toolTokens().tokens > (await send(makeThreads(), grown)).conversation.toolTokens().tokens);
  });

  it('equal starts share a prefix until they differ', async () => {
    const threads = makeThreads();
    const one = await send(threads, [...start, assistant('It is done.'), user('Thanks.')]);
    const other = await send(threads, grown);
    assert.deepEqual([other.isNew, other.forkedFrom, other.appended], [true, one.id, 3]);
    assert.deepEqual(viewOf(other), grown);
    assert.equal((await send(threads, [...grown, assistant('Done.')])).id, other.id);
  });

  it('tasks are not the same just because they begin with the same steps', async () => {
    const threads = makeThreads();
    const steps = Array.from({ length: 6 }, (_, step) =>
      tool(`functions.read:${step}`, 'read', { path: `${step}.md` }, `text ${step}`),
    ).flat();
    const one = await send(threads, [PROMPT, user('Fix issue 12.'), ...steps]);
    const task = [PROMPT, user('Fix issue 13.'), ...steps];
    const other = await send(threads, task);
    assert.notEqual(other.id, one.id);
    assert.equal(other.forkedFrom, undefined);
    assert.deepEqual(viewOf(other), task);
  });

  it('tasks that differ in a word and go on alike are never mixed, whichever comes first', async () => {
    const threads = makeThreads();
    const histories = ['a', 'b', 'c'].map((name) => [PROMPT, user(`Fix ${name}.`)]);
    const ids = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      for (const history of histories) {
        const match = await send(threads, history);
        ids.add(match.id);
        assert.deepEqual(viewOf(match), history);
        match.replied({ sent: assistant(`Answer ${round}.`) });
        history.push(assistant(`Answer ${round}.`), user(`Question ${round}?`));
      }
    }
    assert.equal(ids.size, 3);
    const batch = [PROMPT, user('Fix d.'), ...(histories[0] ?? []).slice(2)];
    assert.deepEqual(viewOf(await send(threads, batch)), batch);
  });

  it('of two tasks that go on alike, the one that begins in the same words goes on', async () => {
    const threads = makeThreads();
    const rounds = [assistant('A.'), user('Go on.'), assistant('B.'), user('Test it.')];
    const one = await send(threads, [PROMPT, user('Fix a.'), ...rounds.slice(0, 2)]);
    one.replied({ sent: assistant('B.') });
    const other = await send(threads, [PROMPT, user('Fix b.')]);
    other.replied({ sent: assistant('A.') });
    const next = await send(threads, [PROMPT, user('Fix b.'), ...rounds]);
    assert.deepEqual([next.id, viewOf(next)], [other.id, [PROMPT, user('Fix b.'), ...rounds]]);
  });

  it('a few words that two conversations have in common do not mix them', async () => {
    const threads = makeThreads();
    const answer = [user('yes'), assistant('Done.')];
    const one = await send(threads, [PROMPT, user('Rename it?'), assistant('To b?'), ...answer]);
    const next = [PROMPT, user('Delete it?'), assistant('All of it?'), ...answer, user('Thanks.')];
    const other = await send(threads, next);
    assert.notEqual(other.id, one.id);
    assert.deepEqual(viewOf(other), next);
  });

  it('a client that goes back makes a fork with what is common, its pins and what was compacted of it', async () => {
    const threads = makeThreads();
    const messages = session(6);
    const one = await send(threads, [PROMPT, ...messages]);
    one.conversation.pin(2);
    one.conversation.pin(24);
    const edited = [PROMPT, ...messages.slice(0, 20), user('Another question?')];
    const fork = await send(threads, edited);
    assert.deepEqual([fork.forkedFrom, fork.appended, [...fork.conversation.pins()]], [one.id, 1, [2]]);
    assert.deepEqual(viewOf(fork), edited);
    assert.deepEqual(viewOf(one), [PROMPT, ...messages]);
    assert.equal((await send(threads, [...edited, assistant('Yes.')])).id, fork.id);
    assert.equal((await send(threads, [PROMPT, ...messages, user('And now?')])).id, one.id);
  });

  it('results that the client clears or cuts are kept as they were first seen', async () => {
    const threads = makeThreads();
    const messages = session(6);
    const first = await send(threads, [PROMPT, ...messages]);
    const cleared = messages.map((message, index) =>
      message.role === 'tool' && index < 18 ? { ...message, content: '[cleared]' } : message,
    );
    const second = await send(threads, [PROMPT, ...cleared, user('And now?')]);
    assert.deepEqual([second.id, second.appended], [first.id, 1]);
    assert.deepEqual(viewOf(second), [PROMPT, ...messages, user('And now?')]);
    assert.equal((await send(threads, [PROMPT, ...cleared, user('And now?'), assistant('So.')])).id, first.id);
  });

  it('messages that the client leaves out to save room are kept', async () => {
    const threads = makeThreads();
    const messages = session(6);
    const first = await send(threads, [PROMPT, ...messages]);
    const second = await send(threads, [PROMPT, ...messages.slice(0, 4), ...messages.slice(12), user('And now?')]);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), [PROMPT, ...messages, user('And now?')]);
  });

  it('what a client puts beside the words of the human may change', async () => {
    const threads = makeThreads();
    const written = (time: string) => user(`Fix it.\n<environment_details>\n${time}\n</environment_details>`);
    const first = await send(threads, [PROMPT, written('10:00'), ...session(1)]);
    const second = await send(threads, [PROMPT, written('10:05'), ...session(1), user('And now?')]);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), [PROMPT, written('10:00'), ...session(1), user('And now?')]);
  });

  it('a client may remove what it put beside the words from all earlier messages at once', async () => {
    const threads = makeThreads();
    const asked = (turn: number, more = '') => user(`Question ${turn}?${more}`);
    const state = '\n<environment_details>\n10:00\n</environment_details>';
    const turns = [0, 1, 2, 3].flatMap((turn) => [asked(turn, state), assistant(`Answer ${turn}.`)]);
    const first = await send(threads, [PROMPT, ...turns, asked(4, state)]);
    const bare = [0, 1, 2, 3].flatMap((turn) => [asked(turn), assistant(`Answer ${turn}.`)]);
    const second = await send(threads, [PROMPT, ...bare, asked(4), assistant('Another.'), asked(5, state)]);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), [PROMPT, ...turns, asked(4, state), assistant('Another.'), asked(5, state)]);
  });

  it('changed words of the human are sent as they are now', async () => {
    const threads = makeThreads();
    const messages = session(4);
    const first = await send(threads, [PROMPT, ...messages]);
    first.replied({ sent: assistant('Well.') });
    const changed = [PROMPT, user('Never touch b.ts. Question 0?'), ...messages.slice(1), assistant('Well.')];
    const second = await send(threads, changed);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), changed);
    assert.deepEqual(viewOf(await send(threads, [...changed, assistant('So.')])), [...changed, assistant('So.')]);
  });

  it('changed words that a compaction had replaced come back, as they are now', async () => {
    const threads = makeThreads();
    const messages = session(8);
    const first = await send(threads, [PROMPT, ...messages]);
    const run = await first.conversation.compact({ trigger: 'command', strategy: 'heuristic', targetTokens: 200 });
    assert.equal(run.kind, 'compacted');
    assert.doesNotMatch(JSON.stringify(viewOf(first)), /Question 0/);
    const changed = [PROMPT, user('Never touch b.ts. Question 0?'), ...messages.slice(1), user('And now?')];
    const second = await send(threads, changed);
    assert.deepEqual([second.forkedFrom, viewOf(second)], [first.id, changed]);
  });

  it('a client that compacted by itself makes a fork that keeps the pins, and raw results', async () => {
    const threads = makeThreads();
    const messages = session(6);
    const first = await send(threads, [PROMPT, ...messages]);
    first.conversation.pin(1);
    first.conversation.pin(6);
    first.conversation.pin(23);
    const summary = user('Summary: questions 0 to 3 were answered.');
    const tail = messages
      .slice(16)
      .map((message, index) => (message.role === 'tool' && index < 4 ? { ...message, content: '[cleared]' } : message));
    const fork = await send(threads, [PROMPT, summary, ...tail, user('And now?')]);
    const expected = [PROMPT, messages[0], messages[5], messages[6], summary, ...messages.slice(16), user('And now?')];
    assert.deepEqual([fork.forkedFrom, fork.appended], [first.id, 2]);
    assert.deepEqual(viewOf(fork), expected);
    assert.deepEqual(
      [...fork.conversation.pins()].map((pin) => expected[pin]),
      [messages[0], messages[5], messages[22]],
    );
    const next = await send(threads, [PROMPT, summary, ...tail, user('And now?'), assistant('So.')]);
    assert.deepEqual([next.id, viewOf(next)], [fork.id, [...expected, assistant('So.')]]);
  });

  it('a summary with the last words alone is a fork where the client says which conversation it is', async () => {
    const threads = makeThreads();
    const messages = [...session(4), user('And now?')];
    const first = await send(threads, [PROMPT, ...messages], { hint: 'chat7' });
    const compacted = [PROMPT, user('Summary: all of it.'), user('And now?')];
    assert.equal((await send(threads, compacted, { hint: 'chat7' })).forkedFrom, first.id);
    assert.equal((await send(makeThreads(), compacted, { hint: 'chat7' })).forkedFrom, undefined);
  });

  it('what a client adds by itself between earlier messages comes late, but it comes, once', async () => {
    const threads = makeThreads();
    const messages = session(2);
    const first = await send(threads, [PROMPT, ...messages]);
    const reminder = user('<system-reminder>\nThe list is empty.\n</system-reminder>');
    const next = [PROMPT, ...messages.slice(0, 4), reminder, ...messages.slice(4), user('And now?')];
    const second = await send(threads, next);
    assert.equal(second.id, first.id);
    assert.deepEqual(viewOf(second), [PROMPT, ...messages, reminder, user('And now?')]);
    assert.equal((await send(threads, next)).appended, 0);
  });

  it('of two threads that a request may continue, the client’s word decides', async () => {
    const threads = makeThreads();
    const one = await send(threads, start, { hint: 'a' });
    const other = await send(threads, [...start, assistant('Done.')], { hint: 'a' });
    assert.equal(other.id, one.id);
    const two = await send(threads, [...start, assistant('No.')], { hint: 'b' });
    assert.equal((await send(threads, [...start, user('Well?')], { hint: 'b' })).forkedFrom, two.id);
    assert.equal((await send(threads, [...start, user('So?')], { hint: 'a' })).forkedFrom, one.id);
  });

  it('an invalid message is refused by index and field, and changes nothing', async () => {
    const threads = makeThreads();
    const broken = { role: 'tool', content: 'x' } as ChatMessage;
    await assert.rejects(threads.match(request([...start, broken])), (error) => {
      assert.ok(error instanceof InvalidMessageError);
      assert.deepEqual([error.index, error.field], [2, 'tool_call_id']);
      return true;
    });
    assert.deepEqual(threads.list(), []);
  });
});
