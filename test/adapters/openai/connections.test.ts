import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunk } from '../server/reply.ts';
import { askAt } from './asking.ts';

const EVENTS = [chunk({ content: 'ok' }), chunk({}, 'stop')].map(({ event }) => JSON.stringify(event));
const REPLY = [...EVENTS, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

describe('the connection of an answer', () => {
  let server: http.Server;
  const answers: ServerResponse[] = [];

  before(async () => {
    server = http.createServer((request, response) => {
      answers.push(response);
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(REPLY));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const ask = async (): Promise<ServerResponse> => {
    const reply = await askAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, {});
    assert.equal(reply.ok && reply.value.message.content, 'ok');
    return answers.at(-1) ?? assert.fail();
  };

  it('is used again, also when the server ends the answer after its last event', async () => {
    const first = await ask();
    const port = first.req.socket.remotePort;
    const free = once(http.globalAgent, 'free');
    first.end('\n');
    await free;
    const second = await ask();
    assert.equal(second.req.socket.remotePort, port);
    second.end();
  });

  it('is another one when the server has just closed it', async () => {
    const first = await ask();
    const free = once(http.globalAgent, 'free');
    first.end();
    await free;
    const asked = answers.length;
    // As the next request arrives: it must not be lost.
    server.once('request', ({ socket }: http.IncomingMessage) => socket.resetAndDestroy());
    const second = await ask();
    assert.notEqual(second.req.socket.remotePort, first.req.socket.remotePort);
    assert.equal(answers.length, asked + 2, 'asked once more, and no more than that');
    second.end();
  });

  it('is asked for once more at most, however many idle ones there are', async () => {
    const three = await Promise.all([ask(), ask(), ask()]);
    const free = new Promise<void>((resolve) => {
      let left = three.length;
      http.globalAgent.on('free', function count() {
        left -= 1;
        if (left > 0) return;
        http.globalAgent.off('free', count);
        resolve();
      });
    });
    for (const answer of answers.slice(-three.length)) answer.end();
    await free;
    const asked = answers.length;
    const close = ({ socket }: http.IncomingMessage) => socket.resetAndDestroy();
    server.on('request', close);
    await assert.rejects(ask);
    server.off('request', close);
    assert.equal(answers.length, asked + 2);
  });

  it('that is new and is closed without an answer is asked once', async () => {
    const asked = answers.length;
    http.globalAgent.destroy();
    server.once('request', ({ socket }: http.IncomingMessage) => socket.resetAndDestroy());
    await assert.rejects(ask);
    assert.equal(answers.length, asked + 1);
  });

  it('is closed when the server does not end the answer', async () => {
    const answer = await ask();
    await once(answer, 'close');
  });
});
