import assert from 'node:assert/strict';
import {
  type ChatMessage,
  type Conversation,
  countTokens,
  openConversation,
  type StrategyId,
} from '../../src/engine.ts';
import { inEnglish } from '../../src/language/language.ts';

/** An agent at work; shares are of the window: its prompt, and what the results of each round take together. */
interface Work {
  readonly window: number;
  readonly prompt: number;
  readonly size: number;
  readonly results: number;
  readonly strategy?: StrategyId;
}

/**
 * Lets an agent read file after file, asks the engine before each request, and counts the requests in which an unread result
 * was missing (`lost`) or not whole (`cut`), and those over the limit. `room`: how many rounds fit beside prompt, request
 * and a tenth for notes; `fill`: the smallest share of the limit that a request took in which a result was cut.
 */
async function measureRounds({ window, prompt, size, results, strategy = 'adaptive' }: Work) {
  const conversation = openConversation({
    profile: { id: 'bench', contextWindow: window },
    strategy,
    summarize: async () => 'The user wants the build mended [t1]. Files are being read for that.',
  });
  const start: ChatMessage[] = [
    { role: 'system', content: textOf(window * prompt, 0) },
    { role: 'user', content: 'Find out why the build fails, and mend it.' },
  ];
  conversation.append(start);
  const limit = conversation.budget().limitTokens;
  const counts = { lost: 0, cut: 0, over: 0, fill: 1 };
  const runs: number[] = [];
  let round = 0;
  for (let number = 0; number < 10; number += 1) {
    const messages = readFiles(number, Array<number>(results).fill((window * size) / results));
    round = Math.max(round, countTokens(messages));
    conversation.append(messages);
    const trigger = conversation.due();
    if (trigger !== undefined && (await conversation.compact({ trigger })).kind === 'compacted') runs.push(number);
    const shown = compare(conversation, messages.slice(1));
    const used = conversation.budget().usedTokens;
    if (shown !== 'whole') counts[shown] += 1;
    if (shown === 'cut') counts.fill = Math.min(counts.fill, used / limit);
    if (used > limit) counts.over += 1;
  }
  const free = limit - countTokens(start);
  return { fits: round <= free, room: (free * 0.9) / round, ...counts, runs };
}

/** An assistant message that reads files, and its results of the given sizes in tokens. */
function readFiles(number: number, sizes: readonly number[]): ChatMessage[] {
  const calls = sizes.map((_, index) => ({
    id: `call-${number}-${index}`,
    type: 'function' as const,
    function: { name: 'read_file', arguments: JSON.stringify({ path: `src/part${number}-${index}.ts` }) },
  }));
  const texts = sizes.map((tokens, index) => textOf(tokens, number * 10 + index + 1));
  return [
    { role: 'assistant', content: null, tool_calls: calls },
    ...texts.map((content, index): ChatMessage => ({ role: 'tool', tool_call_id: calls[index]?.id ?? '', content })),
  ];
}

function compare(conversation: Conversation, results: readonly ChatMessage[]): 'lost' | 'cut' | 'whole' {
  const view = conversation.view<ChatMessage>();
  const shown = results.map((result) => view.find(({ tool_call_id: id }) => id === result.tool_call_id));
  if (shown.includes(undefined)) return 'lost';
  return shown.every((message, index) => message?.content === results[index]?.content) ? 'whole' : 'cut';
}

const WORDS = ['parser', 'buffer', 'socket', 'widget', 'ledger', 'cache', 'token', 'branch', 'merge', 'route', 'index'];

function textOf(tokens: number, seed: number): string {
  const line = (number: number): string =>
    `${seed}:${number} ${Array.from({ length: 8 }, (_, word) => WORDS[(seed * 7 + number * 5 + word * 3) % WORDS.length]).join(' ')}`;
  const sample = Array.from({ length: 40 }, (_, number) => line(number)).join('\n');
  const lines = Math.max(1, Math.round((tokens * 40) / countTokens(sample)));
  return Array.from({ length: lines }, (_, number) => line(number)).join('\n');
}

/** Rounds that a run should make room for; fewer where not even that many fit into the window. */
const ROUNDS = 3;

