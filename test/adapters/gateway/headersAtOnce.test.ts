import assert from 'node:assert/strict';
import http from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Answer } from '../../../src/adapters/gateway/answer.ts';
import { CHAT } from '../../../src/adapters/gateway/dialects/chat/chat.ts';
import { ContentReading } from '../../../src/adapters/gateway/dialects/gemini/answer.ts';
import { MessageReading, MessagesForm } from '../../../src/adapters/gateway/dialects/messages/answer.ts';
import { ItemReading, ItemsForm } from '../../../src/adapters/gateway/dialects/responses/answer.ts';
import { httpError } from '../../../src/adapters/gateway/httpError.ts';
import type { AnswerChunk } from '../../../src/core/model/modelClient.ts';
import { chunk, errorReply, type ScriptedReply, textReply } from '../server/reply.ts';
import { eventsIn, eventsOf, readChat, useGateway } from './openGateway.ts';

const HELLO = { model: 'scripted', messages: [{ role: 'user', content: 'hello' }], max_tokens: 99, stream: true };

/** One body for each API. */
const DIALECTS = [
  ['/chat/completions', HELLO, /^data: \{"error":\{"message":"The model's server: .*busy/m],
  ['/messages', HELLO, /^event: error\ndata: .*"api_error".*busy/m],
  ['/responses', { model: 'scripted', input: 'hello', stream: true }, /^event: response\.failed\ndata: .*busy/m],
] as const;

const BUSY = errorReply(503, { error: { message: 'busy' } });

describe('the headers of a stream', () => {
  /** How long the relay waited, milliseconds. */
  let waits: number[];
  const sleep = async (ms: number) => void waits.push(ms);
  const clock = { now: () => 0, random: () => 0, sleep };
  const opened = useGateway({}, { clock, graceMs: 1 });

  beforeEach(() => {
    waits = [];
  });

  /** Posts; the server gives its first reply once the client has the headers. */
  async function postAndWait(path: string, body: object, [first, ...others]: readonly ScriptedReply[]) {
    const hasHeaders = Promise.withResolvers<void>();
    opened().server.enqueue({ ...(first ?? BUSY), headersAfter: hasHeaders.promise }, ...others);
    const response = await opened().post(body, path);
    hasHeaders.resolve();
    return response;
  }

  for (const [path, body] of DIALECTS)
    it(`come while the server is silent, and what fails for a while is asked for again: ${path}`, async () => {
      const limited = errorReply(429, { error: { message: 'slow down' } }, { 'retry-after': '7' });
      const opening = chunk({ role: 'assistant', content: '' });
      const response = await postAndWait(path, body, [
        limited,
        { steps: [opening, { cut: true }] },
        textReply('Here I am.'),
      ]);
      assert.deepEqual([response.status, response.headers.get('x-karl')], [200, null]);
      const told = await response.text();
      assert.deepEqual(waits, [7_000, 2_000]);
      assert.equal(opened().requests().length, 3);
      assert.equal(told.match(/^: x-karl: passed; used=\d+;.*$/gm)?.length, 1);
      assert.equal(
        told.match(/"role":"assistant","content":""|^event: (?:message_start|response\.created)$/gm)?.length,
        1,
      );
      assert.match(told, /Here/);
      assert.doesNotMatch(told, /busy|slow down/);
    });

  for (const [path, body, error] of DIALECTS)
    it(`are followed by an error of the API where nothing helps: ${path}`, async () => {
      const response = await postAndWait(path, body, [BUSY, BUSY, BUSY, BUSY, textReply('Too late.')]);
      assert.match(await response.text(), error);
      assert.equal(opened().requests().length, 4);
    });

  it('bring no second answer once something of the first was shown, even if that has no words', async () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }];
    const broken = { steps: [chunk({ role: 'assistant', reasoning_details: details }), { cut: true } as const] };
    const told = await (await postAndWait('/chat/completions', HELLO, [broken, textReply('Again.')])).text();
    assert.match(told, /reasoning\.encrypted[\s\S]*"error"/);
    assert.doesNotMatch(told, /Again/);
    for (const [reading, event] of [
      [new MessageReading(), { type: 'content_block_stop', index: 0 }],
      [new ItemReading(), { type: 'response.output_item.done', item: { type: 'reasoning', encrypted_content: 'x' } }],
      [new ContentReading(), { candidates: [{ content: { parts: [{ text: '', thoughtSignature: 'x' }] } }] }],
    ] as const)
      assert.equal(reading.take(event).length, 1);
  });

  it('come with the status of what a server refuses at once; then the client retries', async () => {
    await opened.reopen({}, { clock });
    for (const [path, body] of DIALECTS) {
      opened().server.enqueue(BUSY);
      assert.equal((await opened().post(body, path)).status, 503);
    }
    opened().server.enqueue(BUSY);
    assert.equal((await opened().post({ ...HELLO, stream: false })).status, 503);
    assert.deepEqual(waits, []);
  });

  it('are no promise: once the client has gone, nothing is asked for again', async () => {
    const isWaiting = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const wait = (_: number, signal: AbortSignal) => {
      isWaiting.resolve();
      signal.addEventListener('abort', () => ended.resolve());
      return ended.promise;
    };
    await opened.reopen({}, { clock: { ...clock, sleep: wait }, graceMs: 1 });
    const response = await postAndWait('/chat/completions', HELLO, [BUSY]);
    await isWaiting.promise;
    await response.body?.cancel();
    await ended.promise;
    await eventsOf(await opened().post(HELLO));
    assert.equal(opened().requests().length, 2);
  });
});

