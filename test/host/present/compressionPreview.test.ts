import assert from 'node:assert/strict';
import type { Compaction, Replacement } from '../../../src/core/compaction/compaction.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { PreparedPreview } from '../../../src/core/conversation/conversationOptions.ts';
import { inEnglish } from '../../../src/core/language.ts';
import { describeKept } from '../../../src/host/present/compressions.ts';
import { sentBlocks } from '../../../src/host/present/sent.ts';
import { CompressionPreview } from '../../../src/host/preview/compressionPreview.ts';
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
  const preview = new CompressionPreview(conversation, {}, partsOf({ view: { refresh } }));
  await preview.plan();
  return { preview, changes: () => changes };
}

const apply = (conversation: Conversation, prepared: PreparedPreview) =>
  conversation.compact({ ...prepared.request, preview: prepared });

const keptBy = (conversation: Conversation, runs = 1) =>
  describeKept(conversation.compactions().slice(-runs), conversation.transcript.messages);

/** How many messages are said to be kept, shortened, summarized and dropped. */
const countsIn = (said: string) =>
  ['messages kept', 'shortened', 'summarized', 'dropped'].map((what) =>
    Number(said.match(new RegExp(`(\\d+) ${what}`))?.[1] ?? 0),
  );

const groupOf = ({ state }: CompressionPreview, fate: string) =>
  state.plan?.groups.find((group) => group.fate === fate);

/** The same counts as the preview has them. */
const countsOf = (preview: CompressionPreview) =>
  ['kept', 'shortened', 'summarized', 'dropped'].map((fate) => groupOf(preview, fate)?.messages ?? 0);

const rowsOf = ({ state }: CompressionPreview) => state.plan?.groups.flatMap(({ rows }) => rows) ?? [];

const placesOf = (preview: CompressionPreview, fate: string) =>
  groupOf(preview, fate)?.rows.map(({ from, kept }) => `${from} ${kept ? 'kept' : 'set aside'}`);

