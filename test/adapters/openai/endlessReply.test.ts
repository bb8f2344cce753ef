import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { type Harness, openHarness } from '../../core/session/sessionHarness.ts';
import { brokenReply, chunk, eventsReply, type ScriptedReply, type Step, textReply } from '../server/reply.ts';

const COMPLETION = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 40, completion_tokens: 1 },
};

const JSON_BODY = { contentType: 'application/json' };
const COMMENT: Step = { endless: { raw: ': still here\n\n' }, everyMs: 20 };
const WHOLE: Step = { raw: JSON.stringify(COMPLETION) };
const FINISHED: readonly Step[] = [chunk({ content: 'hello' }), chunk({}, 'stop')];
const stream = (...steps: readonly Step[]): ScriptedReply => ({ steps });

/** Bytes for ever, a few now and then and as fast as they are read. */
const forEver = (raw: string): readonly (readonly [string, Step])[] => [
  ['slowly', { endless: { raw }, everyMs: 20 }],
  ['fast', { endless: { raw: raw.repeat(2_000) } }],
];

const eventOf = ({ event }: ReturnType<typeof chunk>): string => `data: ${JSON.stringify(event)}\n\n`;

/** Replies that say "hello", each in its own wrong way. */
const REPLIES: Readonly<Record<string, ScriptedReply>> = {
  'a part without a type': eventsReply(chunk({ content: [{ text: 'hello' }] }), chunk({}, 'stop')),
  'parts without a type, in pieces': eventsReply(
    chunk({ content: [{ text: 'hel' }] }),
    chunk({ content: [null, { text: 'lo' }] }),
    chunk({}, 'stop'),
  ),
  'a part without a list': eventsReply(chunk({ content: { type: 'text', text: 'hello' } }), chunk({}, 'stop')),
  'a list of strings': eventsReply(chunk({ content: ['hel', 'lo'] }), chunk({}, 'stop')),
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
    {
      raw: JSON.stringify(COMPLETION).slice('{"choi'.length),
    },
  ),
  'blanks before JSON': { ...JSON_BODY, steps: [{ raw: ' \n'.repeat(500) }, WHOLE] },
};

interface Hollow {
  readonly reply: ScriptedReply;
  readonly says: RegExp;
}

const once = (reply: ScriptedReply, says: RegExp): Hollow => ({ reply, says });

/** Replies without text or without an end. */
const HOLLOW: Readonly<Record<string, Hollow>> = {
  'a content of nothing': once(eventsReply(chunk({ content: [null] }), chunk({}, 'stop')), /empty reply/),
  'a text of no width': once(
    eventsReply(chunk({ content: '\ufeff \u200b\u034f\u3164\0' }), chunk({}, 'stop')),
    /empty reply/,
  ),
  'parts that are none': once(
    eventsReply(chunk({ content: [7, {}, { type: 'text' }] }), chunk({}, 'stop')),
    /empty reply/,
  ),
  'a body of nothing': once({ ...JSON_BODY, steps: [{ raw: '[null]' }] }, /no chat completion/),
  'the last event without a finish reason, and an open socket': once(
    stream({ raw: 'data: [DONE]\n\n' }, { stall: true }),
    /no finish_reason/,
  ),
  'JSON that is no completion, labelled as an event stream': once(stream({ raw: '{"ok":true}' }), /no chat completion/),
  'an error that is labelled as an event stream': once(
    stream({ raw: '{"error":{"message":"engine is on fire"}}\n\n' }),
    /engine is on fire/,
  ),
  'compressed bytes that are labelled as an event stream': once(
    stream({ raw: gzipSync(JSON.stringify(COMPLETION)) }),
    /compressed data/,
  ),
  'compressed bytes that say so': once(
    { headers: { 'content-encoding': 'br' }, steps: [{ raw: new Uint8Array([1, 2, 3]) }] },
    /compressed data/,
  ),
  'compressed bytes that do not come': once(
    { headers: { 'content-encoding': 'gzip' }, steps: [{ stall: true }] },
    /compressed data/,
  ),
  ...Object.fromEntries(
    Object.entries({
      'comments for ever': ': still here\n\n',
      'empty deltas for ever': eventOf(chunk({})),
      'deltas with an empty text for ever': eventOf(chunk({ role: 'assistant', content: '' })),
      'deltas with another id each for ever': eventOf(chunk({ id: 'r1' })) + eventOf(chunk({ id: 'r2' })),
      'a text of no width for ever': eventOf(chunk({ content: '\u200b\u{e0100}\u034f\u3164\0' })),
      'a text of blanks for ever': eventOf(chunk({ content: ' ' })),
      'line ends for ever': '\n',
      'blanks for ever': '   ',
    }).flatMap(([name, raw]) =>
      forEver(raw).flatMap(([pace, step]) => [
        [`${name}, ${pace}`, once(stream(step), /without a word|was stopped/)],
        ...(raw.trim() === ''
          ? [
              [
                `${name}, ${pace}, in place of JSON`,
                once({ ...JSON_BODY, steps: [step] }, /without a word|was stopped/),
              ],
            ]
          : []),
      ]),
    ),
  ),
};

