import assert from 'node:assert/strict';
import { readBounded } from '../../../src/adapters/openai/bodies.ts';

/** Counts how often JSON is parsed while this runs. */
async function countParses(work: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON;
  let parses = 0;
  JSON.parse = (...words: Parameters<typeof parse>): unknown => {
    parses += 1;
    return parse(...words);
  };
  try {
    await work();
  } finally {
    JSON.parse = parse;
  }
  return parses;
}

describe('a body read as text', () => {
  it('is known to be whole as soon as it is, and parsed once, even if every piece ends as if it were', async () => {
    const pieces = ['[{}', ...Array.from({ length: 1000 }, () => ',{"a":[]}'), ']\n'];
    let wholes = 0;
    // The body stays open until it is known to be whole.
    let close = (): void => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        close = () => controller.close();
      },
    });
    const onWhole = (): void => {
      wholes += 1;
      close();
    };
    let text = '';
    const parses = await countParses(async () => {
      text = await readBounded(body, { limit: 1_000_000, onWhole });
    });
    assert.equal(text, pieces.join(''));
    assert.deepEqual([wholes, parses], [1, 1]);
  });

  it('that is a number is not whole before its end', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ['40', '4 not found']) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    assert.equal(await readBounded(body, { limit: 100, onWhole: () => assert.fail('it may go on') }), '404 not found');
  });
});
