import assert from 'node:assert/strict';
import { countSame, Growing } from '../../../src/core/messages/growing.ts';

/** Doubles each item, and records which it was asked for. */
function doubling() {
  const asked: string[] = [];
  const growing = new Growing<string, string>((item) => {
    asked.push(item);
    return item === '' ? [] : [item, item];
  });
  return { asked, growing };
}

describe('a list that grows', () => {
  it('has what is made of each of its items, and no item is looked at twice', () => {
    const { asked, growing } = doubling();
    assert.deepEqual(growing.of(['a', '']), ['a', 'a']);
    assert.deepEqual(growing.of(['a', '', 'b']), ['a', 'a', 'b', 'b']);
    assert.deepEqual(asked, ['a', '', 'b']);
  });

  it('is made again from the first item that changed', () => {
    const { asked, growing } = doubling();
    growing.of(['a', 'b', 'c']);
    asked.length = 0;
    assert.deepEqual(growing.of(['a', 'x', 'c']), ['a', 'a', 'x', 'x', 'c', 'c']);
    assert.deepEqual(asked, ['x', 'c']);
  });

  it('may get shorter, and what was made before stays as it was', () => {
    const { growing } = doubling();
    const before = growing.of(['a', 'b']);
    assert.deepEqual(growing.of(['a']), ['a', 'a']);
    assert.deepEqual(growing.of([]), []);
    assert.deepEqual(growing.of(['c']), ['c', 'c']);
    assert.deepEqual(before, ['a', 'a', 'b', 'b']);
  });

  it('gives the same array for the same items', () => {
    const { growing } = doubling();
    assert.equal(growing.of(['a', 'b']), growing.of(['a', 'b']));
  });
});

describe('what two lists have in common at their beginning', () => {
  it('is counted by identity', () => {
    const [one, other] = [{}, {}];
    assert.equal(countSame([one, other], [one, other, one]), 2);
    assert.equal(countSame([one, {}], [one, {}]), 1);
    assert.equal(countSame([], [one]), 0);
    assert.equal(countSame([undefined], []), 0);
  });
});