describe('the preview that the view shows', () => {
  it('names every message, and says which can be kept', async () => {
    const { preview } = await open(converse(WORK));
    const rows = rowsOf(preview);
    assert.equal(rows.length, preview.ready?.shown.rows.length);
    assert.ok(rows.some(({ label, path }) => label === 'read_file src/part0.ts' && path === 'src/part0.ts'));
    const prompt = rows.find(({ from }) => from === 0);
    assert.equal(prompt?.label, 'You are an agent.');
    assert.deepEqual([prompt.why, prompt.fixed], ['system prompt', 'Instructions always stay whole.']);
    for (const { kept, fixed } of groupOf(preview, 'shortened')?.rows ?? [])
      assert.deepEqual([kept, fixed], [false, undefined]);
    assert.equal(preview.state, preview.state, 'the same object until something changes');
  });

  it('counts messages, as the divider and the receipt do after it was applied', async () => {
    const conversation = converse(WORK);
    for (const [strategy, summarizes, drops] of [
      ['adaptive', false, false],
      ['heuristic', false, true],
      ['extractive', true, false],
    ] as const) {
      const { preview } = await open(conversation);
      await preview.useStrategy(strategy);
      const counts = countsOf(preview);
      const [kept = 0, shortened = 0, summarized = 0, dropped = 0] = counts;
      const result = await apply(conversation, preview.ready ?? assert.fail());
      assert.ok(result.kind === 'compacted');
      const { whole, replaced, shortened: cut } = result.receipt.messages;
      assert.deepEqual([kept, shortened, summarized + dropped], [whole, cut, replaced]);
      assert.deepEqual([summarized > 0, dropped > 0], [summarizes, drops], `${strategy}: a line alone is no summary`);
      assert.deepEqual(countsIn(keptBy(conversation)), counts);
      conversation.undo();
    }
  });

  it('counts what this compression replaces, not what an earlier one did', async () => {
    const conversation = converse(WORK);
    for (const strategy of ['extractive', 'heuristic', 'extractive', 'adaptive']) {
      const { preview } = await open(conversation);
      await preview.useStrategy(strategy);
      const counts = countsOf(preview);
      assert.equal((await apply(conversation, preview.ready ?? assert.fail())).kind, 'compacted');
      assert.deepEqual(countsIn(keptBy(conversation)), counts);
      conversation.append([assistant('Done.'), user('Go on.'), ...reads(14, 40, conversation.transcript.nextId + 2)]);
    }
  });

  it('counts as shortened only what is sent shortened, as the tags of the rows do; several compressions together', async () => {
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
    const single = countsIn(keptBy(conversation));
    const next = await conversation.compact({ trigger: 'command', strategy: 'extractive', targetTokens: 2000 });
    assert.equal(next.kind, 'compacted');
    assert.deepEqual(countsIn(keptBy(conversation, 2)), tagged(), 'the newest that covers a message decides');
    assert.notDeepEqual(countsIn(keptBy(conversation, 2)), single);
  });

  it('counts what is left of a range that is sent shortened, on both sides of what a newer record covers', async () => {
    const conversation = converse(WORK);
    const { preview } = await open(conversation);
    assert.ok(preview.ready);
    assert.equal((await apply(conversation, preview.ready)).kind, 'compacted');
    const [made] = conversation.compactions();
    assert.ok(made);
    const parts = made.replacements.filter(({ by }) => by.kind === 'shortened').slice(0, 3);
    const [first, middle, last] = parts;
    assert.ok(first && middle && last);
    const { messages } = conversation.transcript;
    const count = (...records: readonly Compaction[]) => countsIn(describeKept(records, messages)).slice(1);
    const recordOf = (id: string, replacement: Replacement) => ({ ...made, id, replacements: [replacement] });
    const whole = recordOf('whole', {
      range: { from: first.range.from, to: last.range.to },
      by: { kind: 'shortened', messages: parts.flatMap(({ by }) => by.messages) },
    });
    const newer = recordOf('newer', { range: middle.range, by: { kind: 'note', messages: [] } });
    assert.deepEqual(count(whole), [3, 0, 0]);
    assert.deepEqual(count(whole, newer), [2, 2, 0]);
  });

  it('moves a row that is kept, and back; a strategy holds for this run alone', async () => {
    const conversation = converse(WORK);
    const { preview } = await open(conversation);
    const before = preview.state.plan;
    const row = preview.state.plan?.groups[0]?.rows[0];
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

  it('sets a kept row aside, and back; what may not go says why', async () => {
    const { preview } = await open(converse(WORK));
    const before = preview.state.plan;
    const rows = groupOf(preview, 'kept')?.rows ?? [];
    assert.deepEqual(
      rows.map(({ label, fixed }) => `${label}: ${fixed ?? 'may go'}`),
      [
        'You are an agent.: Instructions always stay whole.',
        'You: Move the exports.: Setting this aside would save nothing.',
        ...['10', '11', '12', '13'].map((part) => `read_file src/part${part}.ts: may go`),
        'Assistant: The exports of src/part3.ts are moved to src/index.ts.: Setting this aside would save nothing.',
        'You: And now?: Your current request always stays whole.',
      ],
    );
    const row = rows.find(({ fixed }) => fixed === undefined);
    assert.ok(before && row);
    await preview.keep(row, false);
    assert.deepEqual(placesOf(preview, 'aside'), [`${row.from} set aside`]);
    assert.ok((preview.state.plan?.after ?? 0) < before.after);
    await preview.keep(row, true);
    assert.deepEqual(preview.state.plan, before);
    assert.deepEqual([preview.choices.keep, preview.choices.aside], [[], []]);
  });

  it('is changed by one press where another strategy does by itself what was chosen', async () => {
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

  it('is changed by one press, too, where the row is then too small to be listed', async () => {
    const { preview } = await open(
      converse([...WORK.slice(0, 2), ...reads(250, 12), ...reads(1, 8, 250), assistant('Read.'), user('And now?')]),
    );
    const row = groupOf(preview, 'kept')?.rows.find(({ path }) => path === 'src/part250.ts');
    assert.ok(row);
    await preview.keep(row, false);
    await preview.useStrategy('extractive');
    await preview.keep(row, true);
    assert.deepEqual([preview.choices.keep, preview.choices.aside], [[row.from, row.to], []]);
  });

  it('shows what is chosen where no plan can be made with it, and what stays although it was set aside', async () => {
    const rules = Array.from({ length: 9 }, (_, index) => `Never touch the file src/secret${index}.ts.`).join(' ');
    const { preview } = await open(converse([...WORK.slice(0, -1), user(rules), assistant('No.'), user('And now?')]));
    const find = (label: string) => rowsOf(preview).find((row) => row.label.startsWith(label));
    await preview.useStrategy('heuristic');
    const rule = find('You: Never');
    assert.ok(rule);
    await preview.keep(rule, false);
    assert.equal(find('You: Never')?.kept, false);
    await preview.useStrategy('adaptive');
    const { kept, fixed } = find('You: Never') ?? {};
    assert.deepEqual([kept, fixed], [true, 'Setting this aside would save nothing.']);
    const call = find('read_file src/part0.ts');
    assert.ok(call?.kept === false);
    await preview.keep(call, true);
    await preview.useStrategy('action-trace');
    assert.notEqual(preview.state.problem, undefined);
    assert.equal(find('read_file src/part0.ts')?.kept, true);
    await preview.keep(call, false);
    assert.deepEqual([find('read_file src/part0.ts')?.kept, preview.choices.keep], [false, []]);
  });

  it('lists the largest rows of a group that has too many, in their order', async () => {
    const replies = Array.from({ length: 250 }, (_, index) => assistant(`Reply ${index}. ${'word '.repeat(index)}`));
    const { preview } = await open(converse([...WORK.slice(0, -1), ...replies, user('And now?')]));
    const long = preview.state.plan?.groups.find(({ more }) => more > 0);
    assert.ok(long);
    const members = preview.ready?.shown.rows.filter(({ fate }) => fate === long.fate) ?? [];
    const largest = members.toSorted((one, other) => other.tokens - one.tokens).slice(0, 200);
    const froms = long.rows.map(({ from }) => from);
    assert.deepEqual(
      froms,
      largest.map(({ range }) => range.from).sort((one, other) => one - other),
    );
    assert.equal(long.more, members.length - 200);
    preview.showMore();
    const all = preview.state.plan?.groups.find(({ fate }) => fate === long.fate);
    assert.deepEqual([all?.rows.length, all?.more], [members.length, 0]);
  });

  it('takes what the user says must be kept: a model is asked again with it, and the receipt repeats it', async () => {
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

  it('keeps its rows when everything was chosen, so that a choice can be taken back', async () => {
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

  it('drops the plan of another strategy when none can be made, and has one again with the next', async () => {
    const { preview } = await open(converse(WORK));
    assert.ok(preview.state.plan);
    await preview.useStrategy('sandwich');
    assert.match(preview.state.problem ?? '', /needs a model/);
    assert.deepEqual([preview.state.strategy, preview.state.plan, preview.ready], ['sandwich', undefined, undefined]);
    await preview.useStrategy('heuristic');
    assert.equal(preview.state.problem, undefined);
    assert.ok(preview.state.plan && preview.ready);
  });

  it('holds the rows while a summary is edited, and lets them go with the edit', async () => {
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

  it('is only what was asked last: a newer change stops the one before', async () => {
    const summarizer = scripted('The exports of src/part3.ts were moved to src/index.ts [t30].');
    const { preview } = await open(converse(WORK, { summarizer }));
    const row = preview.state.plan?.groups[0]?.rows[0];
    assert.ok(row);
    await Promise.all([preview.keep(row, true), preview.keep(row, false)]);
    assert.equal(groupOf(preview, 'chosen'), undefined);
    assert.equal(preview.state.busy, false);
  });

  it('is applied once, and says why it no longer can be when records have changed', async () => {
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
