import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { PreparedPreview } from '../../../src/core/conversation/conversationOptions.ts';
import { describeKept } from '../../../src/host/present/compressions.ts';
import { sentBlocks } from '../../../src/host/present/sent.ts';
import { CompressionPreview } from '../../../src/host/preview/compressionPreview.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, converse, reads, scripted, system, user } from '../../core/conversation/kit.ts';
import { partsOf } from '../kit.ts';

const WORK = [
  system('You are an agent.'),
  user('Move the exports.'),
  ...reads(14, 40),
  assistant('The exports of src/part3.ts are moved to src/index.ts.'),
  user('And now?'),
];

async function open(conversation: Conversation): Promise<{ preview: CompressionPreview; changes: () => number }> {
  let changes = 0;
  const refresh = () => {
    changes += 1;
  };
  const preview = new CompressionPreview(conversation, undefined, partsOf({ view: { refresh } }));
  await preview.plan();
  return { preview, changes: () => changes };
}

const apply = (conversation: Conversation, prepared: PreparedPreview) =>
  conversation.compact({ ...prepared.request, preview: prepared });

const keptBy = (conversation: Conversation) =>
  describeKept(conversation.compactions().at(-1) ?? assert.fail(), conversation.transcript.messages);

/** How many messages are said to be kept, shortened, summarized and dropped. */
const countsIn = (said: string) =>
  ['messages kept', 'shortened', 'summarized', 'dropped'].map((what) =>
    Number(said.match(new RegExp(`(\\d+) ${what}`))?.[1] ?? 0),
  );

/** The groups, with what the tests read of each row. */
const groupsOf = ({ state }: CompressionPreview) =>
  (state.plan?.groups ?? []).map((group) => ({
    ...group,
    rows: group.rows.map(({ at = assert.fail(), box = assert.fail(), ...row }) => ({ ...row, ...at, ...box })),
  }));

const groupOf = (preview: CompressionPreview, fate: string) => groupsOf(preview).find(({ kind }) => kind === fate);

/** The same counts as the preview has them. */
const countsOf = (preview: CompressionPreview) =>
  ['kept', 'shortened', 'summarized', 'dropped'].map((fate) =>
    Number.parseInt(groupOf(preview, fate)?.note ?? '0', 10),
  );

const rowsOf = (preview: CompressionPreview) => groupsOf(preview).flatMap(({ rows }) => rows);

const placesOf = (preview: CompressionPreview, fate: string) =>
  groupOf(preview, fate)?.rows.map(({ from, kept }) => `${from} ${kept ? 'kept' : 'set aside'}`);