describe('a reply without an end or a text', () => {
  let harness: Harness;

  afterEach(() => harness.close());

  /** Limits far below the real ones, so that an endless reply reaches them soon. */
  const open = async (timeoutMs: number, graceMs = 40) => {
    const limits = { idleBytes: 300_000, lineBytes: 300_000, graceMs };
    const client = new OpenAIModelClient({ getKey: async () => undefined, limits });
    harness = await openHarness({ profile: { timeoutMs }, session: { client } });
    return harness;
  };

  for (const [name, reply] of Object.entries(REPLIES)) {
    it(`is read all the same: ${name}`, async () => {
      const { session, server, conversation } = await open(5_000);
      server.enqueue(reply);
      assert.deepEqual(await session.send('hi'), { kind: 'answered', rounds: 1, cutOff: false });
      assert.equal(conversation.transcript.messages.at(-1)?.text, 'hello');
      assert.equal(
        conversation.transcript.messages.at(-1)?.wire.content,
        'hello',
        'in the form that every server takes',
      );
      assert.equal(server.requests.length, 1);
      assert.equal((await session.send('and on')).kind, 'answered');
    });
  }

  for (const [name, { reply, says }] of Object.entries(HOLLOW)) {
    it(`has one clear outcome and costs three requests at most: ${name}`, async () => {
      const { session, server, conversation, store } = await open(name.includes('slowly') ? 400 : 5_000);
      server.enqueue(reply, reply, reply);
      const outcome = await session.send('hi');
      assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
      assert.match(describeProblem(outcome.problem).what, says);
      assert.ok(server.requests.length <= 3, `${server.requests.length} requests`);
      assert.deepEqual(session.state, { kind: 'idle' });
      assert.deepEqual(store.flushed, conversation.snapshot().messages);
      assert.ok(!conversation.transcript.messages.some(({ role }) => role === 'assistant'), 'nothing was said');
    });
  }

  it('keeps what had come before the silence, marked', async () => {
    const { session, server, conversation } = await open(400);
    server.enqueue(brokenReply('Half an answer', COMMENT));
    const outcome = await session.send('hi');
    assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'model' && outcome.problem.interrupted);
    assert.match(describeProblem(outcome.problem).what, /without a word/);
    assert.equal(conversation.transcript.messages.at(-1)?.text, 'Half an answer');
    assert.equal(server.requests.length, 1);
  });

  it('is not one that goes on after what seemed its end', async () => {
    const { session, server, conversation } = await open(5_000, 1_000);
    const pieces = Array.from({ length: 8 }, (_, at): Step[] => [
      chunk({ content: String(at) }, 'stop'),
      { waitMs: 200 },
    ]);
    server.enqueue(stream(...pieces.flat()));
    await session.send('hi');
    assert.equal(conversation.transcript.messages.at(-1)?.text, '01234567');
  });

  it('is not one that waits long for its first word', async () => {
    const { session, server } = await open(1_000);
    const comments = Array.from({ length: 12 }, (): Step[] => [{ raw: ': reading\n\n' }, { waitMs: 100 }]);
    server.enqueue({ steps: [...comments.flat(), ...textReply('At last.').steps] });
    assert.equal((await session.send('and?')).kind, 'answered');
  });
});
