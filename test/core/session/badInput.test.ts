import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { countTokens } from '../../adapters/server/providerServer.ts';
import { textReply } from '../../adapters/server/reply.ts';
import { filler, type Harness, openHarness } from './sessionHarness.ts';

/** A model whose window is unknown. */
const UNKNOWN = { id: 'nobody-knows', contextWindow: undefined } as never;

describe('a server that cuts prompts without a word', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  const CUT = 4_096;
  const warnings = () => harness.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));

  async function talk(turns: readonly number[], profile = UNKNOWN) {
    harness = await openHarness({
      profile,
      server: {
        respond: ({ body }) => {
          const size = countTokens(body);
          const usage = { prompt_tokens: Math.min(size, CUT), completion_tokens: 3 };
          return textReply(size > CUT ? 'What was that about?' : `Answer to ${size}.`, { usage });
        },
      },
    });
    for (const [turn, tokens] of turns.entries()) {
      const outcome = await harness.session.send(filler(tokens, `question ${turn}`));
      assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
    }
    return harness;
  }

  it('is found when the reported usage stays the same while requests grow; the request is compressed and sent again once', async () => {
    const { conversation, server, events } = await talk([2_200, 2_200, 2_500]);
    const sizes = server.requests.map(({ body }) => countTokens(body));
    // The second request is over the limit, and nothing shows it yet. The third one does.
    assert.equal(server.requests.length, 4, JSON.stringify(sizes));
    assert.ok((sizes[2] ?? 0) > CUT && (sizes[3] ?? 0) <= CUT, JSON.stringify(sizes));
    assert.equal(conversation.learnedWindow()?.tokens, CUT);
    assert.equal(warnings().length, 1, warnings().join('\n'));
    assert.match(inEnglish(warnings()[0] ?? ''), /cuts prompts at 4,096 tokens/);
    const ended = events.flatMap((event) => (event.type === 'compaction-ended' ? [event.result.kind] : []));
    assert.deepEqual(ended, ['compacted']);
    const said = conversation.transcript.messages.map(({ wire }) => contentText(wire));
    assert.match(said.at(-1) ?? '', /^Answer to/, 'the answer to a part of the request is not kept');
    assert.equal(said.filter((text) => text.startsWith('question')).length, 3, 'no message is lost');
  });

  it('never gets more than the learned window from then on', async () => {
    const { conversation, server } = await talk([2_200, 2_200, 2_500, 500, 500, 500, 500, 500, 500]);
    const sizes = server.requests.slice(3).map(({ body }) => countTokens(body));
    assert.ok(Math.max(...sizes) <= CUT, JSON.stringify(sizes));
    assert.equal(warnings().length, 1);
    assert.equal(conversation.budget().windowSource, 'error');
  });
});

describe('usage figures that are wrong', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  const cases: Readonly<Record<string, (size: number, sum: number) => object>> = {
    zero: () => ({ usage: { prompt_tokens: 0, completion_tokens: 0 } }),
    negative: (size) => ({ usage: { prompt_tokens: -size, completion_tokens: -1 } }),
    cumulative: (_, sum) => ({ usage: { prompt_tokens: sum, completion_tokens: 3 } }),
    missing: () => ({}),
    'without the prompt': () => ({ usage: { completion_tokens: 3 } }),
    'a thousand times too large': (size) => ({ usage: { prompt_tokens: size * 1_000 } }),
  };
  for (const [name, extras] of Object.entries(cases)) {
    it(`(${name}) lose nothing: the figures are Karl's own, nothing is compressed or learned`, async () => {
      let sum = 0;
      harness = await openHarness({
        server: {
          respond: ({ body }) => {
            const size = countTokens(body);
            sum += size;
            return textReply('Understood.', extras(size, sum));
          },
        },
      });
      const { session, conversation, server } = harness;
      for (let turn = 0; turn < 8; turn += 1) {
        const outcome = await session.send(filler(900, `question ${turn}`));
        assert.deepEqual(outcome, { kind: 'answered', rounds: 1, cutOff: false });
      }
      const sent = countTokens(server.requests.at(-1)?.body ?? assert.fail());
      const { used, windowSource } = conversation.budget();
      assert.ok(Math.abs(used.tokens - sent) < sent * 0.15, `${used.tokens}`);
      assert.deepEqual([windowSource, conversation.compactions().length, server.requests.length], ['profile', 0, 8]);
    });
  }
});
