import assert from 'node:assert/strict';
import { readBounded } from '../../../src/adapters/openai/bodies.ts';

describe('a body read as text', () => {
  it('is known to be whole as soon as it is, even if every piece ends as if it were', async () => {
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
    let values = 0;
    const onValues = (count: number): void => {
      values = count;
    };
    const text = await readBounded(body, { limit: 1_000_000, onValues, onWhole });
    assert.equal(text, pieces.join(''));
    assert.deepEqual([wholes, values], [1, 3_002]);
  });

  it('that is a number is not whole before its end', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ['40', '4 not found']) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    const onWhole = () => assert.fail('it may go on');
    assert.equal(await readBounded(body, { limit: 100, onValues: () => undefined, onWhole }), '404 not found');
  });
});
