import assert from 'node:assert/strict';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { describeProblem } from '../../../src/core/session/describeError.ts';
import { MOST_ATTEMPTS } from '../../../src/core/session/retry.ts';
import {
  brokenReply,
  callsReply,
  chunk,
  errorReply,
  eventsReply,
  pageReply,
  type ScriptedReply,
  splitBytesReply,
  textReply,
} from '../../adapters/server/reply.ts';
import { type Harness, makeTool, openHarness } from './sessionHarness.ts';

interface Fault {
  readonly reply: ScriptedReply;
  /** In the sentence that the user reads. */
  readonly says: RegExp;
  /** Requests that one turn makes of it: 1, or all attempts. */
  readonly requests: 1 | typeof MOST_ATTEMPTS;
}

const refusal = (status: number, headers = {}) => errorReply(status, { error: { message: 'no luck today' } }, headers);
const once = (reply: ScriptedReply, says: RegExp): Fault => ({ reply, says, requests: 1 });
const again = (reply: ScriptedReply, says: RegExp): Fault => ({ reply, says, requests: MOST_ATTEMPTS });

/** Everything that a provider can do to a turn, and what becomes of it. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'headers that never come': again({ neverAnswer: true, steps: [] }, /did not answer in time after 4 attempts/),
  'headers that come too late': again(
    { delayHeadersMs: 600, steps: textReply('late').steps },
    /did not answer in time/,
  ),
  'a stall before the first word': again({ steps: [{ stall: true }] }, /stalled/),
  'a stall in mid-stream': once(brokenReply('Half', { stall: true }), /stalled.*kept and marked interrupted/s),
  'a cut before the first word': again({ steps: [{ cut: true }] }, /connection was cut|terminated|other side/i),
  'a cut in mid-stream': once(brokenReply('Half', { cut: true }), /cut.*kept and marked interrupted/s),
  'an end without finish_reason': once(brokenReply('Half'), /no finish_reason/),
  'a malformed event': once(brokenReply('Half', { raw: 'data: {"choices": [\n\n' }), /not JSON/),
  'an error in mid-stream': once(brokenReply('Half', { event: { error: { message: 'engine died' } } }), /engine died/),
  'a stream without end': once({ steps: [{ endless: chunk({ content: 'y'.repeat(1_000) }) }] }, /was stopped/),
  'a line without end': once({ steps: [{ raw: `data: ${'z'.repeat(300_000)}` }, { stall: true }] }, /was stopped/),
  'a field nested 6,000 levels deep': once(
    brokenReply('Half', {
      raw: `data: {"choices":[{"delta":{"trace":${'['.repeat(6_000)}${']'.repeat(6_000)}}}]}\n\n`,
    }),
    /nested more than 100 levels deep.*kept and marked interrupted/s,
  ),
  'a field that fills the memory': once(
    brokenReply('Half', { event: chunk({ trace: { lines: Array.from({ length: 30_000 }, () => 'abc') } }).event }),
    /more than 100000 characters.*kept and marked interrupted/s,
  ),
  'a whole completion with a field nested 6,000 levels deep': once(
    {
      contentType: 'application/json',
      steps: [
        {
          raw: `{"choices":[{"message":{"content":"ok","trace":${'['.repeat(6_000)}${']'.repeat(6_000)}},"finish_reason":"stop"}]}`,
        },
      ],
    },
    /nested more than 100 levels deep/,
  ),
  'a web page': once(pageReply(), /web page.*check the base URL/s),
  'a web page with an error': again(pageReply(502), /web page with status 502/),
  'an empty answer': once({ contentType: 'application/json', steps: [] }, /empty answer/),
  'a wrong content type': once({ contentType: 'image/png', steps: [{ raw: 'PNG' }] }, /no chat completion/),
  401: once(refusal(401), /HTTP 401.*no luck today/),
  403: once(refusal(403), /HTTP 403/),
  404: once(refusal(404), /HTTP 404/),
  408: again(refusal(408), /did not answer in time/),
  409: again(refusal(409), /HTTP 409/),
  413: once(refusal(413), /size in bytes/),
  422: once(refusal(422), /HTTP 422/),
  '429 with Retry-After': again(refusal(429, { 'retry-after': '3' }), /limits requests after 4 attempts/),
  '429 with a Retry-After in the far future': once(
    refusal(429, { 'retry-after': 'Wed, 01 Jan 2099 00:00:00 GMT' }),
    /limits requests/,
  ),
  '429 with a Retry-After of an hour': once(refusal(429, { 'retry-after': '3600' }), /limits requests/),
  500: again(refusal(500), /after 4 attempts \(HTTP 500\)/),
  502: again(refusal(502), /HTTP 502/),
  503: again(refusal(503), /HTTP 503/),
  529: again(refusal(529), /HTTP 529/),
};

/** Oddities of streams that must not matter. */
const HARMLESS: Readonly<Record<string, ScriptedReply>> = {
  'UTF-8 torn between chunks': splitBytesReply('Größe 😀 答え', 1),
  '10 MB in one event': textReply('x'.repeat(10_000_000), { pieces: 1 }),
  'unknown fields and events': eventsReply(
    { raw: ': comment\n\nevent: strange\nid: 7\n\n' },
    { event: { object: 'ping', choices: [], extra: { deep: [1] } } },
    chunk({ role: 'assistant', content: 'ok', surprise: { a: 1 } }),
    chunk({}, 'stop'),
  ),
  'a cut after the finish reason': { steps: [chunk({ content: 'ok' }), chunk({}, 'stop'), { cut: true }] },
};

