import assert from 'node:assert/strict';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { createModelSummarizer } from '../../../src/host/conversations/settingsChange.ts';
import { countTokens, type RecordedRequest } from '../../adapters/server/providerServer.ts';
import { errorReply, overflowReply, textReply } from '../../adapters/server/reply.ts';
import { appendResults, filler, type Harness, type HarnessOptions, makeTool, openHarness } from './sessionHarness.ts';

describe('recovery over a server that enforces its window', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  const echo = makeTool('echo', () => ({ text: 'ok', failed: false }));

  /** An old conversation: many tool results, then a new request. */
  async function openLong(results: number, options: HarnessOptions = {}): Promise<Harness> {
    harness = await openHarness({ tools: [echo], profile: { contextWindow: 64_000 }, ...options });
    appendResults(harness.conversation, results);
    return harness;
  }

  /** The conversation's own model, which writes its summaries too. */
  const summarizerOf = (conversation: Conversation) => {
    const client = new OpenAIModelClient({ getKey: async () => undefined });
    return createModelSummarizer(client, conversation.profile(), () => undefined);
  };

  it('learns the window from an overflow, compacts once, retries once, and refreshes every figure', async () => {
    const { session, conversation, server, events } = await openLong(16, { server: { window: 8_000 } });
    const raw = conversation.transcript.messages.map((message) => message.wire);
    const before = conversation.budget();
    assert.deepEqual(await session.send('And now?'), { kind: 'answered', rounds: 1, cutOff: false });
    const { words, ...learned } = conversation.learnedWindow() ?? {};
    assert.deepEqual(learned, { tokens: 8_000, source: 'error', at: 1_000 });
    assert.match(words ?? '', /maximum context length is 8000 tokens/);
    assert.equal(events.filter(({ type }) => type === 'window-learned').length, 1);
    const [run, ...others] = conversation.compactions();
    assert.deepEqual([run?.trigger, others], ['overflow', []]);
    const after = conversation.budget();
    assert.ok(after.used.tokens < before.used.tokens / 2);
    assert.deepEqual([after.window, after.windowSource], [8_000, 'error']);
    assert.ok(after.limit < 8_000 && after.reserve <= before.reserve);
    const kept = conversation.transcript.messages.slice(0, raw.length).map((message) => message.wire);
    assert.deepEqual(kept, raw, 'raw messages are untouched');
    // The next turn stays within what was learned, without another refusal.
    assert.equal((await session.send('Go on.')).kind, 'answered');
    assert.equal(server.requests.length, 3);
    assert.equal(conversation.snapshot().learnedWindow?.tokens, 8_000, 'and it is kept');
    conversation.configure({ learnedWindow: undefined });
    assert.deepEqual([conversation.budget().window, conversation.budget().windowSource], [64_000, 'profile']);
  });

  it('is refused once by a server that counts more than Karl and reports no usage', async () => {
    let refused = 0;
    const respond = ({ body }: RecordedRequest) => {
      const tokens = Math.ceil(countTokens(body) * 1.5);
      if (tokens <= 8_000) return textReply('Understood.');
      refused += 1;
      return overflowReply(tokens, 8_000);
    };
    harness = await openHarness({ profile: { contextWindow: 8_000 }, server: { respond } });
    for (let turn = 0; turn < 40; turn += 1)
      assert.equal((await harness.session.send(filler(600, `turn ${turn}`))).kind, 'answered');
    assert.equal(refused, 1);
    assert.ok(harness.conversation.compactions().length > 2);
  });

  it('learns nothing and anchors nothing from a size that is only a lower bound', async () => {
    const { session, conversation, server } = await openLong(14);
    const message =
      "This model's maximum context length is 9000 tokens. However, you requested 0 output tokens and your prompt contains at least 9001 input tokens, for a total of at least 9001 tokens.";
    server.enqueue(errorReply(400, { object: 'error', message, code: 400 }), textReply('Fine.'));
    assert.equal((await session.send('And now?')).kind, 'answered');
    assert.equal(conversation.usage().calibration.reports, 0);
    assert.equal(conversation.learnedWindow()?.tokens, 9_000);
    assert.ok(JSON.stringify(server.requests[1]?.body.messages).length / 4 < 9_000);
  });

  it('shrinks a note request that overflows, and the turn goes on', async () => {
    const requested: number[] = [];
    const { session, conversation, server } = await openLong(24, {
      conversation: { strategy: 'karl' },
      server: {
        respond: (request) => {
          const size = Math.ceil(JSON.stringify(request.body.messages).length / 4);
          const isNote = String(request.body.messages?.[0]?.content).includes('hand-over of a part');
          if (isNote) requested.push(size);
          if (isNote && size > 6_000) return overflowReply(size, 6_000);
          return textReply(isNote ? 'Many files were looked at.' : 'Understood.');
        },
      },
    });
    conversation.configure({ summarizer: summarizerOf(conversation) });
    const result = await conversation.compact({ trigger: 'command', targetTokens: 4_000 });
    assert.equal(result.kind, 'compacted', JSON.stringify(result));
    assert.ok((requested[0] ?? 0) > 6_000, 'the first one was too long');
    assert.ok((requested.at(-1) ?? 0) <= 6_000, `then shorter: ${requested.join(', ')}`);
    assert.ok(requested.length < 12, 'bounded');
    assert.equal((await session.send('And now?')).kind, 'answered');
    assert.ok(server.requests.length > 2);
  });

  it('gives up on a note whose requests overflow whatever their size, in a bounded number', async () => {
    const respond = () => overflowReply(99_000, 90_000);
    const { conversation, server } = await openLong(24, { conversation: { strategy: 'karl' }, server: { respond } });
    conversation.configure({ summarizer: summarizerOf(conversation) });
    const before = JSON.stringify(conversation.request());
    const result = await conversation.compact({ trigger: 'command', targetTokens: 4_000 });
    assert.equal(result.kind, 'failed');
    assert.ok(server.requests.length <= 3, String(server.requests.length));
    assert.equal(JSON.stringify(conversation.request()), before, 'a failed run changes nothing');
  });
});
