import assert from 'node:assert/strict';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { MOST_ATTEMPTS } from '../../../src/core/model/retry.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { callsReply, type ScriptedReply, type Step, textReply } from '../../adapters/server/reply.ts';
import { seeded } from '../../adapters/tiktoken/randomText.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { makeTool, openHarness } from './sessionHarness.ts';

const RUNS = cases(120);
/** More than the requests of any turn. */
const COPIES = MOST_ATTEMPTS + 2;

type Below = (limit: number) => number;

/** What may come between the bytes of a reply. */
const PIECES = [
  '\n\n',
  'data: ',
  'data: [DONE]\n\n',
  ': \n\n',
  '{',
  '"',
  '\0',
  '\u{feff}',
  '[[[[',
  'null',
  'data: null\n\n',
];
const STATUSES = [206, 400, 404, 429, 500, 503];
const TYPES = ['application/json', 'text/html', 'application/octet-stream'];
const COMPLETION = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'A whole answer.' }, finish_reason: 'stop' }],
};

const pick = <Thing>(things: readonly Thing[], below: Below): Thing =>
  things[below(things.length)] ?? assert.fail('of nothing');

function goodBytes(below: Below): Buffer {
  const replies = [
    textReply('Größe 😀: it is done.', { usage: { prompt_tokens: 40, completion_tokens: 6 } }),
    textReply('Thought about.', { reasoning: 'Hm.' }),
    callsReply([{ name: 'echo', arguments: { a: 1 } }], { text: 'Let me see.' }),
  ];
  if (below(4) === 0) return Buffer.from(JSON.stringify(COMPLETION));
  const toText = (step: Step): string => {
    if ('event' in step) return `data: ${JSON.stringify(step.event)}\n\n`;
    return 'raw' in step ? String(step.raw) : '';
  };
  return Buffer.from(pick(replies, below).steps.map(toText).join(''));
}

/** A reply with flipped bits, strange pieces, repeated and lost stretches, in packets of any size; it may break off. */
function damagedReply(below: Below): ScriptedReply {
  let bytes = goodBytes(below);
  for (let blow = below(4); blow > 0; blow -= 1) {
    const at = below(bytes.length);
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    const size = below(200);
    const changed = [
      () => Buffer.concat([head, Buffer.from([(tail[0] ?? 0) ^ (1 << below(8))]), tail.subarray(1)]),
      () => Buffer.concat([head, Buffer.from(pick(PIECES, below)), tail]),
      () => Buffer.concat([head, tail.subarray(0, size), tail]),
      () => Buffer.concat([head, tail.subarray(size)]),
    ];
    bytes = Buffer.from(pick(changed, below)());
    if (bytes.length === 0) break;
  }
  const steps: Step[] = [];
  for (let start = 0; start < bytes.length; ) {
    const size = 1 + below(400);
    steps.push({ raw: bytes.subarray(start, start + size) });
    start += size;
  }
  return {
    status: below(4) === 0 ? pick(STATUSES, below) : 200,
    contentType: below(4) === 0 ? pick(TYPES, below) : 'text/event-stream',
    steps: below(4) === 0 ? [...steps.slice(0, below(steps.length + 1)), { cut: true }] : steps,
  };
}

describe('a damaged reply', () => {
  it(`has one clear outcome, however it was damaged: ${RUNS} replies, seed ${SEED}`, async () => {
    const kinds = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const reply = damagedReply(seeded(SEED + run));
      const place = `seed ${SEED + run}`;
      const client = new OpenAIModelClient({ getKey: async () => undefined, limits: { graceMs: 20 } });
      const tools = [makeTool('echo', () => ({ text: 'ok', failed: false }))];
      const harness = await openHarness({ session: { client }, tools });
      const { session, server, conversation, store, events } = harness;
      server.enqueue(...Array.from({ length: COPIES }, () => reply));
      const outcome = await session.send('precious question');
      kinds.add(outcome.kind);
      if (outcome.kind === 'failed') assert.ok(describeProblem(outcome.problem).next.length > 10, place);
      else assert.equal(outcome.kind, 'answered', place);
      assert.ok(events.filter(({ type }) => type === 'retry').length < MOST_ATTEMPTS, place);
      // If they are calls, each answers one round, and the last one is followed by words.
      assert.ok(server.requests.length <= COPIES + 1, `${place}: ${server.requests.length} requests`);
      assert.deepEqual(harness.state, { kind: 'idle' }, place);
      for (let left = COPIES; left > 0; left -= 1) await session.send('clear');
      assert.equal((await session.send('and on')).kind, 'answered', place);
      assert.equal(conversation.transcript.messages[1]?.text, 'precious question', place);
      assert.deepEqual(store.flushed, conversation.snapshot().messages, place);
      await harness.close();
    }
    assert.deepEqual([...kinds].sort(), ['answered', 'failed'], 'some can be read, others not');
  });
});
