import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { nodeFetch } from '../../../src/adapters/openai/nodeFetch.ts';
import type { CompactionError } from '../../../src/core/compaction/compaction.ts';
import { classifyModelError } from '../../../src/core/model/classify.ts';
import type { ModelClient } from '../../../src/core/model/modelClient.ts';
import { MOST_ATTEMPTS } from '../../../src/core/model/retry.ts';
import { adviseOnCompaction, describeProblem } from '../../../src/host/notices/describeProblem.ts';
import {
  brokenReply,
  chunk,
  errorReply,
  pageReply,
  type ScriptedReply,
  textReply,
} from '../../adapters/server/reply.ts';
import { type Harness, openHarness } from '../../core/session/sessionHarness.ts';

interface Fault {
  readonly reply: ScriptedReply;
  /** Matches the sentence that the user reads. */
  readonly says: RegExp;
  /** The requests that one turn makes: 1, or all attempts. */
  readonly requests: 1 | typeof MOST_ATTEMPTS;
  /** Where the server falls silent: then the time limit of the request passes at once. */
  readonly silentAfter: 'request' | 'headers' | 'words' | undefined;
}

const refusal = (status: number, headers = {}) => errorReply(status, { error: { message: 'no luck today' } }, headers);
const later = (when: string) => refusal(429, { 'retry-after': when });
const once = (reply: ScriptedReply, says: RegExp, silentAfter?: Fault['silentAfter']): Fault => ({
  ...{ reply, says, silentAfter },
  requests: 1,
});
const again = (...fault: Parameters<typeof once>): Fault => ({ ...once(...fault), requests: MOST_ATTEMPTS });
const LATE: ScriptedReply = { delayHeadersMs: 600, steps: textReply('late').steps };
const DEEP = `${'['.repeat(6_000)}${']'.repeat(6_000)}`;
const DEEP_DELTA = `data: {"choices":[{"delta":{"trace":${DEEP}}}]}\n\n`;
const DEEP_REPLY = `{"choices":[{"message":{"content":"ok","trace":${DEEP}},"finish_reason":"stop"}]}`;
const LARGE = chunk({ trace: { lines: Array.from({ length: 30_000 }, () => 'abc') } });
const saysKept = (what: string) => new RegExp(`${what}.*The part of .* kept and marked as interrupted\\.$`, 's');

const TIMEOUT_MS = 5_000;

