import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { enterText, pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { folderOf } from '../harness/server.ts';
import { useSharedEditor, useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { press, readText, until, waitFor } from '../harness/tries.ts';
import { closeNotifications, findWebview, openViewContainer, readNotifications } from '../harness/workbench.ts';

const RULE = 'Never change the rates of past years: they are in the books.';

/** A session of Claude Code that it compacted itself; its summary says nothing of the rule and of one file. */
function session(): string {
  const about = { sessionId: 's1', cwd: '/work/shop', isSidechain: false, version: '2.1.0', gitBranch: 'main' };
  let parentUuid: string | null = null;
  let count = 0;
  const line = (record: object): string => {
    count += 1;
    const uuid = `u${count}`;
    const timestamp = new Date(Date.UTC(2026, 10, 27, 9, count)).toISOString();
    const made = JSON.stringify({ ...about, uuid, parentUuid, timestamp, ...record });
    parentUuid = uuid;
    return made;
  };
  const user = (content: unknown) => line({ type: 'user', message: { role: 'user', content } });
  const answer = (...content: object[]) =>
    content
      .map((block) =>
        line({
          type: 'assistant',
          message: { id: `m${count}`, type: 'message', role: 'assistant', model: 'claude-opus-4-6', content: [block] },
        }),
      )
      .join('\n');
  const text = (words: string) => ({ type: 'text', text: words });
  const edit = (id: string, file: string) => {
    const input = { file_path: `/work/shop/src/${file}`, old_string: 'rate * 1.19', new_string: 'rate * vat(year)' };
    return [
      answer({ type: 'tool_use', id, name: 'Edit', input }),
      user([{ type: 'tool_result', tool_use_id: id, content: `The file /work/shop/src/${file} has been updated.` }]),
    ].join('\n');
  };
  const log = 'rates.ts: the table has 412 rows, of which 3 are of this year.\n'.repeat(120);
  return [
    user('Take the VAT from the table of the year, in the invoices and in the credit notes.'),
    user(RULE),
    answer(text('I look at the table first.')),
    answer({ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'node list-rates.mjs' } }),
    user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: log }]),
    edit('toolu_2', 'invoice.ts'),
    edit('toolu_3', 'creditNote.ts'),
    answer(text('Both places take the VAT from the table now.')),
    line({ type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 167_000 } }),
    line({
      type: 'user',
      isCompactSummary: true,
      message: {
        role: 'user',
        content:
          'This session is being continued from a previous conversation that ran out of context.\n\n## Summary\n- The user wants the VAT to come from the table of the year.\n- `invoice.ts` was changed.',
      },
    }),
    user('Now write the tests.'),
    answer(text('The tests come next: one for each year of the table.')),
    '',
  ].join('\n');
}

describe('the session of an agent that has compacted it', () => {
  let page: Page;

  beforeEach(async () => {
    page = await useSharedWindow();
    fs.writeFileSync(path.join(folderOf(page), 'dead.jsonl'), session());
  });

  /** Drags a file of the explorer onto Karl's tab; with Shift the editor leaves that to the tab. */
  async function drop(name: string, frame: Frame): Promise<void> {
    const target = await frame.frameElement().then((element) => element.boundingBox());
    assert.ok(target !== null);
    const row = page.locator('.explorer-folders-view').getByText(name);
    await row.hover();
    await page.mouse.down();
    await page.keyboard.down('Shift');
    const [x, y] = [target.x + target.width / 2, target.y + target.height / 2];
    for (const away of [40, 20, 0]) await page.mouse.move(x - away, y - away, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
  }

  it('is dropped on the view; what its summary lacks is restored, copied for the agent, and in the session that a rescue writes', async () => {
    await runCommand(page, 'Karl: Open in Editor');
    const tab = await findWebview(page, 'html.editor karl-app');
    await openViewContainer(page, 'Explorer');
    await page.locator('.explorer-folders-view').getByText('dead.jsonl').waitFor();
    await waitFor(
      async () => {
        await drop('package.json', tab);
        return await readNotifications(page);
      },
      (all) => all.some((text) => text.includes('package.json is not a session of an agent that Karl knows')),
    );
    await closeNotifications(page);
    const row = () => tab.locator('karl-compression article');
    await until(row(), () => drop('dead.jsonl', tab));
    await expectLacks(tab);
    await takePicture(page, 'agent-session');
    await press(tab.getByRole('button', { name: `Restore message: ${RULE}` }), tab.getByText(/restored:/));
    await press(tab.getByRole('button', { name: /^Copy as Message/ }), tab.getByText(/^Copied\./));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /lost when it was compacted/);
    assert.ok(copied.includes(RULE), copied);

    await press(tab.getByRole('button', { name: 'Rescue…' }), quickInput(page, 'Which agent goes on with it?'));
    await pick(page, 'Claude Code');
    const asked = 'Which window does Claude Code have?';
    const proposed = quickInput(page, asked).locator('input').first();
    assert.equal(await proposed.inputValue(), '200000', 'the usual one is proposed');
    await enterText(page, asked, '150000');
    const said = await waitFor(
      () => readNotifications(page),
      (all) => all.some((text) => text.includes('claude --resume')),
    );
    assert.ok(said.some((text) => /tokens in a new session/.test(text)));
    await takePicture(page, 'agent-session-rescued');
    const home = path.join((await useSharedEditor()).server.folder, 'home', '.claude', 'projects');
    const [made] = fs.globSync('*/*.jsonl', { cwd: home });
    const text = fs.readFileSync(path.join(home, made ?? ''), 'utf8');
    assert.ok(text.includes(RULE), 'what was restored');
    assert.ok(text.includes('which summarized:'), "its agent's own summary of the rest");
    assert.ok(text.includes('Now write the tests.'), 'what came since');
    assert.ok(!text.includes('list-rates.mjs'), 'nothing else of what was thrown away');
    assert.equal(fs.readFileSync(path.join(folderOf(page), 'dead.jsonl'), 'utf8'), session(), 'it was only read');
  });

  /** What the summary says and what it lacks, side by side. */
  async function expectLacks(frame: Frame): Promise<void> {
    await frame.getByText('Compressed by Claude Code').waitFor();
    const lacks = frame.getByRole('region', { name: /^What it lacks/ });
    await press(frame.getByRole('button', { name: /^Summary: / }), frame.getByText('invoice.ts was changed.'));
    await press(frame.getByRole('button', { name: /^What it lacks/ }), lacks);
    const words = await readText(lacks);
    for (const part of [RULE, '/work/shop/src/creditNote.ts']) assert.ok(words.includes(part), words);
    assert.ok(!words.includes('src/invoice.ts'), 'what the summary states');
  }
});
