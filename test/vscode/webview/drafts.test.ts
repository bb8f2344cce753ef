import assert from 'node:assert/strict';
import { enterConversation, takeBack } from '../../../src/webview/drafts.ts';
import { changePage, type PageState } from '../../../src/webview/vscodeApi.ts';

describe('a message that comes back', () => {
  const PAGE: PageState = { draft: 'Written since.', conversation: 'shown', detailsOpen: false };

  it('is above what was written since', () => {
    const first = takeBack(PAGE, { text: 'One.' }, '');
    const page = changePage(PAGE, first.change);
    assert.equal(page.draft, 'One.\nWritten since.');
    const { change } = takeBack(page, { text: 'Two.', of: 'shown' }, first.returned);
    assert.equal(changePage(page, change).draft, 'One.\nTwo.\nWritten since.');
  });

  it('is in the draft of its own conversation when another is shown by then', () => {
    const first = takeBack(PAGE, { text: 'One.', of: 'left' }, '');
    const once = changePage(PAGE, first.change);
    const page = changePage(once, takeBack(once, { text: 'Two.', of: 'left' }, first.returned).change);
    assert.equal(page.draft, 'Written since.');
    assert.equal(changePage(page, enterConversation(page, 'left')).draft, 'One.\nTwo.');
  });
});