describe('a sign of life', () => {
  it('comes every ten seconds after the headers, until the end', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    try {
      const socket = new PassThrough();
      const response = new http.ServerResponse(new http.IncomingMessage(new Socket()));
      response.assignSocket(socket as unknown as Socket);
      const answer = new Answer(response, CHAT, readChat(HELLO));
      const linesAfter = async (ms: number) => {
        mock.timers.tick(ms);
        await setImmediate();
        return String(socket.read() ?? '').match(/^(?:HTTP|:).*?(?=\r?$)/gm) ?? [];
      };
      assert.deepEqual(await linesAfter(499), []);
      assert.deepEqual(await linesAfter(1), ['HTTP/1.1 200 OK']);
      assert.deepEqual(await linesAfter(10_000), [': the answer is on its way']);
      assert.deepEqual(await linesAfter(9_999), []);
      assert.deepEqual(await linesAfter(1), [': the answer is on its way']);
      answer.fail(httpError(503, 'busy'));
      assert.deepEqual(await linesAfter(20_000), []);
    } finally {
      mock.timers.reset();
    }
  });

  it('is an event for Codex, which does not see comments: the answer that follows is the one that has begun', () => {
    const form = new ItemsForm('m', false);
    const response = { id: 'resp_1', output: [] };
    const end: AnswerChunk = { type: 'response.completed', response: { ...response, status: 'completed' } };
    const sent = [
      form.keepAlive(),
      form.take({ type: 'response.created', response }),
      form.keepAlive(),
      form.take(end),
      form.end(),
    ].join('');
    const events = eventsIn(sent);
    const numbered = events.map(({ type, sequence_number }) => `${sequence_number} ${type}`);
    assert.deepEqual(numbered, [
      '0 response.created',
      '1 response.in_progress',
      '2 response.in_progress',
      '3 response.completed',
    ]);
    assert.equal(new Set(events.map((event) => event.response.id)).size, 1);
  });
});

it('a block of a message is shown with its first piece: one that was cut before it leaves nothing', () => {
  const form = new MessagesForm(false);
  const start = { type: 'message_start', message: {} };
  const begun = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  const piece = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Fine.' } };
  const sent = [start, begun, start, begun, piece, { type: 'content_block_stop', index: 0 }];
  const events = eventsIn(sent.map((event) => form.take(event)).join(''));
  const shown = events.map(({ type, index }) => [type, index]);
  assert.deepEqual(shown, [
    ['message_start', undefined],
    ['content_block_start', 0],
    ['content_block_delta', 0],
    ['content_block_stop', 0],
  ]);
});
