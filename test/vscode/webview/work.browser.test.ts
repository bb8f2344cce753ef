import assert from 'node:assert/strict';
import type { QuestionState } from '../../../src/protocol/viewState.ts';
import { readText, useWebview } from './page.ts';
import { call, message, view } from './sample.ts';

const waiting = { kind: 'waiting', label: 'Waiting for your answer' } as const;
const command = (id: string): QuestionState => ({
  id,
  kind: 'command',
  tool: 'run_command',
  command: `npm test ${id}`,
  folder: '/w',
  always: ['exactly the command npm test', 'commands that begin with npm test'],
});
const edit: QuestionState = {
  id: 'e',
  kind: 'edit',
  tool: 'edit_file',
  path: 'src/a.ts',
  isNew: false,
  added: 2,
  removed: 1,
  always: ['all edits'],
};

describe('what the agent asks', () => {
  const web = useWebview();
  const press = (name: string) => web.page.getByRole('button', { name, exact: true }).click();
  const show = (question: QuestionState | undefined, revision = 1) =>
    web.show(view({ revision, question, activity: waiting }));

  it('is answered by each button, with the reason and the offer that were chosen', async () => {
    await show(command('q1'));
    assert.match(await readText(web.page.locator('karl-question section')), /It runs with your rights, in \/w\./);
    // The second click would meet the next question.
    await web.page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    await press('Allow for This Turn');
    await web.page.locator('karl-question summary').click();
    await press('Always allow commands that begin with npm test');
    await web.page.getByRole('textbox', { name: 'Why not' }).fill('use npm run check');
    await press('Deny');
    const given = (answer: string, reason = '', offer = 0) => ({ type: 'answer', id: 'q1', answer, reason, offer });
    assert.deepEqual(await web.intents(), [
      given('allow'),
      given('turn'),
      given('always', '', 1),
      given('deny', 'use npm run check'),
    ]);
  });

  it('shows its command and the answers beside a to-do list and a queue, in the height of a small laptop', async () => {
    const { page } = web;
    await page.setViewportSize({ width: 300, height: 690 });
    const todos = [{ text: 'Release it', state: 'active' }] as const;
    const ask = async (asked: string) => {
      const question = { ...command(asked), command: asked };
      await web.draw({ question, activity: waiting, todos, queued: ['And then go on.'] });
      await page.locator('karl-question pre', { hasText: asked.slice(0, 16) }).waitFor();
      return page.locator('karl-question').evaluate(({ shadowRoot }) => {
        const command = shadowRoot?.querySelector('pre');
        const deny = [...(shadowRoot?.querySelectorAll('button') ?? [])].find((one) => one.textContent === 'Deny');
        const end = shadowRoot?.querySelector('section')?.getBoundingClientRect().bottom ?? 0;
        return [command?.scrollHeight === command?.clientHeight, (deny?.getBoundingClientRect().bottom ?? end) < end];
      });
    };
    assert.deepEqual(await ask('npm ci && npm run build && rm -rf dist && git push --force'), [true, true]);
    await page.setViewportSize({ width: 300, height: 720 });
    assert.deepEqual(await ask('npm ci && npm test\n'.repeat(20)), [false, true]);
  });

  it('says nothing of one question to the next, and is told to a screen reader', async () => {
    await show(command('q1'));
    await web.page.getByRole('textbox', { name: 'Why not' }).fill('not this one');
    await show(command('q2'), 2);
    assert.equal(await web.page.getByRole('textbox', { name: 'Why not' }).inputValue(), '');
    const spoken = await readText(web.page.locator('.unseen[role=status]'));
    assert.equal(spoken, 'The agent asks whether it may run npm test q2.');
    await press('Deny');
    assert.deepEqual(await web.intents(), [{ type: 'answer', id: 'q2', answer: 'deny', reason: '', offer: 0 }]);
    await show(undefined, 3);
    assert.equal(await web.page.locator('karl-question section').count(), 0);
  });

  it('shows a change by its lines, and opens it', async () => {
    await show(edit);
    assert.match(await readText(web.page.locator('karl-question section')), /Change this file\?.*src\/a\.ts.*\+2.*−1/s);
    await press('Show the change');
    assert.deepEqual(await web.intents(), [{ type: 'show-change' }]);
  });

  it('is text, whatever it says: neither markup nor a longer card than the view', async () => {
    const long = '<img src=x onerror=alert(1)>\n'.repeat(400);
    await show({ id: 'q', kind: 'command', tool: 'run_command', command: long, folder: '/w', always: [] });
    assert.equal(await web.page.locator('karl-question img').count(), 0);
    const box = await web.page.locator('karl-question section').boundingBox();
    const allow = await web.page.getByRole('button', { name: 'Allow', exact: true }).boundingBox();
    const { height = 0 } = web.page.viewportSize() ?? {};
    assert.ok(box !== null && box.height <= height * 0.46, JSON.stringify(box));
    assert.ok(allow !== null && allow.y + allow.height <= height, JSON.stringify(allow));
  });
});

describe('the view at work', () => {
  const web = useWebview();

  it('has the lines that a command prints, the counts of an edit, and the restore of a turn', async () => {
    await web.show(
      view({
        entries: [
          message({ id: 0, role: 'user', restorable: true }),
          call({ call: 1, result: 2, name: 'edit_file', changed: { added: 12, removed: 3 } }),
          call({ call: 3, name: 'run_command', outcome: 'running', printed: ['one', 'two'] }),
        ],
      }),
    );
    assert.match(await readText(web.page.locator('karl-call article').first()), /\+12.*−3/s);
    assert.equal(await readText(web.page.locator('.printed')), 'one\ntwo');
    await web.page.locator('karl-message').hover();
    await web.page.getByRole('button', { name: /^Restore the files/ }).click();
    assert.deepEqual(await web.intents(), [{ type: 'restore-files', id: 0 }]);
  });

  it('has the to-do list in one line, which unfolds; and a message of the queue can be sent now', async () => {
    const todos = [
      { text: 'Find it', state: 'done' },
      { text: 'Mend it', state: 'active' },
    ] as const;
    await web.show(view({ todos, queued: ['and b.ts'], activity: { kind: 'model', label: 'At work' } }));
    const list = web.page.locator('.todos');
    assert.match(await readText(list.locator('summary')), /1 of 2\s*Mend it/);
    await list.locator('summary').click();
    assert.match(await readText(list.locator('ul')), /Find it.*done.*Mend it.*in progress/s);
    await web.page.getByRole('button', { name: 'Send now: and b.ts' }).click();
    assert.deepEqual(await web.intents(), [{ type: 'send-between', index: 0, text: 'and b.ts' }]);
  });
});
