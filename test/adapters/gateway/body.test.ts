import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BodyReader } from '../../../src/adapters/gateway/body.ts';

/** Longer than what is parsed at once: each is a part of its own. */
const message = (text: string) => ({ role: 'user', content: text.repeat(40_000) });

async function read(reader: BodyReader, messages: readonly object[]): Promise<readonly object[]> {
  const request = Object.assign(Readable.from([Buffer.from(JSON.stringify({ model: 'm', messages }))]), {
    headers: {},
  });
  const body = await reader.read(request as unknown as IncomingMessage);
  assert.ok(body.ok);
  assert.deepEqual(body.value, { model: 'm', messages });
  return body.value.messages as readonly object[];
}

describe('the bodies of one agent', () => {
  it('have the same objects for the history that has come before, up to where it differs', async () => {
    const reader = new BodyReader();
    const history = ['a', 'b', 'c', 'd'].map(message);
    const first = await read(reader, history);
    const grown = await read(reader, [...history, message('e')]);
    const changed = await read(reader, [...history.slice(0, 2), message('x'), message('d')]);
    const same = (one: readonly object[]) => one.map((item, index) => item === first[index]);
    assert.deepEqual(same(grown), [true, true, true, false, false]);
    assert.deepEqual(same(changed), [true, true, false, false]);
  });

  it('have an object of its own for each place', async () => {
    const reader = new BodyReader();
    for (let round = 0; round < 2; round += 1) {
      const messages = await read(reader, [message('a'), message('a'), message('a'), message('b')]);
      assert.equal(new Set(messages).size, 4);
    }
  });

  it('are read from the beginning once others have come in between', async () => {
    const reader = new BodyReader();
    const history = ['a', 'b'].map(message);
    const [first] = await read(reader, history);
    for (let other = 0; other < 420; other += 1)
      await read(reader, [message(String.fromCodePoint(0x4e00 + other)), message('z')]);
    const [again] = await read(reader, history);
    assert.ok(again !== first);
  });
});
