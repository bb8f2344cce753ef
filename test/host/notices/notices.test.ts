import assert from 'node:assert/strict';
import { Notices } from '../../../src/host/notices/notices.ts';

describe('the notices of the view', () => {
  it('do what is written on the button that was pressed, also when another notice has come in its place', () => {
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

  it('go away by their cross, which does nothing else', () => {
    const notices = new Notices(() => undefined);
    notices.show({ id: 'a', severity: 'info', text: 'Done.', actions: [{ label: 'Undo', run: assert.fail }] });
    notices.press('a', 'dismiss');
    assert.deepEqual(notices.states, []);
  });
});
