import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../../src/core/messages/chat.ts';
import { PROFILE } from '../../conversation/kit.ts';
import { MemoryStore, makeThreads, request, send, viewOf } from './kit.ts';

const ASKED: ChatMessage = { role: 'user', content: 'Review the change to the cache of sessions.' };
const prompt = (content: string): ChatMessage => ({ role: 'system', content });

describe('requests that are served at the same time', () => {
  it('with one user message and another prompt or model are conversations of their own', async () => {
    const threads = makeThreads();
    const secure = await threads.match(request([prompt('Look for holes.'), ASKED]));
    const other = { ...PROFILE, id: 'another' };
    const styled = await threads.match(request([prompt('Look at style.'), ASKED], { profile: other }));
    assert.notEqual(styled.id, secure.id);
    assert.deepEqual(viewOf(secure), [prompt('Look for holes.'), ASKED]);
    assert.equal(secure.conversation.profile().id, PROFILE.id);
    assert.deepEqual(viewOf(styled), [prompt('Look at style.'), ASKED]);
    await secure.release();
    await styled.release();
  });

  it('that ask for the very same share one: a client that asks again is no other conversation', async () => {
    const threads = makeThreads();
    const first = await threads.match(request([ASKED]));
    const again = await threads.match(request([ASKED]));
    assert.equal(again.id, first.id);
  });

  it('have what they bring on the disk when asked to, before their end', async () => {
    const store = new MemoryStore();
    const threads = makeThreads({ store });
    const match = await threads.match(request([ASKED]));
    assert.equal(await match.save(), undefined);
    assert.deepEqual(store.saved.at(-1)?.appended, [ASKED]);
    await match.release();
  });

  for (const pause of [1, 2, 3, 4])
    it(`go on with a conversation that leaves memory at pause ${pause}, when nobody looks at it any more`, async () => {
      const store = new MemoryStore();
      let [time, pauses] = [0, 0];
      let end: (() => Promise<unknown>) | undefined;
      const slicing = {
        // Every step is longer than a slice.
        elapsed: () => (time += 1_000),
        pause: async () => {
          pauses += 1;
          if (pauses === pause) await end?.();
        },
      };
      const now = () => (time += 1);
      const threads = makeThreads({ store, mostOpen: 0, now, slicing });
      const talk = Array.from(
        { length: 60 },
        (_, index): ChatMessage => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `said ${index}` }),
      );
      const first = await threads.match(request(talk.slice(0, 41)));
      first.conversation.pin(3);
      const look = (await threads.use(first.id)) ?? assert.fail();
      await first.release();
      end = look.release;
      pauses = 0;
      const next = await threads.match(request(talk));
      assert.deepEqual([next.id, [...next.conversation.pins()]], [first.id, [3]]);
      await next.release();
      // Nor is it lost to the next process.
      const later = await send(makeThreads({ store }), structuredClone(talk));
      assert.deepEqual([later.id, [...later.conversation.pins()]], [first.id, [3]]);
    });
});
