import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import { withDefaults } from '../../../src/core/compaction/strategy.ts';
import { openConversation } from '../../../src/engine.ts';
import { assistant, compact, converse, PROFILE, reads, scripted, system, tool, user } from './kit.ts';

const QUERY = 'SELECT id, total FROM invoices WHERE paid_at IS NULL ORDER BY due_at';
const WORK = [
  system('You are an agent.'),
  user('Clean the exports up.'),
  ...tool('q', 'run', { command: `psql -c "${QUERY}"` }, `17 rows of SQL output\n${'row\n'.repeat(200)}`),
  ...Array.from({ length: 40 }, (_, part) => [
    assistant(
      `The helper compute${part} of src/part${part}.ts is used by its own test and nowhere else: I take it out.`,
    ),
    ...reads(1, 12, part),
  ]).flat(),
  assistant('The exports are clean.'),
  user('And now?'),
];
const KEEP = 'keep the SQL of the invoices';
const TARGET = 1800;

describe('instructions for one compaction', () => {
  it("are in the model's prompt, after the conversation, and in no later one", async () => {
    const summarizer = scripted('The exports were cleaned up.');
    const conversation = converse(WORK, { summarizer });
    await compact(conversation, { instructions: KEEP });
    const [asked = ''] = summarizer.asked;
    assert.match(asked, /<\/conversation>\n\nThe developer asks of this hand-over: keep the SQL of the invoices\n/);
    conversation.undo();
    await conversation.compact({ trigger: 'command' });
    assert.doesNotMatch(summarizer.asked.at(-1) ?? '', /asks of this hand-over/);
  });

  for (const [strategy, targetTokens, asked] of [
    ['adaptive', 1200, QUERY],
    ['extractive', 1200, QUERY],
    ['heuristic', TARGET, '17 rows of SQL output'],
    ['action-trace', 2400, '17 rows of SQL output'],
  ] as const) {
    it(`raise what has their words in what ${strategy} keeps without a model`, async () => {
      const viewWith = async (instructions?: string) => {
        // The last request would end the turn that `action-trace` looks at.
        const messages = strategy === 'action-trace' ? WORK.slice(0, -2) : WORK;
        const conversation = converse(messages, { strategy, settings: withDefaults({ keepLastMessages: 4 }) });
        const run = { trigger: 'command', targetTokens } as const;
        const result = await conversation.compact(instructions === undefined ? run : { ...run, instructions });
        assert.equal(result.kind, 'compacted');
        // What the model has not read comes on top.
        const most = targetTokens + conversation.budget().unread;
        assert.ok(conversation.viewTokens() <= most, `${conversation.viewTokens()}`);
        return JSON.stringify(conversation.request());
      };
      assert.ok(!(await viewWith()).includes(asked), 'it is too old to be quoted otherwise');
      assert.ok((await viewWith(KEEP)).includes(asked));
    });
  }

  it('raise the best match first, and what fits of a long one, in the trace', async () => {
    const rows = Array.from({ length: 400 }, (_, row) => `${row} paid ${row * 17}`).join('\n');
    const log = (name: string) => tool(name, 'run', { command: `print ${name}` }, `${name}\n${'line\n'.repeat(300)}`);
    const conversation = converse(
      [
        user('Look.'),
        ...log('exports'),
        ...tool('i', 'run', { command: 'psql -f invoices.sql' }, `invoices of the month\n${rows}`),
        ...Array.from({ length: 14 }, (_, part) => log(`part${part}`)).flat(),
      ],
      { strategy: 'action-trace', profile: { ...PROFILE, contextWindow: 100_000 } },
    );
    await conversation.compact({ trigger: 'command', instructions: 'keep the invoices of the month' });
    const trace = contentText(conversation.request()[1] ?? user(''));
    const quoted =
      /\ninvoices of the month\n[\s\S]{300,}karl_recall\("t3-4"\)[^[]*399 paid 6783\n/.exec(trace)?.[0] ?? '';
    assert.ok(quoted.length > 0 && quoted.length <= 1000, trace);
  });

  it('make heuristic keep only what the target has room for', async () => {
    const conversation = converse(WORK, { strategy: 'heuristic', settings: withDefaults({ keepLastMessages: 4 }) });
    const run = { trigger: 'command', targetTokens: TARGET, instructions: 'keep the helper of the exports' } as const;
    const result = await conversation.compact(run);
    assert.ok(result.kind === 'compacted' && result.reachedTarget, JSON.stringify(result));
    assert.ok(conversation.viewTokens() > TARGET * 0.8, 'and no less');
  });

  it('leave the request inside the window of the model, however long they are', async () => {
    const sizes: number[] = [];
    const conversation = converse(WORK, {
      summarizer: {
        model: 'small',
        inputLimit: 4000,
        write: async ({ messages, maxTokens }) => {
          sizes.push(messages.reduce((sum, message) => sum + conversation.tokensOf(message).tokens, maxTokens));
          return { text: 'The exports were cleaned up.', complete: true };
        },
      },
    });
    const instructions = 'keep every figure of the invoices and of the exports '.repeat(120);
    await conversation.compact({ trigger: 'command', strategy: 'karl', instructions });
    assert.ok(sizes.length > 1 && sizes.every((size) => size <= 4000), sizes.join(', '));
  });

  it('are an option of the engine, as the fallback is', async () => {
    const asked: string[] = [];
    const conversation = openConversation({
      profile: PROFILE,
      strategy: 'karl',
      fallbackStrategy: 'heuristic',
      summarize: async ({ messages }) => {
        asked.push(String(messages.at(-1)?.content));
        throw new Error('503 gone');
      },
    });
    conversation.append(WORK);
    const { receipt } = await conversation.compact({ instructions: KEEP });
    assert.ok(asked[0]?.includes(KEEP));
    assert.deepEqual([receipt?.fellBackFrom, receipt?.fellBackBecause], ['karl', '503 gone']);
  });
});
