import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { callsReply, type ScriptedCall, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { newConversation, openKarlView } from '../harness/ready.ts';
import { folderOf } from '../harness/server.ts';
import { useSharedWindow } from '../harness/sharedEditor.ts';
import { takePicture } from '../harness/takePicture.ts';
import { expectCount, expectText, press, waitFor } from '../harness/tries.ts';
import { pressDialogButton, sendMessage } from '../harness/workbench.ts';

const MODEL = 'loopback-model';
const WINDOW = 16_384;

/** A small program with two faults, a test that finds them, and documents that fill the window. */
const PRICE = 'export function priceOf(item) {\n  return item.amount * item.unit - item.tax;\n}\n';
const TOTAL =
  "import { priceOf } from './price.mjs';\n\nexport function totalOf(items) {\n  return items.reduce((sum, item) => priceOf(item), 0);\n}\n";
const CHECK = [
  "import { priceOf } from './price.mjs';",
  "import { totalOf } from './total.mjs';",
  'const item = { amount: 2, unit: 10, tax: 1 };',
  'const found = [priceOf(item), totalOf([item, item])];',
  "if (found.join() !== '21,42') {",
  "  console.error('FAIL expected 21,42 but got ' + found.join());",
  '  process.exit(1);',
  '}',
  "console.log('2 passed');",
].join('\n');

const document = (name: string): string =>
  Array.from(
    { length: 260 },
    (_, line) => `${name} ${line}: bills are rounded to whole cents, ${line * 7} of them by hand.`,
  ).join('\n');

const todos = (...states: readonly string[]): ScriptedCall => ({
  name: 'update_todos',
  arguments: {
    todos: ['Find the fault', 'Mend price and total', 'See the tests pass'].map((content, index) => ({
      content,
      status: states[index],
    })),
  },
});
const read = (file: string): ScriptedCall => ({ name: 'read_file', arguments: { path: file } });
const run: ScriptedCall = { name: 'run_command', arguments: { command: 'node check.mjs' } };
const edit = (file: string, from: string, to: string): ScriptedCall => ({
  name: 'edit_file',
  arguments: { path: file, edits: [{ old_text: from, new_text: to }] },
});

/** What the model does, round by round. */
const ROUNDS: readonly ScriptedReply[] = [
  callsReply([todos('in_progress', 'pending', 'pending'), { name: 'list_files', arguments: {} }]),
  callsReply([read('price.mjs'), read('total.mjs'), read('docs/a.md')]),
  callsReply([read('docs/b.md')]),
  callsReply([run], { text: 'I run the tests first.' }),
  callsReply([todos('completed', 'in_progress', 'pending'), edit('price.mjs', '- item.tax', '+ item.tax')]),
  callsReply([run]),
  callsReply([read('docs/c.md')]),
  callsReply([edit('total.mjs', 'priceOf(item), 0', 'sum + priceOf(item), 0')]),
  callsReply([read('docs/d.md')]),
  callsReply([run]),
  callsReply([todos('completed', 'completed', 'completed')]),
  textReply('Both faults are mended: price.mjs takes the tax off, total.mjs forgot the sum.'),
];

describe('the agent at work', () => {
  let server: ProviderServer;
  let page: Page;
  let frame: Frame;
  let rounds: number;

  const fileOf = (name: string): string => path.join(folderOf(page), name);
  const question = () => frame.locator('karl-question section');
  const answer = (name: string) => question().getByRole('button', { name, exact: true });

  beforeEach(async () => {
    rounds = 0;
    const list = { object: 'list', data: [{ id: MODEL, object: 'model', max_model_len: WINDOW }] };
    server = await ProviderServer.start({
      pages: { '/v1/models': list },
      window: WINDOW,
      respond: ({ body }) => {
        const isSummary = String(body.messages?.[0]?.content).includes('hand-over of a part');
        return isSummary || body.tools === undefined ? undefined : ROUNDS[rounds++];
      },
    });
    const settings = { 'karl.baseUrl': server.baseUrl, 'karl.model': MODEL };
    page = await useSharedWindow({ 'karl.summary.when': 'never' }, settings);
    fs.writeFileSync(fileOf('price.mjs'), PRICE);
    fs.writeFileSync(fileOf('total.mjs'), TOTAL);
    fs.writeFileSync(fileOf('check.mjs'), CHECK);
    fs.mkdirSync(fileOf('docs'), { recursive: true });
    for (const name of ['a', 'b', 'c', 'd']) fs.writeFileSync(fileOf(`docs/${name}.md`), document(name));
    await newConversation(page);
    frame = await openKarlView(page);
  });

  afterEach(() => server.close());

  it('finds a fault, edits two files and sees the tests pass, through compactions; all of it can be restored', async () => {
    await sendMessage(page, 'The check fails. Mend the program.');
    await question().getByText('Run this command?').waitFor();
    await question().locator('pre', { hasText: 'node check.mjs' }).waitFor();
    await takePicture(page, 'work-command');
    await press(answer('Allow'), question().getByText('Change this file?'));
    await expectText(question(), /price\.mjs/);
    await expectText(question(), /\+1 −1/);
    // The change is in the diff editor, and the file as it was.
    await page.locator('.monaco-diff-editor').first().waitFor();
    assert.equal(fs.readFileSync(fileOf('price.mjs'), 'utf8'), PRICE);
    await takePicture(page, 'work-edit');
    await press(answer('Allow'), question().getByText('Run this command?'));
    assert.match(fs.readFileSync(fileOf('price.mjs'), 'utf8'), /\+ item\.tax/);
    await press(
      question().getByText('Always allow…'),
      question().getByRole('button', { name: 'Always allow exactly the command node check.mjs' }),
    );
    await press(
      question().getByRole('button', { name: 'Always allow exactly the command node check.mjs' }),
      question().getByText('Change this file?'),
    );
    await press(answer('Allow for This Turn'), frame.locator('karl-message', { hasText: 'Both faults are mended' }));
    await expectCount(question(), 0);
    assert.match(fs.readFileSync(fileOf('total.mjs'), 'utf8'), /sum \+ priceOf/);
    await frame.locator('karl-call', { hasText: 'exit 0' }).first().waitFor();
    await takePicture(page, 'work-done');
    await frame
      .getByText(/^Compressed \d times/)
      .first()
      .waitFor();
    // Nothing that was sent was too long, and no call was without its result.
    assert.equal(rounds, ROUNDS.length);

    const message = frame.locator('karl-message', { hasText: 'Mend the program' }).first();
    await message.scrollIntoViewIfNeeded();
    await message.hover();
    await message.getByRole('button', { name: /^Restore the files/ }).click();
    await pressDialogButton(page, 'Restore');
    await waitFor(
      async () => fs.readFileSync(fileOf('price.mjs'), 'utf8'),
      (text) => text === PRICE,
    );
    assert.equal(fs.readFileSync(fileOf('total.mjs'), 'utf8'), TOTAL);
  });
});
