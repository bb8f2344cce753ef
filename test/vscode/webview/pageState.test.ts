import assert from 'node:assert/strict';
import { readPageState, takeBack, textsOf, write } from '../../../src/webview/pageState.ts';

describe('a message that comes back', () => {
  const PAGE = readPageState({ texts: [{ conversation: 'shown', draft: 'Written since.' }] });

  it('is in the draft of its own conversation when another is shown by then', () => {
    const page = takeBack(takeBack(PAGE, 'left', 'One.'), 'left', 'Two.');
    assert.equal(textsOf(page, 'shown').draft, 'Written since.');
    assert.equal(textsOf(page, 'left').draft, 'One.\nTwo.');
  });

  it('leaves every character of a draft that was changed since another came back', () => {
    const returned = takeBack(readPageState(undefined), 'shown', 'Fix it.');
    for (const draft of ['Fix it. Now!', 'Fix it.!', 'Fix', 'Fix it.\nSoon.']) {
      const page = takeBack(write(returned, 'shown', { draft }), 'shown', 'Commit.');
      const shown = textsOf(page, 'shown').draft;
      assert.equal(shown.replace('Commit.\n', ''), draft, shown);
    }
  });
});

describe('what an earlier page saved', () => {
  const text = (conversation: string, draft: string) => ({ conversation, draft, editing: undefined, summaries: [] });
  for (const [name, saved, texts] of [
    ['nothing', undefined, []],
    ['fields of other types', { texts: [{ conversation: 'one', draft: 3 }, 'x', null] }, []],
    [
      'texts of other types beside a draft',
      { texts: [{ conversation: 'one', draft: 'a', editing: { id: 'x', draft: '' }, summaries: [{ from: 1 }] }] },
      [text('one', 'a')],
    ],
    ['the one draft of version 0.1.0', { draft: 'a', detailsOpen: true }, [text('', 'a')]],
  ] as const)
    it(`is read as in a new page where it is not known: ${name}`, () =>
      assert.deepEqual(readPageState(saved), { texts }));
});
