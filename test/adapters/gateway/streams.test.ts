import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { Answer } from '../../../src/adapters/gateway/answer.ts';
import { CHAT } from '../../../src/adapters/gateway/dialects/chat/chat.ts';
import type { AnswerChunk } from '../../../src/core/model/modelClient.ts';
import { brokenReply, chunk, errorReply, overflowReply, textReply } from '../server/reply.ts';
import { eventsOf, listen, readChat, useGateway } from './openGateway.ts';

const HELLO = { model: 'scripted', messages: [{ role: 'user', content: 'hello' }], stream: true };

/** A long conversation of small messages, some 8,000 tokens. */
const LONG = Array.from({ length: 40 }, (_, turn) => [
  { role: 'user', content: `Question ${turn}: ${'what about this and that? '.repeat(15)}` },
  { role: 'assistant', content: `Answer ${turn}: ${'this is so and that is not. '.repeat(20)}` },
]).flat();

describe('streams through the gateway', () => {
  const opened = useGateway();
  const post = (change: object = {}, init: RequestInit = {}) => opened().post({ ...HELLO, ...change }, undefined, init);
  const postLong = () => post({ messages: [...LONG, ...HELLO.messages] });

  for (const [what, delta] of [
    ['an empty one that only says who speaks', { role: 'assistant', content: '' }],
    ['text', { role: 'assistant', content: 'one' }],
    ['a call', { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '' } }] }],
  ] as const)
    it(`pass the first chunk on before another comes: ${what}`, async () => {
      opened().server.enqueue({ steps: [chunk(delta), { stall: true }] });
      const response = await post();
      const reader = (response.body ?? assert.fail()).getReader();
      const { value } = await reader.read();
      assert.deepEqual(JSON.parse(new TextDecoder().decode(value).slice('data: '.length)), chunk(delta).event);
      await reader.cancel();
      await opened().requests()[0]?.clientLeft;
    });

  for (const [where, fields] of [
    ['a chunk', '"x":DEEP,"choices":[{"delta":{"content":"hello"}}]'],
    ['a choice', '"choices":[{"logprobs":DEEP,"delta":{"content":"hello"}}]'],
    ['a delta', '"choices":[{"delta":{"content":"hello","x":DEEP}}]'],
    ['the usage', '"choices":[],"usage":{"prompt_tokens":4,"x":DEEP}'],
  ] as const)
    it(`end with an error where ${where} has a field that could not be written`, async () => {
      const raw = `data: {${fields.replace('DEEP', `${'['.repeat(9_000)}${']'.repeat(9_000)}`)}}\n\n`;
      for (const stream of [true, false]) {
        opened().server.enqueue({ steps: [chunk({ content: 'well' }), { raw }, chunk({}, 'stop')] });
        assert.match(await (await post({ stream })).text(), /nested more than 100 levels deep/);
      }
    });

  it('end at the server when the client goes, before and after the first chunk', async () => {
    opened().server.enqueue({ neverAnswer: true, steps: [] }, brokenReply('half', { stall: true }));
    const early = new AbortController();
    const asked = post({}, { signal: early.signal });
    for (let count = 1; opened().requests().length === 0; count += 1) await opened().server.received(count);
    early.abort();
    await assert.rejects(asked);
    await opened().requests()[0]?.clientLeft;
    const response = await post();
    await response.body?.cancel();
    await opened().requests()[1]?.clientLeft;
  });

  it('run side by side, fifty of them', async () => {
    await opened.reopen({
      respond: ({ body }) => textReply(String(body.messages?.at(-1)?.content), { pieces: 20 }),
    });
    const texts = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const content = `stream number ${index} `.repeat(20);
        const events = await eventsOf(await post({ messages: [{ role: 'user', content }] }));
        return textOf(events) === content;
      }),
    );
    assert.equal(texts.filter((isSame) => isSame).length, 50);
  });

  it('wait for a client that reads slowly', async () => {
    const chunks: AnswerChunk[] = Array.from({ length: 400 }, () => ({ choices: [], text: 'x'.repeat(64 * 1024) }));
    let writing: Promise<void> | undefined;
    const slow = http.createServer((_, response) => {
      const body = { model: 'm', messages: [{}], stream: true, stream_options: { include_usage: true } };
      const answer = new Answer(response, CHAT, readChat(body));
      // As many as fit into the buffers on the way.
      while (writing === undefined) writing = answer.chunk(chunks.pop() ?? assert.fail('nothing was waited for'));
      void writing.then(() => response.end());
    });
    const request = http.get(await listen(slow));
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    assert.ok(writing !== undefined);
    response.resume();
    await writing;
    await once(response, 'end');
    slow.close();
  });

  it('begin with what was done: a refused request was shortened and sent once more', async () => {
    opened().server.enqueue(overflowReply(8_200, 6_000), textReply('All good.'));
    const response = await postLong();
    assert.match(response.headers.get('x-karl') ?? '', /^recovered; before=\d+; after=\d+; .*window=6000/);
    assert.equal(textOf(await eventsOf(response)), 'All good.');
    const [first, second] = opened()
      .requests()
      .map(({ body }) => JSON.stringify(body.messages).length);
    assert.ok((second ?? 0) < (first ?? 0) * 0.75);
  });

  it('are refused once in a task of several windows: after that, the history is compacted in time', async () => {
    await opened.reopen({ window: 6_000 });
    const question = 'what about this and that? '.repeat(60);
    const turns = Array.from({ length: 40 }, (_, turn) => [
      { role: 'user', content: `Question ${turn}: ${question}` },
      { role: 'assistant', content: 'Understood.' },
    ]).flat();
    for (let end = 1; end < turns.length; end += 2)
      assert.equal(textOf(await eventsOf(await post({ messages: turns.slice(0, end) }))), 'Understood.');
    assert.equal(opened().requests().length, 41);
  });

  it('are asked for twice at most when a server refuses whatever it gets', async () => {
    await opened.reopen({ respond: () => overflowReply(8_200, 6_000) });
    const response = await postLong();
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'context_length_exceeded');
    assert.equal(opened().requests().length, 2);
  });

  it('are not started again after something was passed on', async () => {
    const error = { message: "This model's maximum context length is 6000 tokens.", code: 'context_length_exceeded' };
    opened().server.enqueue({ steps: [chunk({ role: 'assistant', content: 'It' }), { event: { error } }] });
    const events = await eventsOf(await postLong());
    assert.equal(textOf(events), 'It');
    assert.match(JSON.stringify(events.at(-1)), /"error"/);
    assert.equal(opened().requests().length, 1);
  });

  it('ask for less output than the client, where that would not fit beside the input', async () => {
    const page = { object: 'list', data: [{ id: 'scripted', max_model_len: 8_192 }] };
    await opened.reopen({ pages: { '/v1/models': page } });
    await (await post({ max_tokens: 7_000 })).text();
    await (await post({ messages: LONG.slice(0, 21), max_tokens: 7_000 })).text();
    const [small, large] = opened()
      .requests()
      .map(({ body }) => body.max_tokens as number);
    assert.equal(small, 7_000);
    assert.ok(large !== undefined && large < 6_000 && large > 1_000, `${large}`);
  });

  it('leave the transcript as it was when they fail: the next request is answered as if it were the first', async () => {
    const failed = errorReply(500, { error: { message: 'boom' } });
    opened().server.enqueue(failed, brokenReply('half', { cut: true }), textReply('Yes.'));
    await (await post()).text();
    await (await post()).text();
    assert.equal(textOf(await eventsOf(await post())), 'Yes.');
    for (const { body } of opened().requests()) assert.deepEqual(body.messages, HELLO.messages);
  });
});

function textOf(events: readonly unknown[]): string {
  const chunks = events as readonly {
    readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
  }[];
  return chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('');
}
