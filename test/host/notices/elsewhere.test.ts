import assert from 'node:assert/strict';
import { elsewhere, nameOfThread } from '../../../src/host/notices/elsewhere.ts';
import type { Notice } from '../../../src/host/notices/notices.ts';

describe('what is told of a conversation that the view does not show', () => {
  it('comes as a notification that names it, even while the view is visible', () => {
    const notified: Omit<Notice, 'id'>[] = [];
    const announcer = {
      isVisible: true,
      notify: async (notice: Omit<Notice, 'id'>) => {
        notified.push(notice);
        return undefined;
      },
    };
    const pressed: string[] = [];
    const actions = [{ label: 'Retry', run: () => pressed.push('Retry') }];
    const teller = elsewhere(announcer, nameOfThread({ title: 'Fix the import', client: 'pi' }));
    teller.tell({ id: 'compression', severity: 'error', text: 'Nothing was compressed.', actions });
    assert.deepEqual(
      notified.map(({ severity, text }) => ({ severity, text })),
      [{ severity: 'error', text: '“Fix the import” of pi: Nothing was compressed.' }],
    );
    notified[0]?.actions?.[0]?.run();
    assert.deepEqual(pressed, ['Retry']);
  });

  it('names its agent only where that has named itself', () => {
    assert.equal(nameOfThread({ title: 'Fix it' }), '“Fix it” of another agent');
    assert.equal(nameOfThread({ title: 'Fix it', client: '' }), '“Fix it” of another agent');
    assert.equal(nameOfThread(undefined), 'Karl', 'a request beside a conversation');
  });
});
