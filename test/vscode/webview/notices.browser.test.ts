import assert from 'node:assert/strict';
import { readText, useWebview } from './page.ts';
import { message, workingView } from './sample.ts';

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

  it('keeps the buttons of an error in sight beside a long reason, however small the view is', async () => {
    await web.page.setViewportSize({ width: 220, height: 460 });
    const actions = ['Set API Key…', 'Select Server…', 'Retry'].map((label, index) => ({ id: String(index), label }));
    const text = 'It failed, and this is why. '.repeat(20);
    const notice = { id: 'a', severity: 'error', text, actions, canDismiss: true } as const;
    await web.show({ ...workingView(), notices: [notice] });
    const notices = await web.page.locator('karl-notices').boundingBox();
    const last = await web.page.getByRole('button', { name: 'Retry', exact: true }).boundingBox();
    assert.ok(notices && last && last.y + last.height <= notices.y + notices.height, JSON.stringify([notices, last]));
  });

  it('keeps the composer in sight under many long notices, however small the view is', async () => {
    await web.page.setViewportSize({ width: 220, height: 460 });
    const notice = (id: string) =>
      ({ id, severity: 'error', text: 'It failed. '.repeat(20), actions: [], canDismiss: true }) as const;
    const entries = [message({ id: 0, role: 'user' })];
    await web.draw({ entries, notices: [notice('a'), notice('b')] });
    const box = await web.page.locator('karl-composer .box').boundingBox();
    assert.ok(box && box.y + box.height <= 460, JSON.stringify(box));
  });
});
