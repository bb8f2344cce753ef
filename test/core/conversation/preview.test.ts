import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { PreparedPreview } from '../../../src/core/conversation/conversationOptions.ts';
import type { PreviewRequest } from '../../../src/core/conversation/makeRun.ts';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, compact, converse, reads, scripted, system, tool, user } from './kit.ts';

const WORK = [
  system('You are an agent.'),
  user('Never touch src/generated. Move the exports.'),
  ...reads(14, 40),
  assistant('The exports of src/part3.ts are moved to src/index.ts.'),
  user('Now the tests.'),
  ...reads(6, 40, 20),
  assistant('The tests are green.'),
  user('And now?'),
];

async function preview(conversation: Conversation, request: Partial<PreviewRequest> = {}): Promise<PreparedPreview> {
  const outcome = await conversation.preview({ trigger: 'command', ...request });
  return outcome.kind === 'previewed' ? outcome.preview : assert.fail(JSON.stringify(outcome));
}

const apply = (conversation: Conversation, preview: PreparedPreview) =>
  compact(conversation, { ...preview.request, preview });

const idsOf = (...rows: PreparedPreview['shown']['rows']) =>
  rows.flatMap(({ range }) => Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index));

const fatesOf = ({ shown }: PreparedPreview, id: number) =>
  shown.rows.find(({ range }) => range.from <= id && id <= range.to);

