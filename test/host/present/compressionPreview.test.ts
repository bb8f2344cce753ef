import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { PreparedPreview } from '../../../src/core/conversation/preview.ts';
import { CompressionPreview } from '../../../src/host/preview/compressionPreview.ts';
import { assistant, converse, reads, scripted, system, user } from '../../core/conversation/kit.ts';

const WORK = [
  system('You are an agent.'),
  user('Move the exports.'),
  ...reads(14, 40),
  assistant('The exports of src/part3.ts are moved to src/index.ts.'),
  user('And now?'),
];

async function open(conversation: Conversation): Promise<{ preview: CompressionPreview; changes: () => number }> {
  let changes = 0;
  const preview = new CompressionPreview(conversation, {}, () => {
    changes += 1;
  });
  await preview.plan();
  return { preview, changes: () => changes };
}

const apply = (conversation: Conversation, prepared: PreparedPreview) =>
  conversation.compact({ ...prepared.request, preview: prepared });

const groupOf = ({ state }: CompressionPreview, fate: string) =>
  state.plan?.groups.find((group) => group.fate === fate);

describe('the preview that the view shows', () => {
  it('names every message, and says which can be kept', async () => {
    const { preview } = await open(converse(WORK));
    const { plan } = preview.state;
    assert.ok(plan);
    const rows = plan.groups.flatMap((group) => group.rows);
    assert.equal(rows.length, preview.ready?.shown.rows.length);
    assert.ok(rows.some(({ label }) => label === 'read_file src/part0.ts'));
    const prompt = rows.find(({ from }) => from === 0);
    assert.deepEqual([prompt?.label, prompt?.why, prompt?.choice], ['System prompt', 'system prompt', 'none']);
    for (const { choice } of groupOf(preview, 'shortened')?.rows ?? []) assert.equal(choice, 'free');
    assert.equal(preview.state, preview.state, 'the same object until something changes');
  });

  it('moves a row that is kept, and back; a strategy is of this run alone', async () => {
    const conversation = converse(WORK);
    const { preview } = await open(conversation);
    const before = preview.state.plan;
    const row = preview.state.plan?.groups[0]?.rows[0];
    assert.ok(row);
    await preview.keep(row, true);
    assert.deepEqual(
      groupOf(preview, 'chosen')?.rows.map(({ from, choice }) => [from, choice]),
      [[row.from, 'kept']],
    );
    await preview.keep(row, false);
    assert.deepEqual(preview.state.plan, before);
    await preview.useStrategy('heuristic');
    assert.equal(preview.ready?.shown.strategy, 'heuristic');
    await preview.useStrategy('no such strategy');
    assert.equal(preview.state.strategy, 'heuristic');
    assert.equal(conversation.strategy(), 'adaptive');
  });

  it('takes what the user says must be kept: a model is asked anew with it, and the receipt repeats it', async () => {
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
    const rowsThat = (wanted: string) =>
      preview.state.plan?.groups.flatMap(({ rows }) => rows.filter(({ choice }) => choice === wanted)) ?? [];
    for (let [row] = rowsThat('free'); row !== undefined; [row] = rowsThat('free')) await preview.keep(row, true);
    assert.match(preview.state.problem ?? '', /Nothing can be replaced|less than a tenth|under the target/);
    assert.equal(preview.ready, undefined);
    const kept = rowsThat('kept');
    assert.ok(kept.length > 10);
    for (const row of kept) await preview.keep(row, false);
    assert.equal(preview.state.problem, undefined);
    assert.ok(preview.ready);
  });

  it('holds the rows while a summary is edited, and lets them go with the edit', async () => {
    const { preview } = await open(converse(WORK));
    await preview.useStrategy('extractive');
    const edited = preview.state.plan?.summaries[0];
    const row = preview.state.plan?.groups.flatMap(({ rows }) => rows).find(({ choice }) => choice === 'free');
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
      return result.kind === 'failed' ? result.error.message : undefined;
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
