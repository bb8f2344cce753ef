import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { type Harness, openHarness } from '../../core/session/sessionHarness.ts';
import {
  brokenReply,
  chunk,
  eventsReply,
  eventText,
  type ScriptedReply,
  type Step,
  textReply,
} from '../server/reply.ts';

const COMPLETION = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 40, completion_tokens: 1 },
};

const JSON_BODY = { contentType: 'application/json' };
const COMMENT: Step = { endless: { raw: ': still here\n\n' }, everyMs: 20 };
const WHOLE: Step = { raw: JSON.stringify(COMPLETION) };
const FINISHED: readonly Step[] = [chunk({ content: 'hello' }), chunk({}, 'stop')];
const stream = (...steps: readonly Step[]): ScriptedReply => ({ steps });

/** One event with this content, and the end. */
const said = (content: unknown): ScriptedReply => eventsReply(chunk({ content }), chunk({}, 'stop'));

const ENDED = /without any content|was stopped/;

/** Replies that say "hello", each in its own wrong way. */
const REPLIES: Readonly<Record<string, ScriptedReply>> = {
  'a part without a type': said([{ text: 'hello' }]),
  'parts without a type, in pieces': eventsReply(
    chunk({ content: [{ text: 'hel' }] }),
    chunk({ content: [null, { text: 'lo' }] }),
    chunk({}, 'stop'),
  ),
  'a part without a list': said({ type: 'text', text: 'hello' }),
  'a list of strings': said(['hel', 'lo']),
  'an open socket after the finish reason': stream(...FINISHED, { stall: true }),
  'comments after the finish reason': stream(...FINISHED, COMMENT),
  'empty deltas after the finish reason': stream(...FINISHED, { endless: chunk({}), everyMs: 20 }),
  'an open socket after the last event': stream(...FINISHED, { raw: 'data: [DONE]\n\n' }, { stall: true }),
  'an open socket after whole JSON': { ...JSON_BODY, steps: [WHOLE, { stall: true }] },
  'blanks after whole JSON': { ...JSON_BODY, steps: [WHOLE, { endless: { raw: '\n' }, everyMs: 20 }] },
  'JSON that is labelled as an event stream': stream(WHOLE),
  'JSON in pieces that is labelled as an event stream': stream(
    { raw: '\n {"choi' },
    { waitMs: 5 },
    { raw: JSON.stringify(COMPLETION).slice('{"choi'.length) },
  ),
  'data that is empty between the events': stream({ raw: 'event: ping\n\ndata:\n\ndata: \n\n' }, ...FINISHED),
  'a byte order mark': stream({ raw: '\ufeff' }, ...FINISHED),
  'no content type of a stream': { ...stream(...FINISHED), contentType: 'application/octet-stream' },
  'blanks before JSON': { ...JSON_BODY, steps: [{ raw: ' \n'.repeat(500) }, WHOLE] },
};

/** What comes for ever, none of it a word. */
const FOR_EVER: Readonly<Record<string, string>> = {
  comments: ': still here\n\n',
  'empty deltas': eventText(chunk({})),
  'deltas with an empty text': eventText(chunk({ role: 'assistant', content: '' })),
  'deltas with another id each': eventText(chunk({ id: 'r1' })) + eventText(chunk({ id: 'r2' })),
  'a text of no width': eventText(chunk({ content: '\u200b\u{e0100}\u034f\u3164\0' })),
  'a text of blanks': eventText(chunk({ content: ' ' })),
  'line ends': '\n',
  blanks: '   ',
};

/** Replies without text or without an end, and what is said of each. */
const HOLLOW: readonly (readonly [string, ScriptedReply, RegExp])[] = [
  ['a content of nothing', said([null]), /empty reply/],
  ['a text of no width', said('\ufeff \u200b\u034f\u3164\0'), /empty reply/],
  ['parts that are none', said([7, {}, { type: 'text' }]), /empty reply/],
  ['a body of nothing', { ...JSON_BODY, steps: [{ raw: '[null]' }] }, /no chat completion/],
  [
    'the last event without a finish reason, and an open socket',
    stream({ raw: 'data: [DONE]\n\n' }, { stall: true }),
    /no finish_reason/,
  ],
  ['JSON that is no completion, labelled as an event stream', stream({ raw: '{"ok":true}' }), /no chat completion/],
  [
    'an error that is labelled as an event stream',
    stream({ raw: '{"error":{"message":"engine is on fire"}}\n\n' }),
    /engine is on fire/,
  ],
  [
    'compressed bytes that are labelled as an event stream',
    stream({ raw: gzipSync(JSON.stringify(COMPLETION)) }),
    /compressed data/,
  ],
  [
    'compressed bytes that say so',
    { headers: { 'content-encoding': 'br' }, steps: [{ raw: new Uint8Array([1, 2, 3]) }] },
    /compressed data/,
  ],
  [
    'compressed bytes that do not come',
    { headers: { 'content-encoding': 'gzip' }, steps: [{ stall: true }] },
    /compressed data/,
  ],
];

