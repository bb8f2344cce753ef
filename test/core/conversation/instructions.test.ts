import assert from 'node:assert/strict';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import { formatEvent } from '../../../src/core/events/format.ts';
import { contentText } from '../../../src/core/messages/parse.ts';
import { openConversation } from '../../../src/engine.ts';
import { describeReceipt } from '../../../src/host/present/receipt.ts';
import { assistant, converse, fill, PROFILE, reads, scripted, system, tool, user } from './kit.ts';

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

describe('instructions for one compaction', () => {
  it("stand in the model's prompt, behind the conversation, and in no later one", async () => {
    const summarizer = scripted('The exports were cleaned up.');
    const conversation = converse(WORK, { summarizer });
    assert.equal((await conversation.compact({ trigger: 'command', instructions: KEEP })).kind, 'compacted');
    const [asked = ''] = summarizer.asked;
    assert.match(asked, /<\/conversation>\n\nThe developer asks of this hand-over: keep the SQL of the invoices\n/);
    conversation.undo();
    await conversation.compact({ trigger: 'command' });
    assert.doesNotMatch(summarizer.asked.at(-1) ?? '', /asks of this hand-over/);
  });

  for (const strategy of ['adaptive', 'extractive'] as const) {
    it(`raise what has their words in the notes that ${strategy} writes without a model`, async () => {
      const viewWith = async (instructions?: string) => {
        const conversation = converse(WORK, { strategy });
        const run = { trigger: 'command', targetTokens: 1200 } as const;
        const result = await conversation.compact(instructions === undefined ? run : { ...run, instructions });
        assert.equal(result.kind, 'compacted');
        assert.ok(conversation.viewTokens() <= 1200, `${conversation.viewTokens()}`);
        return conversation.request().map(contentText).join('\n');
      };
      assert.ok(!(await viewWith()).includes(QUERY), 'it is too old to be quoted otherwise');
      assert.ok((await viewWith(KEEP)).includes(QUERY));
    });
  }

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

  it('are in the receipt, and not in the log', async () => {
    const conversation = converse(WORK);
    const lines: string[] = [];
    const log = (event: KarlEvent) => lines.push(formatEvent(event, { at: 0, conversation: 'c', model: 'm' }) ?? '');
    conversation.on(log);
    const result = await conversation.compact({ trigger: 'command', instructions: KEEP });
    assert.ok(result.kind === 'compacted');
    assert.ok(describeReceipt(result.receipt).includes(`You asked: “${KEEP}”.`));
    assert.match(lines.join('\n'), /outcome=compacted/);
    assert.match(lines.join('\n'), /instructed=true/);
    assert.doesNotMatch(lines.join('\n'), /invoices/);
  });

  it('are not served by a note that was written ahead without them', async () => {
    const summarizer = scripted('The import was fixed, and the parts were read one after the other.');
    const conversation = converse([system('You are an agent.'), user('Fix the import.')], { summarizer });
    fill(conversation, 0.75);
    conversation.prepare(new AbortController().signal);
    while (summarizer.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await conversation.compact({ trigger: 'command', instructions: 'keep part3' });
    assert.match(summarizer.asked.at(-1) ?? '', /asks of this hand-over: keep part3/);
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
