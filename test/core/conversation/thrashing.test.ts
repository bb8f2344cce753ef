import assert from 'node:assert/strict';
import type { StrategyId } from '../../../src/core/compaction/compaction.ts';
import { inEnglish } from '../../../src/core/language.ts';
import { cases } from '../../attack/seed.ts';
import { assistant, compact, converse, PROFILE, reads, START, scripted, system, tool, user } from './kit.ts';

/** How long the sessions are. */
const TURNS = cases(200);
const NOTES = scripted('Done: the work went on as asked.');

const write = (part: number, folder: string) =>
  tool(
    `edit${part}`,
    'write_file',
    { path: `${folder}/part${part}.ts`, content: `// ${part}` },
    'The file was written.',
  );

/** A day of work: each turn a request, some reads, an edit, a test run and an answer. */
function turn(number: number) {
  return [
    user(`Request ${number}: make part ${number} work.`),
    ...reads(2, 12, number * 10),
    ...write(number, 'src'),
    ...tool(`test${number}`, 'bash', { command: 'npm test' }, `${'ok\n'.repeat(60)}12 passed, ${number % 2} failed`),
    assistant(`Part ${number} works.`),
  ];
}

describe('a long session', () => {
  for (const strategy of ['adaptive', 'heuristic', 'extractive', 'karl', 'sandwich'] satisfies StrategyId[]) {
    it(`never thrashes with ${strategy}: each run is earned by growth and gains at least a tenth`, async () => {
      const conversation = converse([system('You are an agent.')], { strategy, summarizer: NOTES });
      const { limit } = conversation.budget();
      let tries = 0;
      let runs = 0;
      let usedAfter = 0;
      for (let number = 1; number <= TURNS; number += 1) {
        conversation.append(turn(number));
        for (let trigger = conversation.due(); trigger !== undefined; trigger = conversation.due()) {
          const before = conversation.budget().used.tokens;
          assert.ok(
            tries === 0 || trigger === 'message-count' || before >= usedAfter * 1.1,
            `turn ${number}: ${trigger} at ${before}, ${usedAfter} after the last`,
          );
          tries += 1;
          const result = await conversation.compact({ trigger });
          usedAfter = conversation.budget().used.tokens;
          if (result.kind !== 'compacted') continue;
          runs += 1;
          assert.ok(before - usedAfter >= (before - conversation.toolTokens().tokens) * 0.09);
        }
      }
      assert.ok(runs >= TURNS / 40, `${runs} runs`);
      // A turn brings about 900 tokens; a run that is earned frees at least a tenth of 9,000.
      assert.ok(tries <= TURNS * 0.6, `${tries} tries`);
      assert.ok(conversation.budget().used.tokens <= limit, 'the session still fits');
    });
  }

  it('keeps room to work in a small window, however many files, rules, to-dos and tools it has had', async () => {
    const conversation = converse([system('You are an agent.')], { profile: { ...PROFILE, contextWindow: 8192 } });
    const { limit } = conversation.budget();
    let runs = 0;
    for (let number = 1; number <= cases(300, 2); number += 1) {
      conversation.append([
        user(`Request ${number}: make part ${number} work. Never rename the function part${number}.`),
        ...tool(`look${number}`, `look_${number % 40}`, { path: `src/deep/folder/part${number}.ts` }, 'export {};'),
        ...write(number, 'src/deep/folder/of'),
        assistant(`- [ ] check part ${number} once more\nPart ${number} works.`),
      ]);
      const trigger = conversation.due();
      if (trigger === undefined) continue;
      runs += 1;
      await compact(conversation, { trigger });
      const { used } = conversation.budget();
      assert.ok(used.tokens <= limit * 0.52, `${used.tokens} of ${limit} are used after turn ${number}`);
    }
    assert.ok(runs > 3, `${runs} runs`);
  });
});

describe('the command to compress', () => {
  it('does what can be done: below the target it aims at half of what it may change, and says so', async () => {
    const conversation = converse([...START, ...reads(8), assistant('Read.'), user('And now?')]);
    const fixed = conversation.budget().fixed;
    const before = conversation.viewTokens();
    assert.equal((await conversation.compact({ trigger: 'threshold' })).kind, 'skipped', 'no other trigger does');
    assert.equal((await compact(conversation)).receipt.aim, 'half');
    assert.ok(conversation.viewTokens() <= fixed + (before - fixed) / 2);
  });

  it('says why when there is hardly anything to gain', async () => {
    const long = user(`Read. ${'word '.repeat(3000)}`);
    const conversation = converse([system('You are an agent.'), long, assistant('Done.')]);
    const result = await conversation.compact({ trigger: 'command' });
    assert.ok(result.kind === 'skipped' && inEnglish(result.message).length > 20, JSON.stringify(result));
  });
});
