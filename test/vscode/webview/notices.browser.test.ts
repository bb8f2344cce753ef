import assert from 'node:assert/strict';
import { readText, useWebview } from './page.ts';
import { notice } from './sample.ts';

describe('the notices of the view', () => {
  const web = useWebview();

  it('keeps notices in sight with the actions that lead on', async () => {
    await web.draw({ notices: [notice('error', 'It does not answer.', 'Retry', 'Open log')] });
    assert.match(await readText(web.page.getByRole('alert')), /does not answer/);
    await web.press('Open log');
    await web.press('Dismiss (It does not answer.)');
    assert.deepEqual(await web.asked(), ['notice It does not answer. Open log', 'notice It does not answer. dismiss']);
  });

  it('names what Dismiss puts away, and tells actions of the same word apart, by the beginning of the notice', async () => {
    const text = 'The server does not answer, and has not answered for the last three requests.';
    const down = notice('error', text, 'Retry');
    await web.draw({ notices: [down] });
    const names = () =>
      web.page
        .locator('karl-notices .notice :is(vscode-button, .dismiss)')
        .evaluateAll((all) => all.map((one) => one.ariaLabel));
    const of = '(The server does not answer, and has not answered…)';
    assert.deepEqual(await names(), [`Dismiss ${of}`, 'Retry']);
    await web.draw({ notices: [down, notice('error', 'The key is wrong.', 'Set API Key…', 'Retry')] });
    assert.deepEqual(await names(), [
      'Dismiss (The key is wrong.)',
      'Set API Key…',
      'Retry (The key is wrong.)',
      `Dismiss ${of}`,
      `Retry ${of}`,
    ]);
    await web.press(`Retry ${of}`);
    assert.deepEqual(await web.asked(), ['notice The server does not  Retry']);
  });

  it('lets a question be left by its answers only', async () => {
    await web.draw({ notices: [{ ...notice('info', 'Compress?', 'Not Now'), canDismiss: false }] });
    assert.equal(await web.page.getByRole('button', { name: 'Dismiss' }).count(), 0);
  });
});