describe('a preview of a compaction', () => {
  it('changes nothing: no record, no event, and what is not applied is never recorded', async () => {
    const conversation = converse(WORK);
    const events: KarlEvent['type'][] = [];
    conversation.on(({ type }) => events.push(type));
    const before = JSON.stringify(conversation.snapshot());
    const { shown } = await preview(conversation);
    assert.equal(JSON.stringify(conversation.snapshot()), before);
    assert.deepEqual(events, []);
    assert.equal(conversation.history().length, 0);
    assert.ok(shown.tokensAfter < shown.tokensBefore);
    assert.equal(shown.tokensBefore, conversation.budget().used.tokens);
  });

  it('is what the run itself makes of the same conversation', async () => {
    const previewed = converse(WORK);
    const prepared = await preview(previewed);
    await apply(previewed, prepared);
    const plain = converse(WORK);
    await plain.compact({ trigger: 'command' });
    assert.equal(previewed.budget().used.tokens, prepared.shown.tokensAfter);
    assert.deepEqual(previewed.request(), plain.request());
    assert.deepEqual(previewed.compactions(), plain.compactions());
  });

  it('says of every message what becomes of it, and of what stays why', async () => {
    const conversation = converse(WORK);
    conversation.pin(5);
    const { shown } = await preview(conversation);
    assert.equal(shown.rows.at(0)?.why, 'prompt');
    assert.equal(shown.rows.at(-1)?.why, 'request');
    assert.equal(shown.rows.find(({ range }) => range.from === 4)?.why, 'pinned');
    let next = 0;
    for (const { range } of shown.rows) {
      assert.equal(range.from, next, 'the rows tile the transcript');
      next = range.to + 1;
    }
    assert.equal(next, WORK.length);
    for (const { range } of shown.notes)
      assert.equal(
        shown.rows.filter((row) => range.from <= row.range.from && row.range.to <= range.to).every(isReplaced),
        true,
      );
  });

  it('keeps a row whole that the user has chosen, and says that nothing keeps it later', async () => {
    const conversation = converse(WORK);
    const first = await preview(conversation);
    const row = first.shown.rows.find(({ fate }) => fate !== 'kept');
    assert.ok(row);
    const chosen = await preview(conversation, { keep: idsOf(row) });
    assert.deepEqual(pick(fatesOf(chosen, row.range.from)), { fate: 'kept', why: 'chosen' });
    await apply(conversation, chosen);
    const raw = conversation.transcript.messages[row.range.from];
    assert.ok(conversation.request().some((message) => message === raw?.wire));
    assert.equal(conversation.pins().size, 0);
  });

  it('sets aside what the user unchecks: the rest stays as planned, one undo takes all back, and it can be restored', async () => {
    const conversation = converse(WORK);
    const first = await preview(conversation);
    const row = first.shown.rows.findLast(({ why }) => why === 'not-needed');
    assert.ok(row);
    const { from, to } = row.range;
    const chosen = await preview(conversation, { aside: [from, to], earlier: first });
    assert.equal(fatesOf(chosen, from)?.fate, 'aside');
    const others = chosen.shown.rows.filter(({ range }) => range.from !== from);
    const planned = first.shown.rows.filter(({ range }) => range.from !== from);
    assert.deepEqual(others, planned);
    const saved = first.shown.tokensAfter - chosen.shown.tokensAfter;
    assert.ok(saved > 0.8 * row.tokens && saved < row.tokens, `${saved} of ${row.tokens}`);
    assert.deepEqual(chosen.shown.notes, first.shown.notes, 'its line is no summary');
    await apply(conversation, chosen);
    assert.equal(conversation.budget().used.tokens, chosen.shown.tokensAfter);
    const line = conversation.items().find(({ range }) => range.from === from);
    assert.ok(line?.kind === 'replaced');
    assert.deepEqual([line.range, line.replacement.by.kind], [row.range, 'line']);
    assert.match(JSON.stringify(line.messages), /\[t\d+-\d+ read src\/part\d+\.ts/);
    assert.ok((await conversation.changeByHand('restored', [from])).ok);
    assert.equal(conversation.items().find(({ range }) => range.from === from)?.kind, 'whole');
    conversation.undo();
    assert.equal(conversation.history().length, 2);
    conversation.undo();
    assert.equal(JSON.stringify(conversation.request()), JSON.stringify(WORK));
  });

  it('does not call set aside what the plan replaces anyway', async () => {
    const conversation = converse(WORK);
    const { shown } = await preview(conversation, { targetTokens: 800 });
    const replaced = shown.rows.filter(isReplaced).map(({ range }) => range.from);
    assert.ok(replaced.length > 0);
    const asked = await preview(conversation, { targetTokens: 800, aside: replaced });
    assert.deepEqual(asked.shown.rows, shown.rows);
  });

  it('sets nothing aside that is frozen, or no longer than the line in its place', async () => {
    const conversation = converse([...WORK, ...reads(1, 40, 90).slice(0, 1)]);
    conversation.pin(5);
    const ids = conversation.transcript.messages.map(({ id }) => id);
    const { shown } = await preview(conversation, { aside: ids });
    assert.equal(shown.problem, undefined);
    const kept = shown.rows.filter(({ fate }) => fate === 'kept').map(({ why }) => why);
    assert.deepEqual(kept, ['prompt', 'short', 'pinned', 'short', 'short', 'short', 'request', 'running']);
  });

  it('uses what the model wrote again when a row is toggled, and counts it once', async () => {
    const summarizer = scripted('The exports of src/part3.ts were moved to src/index.ts [t30].');
    const conversation = converse(WORK, { summarizer });
    const few = { targetTokens: 1500 };
    const first = await preview(conversation, few);
    assert.equal(summarizer.asked.length, 1);
    const replaced = first.shown.rows.filter(isReplaced);
    assert.ok(replaced.length > 4);
    const chosen = replaced[2];
    assert.ok(chosen);
    const second = await preview(conversation, { ...few, keep: [chosen.range.from], earlier: first });
    const third = await preview(conversation, { ...few, earlier: second });
    assert.equal(summarizer.asked.length, 1);
    assert.deepEqual(third.shown, first.shown);
    const result = await apply(conversation, third);
    assert.equal(result.receipt.modelCalls, 2, 'the summary and its check');
    assert.match(JSON.stringify(conversation.request()), /were moved to src\/index\.ts/);
  });

  it('does not count what a summary left out once the user wrote another in its place', async () => {
    const conversation = converse(WORK);
    const first = await preview(conversation, { strategy: 'extractive', targetTokens: 450 });
    const [note] = first.shown.notes;
    assert.ok(note);
    assert.match(note.head, /^\[t[\d-]+\] \d+ messages; not quoted: \d+ /);
    const edits = [{ range: note.range, text: 'The exports are moved.' }];
    const edited = await preview(conversation, { strategy: 'extractive', targetTokens: 450, edits, earlier: first });
    assert.match(edited.shown.notes[0]?.head ?? '', /^\[t[\d-]+\] \d+ messages$/);
  });

  it('takes the words of the user for a summary as they are, and keeps the laws', async () => {
    const conversation = converse([...WORK.slice(0, 2), ...tool('w', 'TodoWrite', TODO, 'ok'), ...WORK.slice(2)]);
    const first = await preview(conversation, { targetTokens: 1500 });
    const note = first.shown.notes.at(-1);
    assert.ok(note);
    const text =
      'The exports of src/part3.ts are moved to src/index.ts.\n- The deploy goes to the cluster at `oslo-7`.';
    const edits = [{ range: note.range, text }];
    const edited = await preview(conversation, { targetTokens: 1500, edits, earlier: first });
    const body = edited.shown.notes.at(-1)?.body;
    assert.equal(body, text);
    await apply(conversation, edited);
    const view = JSON.stringify(conversation.request());
    assert.match(view, /Summary, edited by the user, of \[t/);
    assert.match(view, /cluster at `oslo-7`/);
    assert.match(view, /move every export/, 'the to-do that the edit left out is told by the state');
    // It stays word for word when the next run renews the rest.
    conversation.append([...reads(14, 40, 70), assistant('Read.'), user('Next.')]);
    await compact(conversation, { targetTokens: 2500 });
    assert.match(JSON.stringify(conversation.request()), /cluster at `oslo-7`/);
  });

  it('keeps the words of the user in a later run that drops old messages: no message says them', async () => {
    const conversation = converse(WORK);
    const strategy = 'heuristic';
    const first = await preview(conversation, { strategy, targetTokens: 1500 });
    const [note] = first.shown.notes;
    assert.ok(note);
    const edits = [{ range: note.range, text: 'Oslo is closed.' }];
    const edited = await preview(conversation, { strategy, targetTokens: 1500, edits, earlier: first });
    await apply(conversation, edited);
    conversation.append([...reads(20, 40, 60), user('More.')]);
    await compact(conversation, { strategy, targetTokens: 1500 });
    assert.match(JSON.stringify(conversation.request()), /Oslo is closed/);
    const again = await conversation.compact({ trigger: 'command', strategy, targetTokens: 100 });
    assert.equal(again.kind, 'skipped', JSON.stringify(again));
  });

  for (const [what, change] of [
    ['something was compressed', (one: Conversation) => one.compact({ trigger: 'command', strategy: 'heuristic' })],
    ['a message was pinned that it replaces', async (one: Conversation) => one.pin(9)],
  ] as const)
    it(`is refused when ${what} meanwhile, and changes nothing`, async () => {
      const conversation = converse(WORK);
      const prepared = await preview(conversation);
      await change(conversation);
      const before = JSON.stringify(conversation.snapshot());
      const result = await conversation.compact({ ...prepared.request, preview: prepared });
      assert.ok(result.kind === 'failed');
      assert.equal(result.error.kind, 'stale-preview');
      const said = inEnglish(result.error.message);
      assert.match(said, /^The conversation has changed since this was previewed\. Preview it again\./);
      assert.equal(JSON.stringify(conversation.snapshot()), before);
    });

  it('says why nothing can be done', async () => {
    const conversation = converse([system('You are an agent.'), user('Hello.')]);
    const outcome = await conversation.preview({ trigger: 'command' });
    assert.ok(outcome.kind === 'skipped');
    assert.match(inEnglish(outcome.message), /Nothing can be replaced/);
  });
});

const TODO = { todos: [{ content: 'move every export', status: 'pending' }] };

const isReplaced = ({ fate }: { readonly fate: string }): boolean => fate === 'summarized' || fate === 'dropped';

const pick = (row: ReturnType<typeof fatesOf>) => ({ fate: row?.fate, why: row?.why });