/** Everything that a provider can do to a turn, and the outcome. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'headers that never come': again({ neverAnswer: true, steps: [] }, /did not answer in time.*Tried 4/, 'request'),
  'headers that come too late': again(LATE, /did not answer in time/, 'request'),
  'a stall before the first word': again({ steps: [{ stall: true }] }, /stalled/, 'headers'),
  'a stall in mid-stream': once(brokenReply('Half', { stall: true }), saysKept('stalled'), 'words'),
  'a cut before the first word': again({ steps: [{ cut: true }] }, /connection was cut|terminated|other side/i),
  'a cut in mid-stream': once(
    brokenReply('Half', { cut: true }),
    saysKept('^The connection to \\S+ broke off while the answer arrived\\.'),
  ),
  'an end without finish_reason': once(brokenReply('Half'), /no finish_reason/),
  'a malformed event': once(brokenReply('Half', { raw: 'data: {"choices": [\n\n' }), /not JSON/),
  'an error in mid-stream': once(brokenReply('Half', { event: { error: { message: 'engine died' } } }), /engine died/),
  'a stream without end': once({ steps: [{ endless: chunk({ content: 'y'.repeat(1_000) }) }] }, /was stopped/),
  'a line without end': once({ steps: [{ raw: `data: ${'z'.repeat(300_000)}` }, { stall: true }] }, /was stopped/),
  'a deep field': once(brokenReply('Half', { raw: DEEP_DELTA }), saysKept('nested more than 100 levels deep')),
  'a field that fills the memory': once(brokenReply('Half', LARGE), saysKept('more than 100000 characters')),
  'a whole completion with a deep field': once(
    { contentType: 'application/json', steps: [{ raw: DEEP_REPLY }] },
    /nested more than 100 levels deep/,
  ),
  'a web page': once(pageReply(), /address does not answer.*web page/s),
  'a web page with an error': again(pageReply(502), /web page with status 502/),
  'an empty answer': once({ contentType: 'application/json', steps: [] }, /empty answer/),
  'a wrong content type': once({ contentType: 'image/png', steps: [{ raw: 'PNG' }] }, /no chat completion/),
  401: once(refusal(401), /\(401\).*no luck today/),
  408: again(refusal(408), /did not answer in time/),
  413: once(refusal(413), /size in bytes/),
  '429 to be tried soon': again(later('3'), /Rate limit reached \(429\): no luck today\. Tried 4 times/),
  '429 to be tried in the far future': once(later('Wed, 01 Jan 2099 00:00:00 GMT'), /Rate limit reached/),
  '429 to be tried in an hour': once(later('3600'), /Rate limit reached/),
  500: again(refusal(500), /The server failed \(500\).*Tried 4 times/),
  529: again(refusal(529), /\(529\)/),
};

describe('every fault of a provider', () => {
  let harness: Harness;
  afterEach(async () => {
    mock.timers.reset();
    await harness.close();
  });

  const limits = { characters: 100_000, lineBytes: 200_000 };

  /** A client whose requests run out of time as soon as the server falls silent; later ones have unlimited time. */
  function clientFor(silentAfter: Fault['silentAfter'], requests: number): ModelClient {
    const getKey = async () => undefined;
    if (silentAfter === undefined) return new OpenAIModelClient({ getKey, limits });
    mock.timers.enable({ apis: ['setTimeout'] });
    const runOut = () => setImmediate(() => mock.timers.tick(TIMEOUT_MS));
    let sent = 0;
    const fetch: typeof nodeFetch = async (...request) => {
      sent += 1;
      if (sent > requests) return await nodeFetch(...request);
      if (silentAfter === 'request') void harness.server.received(sent).then(runOut);
      const answer = await nodeFetch(...request);
      if (silentAfter === 'headers') runOut();
      return answer;
    };
    const client = new OpenAIModelClient({ getKey, limits, fetch });
    if (silentAfter !== 'words') return client;
    return {
      complete: (request, onDelta, signal) => {
        let isFirst = sent < requests;
        const hear: typeof onDelta = (delta) => {
          onDelta(delta);
          if (isFirst) runOut();
          isFirst = false;
        };
        return client.complete(request, hear, signal);
      },
    };
  }

  for (const [name, { reply, says, requests, silentAfter }] of Object.entries(FAULTS)) {
    it(`has a clear outcome, leaves the transcript intact and can be resumed: ${name}`, async () => {
      const client = clientFor(silentAfter, requests);
      harness = await openHarness({ profile: { timeoutMs: TIMEOUT_MS }, session: { client } });
      const { session, server, conversation, store, events } = harness;
      server.enqueue(...Array.from({ length: requests }, () => reply));
      const outcome = await session.send('precious question');
      assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'model', JSON.stringify(outcome));
      const { what, next } = describeProblem(outcome.problem);
      assert.match(what, says);
      assert.ok(next.length > 10);
      assert.equal(server.requests.length, requests, 'never more requests than are shown');
      assert.equal(events.filter((event) => event.type === 'retry').length, requests - 1);
      assert.deepEqual(harness.state, { kind: 'idle' });
      assert.deepEqual(await session.resume(), { kind: 'answered', rounds: 1, cutOff: false });
      const sent = server.requests.at(-1)?.body.messages ?? [];
      assert.equal(sent.at(-1)?.role, 'user');
      assert.ok(sent.every((message) => !Object.keys(message).some((field) => field.startsWith('karl_'))));
      const asked = conversation.transcript.messages[1];
      assert.deepEqual([asked?.text, asked?.wire.karl_human], ['precious question', true]);
      assert.deepEqual(store.flushed, conversation.snapshot().messages);
      assert.equal(conversation.transcript.messages.at(-1)?.text, 'Understood.');
    });
  }
});

describe('the advice for a missing summary', () => {
  const refused = (failure: unknown): CompactionError => ({
    kind: 'summarizer-failed',
    message: 'It said no.',
    refusal: classifyModelError(failure),
  });
  const cures = (error: CompactionError, model = '') => adviseOnCompaction(error, model).cures.map(({ kind }) => kind);

  it('is the same as for a turn that failed in the same way', () => {
    assert.deepEqual(cures(refused({ status: 401 })), ['set-key', 'select-server']);
    assert.match(adviseOnCompaction(refused({ status: 401 }), '').next, /karl\.baseUrl/);
    assert.deepEqual(cures(refused({ status: 429 })), ['select-model', 'select-server']);
  });

  it('names the setting if another model writes the summaries', () => {
    const { next, cures } = adviseOnCompaction(refused({ status: 401 }), 'small-model');
    assert.match(next, /karl\.summary\.model/);
    assert.deepEqual(cures, [{ kind: 'open-setting', setting: 'summary.model' }]);
  });

  it('is to select a model if there is none', () => {
    assert.deepEqual(cures({ kind: 'no-summarizer', message: 'None is set.' }), ['select-model']);
  });

  it('is empty if the request was too long or the text was rejected', () => {
    assert.deepEqual(cures(refused({ status: 413 })), []);
    assert.deepEqual(cures({ kind: 'summary-rejected', message: 'It states nothing.' }), []);
    assert.deepEqual(cures({ kind: 'summarizer-failed', message: 'It was cut.' }), []);
  });
});
