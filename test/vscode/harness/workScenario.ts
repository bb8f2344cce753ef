import fs from 'node:fs';
import path from 'node:path';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { callsReply, type ScriptedCall, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';

// A model that mends a program: what an agent does in a test, and in the pictures of the README.

const MODEL = 'loopback-model';
const WINDOW = 16_384;

/** A small program with two faults, a test that finds them, and documents that fill the window. */
export const PRICE = 'export function priceOf(item) {\n  return item.amount * item.unit - item.tax;\n}\n';
export const TOTAL =
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
export const ROUNDS: readonly ScriptedReply[] = [
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

/** A server whose model goes through the rounds; a request that is too long for its window is refused. */
export async function startModel(): Promise<ProviderServer> {
  let round = 0;
  const list = { object: 'list', data: [{ id: MODEL, object: 'model', max_model_len: WINDOW }] };
  return await ProviderServer.start({
    pages: { '/v1/models': list },
    window: WINDOW,
    respond: ({ body }) => {
      if (body.tools === undefined) return undefined;
      round += 1;
      return ROUNDS[round - 1];
    },
  });
}

/** The settings of a user with that server. */
export function settingsFor({ baseUrl }: ProviderServer): Readonly<Record<string, unknown>> {
  return { 'karl.baseUrl': baseUrl, 'karl.model': MODEL };
}

/** Writes the program into a folder. */
export function writeProgram(folder: string): void {
  fs.mkdirSync(path.join(folder, 'docs'), { recursive: true });
  const files = { 'price.mjs': PRICE, 'total.mjs': TOTAL, 'check.mjs': CHECK };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  for (const name of ['a', 'b', 'c', 'd']) fs.writeFileSync(path.join(folder, `docs/${name}.md`), document(name));
}
