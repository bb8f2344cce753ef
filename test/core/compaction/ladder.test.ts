import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { CompactionResult } from '../../../src/core/compaction/compaction.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, converse, reads, system, tool, user } from '../conversation/kit.ts';

const LISTING = Array.from({ length: 80 }, (_, index) => `src/module${index}.ts`).join('\n');

const list = (id: string, listing = LISTING) => tool(id, 'list_files', { path: '.' }, listing);

async function compact(messages: readonly ChatMessage[], targetTokens: number) {
  const conversation = converse(messages);
  const result = await conversation.compact({ trigger: 'command', targetTokens });
  return { conversation, result, view: conversation.request(), rungs: rungsOf(result) };
}

function rungsOf(result: CompactionResult): readonly string[] {
  return result.kind === 'compacted' ? result.receipt.rungs : [];
}

describe('the adaptive ladder', () => {
  it('dedupes first: a listing made again replaces the earlier one, which points to it', async () => {
    const looks = ['I see.', 'I see again.', 'I see once more.'].flatMap((said, at) => [
      ...list(`${at}`),
      assistant(said),
    ]);
    const { rungs, view, conversation } = await compact([user('Look.'), ...looks, user('And now?')], 700);
    assert.deepEqual(rungs, ['dedupe']);
    assert.equal(view[2]?.content, '[t2 list_files: superseded by the newer result t8]');
    assert.match(String(view[5]?.content), /^src\/module0.*karl_recall\("t5"\)/s, 'room that is left shows a part');
    assert.equal(view[8], conversation.transcript.messages[8]?.wire, 'the newest stays whole');
  });

  it('does not point a good reading at a later one that failed or is a stub', async () => {
    for (const second of [`Error: EACCES: permission denied\n${LISTING}`, 'Nothing has changed. '.repeat(15)]) {
      const { view } = await compact([user('Look.'), ...list('a'), ...list('b', second), user('And now?')], 700);
      assert.doesNotMatch(JSON.stringify(view), /superseded/);
    }
  });

  it('keeps the newest results in their places when they are too long for the tail, the short one among them whole', async () => {
    const text = (lines: number) => Array.from({ length: lines }, (_, line) => `${lines}: line ${line}`).join('\n');
    const short = text(20);
    const [a, b] = [
      tool('a', 'read_file', { path: 'a.ts' }, short),
      tool('b', 'read_file', { path: 'b.ts' }, text(600)),
    ];
    const tool_calls = [a, b].flatMap(([call]) => call?.tool_calls ?? []);
    const newest = [{ role: 'assistant', content: null, tool_calls } as const, ...a.slice(1), ...b.slice(1)];
    const { rungs, view } = await compact([user('Look.'), ...reads(60, 30), ...newest, assistant('Read.')], 4000);
    assert.ok(rungs.includes('hand-over'), rungs.join());
    assert.ok(view.some((message) => message.content === short));
    const shown = String(view.find((message) => message.tool_call_id === 'b')?.content);
    assert.ok(shown.length > 480 && shown.length < 1800, shown);
  });

  it('masks old large arguments; JSON stays JSON, other text is cut as text', async () => {
    const content = 'export const value = 1;\n'.repeat(300);
    const patch = `*** Begin Patch\n${'+ a line\n'.repeat(600)}*** End Patch`;
    const written = tool('a', 'write_file', { path: 'src/a.ts', content }, 'Saved.');
    const patched = tool('b', 'apply_patch', patch, 'Saved.');
    const { view } = await compact([user('Write.'), ...written, ...patched, ...reads(3, 5), user('And now?')], 1500);
    const [json, text] = [1, 3].map((index) => String(view[index]?.tool_calls?.[0]?.function.arguments));
    const parsed = JSON.parse(json ?? '') as { path: string; content: string };
    assert.equal(parsed.path, 'src/a.ts');
    assert.ok(parsed.content.length < 800 && parsed.content.includes('t1'));
    assert.ok((text?.length ?? 0) < 800 && text?.includes('t3'));
    assert.equal(view[1]?.tool_calls?.[0]?.id, 'a');
  });

  it('turns an old image into a mark with its type and size', async () => {
    const image: ChatMessage = {
      role: 'user',
      content: [
        { type: 'text', text: '<screenshot>the page</screenshot>' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(40_000)}` } },
      ],
    };
    const { view } = await compact([user('Look.'), image, user('Next.'), ...reads(20), user('And now?')], 500);
    assert.match(JSON.stringify(view), /\[image image\/png · 30 kB\]/);
  });

  it('resets when nothing else fits: of the oldest messages of the human a line each stays, outside any fence', async () => {
    const messages = Array.from({ length: 40 }, (_, index) => [
      user(`Wish ${index}: ${'make it so that it works. '.repeat(20)}`),
      ...reads(1, 4, index),
      assistant(`Done with ${index}.`),
    ]).flat();
    const { rungs, view, result } = await compact([system('You are an agent.'), ...messages, user('And now?')], 1800);
    assert.equal(rungs.at(-1), 'reset');
    assert.ok(result.kind === 'compacted' && result.reachedTarget);
    assert.deepEqual([view[0]?.content, view.at(-1)?.content], ['You are an agent.', 'And now?']);
    assert.equal(view[1]?.content, messages[0]?.content, 'the first request keeps its place');
    const open = view.map(({ content }) => String(content)).filter((text) => !text.startsWith('<karl-history'));
    for (let wish = 0; wish < 40; wish += 1)
      assert.ok(
        open.some((text) => text.includes(`Wish ${wish}: make it so`)),
        `${wish}`,
      );
  });

  it('goes no further than the target demands: the oldest results are masked, the newer ones stay whole', async () => {
    const { view, conversation, rungs } = await compact([user('Read.'), ...reads(20), user('And now?')], 6000);
    assert.deepEqual(rungs, ['mask']);
    const whole = conversation.transcript.messages.filter(({ wire }) => view.includes(wire)).map(({ id }) => id);
    const results = whole.filter((id) => id > 0 && id % 2 === 0);
    assert.ok(results.length > 3 && (results[0] ?? 0) > 4, whole.join(' '));
    const newest = Array.from({ length: results.length }, (_, index) => 40 - 2 * index).reverse();
    assert.deepEqual(results, newest);
  });

  it('is skipped if it would gain less than a tenth', async () => {
    const work = [system('You are an agent.'), user('Hi.'), ...reads(20), assistant('Read.'), user('And now?')];
    const small = await compact(work, Math.floor(converse(work).viewTokens() * 0.95));
    assert.ok(small.result.kind === 'skipped' && small.result.reason === 'gain-too-small');
    assert.equal(
      inEnglish(small.result.message),
      'The compression would have saved less than a tenth of what it may change.',
    );
  });
});
