import assert from 'node:assert/strict';
import { Notices } from '../../../src/host/notices/notices.ts';

describe('the notices of the view', () => {
  it('do what is written on the button that was pressed, even when another notice has taken its place', () => {
    const notices = new Notices(() => undefined);
    const done: string[] = [];
    const action = (label: string) => ({ label, run: () => done.push(label) });
    const show = (text: string, ...labels: string[]) =>
      notices.show({ id: 'turn', severity: 'error', text, actions: labels.map(action) });
    show('The key is wrong.', 'Set API Key…', 'Retry');
    const [setKey] = notices.states[0]?.actions ?? assert.fail();
    show('The server is gone.', 'Retry', 'Select Server…');
    notices.press('turn', setKey?.id ?? assert.fail());
    assert.deepEqual([done, notices.states.length], [[], 1], 'it stays, and nothing is done');
    notices.press('turn', notices.states[0]?.actions[0]?.id ?? assert.fail());
    assert.deepEqual([done, notices.states], [['Retry'], []]);
  });

  it('that answer what the user did go away when a turn begins; others stay', () => {
    const notices = new Notices(() => undefined);
    notices.show({ id: 'compression', severity: 'info', text: 'Nothing was compressed.', passing: true });
    notices.show({ id: 'storage', severity: 'warning', text: 'The disk is full.' });
    notices.removePassing();
    assert.deepEqual(
      notices.states.map(({ id }) => id),
      ['storage'],
    );
  });

  it('go away when their cross is pressed, which does nothing else', () => {
    const notices = new Notices(() => undefined);
    notices.show({ id: 'a', severity: 'info', text: 'Done.', actions: [{ label: 'Undo', run: assert.fail }] });
    notices.press('a', 'dismiss');
    assert.deepEqual(notices.states, []);
  });
});
