import assert from 'node:assert/strict';
import { inEnglish } from '../../src/core/language.ts';
import { type ChatMessage, countTokens, openConversation, type StrategyId } from '../../src/engine.ts';
import { measureRounds, readFiles } from './measureRounds.ts';

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
            const work = { window, prompt, size, results, rounds: 8 };
            const { fits, room, lost, cut, over, fill, runs } = await measureRounds(work);
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
    assert.match(
      String(warnings),
      /window is too small.*take \d+ tokens.*takes 2\d,?\d{3}, but there is room for only/,
    );
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
