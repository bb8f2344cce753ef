import assert from 'node:assert/strict';
import { isFenced } from '../../../src/core/chat/fence.ts';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { CompactionResult } from '../../../src/core/compaction/compaction.ts';
import { withDefaults } from '../../../src/core/compaction/strategy.ts';
import type { ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import { converse, PROFILE, reads, reasonOf, scripted, system, tool, user } from '../conversation/kit.ts';

const WIDE = { profile: { ...PROFILE, contextWindow: 1_000_000 } };

/** Shell steps whose output is different every time, `characters` long. */
function steps(count: number, characters: number, first = 0): ChatMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const output = Array.from({ length: characters }, (_, line) => `row ${number * 7919 + line} of ${number}\n`);
    return tool(`s${number}`, 'bash', { command: `run part${number}` }, output.join('').slice(0, characters));
  }).flat();
}

async function run(messages: readonly ChatMessage[], options: Partial<ConversationOptions> = {}) {
  const conversation = converse(messages, options);
  const result = await conversation.compact({ trigger: 'trace-size', strategy: 'action-trace' });
  const view = new Set(conversation.request());
  const whole = conversation.transcript.messages.filter(({ wire }) => view.has(wire));
  const note = conversation.request().map(contentText).find(isFenced) ?? '';
  return { conversation, result, note, kept: whole.filter(({ role }) => role === 'tool').length };
}

function shareOff(result: CompactionResult): number {
  if (result.kind !== 'compacted') return assert.fail(JSON.stringify(result));
  return 1 - result.receipt.tokensAfter / result.receipt.tokensBefore;
}

