import assert from 'node:assert/strict';
import { readText, useWebview } from './page.ts';
import { notice } from './sample.ts';

describe('the notices of the view', () => {
  const web = useWebview();

  it('keeps notices in sight with the actions that lead on', async () => {
    await web.draw({ notices: [notice('error', 'It does not answer.', 'Retry', 'Open log')] });
    assert.match(await readText(web.page.getByRole('alert')), /does not answer/);
    await web.press('Open log');
    await web.press('Dismiss');
    assert.deepEqual(await web.asked(), ['notice It does not answer. Open log', 'notice It does not answer. dismiss']);
  });

  it('groups the buttons of each notice under its text', async () => {
    await web.draw({
      notices: [notice('error', 'It does not answer.', 'Retry'), notice('error', 'The key is wrong.', 'Retry')],
    });
    const group = web.page.getByRole('group', { name: 'It does not answer.' });
    await group.getByRole('button', { name: 'Retry' }).click();
    await group.getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await web.asked(), ['notice It does not answer. Retry', 'notice It does not answer. dismiss']);
  });

  it('lets a question be left by its answers only', async () => {
    await web.draw({ notices: [{ ...notice('info', 'Compress?', 'Not Now'), canDismiss: false }] });
    assert.equal(await web.page.getByRole('button', { name: 'Dismiss' }).count(), 0);
  });
});
