import assert from 'node:assert/strict';
import { MOST_ATTEMPTS } from '../../../src/core/model/retry.ts';
import { filler, type Harness, type HarnessOptions, openHarness } from '../../core/session/sessionHarness.ts';
import { errorReply, overflowReply, type ScriptedReply, textReply } from '../server/reply.ts';

const FAULT = errorReply(500, { error: { message: 'boom' } });
const OVERFLOW = overflowReply(40_000, 20_000);
const OUTPUT = errorReply(400, {
  error: {
    message:
      'max_tokens is too large: 9000. This model supports at most 800 completion tokens, whereas you provided 9000.',
    param: 'max_tokens',
    code: 'invalid_value',
  },
});

const times = (count: number, reply: ScriptedReply): readonly ScriptedReply[] =>
  Array.from({ length: count }, () => reply);

/** Counted where it matters: at the server. */
describe('the requests that one turn costs', () => {
  let harness: Harness;

  afterEach(() => harness.close());

  async function send(replies: readonly ScriptedReply[], options: HarnessOptions = {}) {
    harness = await openHarness(options);
    const { conversation, server, session } = harness;
    for (let turn = 0; turn < 10; turn += 1) {
      conversation.append([
        { role: 'user', content: filler(900, `question ${turn}`) },
        { role: 'assistant', content: filler(900, `answer ${turn}`) },
      ]);
    }
    server.enqueue(...replies);
    const outcome = await session.send('go');
    return { outcome, requests: server.requests, compactions: conversation.compactions().length };
  }

  it('are not multiplied by cures: the retries of a call have one limit, whatever comes between them', async () => {
    const replies = [...times(2, FAULT), OVERFLOW, FAULT, OUTPUT, ...times(10, FAULT)];
    const { outcome, requests, compactions } = await send(replies);
    assert.equal(requests.length, MOST_ATTEMPTS + 2, 'four faults and two cures');
    assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'model');
    assert.equal(outcome.problem.attempts, MOST_ATTEMPTS);
    assert.equal(compactions, 1);
    assert.deepEqual(harness.clock.slept, [1_000, 2_000, 4_000], 'and each wait was seen');
    assert.equal(harness.events.filter(({ type }) => type === 'retry').length, 3);
  });

  for (const [name, replies, count, compactions] of [
    ['an overflow that does not end is met twice', times(20, OVERFLOW), 2, 1],
    ['an output limit that does not end is met twice', times(20, OUTPUT), 2, 0],
    ['output limit, then overflow: each has its cure', [OUTPUT, OVERFLOW], 3, 1],
    ['overflow, then output limit: each has its cure', [OVERFLOW, OUTPUT], 3, 1],
    ['both without end: each cure once', [OUTPUT, OVERFLOW, OUTPUT, OVERFLOW, OUTPUT], 3, 1],
  ] as const) {
    it(name, async () => {
      const sent = await send(replies);
      assert.equal(sent.requests.length, count);
      assert.equal(sent.compactions, compactions);
      if (count === 3 && replies.length === 2)
        assert.deepEqual(sent.outcome, { kind: 'answered', rounds: 1, cutOff: false });
    });
  }

  it('teach the window that the server states, even above that of the profile, until it is forgotten', async () => {
    const { outcome } = await send([overflowReply(44_000, 40_000)]);
    assert.equal(outcome.kind, 'answered');
    const { conversation } = harness;
    assert.deepEqual([conversation.budget().window, conversation.budget().windowSource], [40_000, 'error']);
    conversation.configure({ learnedWindow: undefined });
    assert.deepEqual([conversation.budget().window, conversation.budget().windowSource], [32_000, 'profile']);
  });

  it('keeps a learned output limit with its model and server', async () => {
    await send([OUTPUT]);
    const { conversation, server, session } = harness;
    await session.send('again');
    const limits = server.requests.map(({ body }) => body.max_tokens);
    assert.deepEqual(limits, [undefined, 800, 800]);
    const elsewhere = server.baseUrl.replace('127.0.0.1', 'localhost');
    conversation.configure({ profile: { ...conversation.profile(), baseUrl: elsewhere } });
    server.enqueue(textReply('From another server.'));
    await session.send('and there');
    assert.equal(server.requests.at(-1)?.body.max_tokens, undefined);
  });
});