describe('what the model has not read yet', () => {
  for (const [window, ...prompts] of [
    [16_384, 0.1, 0.5],
    [131_072, 0.6],
  ] as const)
    for (const prompt of prompts)
      it(`is whole wherever it fits: ${window} tokens, ${prompt * 100} % of them the prompt`, async () => {
        for (const size of window > 100_000 ? [0.16] : [0.05, 0.16, 0.4]) {
          for (const results of window > 100_000 ? [1] : [1, 3]) {
            const measured = await measureRounds({ window, prompt, size, results });
            const { fits, room, lost, cut, over, fill, runs } = measured;
            const about = `rounds of ${size * 100} % in ${results} results`;
            assert.deepEqual({ lost, over }, { lost: 0, over: 0 }, about);
            assert.ok(!fits || cut === 0, `${cut} cut: ${about}`);
            assert.ok(fill > 0.9, `cut to ${fill} of the limit: ${about}`);
            const between = Math.min(...runs.slice(1).map((run, index) => run - (runs[index] ?? 0)));
            assert.ok(between >= Math.min(ROUNDS, Math.floor(room)), `${between} rounds between runs: ${about}`);
          }
        }
      });

  for (const strategy of ['heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] satisfies StrategyId[])
    it(`is removed by no run of ${strategy}`, async () => {
      for (const [prompt, size] of [
        [0.3, 0.16],
        [0.5, 0.3],
        [0.5, 0.4],
      ] as const) {
        const { runs, lost } = await measureRounds({ window: 16_384, prompt, size, results: 2, strategy });
        assert.deepEqual([runs.length > 0 || strategy === 'extractive', lost], [true, 0], `${prompt}, ${size}`);
      }
    });

  it('is shortened fairly where it does not fit, down to the limit, and what is left out has its handle', async () => {
    const conversation = openConversation({ profile: { id: 'x', contextWindow: 16_384 } });
    const results = readFiles(1, [500, 9000, 12_000]);
    conversation.append([
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Look.' },
    ]);
    conversation.append([...readFiles(0, [3000]), ...results]);
    const warnings: string[] = [];
    conversation.on((event) => event.type === 'warning' && warnings.push(inEnglish(event.message)));
    assert.equal(conversation.due(), 'hard-limit');
    assert.equal((await conversation.compact({ trigger: 'hard-limit' })).kind, 'compacted');
    const { usedTokens, limitTokens } = conversation.budget();
    assert.ok(usedTokens <= limitTokens && usedTokens > limitTokens * 0.95, `${usedTokens} of ${limitTokens}`);
    const [short, ...long] = conversation.view<ChatMessage>().slice(-3);
    assert.equal(short?.content, results[1]?.content);
    const sizes = long.map((message) => countTokens(String(message.content)));
    assert.ok(Math.max(...sizes) < Math.min(...sizes) * 1.1, sizes.join());
    assert.match(String(long[0]?.content), /karl_recall\("t6"\)/);
    assert.equal(warnings.length, 1);
    const says = /window is too small.*take \d+ tokens.*takes 2\d,?\d{3}, but there is room for only/;
    assert.match(String(warnings), says);
    assert.equal(conversation.due(), undefined);
  });

  it('is cut in none of several blocks that would fit whole (law 4)', async () => {
    const conversation = openConversation({ profile: { id: 'x', contextWindow: 6000 } });
    const pasted = [1600, 700, 1500].map((size, index): ChatMessage => {
      return { role: 'user', content: readFiles(index + 2, [size])[1]?.content ?? null };
    });
    conversation.append([{ role: 'user', content: 'Look.' }, ...readFiles(0, [1000]), ...readFiles(1, [3000])]);
    conversation.append([...pasted, { role: 'user', content: 'What do you think?' }]);
    assert.equal((await conversation.compact({ trigger: 'hard-limit' })).kind, 'compacted');
  });

  it('counts as read as soon as the model answers: then it is compressed like all else', async () => {
    const conversation = openConversation({ profile: { id: 'x', contextWindow: 16_384 } });
    conversation.append([{ role: 'user', content: 'Look.' }, ...readFiles(0, [6000]), ...readFiles(1, [3000])]);
    const newest = conversation.messages().at(-1);
    await conversation.compact({ targetTokens: 500 });
    assert.deepEqual(conversation.view().at(-1), newest);
    conversation.append([{ role: 'assistant', content: 'I have read it.' }]);
    assert.equal((await conversation.compact({ targetTokens: 500 })).reachedTarget, true);
  });
});