/** Replies that never end; white space also in place of JSON. */
const endless = (step: (raw: string) => Step): readonly (readonly [string, ScriptedReply, RegExp])[] =>
  Object.entries(FOR_EVER).flatMap(([name, raw]) => {
    const steps = [step(raw)];
    const asJson = [`${name} for ever, in place of JSON`, { ...JSON_BODY, steps }, ENDED] as const;
    return [[`${name} for ever`, { steps }, ENDED] as const, ...(raw.trim() === '' ? [asJson] : [])];
  });

describe('a reply without an end or a text', () => {
  let harness: Harness | undefined;

  afterEach(async () => {
    await harness?.close();
    harness = undefined;
  });

  /** Limits far below the real ones, so that an endless reply reaches them soon. */
  const openWith = (timeoutMs: number, graceMs = 40): Promise<Harness> => {
    const limits = { bytes: 300_000, lineBytes: 300_000, graceMs };
    const client = new OpenAIModelClient({ getKey: async () => undefined, limits });
    return openHarness({ profile: { timeoutMs }, session: { client } });
  };
  const open = async (timeoutMs: number, graceMs?: number) => {
    harness = await openWith(timeoutMs, graceMs);
    return harness;
  };

  for (const [name, reply] of Object.entries(REPLIES)) {
    it(`is read all the same: ${name}`, async () => {
      const { session, server, conversation } = await open(5_000);
      server.enqueue(reply);
      assert.deepEqual(await session.send('hi'), { kind: 'answered', rounds: 1, cutOff: false });
      const last = conversation.transcript.messages.at(-1);
      assert.equal(last?.text, 'hello');
      assert.equal(last.wire.content, 'hello', 'in the form that every server takes');
      assert.equal(server.requests.length, 1);
      assert.equal((await session.send('and on')).kind, 'answered');
    });
  }

  const expectOneOutcome = async (reply: ScriptedReply, says: RegExp, opened: Harness) => {
    const { session, server } = opened;
    server.enqueue(reply, reply, reply);
    const outcome = await session.send('hi');
    assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
    assert.match(describeProblem(outcome.problem).what, says);
    assert.ok(server.requests.length <= 3, `${server.requests.length} requests`);
    assert.deepEqual(opened.state, { kind: 'idle' });
    assert.deepEqual(opened.store.flushed, opened.conversation.snapshot().messages);
    const { messages } = opened.conversation.transcript;
    assert.ok(!messages.some(({ role }) => role === 'assistant'), 'nothing was said');
  };

  for (const [name, reply, says] of [...HOLLOW, ...endless((raw) => ({ endless: { raw: raw.repeat(2_000) } }))])
    it(`has one clear outcome and costs three requests at most: ${name}`, async () =>
      expectOneOutcome(reply, says, await open(5_000)));

  it('has one clear outcome also when a few bytes arrive now and then', async () => {
    await Promise.all(
      endless((raw) => ({ endless: { raw }, everyMs: 20 })).map(async ([, reply]) => {
        const opened = await openWith(400);
        await expectOneOutcome(reply, /without any content/, opened).finally(() => opened.close());
      }),
    );
  });

  it('keeps what had come before the silence, marked', async () => {
    const { session, server, conversation } = await open(400);
    server.enqueue(brokenReply('Half an answer', COMMENT));
    const outcome = await session.send('hi');
    assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'model' && outcome.problem.interrupted);
    assert.match(describeProblem(outcome.problem).what, /without any content/);
    assert.equal(conversation.transcript.messages.at(-1)?.text, 'Half an answer');
    assert.equal(server.requests.length, 1);
  });

  it('is read to its real end when it goes on after a finish reason', async () => {
    const { session, server, conversation } = await open(5_000, 1_000);
    const pieces = Array.from({ length: 8 }, (_, at): Step[] => [
      chunk({ content: String(at) }, 'stop'),
      { waitMs: 200 },
    ]);
    server.enqueue(stream(...pieces.flat()));
    await session.send('hi');
    assert.equal(conversation.transcript.messages.at(-1)?.text, '01234567');
  });

  it('may take long before its first word', async () => {
    const { session, server } = await open(1_000);
    const comments = Array.from({ length: 12 }, (): Step[] => [{ raw: ': reading\n\n' }, { waitMs: 100 }]);
    server.enqueue({ steps: [...comments.flat(), ...textReply('At last.').steps] });
    assert.equal((await session.send('and?')).kind, 'answered');
  });
});
