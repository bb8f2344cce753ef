import assert from 'node:assert/strict';
import { namesIn } from '../../../src/host/present/namesIn.ts';

describe('what a text names after an @', () => {
  const first = (text: string) => namesIn(text).map((ways) => ways.at(-1));

  it('is a path, without what ends the sentence, the bracket, the quotation or the lines', () => {
    const text = '@src/a.ts and (@b.md), "@c.md"! `@d.md:3-9` @e.md#L3-L9. @src\\f.ts\n@./g.md?';
    assert.deepEqual(first(text), ['src/a.ts', 'b.md', 'c.md', 'd.md', 'e.md', 'src/f.ts', './g.md']);
  });

  it('is taken as it stands before anything is left out, and a slash may stand for the folder', () => {
    assert.deepEqual(namesIn('@app/[id]'), [['app/[id]', 'app/[id']]);
    assert.deepEqual(namesIn('@/src/a.ts:3'), [['/src/a.ts:3', 'src/a.ts:3', '/src/a.ts', 'src/a.ts']]);
    assert.deepEqual(first('@packages/@app/a.ts'), ['packages/@app/a.ts']);
  });

  it('is nothing inside a word, and each name counts once', () => {
    assert.deepEqual(first('me@a.ts @@ -1 +1 @ @a.ts @a.ts'), ['a.ts']);
  });

  it('is looked for in the first of many names only', () => {
    assert.equal(first(Array.from({ length: 99 }, (_, index) => `@${index}.ts`).join(' ')).length, 20);
  });
});
