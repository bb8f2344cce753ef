import assert from 'node:assert/strict';
import { readText, useWebview } from './page.ts';

describe('the notices of the view', () => {
  const web = useWebview();

  it('keeps notices in sight with the actions that lead on', async () => {
    const actions = [
      { id: 'retry', label: 'Retry' },
      { id: 'log', label: 'Open log' },
    ];
    await web.draw({
      notices: [{ id: 'down', severity: 'error', text: 'The server does not answer.', actions, canDismiss: true }],
    });
    assert.match(await readText(web.page.getByRole('alert')), /does not answer/);
    await web.press('Open log');
    await web.press('Dismiss (The server does not answer.)');
    assert.deepEqual(await web.asked(), ['notice down log', 'notice down dismiss']);
  });

  it('names what Dismiss puts away, and tells actions of the same word apart, by the beginning of the notice', async () => {
    const notice = (id: string, text: string, labels: readonly string[]) =>
      ({
        id,
        severity: 'error',
        text,
        actions: labels.map((label) => ({ id: label, label })),
        canDismiss: true,
      }) as const;
    const down = notice('down', 'The server does not answer, and has not answered for the last three requests.', [
      'Retry',
    ]);
    await web.draw({ notices: [down] });
    const names = () =>
      web.page
        .locator('karl-notices .notice :is(vscode-button, .dismiss)')
        .evaluateAll((all) => all.map((one) => one.ariaLabel));
    const of = '(The server does not answer, and has not answered…)';
    assert.deepEqual(await names(), [`Dismiss ${of}`, 'Retry']);
    await web.draw({ notices: [down, notice('key', 'The key is wrong.', ['Set API Key…', 'Retry'])] });
    assert.deepEqual(await names(), [
      'Dismiss (The key is wrong.)',
      'Set API Key…',
      'Retry (The key is wrong.)',
      `Dismiss ${of}`,
      `Retry ${of}`,
    ]);
    await web.press('1 more notice');
    await web.press(`Retry ${of}`);
    assert.deepEqual(await web.asked(), ['notice down Retry']);
  });

  it('lets a question be left by its answers only', async () => {
    const actions = [{ id: '0', label: 'Not Now' }];
    await web.draw({ notices: [{ id: 'q', severity: 'info', text: 'Compress?', actions, canDismiss: false }] });
    assert.equal(await web.page.getByRole('button', { name: 'Dismiss' }).count(), 0);
  });
});
