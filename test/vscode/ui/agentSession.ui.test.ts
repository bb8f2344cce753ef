import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { type ClaudeLine, claudeLines } from '../../rescue/kit.ts';
import { enterText, pick, quickInput, runCommand } from '../harness/quickInput.ts';
import { folderOf } from '../harness/server.ts';
import { useSharedEditor, useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { press, readText, until, waitFor } from '../harness/tries.ts';
import { closeNotifications, findWebview, openViewContainer, readNotifications } from '../harness/workbench.ts';

const RULE = 'Never change the rates of past years: they are in the books.';

const WORK = '/work/shop';
const user = (content: unknown): ClaudeLine => ['user', { role: 'user', content }];
const answer = (block: object): ClaudeLine => {
  return ['assistant', { role: 'assistant', model: 'claude-opus-4-6', content: [block] }];
};
const say = (text: string): ClaudeLine => answer({ type: 'text', text });
const call = (id: string, name: string, input: object, printed: string): readonly ClaudeLine[] => [
  answer({ type: 'tool_use', id, name, input }),
  user([{ type: 'tool_result', tool_use_id: id, content: printed }]),
];
const edit = (id: string, file: string): readonly ClaudeLine[] => {
  const input = { file_path: `${WORK}/src/${file}`, old_string: 'rate * 1.19', new_string: 'rate * vat(year)' };
  return call(id, 'Edit', input, `The file ${WORK}/src/${file} has been updated.`);
};
const SUMMARY = `This session is being continued from a previous conversation that ran out of context.

## Summary
- The user wants the VAT to come from the table of the year.
- \`invoice.ts\` was changed.`;

/** A session of Claude Code that it compacted itself; its summary says nothing of the rule and of one file. */
const SESSION = `${claudeLines(WORK, [
  user('Take the VAT from the table of the year, in the invoices and in the credit notes.'),
  user(RULE),
  say('I look at the table first.'),
  ...call(
    'toolu_1',
    'Bash',
    { command: 'node list-rates.mjs' },
    'rates.ts: the table has 412 rows, of which 3 are of this year.\n'.repeat(120),
  ),
  ...edit('toolu_2', 'invoice.ts'),
  ...edit('toolu_3', 'creditNote.ts'),
  say('Both places take the VAT from the table now.'),
  ['system', undefined, { subtype: 'compact_boundary', compactMetadata: { trigger: 'auto', preTokens: 167_000 } }],
  ['user', { role: 'user', content: SUMMARY }, { isCompactSummary: true }],
  user('Now write the tests.'),
  say('The tests come next: one for each year of the table.'),
]).join('\n')}\n`;

describe('the session of an agent that has compacted it', () => {
  let page: Page;

  beforeEach(async () => {
    page = await useSharedWindow();
    fs.writeFileSync(path.join(folderOf(page), 'dead.jsonl'), SESSION);
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

    await press(tab.getByRole('button', { name: 'Rescue…' }), quickInput(page, 'Which agent should continue?'));
    await pick(page, 'Claude Code');
    const asked = 'How large is the context window of Claude Code?';
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
    assert.equal(fs.readFileSync(path.join(folderOf(page), 'dead.jsonl'), 'utf8'), SESSION, 'it was only read');
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