describe('action-trace', () => {
  for (const [kept, when, enough, tooFew] of [
    [5, 'there are more than 10', reads(11), reads(10)],
    [3, 'there are more than 5 in over 30 KB of trace', reads(6, 100), reads(5, 120)],
  ] as const)
    it(`keeps ${kept} calls when ${when}`, async () => {
      const { result, kept: left } = await run([user('Read all.'), ...enough]);
      assert.deepEqual([result.kind, left], ['compacted', kept]);
      assert.equal(reasonOf((await run([user('Read all.'), ...tooFew])).result), 'trace-too-small');
    });

  it('counts the calls of one message as one', async () => {
    const ids = Array.from({ length: 11 }, (_, index) => `p${index}`);
    const made = ids.map((id) => tool(id, 'read', { path: id }, `line of ${id}\n`.repeat(30)));
    const calls = made.flatMap(([call]) => call?.tool_calls ?? []);
    const parallel: ChatMessage[] = [
      { role: 'assistant', tool_calls: calls },
      ...made.flatMap(([, result = []]) => result),
    ];
    assert.equal(reasonOf((await run([user('Read all.'), ...parallel, ...reads(9)])).result), 'trace-too-small');
    assert.equal((await run([user('Read all.'), ...parallel, ...reads(10)])).result.kind, 'compacted');
  });

  it('is due inside a turn, while its trace grows', () => {
    const conversation = converse([user('Go.'), ...reads(10, 3)], { strategy: 'action-trace' });
    assert.equal(conversation.due(), undefined);
    conversation.append(reads(1, 3, 90));
    assert.equal(conversation.due(), 'trace-size');
  });

  it('groups the older calls by tool, a line each with outcome, path and critical error', async () => {
    const failing = `${'checking\n'.repeat(90)}src/a.ts(4,2): error TS2304: Cannot find name 'foo'.\n${'checking\n'.repeat(90)}exit code 2`;
    const { note } = await run([
      user('Go.'),
      ...tool('a', 'bash', { command: 'npx tsc' }, failing),
      ...reads(3, 60),
      ...tool('b', 'bash', { command: 'npm test' }, 'all 12 passed\nexit code 0'),
      ...tool('c', 'edit', { path: 'src/b.ts', old_string: 'a', new_string: 'b' }, 'error: old_string was not found'),
      ...reads(9, 60, 10),
    ]);
    assert.match(note, /\nbash:\n\[t1-2 npx tsc · exit 2 · \d+ lines · 1 error\][\s\S]*\nread_file:\n\[t3-4 /);
    for (const told of [
      /error TS2304: Cannot find name 'foo'/,
      /\[t9-10 npm test · exit 0/,
      /\[t3-4 [^\n]*src\/part0\.ts/,
      /\nedit:\n\[t11-12 [^\n]*src\/b\.ts[^\n]*failed[^\n]*\][\s\S]{0,5}error: old_string was not found/,
    ])
      assert.match(note, told);
  });

  it('leaves no more than 1,000 characters of an older call', async () => {
    const { note } = await run([user('Go.'), ...steps(11, 2400)], WIDE);
    const parts = note.split(/\n(?=\[t\d+-\d+ )/).slice(1);
    assert.equal(parts.length, 6);
    for (const part of parts) assert.ok(part.replace(/\n<\/karl.*/, '').length <= 1000, `${part.length} characters`);
  });

  it('takes 40 to 70 % off a large trace, with and without a model, where the budget asks for nothing', async () => {
    for (const trace of [steps(6, 6000), steps(12, 3000), steps(40, 950), steps(40, 2000), steps(150, 950)]) {
      for (const summarizer of [undefined, { ...scripted('The parts were run.'), inputLimit: 200_000 }]) {
        const messages = [system('You are an agent.'), user('Go.'), ...trace];
        const { result } = await run(messages, { ...WIDE, ...(summarizer !== undefined && { summarizer }) });
        const off = shareOff(result);
        assert.ok(off >= 0.4 && off <= 0.7, `${trace.length} messages: ${off}`);
        assert.equal(result.kind === 'compacted' && result.receipt.model !== undefined, summarizer !== undefined);
      }
    }
  });

  it('cuts observations in place where the summary of the older calls gains under 10 %; the newest stays whole', async () => {
    const { conversation, result } = await run([user('Go.'), ...steps(8, 20), ...steps(5, 4000, 50)], {
      ...WIDE,
      settings: withDefaults({ actionTrace: { largeCharacters: 1_000_000 } }),
    });
    assert.equal(result.kind, 'compacted', JSON.stringify(result));
    const results = conversation.request().filter(({ role }) => role === 'tool');
    const isShort = results.map((message) => contentText(message).length <= 1000);
    assert.deepEqual(isShort, [true, true, true, true, false]);
    assert.match(contentText(results[0] ?? user('')), /karl_recall\("t18"\)/);
  });

  it('is skipped when neither the trace nor truncation gains a tenth', async () => {
    const { result } = await run([user('word '.repeat(6000)), ...reads(11, 1)]);
    assert.equal(reasonOf(result), 'gain-too-small');
  });
});

describe('the settings of action-trace', () => {
  const turn = [user('Go.'), ...steps(12, 900)];
  const withTrace = (actionTrace: Parameters<typeof withDefaults>[0] & object) => ({
    ...WIDE,
    settings: withDefaults(actionTrace),
  });

  it('set how many calls make it due and how many are kept', async () => {
    assert.equal((await run(turn, withTrace({ actionTrace: { trigger: 12 } }))).result.kind, 'skipped');
    assert.equal((await run(turn, withTrace({ actionTrace: { trigger: 4, keep: 2 } }))).kept, 2);
  });

  it('set the size above which a trace is large, and the counts that then apply', async () => {
    const actionTrace = { largeCharacters: 5000, largeTrigger: 4, largeKeep: 1 };
    assert.equal((await run(turn, withTrace({ actionTrace }))).kept, 1);
    const few = [user('Go.'), ...steps(5, 2000)];
    assert.equal((await run(few, withTrace({ actionTrace }))).kept, 1);
    assert.equal((await run(few, WIDE)).result.kind, 'skipped');
  });

  it('set the size below which no model is asked', async () => {
    const askedAt = async (modelCharacters: number) => {
      const summarizer = scripted('The parts were run.');
      await run(turn, { ...withTrace({ actionTrace: { modelCharacters } }), summarizer });
      return summarizer.asked.length;
    };
    assert.deepEqual([await askedAt(5000), await askedAt(8000)], [1, 0]);
  });
});

describe('karl.thresholds.keepMessages', () => {
  for (const [strategy, options] of [
    ['karl', { summarizer: scripted('The parts were read.') }],
    ['heuristic', WIDE],
  ] as const)
    it(`says how many messages ${strategy} keeps in a run that their count started, however large they are`, async () => {
      const conversation = converse(reads(15), { ...options, strategy, thresholds: { messages: 20, keepMessages: 4 } });
      assert.equal(conversation.due(), 'message-count');
      assert.equal((await conversation.compact({ trigger: 'message-count' })).kind, 'compacted');
      assert.equal(conversation.request().filter((message) => !isFenced(contentText(message))).length, 4);
    });
});
