import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { LearnedWindow } from '../../../src/core/model/budget.ts';
import { errorReply, type ScriptedReply } from '../../adapters/server/reply.ts';
import { seeded } from '../../adapters/tiktoken/randomText.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { appendTurns, type Harness, openHarness } from './sessionHarness.ts';

/** Sentences saying that some request was too long. */
const SENTENCES: readonly ((size: number, limit: number) => string)[] = [
  (size, limit) =>
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${size} tokens.`,
  (size, limit) => `prompt is too long: ${size} tokens > ${limit} maximum`,
  (size, limit) =>
    `the request (${size} tokens) exceeds the available context size (${limit} tokens), try increasing it`,
  (size, limit) => `The input (${size} tokens) is longer than the model's context length (${limit} tokens).`,
  (size, limit) => `Requested tokens (${size}) exceed context window of ${limit}`,
  () => 'Your input exceeds the context window of this model. Please adjust your input and try again.',
];

const json = (status: number, error: object): ScriptedReply => errorReply(status, { error });

/** Replies that contain such a sentence but say nothing about the request. */
const ECHOES: Readonly<Record<string, (said: string) => ScriptedReply>> = {
  'a parse error with the model text': (said) =>
    json(500, { code: 500, message: `Failed to parse input at pos 41: ${said}`, type: 'server_error' }),
  'a parse error of a tool call': (said) =>
    json(400, {
      message: `Could not parse tool call arguments as JSON: {"text": "${said}"}`,
      type: 'invalid_request_error',
    }),
  'a reply that no schema takes': (said) =>
    json(400, { message: `Model output does not match the schema. Got: ${said}`, code: 'json_validate_failed' }),
  'what a content filter found': (said) =>
    json(400, { message: `The prompt was blocked by our content policy: "${said}"`, code: 'content_filter' }),
  'what was flagged': (said) =>
    json(403, { message: `Input flagged. Reasons: ["harassment"]. Excerpt: ${said}`, code: 403 }),
  'the raw error of a fallback': (said) =>
    json(400, { message: 'All providers failed', metadata: { raw: `{"error":{"message":${JSON.stringify(said)}}}` } }),
  'the error of the model that was asked before': (said) =>
    json(400, { message: `Model big is overloaded; fallback to small failed: ${said}` }),
  'a page of a proxy': (said) => ({
    status: 400,
    contentType: 'text/html',
    steps: [{ raw: `<!DOCTYPE html><html><body><h1>Bad Request</h1><pre>${said}</pre></body></html>` }],
  }),
  'a page in place of a stream': (said) => ({ steps: [{ raw: `<html><body>${said}</body></html>` }] }),
  'a body of status 200': (said) => ({
    contentType: 'application/json',
    steps: [{ raw: JSON.stringify({ id: 'x', object: 'text', reply: said }) }],
  }),
  'plain text of status 200': (said) => ({ contentType: 'text/plain', steps: [{ raw: said }] }),
  'a stream that is no reply': (said) => ({
    steps: [{ event: { choices: [{ index: 0, delta: { note: said } }] } }, { raw: 'data: [DONE]\n\n' }],
  }),
};

let harness: Harness;

/** A conversation of about this many tokens before the next request. */
async function openWith(tokens: number): Promise<Harness> {
  harness = await openHarness({ profile: { contextWindow: 64_000 } });
  appendTurns(harness.conversation, tokens / 500, 250);
  return harness;
}

