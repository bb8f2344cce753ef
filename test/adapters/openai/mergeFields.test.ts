import assert from 'node:assert/strict';
import { type Fields, mergeTopField } from '../../../src/adapters/openai/mergeFields.ts';

describe('fields in pieces', () => {
  it('are added to what came before, which is not copied again', () => {
    const kept: Fields = {};
    mergeTopField(kept, 'extra', { inner: { a: 1 } });
    mergeTopField(kept, 'list', [{ index: 0, type: 'x', text: 'a' }]);
    const { extra, list } = kept;
    const { inner } = extra as Fields;
    mergeTopField(kept, 'extra', { inner: { b: 2 } });
    mergeTopField(kept, 'list', [
      { index: 1, type: 'x', text: 'b' },
      { index: 0, type: 'x', text: 'c' },
    ]);
    assert.equal(kept.extra, extra);
    assert.equal((kept.extra as Fields).inner, inner);
    assert.equal(kept.list, list);
    assert.deepEqual(kept, {
      extra: { inner: { a: 1, b: 2 } },
      list: [
        { index: 0, type: 'x', text: 'ac' },
        { index: 1, type: 'x', text: 'b' },
      ],
    });
  });

  it('never change the delta that brought them', () => {
    const first = { inner: { a: 1 }, list: [{ type: 'text', text: 'a' }] };
    const kept: Fields = {};
    mergeTopField(kept, 'extra', first);
    mergeTopField(kept, 'extra', { inner: { b: 2 }, list: [{ type: 'text', text: 'b' }] });
    assert.deepEqual(first, { inner: { a: 1 }, list: [{ type: 'text', text: 'a' }] });
  });
});
