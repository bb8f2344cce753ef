import assert from 'node:assert/strict';
import { readText, useWebview } from './page.ts';
import { notice } from './sample.ts';

describe('the notices of the view', () => {
  const web = useWebview();

  it('groups the buttons of each notice under its text', async () => {
    await web.draw({
      notices: [
        notice('error', 'It does not answer.', 'Retry', 'Open log'),
        notice('error', 'The key is wrong.', 'Retry'),
      ],
    });
    assert.match(await readText(web.page.getByRole('alert').last()), /does not answer/);
    const group = web.page.getByRole('group', { name: 'It does not answer.' });
    for (const name of ['Retry', 'Open log', 'Dismiss']) await group.getByRole('button', { name }).click();
    const answers = ['Retry', 'Open log', 'dismiss'].map((action) => `notice It does not answer. ${action}`);
    assert.deepEqual(await web.asked(), answers);
  });

  it('lets a question be left by its answers only', async () => {
    await web.draw({ notices: [{ ...notice('info', 'Compress?', 'Not Now'), canDismiss: false }] });
    assert.equal(await web.page.getByRole('button', { name: 'Dismiss' }).count(), 0);
  });
});