describe('the preview that the view shows', () => {
  it('lists every message, and says which can be changed', async () => {
    const { preview } = await open(converse(WORK));
    const rows = rowsOf(preview);
    assert.equal(rows.length, preview.ready?.shown.rows.length);
    assert.ok(rows.some(({ label, path }) => label === 'read_file src/part0.ts' && path === 'src/part0.ts'));
    const prompt = rows.find(({ from }) => from === 0);
    assert.equal(prompt?.label, 'You are an agent.');
    assert.deepEqual([prompt.note, prompt.fixed], ['system prompt', 'Instructions always stay whole.']);
    for (const { kept, fixed } of groupOf(preview, 'shortened')?.rows ?? [])
      assert.deepEqual([kept, fixed], [false, undefined]);
    assert.equal(preview.state, preview.state, 'the same object until something changes');
  });

  it('counts the messages of this compression as the divider does, without those of earlier ones', async () => {
    const conversation = converse(WORK);
    for (const [strategy, summarizes, drops] of [
      ['extractive', true, false],
      ['heuristic', false, true],
      ['extractive', true, false],
      ['adaptive', true, false],
    ] as const) {
      const { preview } = await open(conversation);
      await preview.useStrategy(strategy);
      const counts = countsOf(preview);
      const [, , summarized = 0, dropped = 0] = counts;
      assert.equal((await apply(conversation, preview.ready ?? assert.fail())).kind, 'compacted');
      assert.deepEqual([summarized > 0, dropped > 0], [summarizes, drops], `${strategy}: a line alone is no summary`);
      assert.deepEqual(countsIn(keptBy(conversation)), counts);
      conversation.append([assistant('Done.'), user('Go on.'), ...reads(14, 40, conversation.transcript.nextId + 2)]);
    }
  });

  it('counts as shortened only messages that are sent shortened, like the tags of the rows', async () => {
    const words = reads(14, 40).map((wire) => (wire.role === 'assistant' ? { ...wire, content: 'Looking.' } : wire));
    const conversation = converse([...WORK.slice(0, 2), ...words, user('And now?')]);
    const tagged = () => {
      const states = conversation.items().flatMap((item) => sentBlocks(item).flatMap(({ messages }) => messages));
      const count = (...wanted: readonly string[]) => states.filter(({ sent }) => wanted.includes(sent)).length;
      return [count('whole'), count('shortened'), count('summarized'), count('dropped')];
    };
    const { preview } = await open(conversation);
    const groups = countsOf(preview).slice(0, 2);
    assert.equal((await apply(conversation, preview.ready ?? assert.fail())).kind, 'compacted');
    assert.deepEqual(countsIn(keptBy(conversation)), tagged());
    assert.deepEqual(groups, tagged().slice(0, 2));
  });

  it('moves a row that the user keeps, and back; uses a strategy only for this run', async () => {
    const conversation = converse(WORK);
    const { preview } = await open(conversation);
    const before = preview.state.plan;
    const row = groupsOf(preview)[0]?.rows[0];
    assert.ok(row);
    await preview.keep(row, true);
    assert.deepEqual(placesOf(preview, 'chosen'), [`${row.from} kept`]);
    await preview.keep(row, false);
    assert.deepEqual(preview.state.plan, before);
    await preview.useStrategy('heuristic');
    assert.equal(preview.ready?.shown.strategy, 'heuristic');
    await preview.useStrategy('no such strategy');
    assert.equal(preview.state.strategy, 'heuristic');
    assert.equal(conversation.settings.strategy, 'adaptive');
  });

  it('sets a kept row aside, and back; says why others cannot be', async () => {
    const { preview } = await open(converse(WORK));
    const before = preview.state.plan;
    const rows = groupOf(preview, 'kept')?.rows ?? [];
    const shown = rows.map(({ label, fixed }) => `${label}: ${fixed ?? 'may go'}`);
    assert.deepEqual(shown, [
      'You are an agent.: Instructions always stay whole.',
      'You: Move the exports.: Setting this aside would save nothing.',
      ...['10', '11', '12', '13'].map((part) => `read_file src/part${part}.ts: may go`),
      'Assistant: The exports of src/part3.ts are moved to src/index.ts.: Setting this aside would save nothing.',
      'You: And now?: Your current request always stays whole.',
    ]);
    const row = rows.find(({ fixed }) => fixed === undefined);
    assert.ok(before && row);
    await preview.keep(row, false);
    assert.deepEqual(placesOf(preview, 'aside'), [`${row.from} set aside`]);
    assert.ok((preview.state.plan?.after ?? 0) < before.after);
    await preview.keep(row, true);
    assert.deepEqual(preview.state.plan, before);
    assert.deepEqual([preview.choices.keep, preview.choices.aside], [[], []]);
  });

  it('changes a row at once when the strategy has changed since it was chosen', async () => {
    const { preview } = await open(converse(WORK));
    const boxOf = (from: number) => rowsOf(preview).find((row) => row.from === from)?.kept;
    await preview.useStrategy('extractive');
    const kept = groupOf(preview, 'kept')?.rows ?? [];
    await preview.useStrategy('adaptive');
    // Kept by one strategy alone.
    const row = kept.find(({ from, fixed }) => fixed === undefined && boxOf(from) === false);
    assert.ok(row);
    await preview.keep(row, true);
    await preview.useStrategy('extractive');
    assert.equal(boxOf(row.from), true);
    await preview.keep(row, false);
    assert.deepEqual([boxOf(row.from), preview.choices.keep, preview.choices.aside], [false, [], [row.from, row.to]]);
    await preview.useStrategy('adaptive');
    assert.equal(boxOf(row.from), false);
    await preview.keep(row, true);
    assert.deepEqual([boxOf(row.from), preview.choices.keep, preview.choices.aside], [true, [row.from, row.to], []]);
  });

  it('shows choices with which no plan can be made', async () => {
    const rules = Array.from({ length: 9 }, (_, index) => `Never touch the file src/secret${index}.ts.`).join(' ');
    const { preview } = await open(converse([...WORK.slice(0, -1), user(rules), assistant('No.'), user('And now?')]));
    const find = (label: string) => rowsOf(preview).find((row) => row.label.startsWith(label));
    const rule = find('You: Never');
    assert.ok(rule);
    await preview.keep(rule, false);
    assert.equal(find('You: Never')?.kept, false);
    const call = find('read_file src/part0.ts');
    assert.ok(call?.kept === false);
    await preview.keep(call, true);
    await preview.useStrategy('action-trace');
    assert.notEqual(preview.state.problem, undefined);
    assert.equal(find('read_file src/part0.ts')?.kept, true);
    await preview.keep(call, false);
    assert.deepEqual([find('read_file src/part0.ts')?.kept, preview.choices.keep], [false, []]);
  });

  it('lists the largest rows of a long group, in the order of the conversation', async () => {
    const replies = Array.from({ length: 250 }, (_, index) => assistant(`Reply ${index}. ${'word '.repeat(index)}`));
    const { preview } = await open(converse([...WORK.slice(0, -1), ...replies, user('And now?')]));
    const long = groupsOf(preview).find(({ more }) => more > 0);
    assert.ok(long);
    const members = preview.ready?.shown.rows.filter(({ fate }) => fate === long.kind) ?? [];
    const largest = members.toSorted((one, other) => other.tokens - one.tokens).slice(0, 200);
    const froms = long.rows.map(({ from }) => from);
    const expected = largest.map(({ range }) => range.from).sort((one, other) => one - other);
    assert.deepEqual(froms, expected);
    assert.equal(long.more, members.length - 200);
    preview.showMore();
    const all = groupOf(preview, long.kind);
    assert.deepEqual([all?.rows.length, all?.more], [members.length, 0]);
  });

  it('asks the model again when the instructions change, and repeats them in the receipt', async () => {
    const summarizer = scripted('The exports of src/part3.ts were moved to src/index.ts [t30].');
    const conversation = converse(WORK, { summarizer });
    const { preview } = await open(conversation);
    const { asked } = summarizer;
    const before = asked.length;
    assert.ok(before > 0);
    await preview.instruct('  keep the invoices ');
    await preview.instruct('keep the invoices');
    assert.equal(preview.state.instructions, 'keep the invoices');
    assert.ok(asked.length > before, 'the summary that was written knows nothing of it');
    assert.ok(asked.slice(before).every((prompt) => prompt.includes('keep the invoices')));
    assert.ok(preview.ready);
    const result = await apply(conversation, preview.ready);
    assert.ok(result.kind === 'compacted');
    assert.equal(result.receipt.instructions, 'keep the invoices');
  });

  it('keeps its rows when everything is kept, so that a choice can be taken back', async () => {
    const { preview } = await open(converse(WORK));
    const changed = () => rowsOf(preview).filter(({ kept, fixed }) => !kept && !fixed);
    for (let [row] = changed(); row !== undefined; [row] = changed()) await preview.keep(row, true);
    assert.match(preview.state.problem ?? '', /Nothing can be replaced|less than a tenth|under the target/);
    assert.equal(preview.ready, undefined);
    const kept = groupOf(preview, 'chosen')?.rows ?? [];
    assert.ok(kept.length > 10);
    for (const row of kept) await preview.keep(row, false);
    assert.equal(preview.state.problem, undefined);
    assert.ok(preview.ready);
  });

  it('drops the plan when a strategy cannot make one, and makes one again with the next strategy', async () => {
    const { preview } = await open(converse(WORK));
    assert.ok(preview.state.plan);
    await preview.useStrategy('sandwich');
    assert.match(preview.state.problem ?? '', /needs a model/);
    assert.deepEqual([preview.state.strategy, preview.state.plan, preview.ready], ['sandwich', undefined, undefined]);
    await preview.useStrategy('heuristic');
    assert.equal(preview.state.problem, undefined);
    assert.ok(preview.state.plan && preview.ready);
  });

  it('fixes the rows while a summary is edited', async () => {
    const { preview } = await open(converse(WORK));
    await preview.useStrategy('extractive');
    const edited = preview.state.plan?.summaries[0];
    const row = rowsOf(preview).find(({ kept }) => !kept);
    assert.ok(edited && row);
    await preview.edit(edited, 'My own words.');
    assert.equal(preview.state.plan?.summaries[0]?.edited, true);
    await preview.keep(row, true);
    await preview.useStrategy('heuristic');
    assert.equal(groupOf(preview, 'chosen'), undefined);
    assert.match(preview.state.plan?.summaries[0]?.text ?? '', /^My own words\./);
    await preview.unedit();
    assert.equal(preview.state.plan?.summaries[0]?.text, edited.text);
  });

  it('stops planning when a newer change comes', async () => {
    const summarizer = scripted('The exports of src/part3.ts were moved to src/index.ts [t30].');
    const { preview } = await open(converse(WORK, { summarizer }));
    const row = groupsOf(preview)[0]?.rows[0];
    assert.ok(row);
    await Promise.all([preview.keep(row, true), preview.keep(row, false)]);
    assert.equal(groupOf(preview, 'chosen'), undefined);
    assert.equal(preview.state.busy, false);
  });

  it('is applied once, and says why it cannot be applied after records have changed', async () => {
    const conversation = converse(WORK);
    const { preview, changes } = await open(conversation);
    const { preview: other } = await open(conversation);
    const record = async (prepared: PreparedPreview) => {
      const result = await apply(conversation, prepared);
      return result.kind === 'failed' ? inEnglish(result.error.message) : undefined;
    };
    assert.equal(await preview.apply(record), true);
    assert.equal(conversation.compactions().length, 1);
    assert.ok(changes() > 2);
    other.noteRecords();
    assert.match(other.state.problem ?? '', /since this was previewed/);
    assert.equal(await other.apply(record), false);
    assert.equal(conversation.compactions().length, 1);
    await other.again();
    assert.doesNotMatch(other.state.problem ?? '', /since this was previewed/);
  });
});