describe('a text that quotes an overflow error', () => {
  afterEach(() => harness.close());

  for (const [name, echo] of Object.entries(ECHOES)) {
    it(`teaches no window, whatever its figures: ${name}, seed ${SEED}`, async () => {
      const below = seeded(SEED);
      const { session, conversation, server, events } = await openWith(4_000);
      for (const sentence of SENTENCES) {
        const likely = 3_000 + below(9_000);
        // Sizes that could be this request's, and sizes that could not.
        const sizes = [
          [likely, below(likely)],
          [below(300_000), below(300_000)],
          [4_100, 4_000],
          [9_000, 8_192],
          [210_042, 200_000],
          [40, 16],
          [100_000_042, 100_000_000],
        ] as const;
        for (const [size, limit] of sizes.slice(0, cases(sizes.length))) {
          server.enqueue(echo(sentence(size, limit)));
          await session.send('And now?');
        }
      }
      assert.equal(conversation.learnedWindow(), undefined);
      assert.equal(events.filter(({ type }) => type === 'window-learned').length, 0);
      assert.equal(conversation.budget().window, 64_000);
    });
  }

  const said = SENTENCES[0]?.(9_041, 8_192) ?? '';
  const grouped = said.replace('9041', '9\u00a0041').replace('8192', '8\u202f192');
  const call = { id: 'c1', type: 'function', function: { name: 'write', arguments: JSON.stringify({ said }) } };
  const result = { role: 'tool', tool_call_id: 'c1', content: 'done' } as const;
  const quoting: Readonly<Record<string, readonly ChatMessage[]>> = {
    'the arguments of a call': [{ role: 'assistant', content: null, tool_calls: [call] }, result],
    reasoning: [{ role: 'assistant', content: 'Hm.', reasoning_content: said }],
    'a part of its thinking': [{ role: 'assistant', content: [{ type: 'thinking', thinking: [{ text: said }] }] }],
    'a text that groups digits by spaces': [{ role: 'assistant', content: grouped }],
  };
  for (const [where, messages] of Object.entries(quoting)) {
    it(`is recognised by its figures if the request has them in ${where}`, async () => {
      const { session, conversation, server } = await openWith(8_000);
      conversation.append(messages);
      server.enqueue(json(400, { message: `Ungültiger Wert: ${said}` }));
      await session.send('And now?');
      assert.equal(conversation.learnedWindow(), undefined);
    });
  }

  it('is recognised by its figures if the newest message has them', async () => {
    const { session, conversation, server } = await openWith(8_000);
    server.enqueue(json(400, { message: `Invalid input: ${said}` }));
    await session.send(`My server says: ${said.replace('9041', '9,041')} What shall I do?`);
    assert.equal(conversation.learnedWindow(), undefined);
  });
});

describe('what a server states about a request', () => {
  afterEach(() => harness.close());

  /** What is learned in a conversation of about 10,000 tokens when its next request is refused with this message. */
  async function learn(message: string): Promise<LearnedWindow | undefined> {
    await openWith(10_000);
    harness.server.enqueue(json(400, { message, type: 'invalid_request_error' }));
    assert.equal((await harness.session.send('And now?')).kind, 'answered', 'it is cured all the same');
    assert.ok(harness.conversation.compactions().length <= 1);
    return harness.conversation.learnedWindow();
  }

  for (const [says, size, limit, tokens] of [
    ['agrees with the count', 11_000, 8_000, 8_000],
    ['is another counting', 22_000, 16_000, 16_000],
    ['is of a far smaller request', 3_000, 2_000, undefined],
    ['is of a far larger request', 60_000, 32_000, undefined],
    ['has a limit that no model has', 11_000, 16, undefined],
    ['has a limit beyond belief', 100_000_042, 100_000_000, undefined],
  ] as const) {
    it(`${tokens === undefined ? 'teaches nothing' : 'teaches its limit'} where its size ${says}`, async () => {
      for (const sentence of SENTENCES.slice(0, -1)) {
        assert.equal((await learn(sentence(size, limit)))?.tokens, tokens, sentence(size, limit));
        await harness.close();
      }
    });
  }

  it('teaches a limit without a size if the shorter request is accepted', async () => {
    const learned = await learn('Range of input length should be [1, 6000]');
    assert.equal(learned?.tokens, 6_000);
    await harness.close();
    assert.equal(await learn('Range of input length should be [1, 983616]'), undefined, 'this one was never over it');
  });
});
