import assert from 'node:assert/strict';
import { createLedger, ReadAhead, readAhead } from '../../../src/core/ledger/ledger.ts';
import type { Block } from '../../../src/core/messages/blocks.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';

const CLOCK = { elapsed: () => 0 };

/** Speech in this many messages. */
function speech(count: number): readonly Block[] {
  const transcript = new Transcript();
  for (let id = 0; id < count; id += 1)
    transcript.append(parseMessage({ role: id % 2 === 0 ? 'user' : 'assistant', content: `m${id}` }, id));
  return transcript.blocks;
}

describe('reading ahead', () => {
  it('looks at each block a few times, however many there are', () => {
    const count = 2_000;
    let looks = 0;
    const counted = new Proxy(speech(count), {
      get: (blocks, name, receiver) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
        return Reflect.get(blocks, name, receiver);
      },
    });
    const ledger = createLedger();
    readAhead(ledger, counted, CLOCK);
    assert.equal(ledger.blocksRead, count);
    assert.ok(looks < count * 10, `${looks}`);
  });

  it('happens once, and after what waits has run', async () => {
    const waiting: (() => void)[] = [];
    const ledger = createLedger();
    const ahead = new ReadAhead(ledger, { ...CLOCK, pause: () => new Promise((resolve) => waiting.push(resolve)) });
    const blocks = speech(10);
    ahead.readSoon(blocks);
    ahead.readSoon(blocks);
    assert.deepEqual([ledger.blocksRead, waiting.length], [0, 1]);
    waiting[0]?.();
    await Promise.resolve();
    assert.equal(ledger.blocksRead, 10);
    ahead.readSoon(blocks);
    assert.equal(waiting.length, 2, 'what comes later is read later');
  });
});
