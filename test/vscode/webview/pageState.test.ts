import assert from 'node:assert/strict';
import { enterConversation, readPageState, takeBack } from '../../../src/webview/pageState.ts';

describe('a message that comes back', () => {
  const PAGE = readPageState({ draft: 'Written since.', conversation: 'shown' });

  it('is in the draft of its own conversation when another is shown by then', () => {
    const first = takeBack(PAGE, { text: 'One.', of: 'left' }, '');
    const { page } = takeBack(first.page, { text: 'Two.', of: 'left' }, first.returned);
    assert.equal(page.draft, 'Written since.');
    assert.equal(enterConversation(page, 'left').draft, 'One.\nTwo.');
  });
});

describe('what an earlier page saved', () => {
  const editing = { conversation: 'one', id: 4, draft: '' };
  for (const [name, saved, fields] of [
    ['nothing', undefined, {}],
    ['fields of other types', { draft: 3, drafts: 'x', detailsOpen: 'yes', summaries: [{ from: 1 }], editing: {} }, {}],
    ['one message that is edited, as earlier versions kept it', { editing }, { editing: [editing] }],
  ] as const)
    it(`is read as in a new page where it is not known: ${name}`, () => {
      const empty = { draft: '', conversation: undefined, drafts: [], detailsOpen: false, editing: [], summaries: [] };
      assert.deepEqual(readPageState(saved), { ...empty, ...fields });
    });
});