describe('every fault of a provider', () => {
  let harness: Harness;
  afterEach(() => harness.close());

  const limits = { characters: 100_000, lineBytes: 200_000 };
  const small = () => ({ client: new OpenAIModelClient({ getKey: async () => undefined, limits }) });

  for (const [name, { reply, says, requests }] of Object.entries(FAULTS)) {
    it(`has a clear outcome, leaves the transcript intact and can be resumed: ${name}`, async () => {
      // Short only where the fault is one of time.
      const timeoutMs = /time|stalled/.test(says.source) ? 250 : 5_000;
      harness = await openHarness({ profile: { timeoutMs }, session: small() });
      const { session, server, conversation, store, events } = harness;
      server.enqueue(...Array.from({ length: requests }, () => reply));
      const outcome = await session.send('precious question');
      assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'model', JSON.stringify(outcome));
      const { what, next } = describeProblem(outcome.problem);
      assert.match(what, says);
      assert.ok(next.length > 10);
      assert.equal(server.requests.length, requests, 'never more requests than are shown');
      assert.equal(events.filter((event) => event.type === 'retry').length, requests - 1);
      assert.deepEqual(session.state, { kind: 'idle' });
      assert.deepEqual(await session.resume(), { kind: 'answered', rounds: 1, cutOff: false });
      assert.equal(conversation.transcript.messages[1]?.text, 'precious question');
      assert.deepEqual(store.flushed, conversation.snapshot().messages);
      assert.equal(conversation.transcript.messages.at(-1)?.text, 'Understood.');
    });
  }

  for (const [name, reply] of Object.entries(HARMLESS)) {
    it(`does not disturb: ${name}`, async () => {
      harness = await openHarness();
      const { session, server, conversation } = harness;
      server.enqueue(reply);
      assert.deepEqual(await session.send('hi'), { kind: 'answered', rounds: 1, cutOff: false });
      assert.ok((conversation.transcript.messages.at(-1)?.text.length ?? 0) > 0);
      assert.equal((await session.send('and on')).kind, 'answered');
    });
  }

  it('does not disturb: duplicate and partial deltas of tool calls', async () => {
    const seen: unknown[] = [];
    const tool = makeTool('echo', (args) => {
      seen.push(args);
      return { text: 'ok', failed: false };
    });
    harness = await openHarness({ tools: [tool] });
    const { session, server } = harness;
    const first = { index: 0, id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"a":1}' } };
    server.enqueue(
      eventsReply(chunk({ tool_calls: [first] }), chunk({ tool_calls: [first] }), chunk({}, 'tool_calls')),
      callsReply([{ name: 'echo', arguments: '{"b": [1, 2' }]),
      textReply('done'),
    );
    assert.deepEqual(await session.send('go'), { kind: 'answered', rounds: 3, cutOff: false });
    assert.deepEqual(seen, [{ a: 1 }], 'a call once, a broken call never');
    assert.match(String(server.requests[2]?.body.messages?.at(-1)?.content), /not a JSON object/);
  });
});
