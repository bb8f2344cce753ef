import assert from 'node:assert/strict';
import type { TurnProblem } from '../../../src/core/session/turnContext.ts';
import { showOutcome } from '../../../src/host/notices/describeProblem.ts';
import { elsewhere, type Notice, nameOfThread } from '../../../src/host/notices/notices.ts';
import { makeNotices } from '../kit.ts';
import { given } from '../present/kit.ts';

describe('the notices of the view', () => {
  it('ignore a button that belonged to a notice which was replaced', () => {
    const notices = makeNotices();
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

  it('offer the cure first if another try cannot help', () => {
    const budget = given({ used: 9_000 }).budget();
    const error = { kind: 'overflow', retryable: false, evidence: 'too long' } as const;
    const message = 'Nothing can be replaced.';
    const skipped = { kind: 'skipped', strategy: 'adaptive', reason: 'nothing-to-compact', message } as const;
    const labels = (problem: TurnProblem) => {
      const notices = makeNotices();
      showOutcome({ kind: 'failed', problem }, notices, assert.fail, () => assert.fail());
      return notices.states[0]?.actions.map(({ label }) => label);
    };
    assert.deepEqual(labels({ kind: 'overflow', error, budget, compaction: skipped }), ['Select Model…', 'Retry']);
    assert.deepEqual(labels({ kind: 'overflow', error, budget }), ['Retry', 'Select Model…'], 'it will be compressed');
    const tools = { kind: 'tools-too-large', tokens: 9_000, largest: ['a'], limitTokens: 8_000 } as const;
    assert.equal(labels(tools)?.at(-1), 'Retry');
  });

  it('say only once that nothing can make the request fit', () => {
    const notices = makeNotices();
    notices.show({ id: 'shortage', severity: 'warning', text: 'The window is too small for this conversation.' });
    const problem = { kind: 'overflow', budget: given({ used: 9_000 }).budget() } as const;
    showOutcome({ kind: 'failed', problem }, notices, assert.fail, () => assert.fail());
    assert.deepEqual(
      notices.states.map(({ id }) => id),
      ['turn'],
    );
  });

  it('go away when a turn begins if they are passing; others stay', () => {
    const notices = makeNotices();
    notices.show({ id: 'compression', severity: 'info', text: 'Nothing was compressed.', passing: true });
    notices.show({ id: 'storage disk-full', severity: 'warning', text: 'The disk is full.' });
    notices.removePassing();
    const ids = notices.states.map(({ id }) => id);
    assert.deepEqual(ids, ['storage disk-full']);
  });

  it('are closed by their cross, which does nothing else', () => {
    const notices = makeNotices();
    notices.show({ id: 'told', severity: 'info', text: 'Done.', actions: [{ label: 'Undo', run: assert.fail }] });
    notices.press('told', 'dismiss');
    assert.deepEqual(notices.states, []);
  });
});

describe('news of a conversation that the view does not show', () => {
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
    const told = notified.map(({ severity, text }) => ({ severity, text }));
    assert.deepEqual(told, [{ severity: 'error', text: '“Fix the import” of pi: Nothing was compressed.' }]);
    notified[0]?.actions?.[0]?.run();
    assert.deepEqual(pressed, ['Retry']);
  });

  it('names the agent only if it has named itself', () => {
    assert.equal(nameOfThread({ title: 'Fix it' }), '“Fix it” of another agent');
    assert.equal(nameOfThread({ title: 'Fix it', client: '' }), '“Fix it” of another agent');
    assert.equal(nameOfThread(undefined), 'Karl', 'a request beside a conversation');
  });
});
