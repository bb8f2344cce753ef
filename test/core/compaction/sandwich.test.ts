import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import { type OpenOptions, openConversation } from '../../../src/engine.ts';
import { assistant, converse, logOf, reads, scripted, tool, user } from '../conversation/kit.ts';

const SENTENCE = '- The parts were read one after the other, and nothing is open.';

/** Runs sandwich with a model that writes `share` of what it may; returns what it was asked for. */
async function ask(messages: readonly ChatMessage[], options: Partial<OpenOptions>, share = 0.8) {
  const asked: { prompt: string; maxTokens: number }[] = [];
  const conversation = openConversation({
    profile: 'gpt-4o',
    strategy: 'sandwich',
    summarize: async ({ messages: [, prompt], maxTokens }) => {
      asked.push({ prompt: String(prompt?.content), maxTokens });
      return `${SENTENCE}\n`.repeat(Math.ceil((maxTokens * share) / 15));
    },
    ...options,
  });
  conversation.append(messages);
  return { asked, report: await conversation.compact(), conversation };
}

describe('what sandwich asks of a model', () => {
  const long = reads(130, 60);

  it('is no more than the model can write, even at its own threshold: the middle is read in pieces', async () => {
    const settings = { summary: { maxTokens: 100_000 } };
    const { asked, report } = await ask(long, { settings });
    assert.ok(report.kind === 'compacted', report.message);
    assert.ok(report.tokensBefore > 100_000, `${report.tokensBefore} tokens`);
    assert.ok(asked.length > 1 && asked.every(({ maxTokens }) => maxTokens <= 16_384), JSON.stringify(asked.length));
  });

  it('is no more than karl.summary.maxTokens; the pieces together are about half of the middle', async () => {
    const { asked, report } = await ask(reads(40, 20), { settings: { summary: { maxTokens: 700 } } });
    assert.ok(report.kind === 'compacted', report.message);
    assert.ok(asked.every(({ maxTokens }) => maxTokens <= 700));
    const total = asked.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
    const middle = report.tokensBefore / 2;
    assert.ok(total > middle * 0.4 && total <= middle * 0.55, `${total} of ${middle}`);
    for (const [index, { prompt }] of asked.entries())
      assert.ok(prompt.includes(`This is part ${index + 1} of ${asked.length} of the conversation.`));
  });

  it('is one thorough account where one answer may hold half of the middle', async () => {
    const { asked, report } = await ask(reads(40, 20), {});
    assert.ok(asked.length === 1 && report.kind === 'compacted', report.message);
    assert.match(asked[0]?.prompt ?? '', /thorough account of about \d{4} words/);
  });

  it('is asked for once more where it has under a tenth of what it replaces; the longer of both counts', async () => {
    const short = 'One short line.';
    for (const [kept, ...answers] of [
      [40, short, `${SENTENCE}\n`.repeat(40)],
      [3, `${SENTENCE}\n`.repeat(3), short],
    ] as const) {
      const summarizer = scripted(...answers);
      const conversation = converse(reads(40), { summarizer });
      const result = await conversation.compact({ trigger: 'command', strategy: 'sandwich' });
      assert.ok(result.kind === 'compacted' && result.receipt.modelCalls === 2, JSON.stringify(result));
      assert.match(summarizer.asked[1] ?? '', /A first attempt was far too short/);
      const view = conversation.request().map(contentText).join('\n');
      assert.equal(view.split('nothing is open').length - 1, kept);
    }
  });

  it('is less when the server says that an answer may not be that long', async () => {
    const asked: number[] = [];
    const summarizer: Summarizer = {
      model: 'capped',
      inputLimit: 100_000,
      write: async ({ maxTokens }) => {
        asked.push(maxTokens);
        const refusal = '400 max_tokens is too large: 6000. This model supports at most 2048 completion tokens.';
        if (maxTokens > 2048) throw Object.assign(new Error(refusal), { status: 400 });
        return { text: `${SENTENCE}\n`.repeat(80), complete: true };
      },
    };
    const result = await converse(reads(40), { summarizer }).compact({ trigger: 'command', strategy: 'sandwich' });
    assert.equal(result.kind, 'compacted', JSON.stringify(result));
    assert.ok(asked.length > 2 && asked.slice(1).every((maxTokens) => maxTokens <= 2048), asked.join());
  });
});

describe('what sandwich keeps', () => {
  const NOTES = scripted(SENTENCE);
  const long = (name: string) => `${name} line of text\n`.repeat(500);

  it('is shortened over the limit, in the top and in the bottom; the current request never is', async () => {
    const messages = [
      user(`Look. ${long('first')}`),
      ...tool('a', 'bash', { command: 'a' }, long('top')),
      ...reads(60),
      assistant(long('said')),
      user(`Now this: ${long('request')}`),
      ...tool('b', 'bash', { command: 'b' }, long('bottom')),
      assistant('Done.'),
    ];
    const conversation = converse(messages, { summarizer: NOTES });
    const result = await conversation.compact({ trigger: 'command', strategy: 'sandwich' });
    assert.equal(result.kind, 'compacted', JSON.stringify(result).slice(0, 300));
    const view = conversation.request().map(contentText);
    for (const name of ['first', 'top', 'said', 'bottom']) {
      const text = view.find((shown) => shown.includes(`${name} line of text`)) ?? assert.fail(name);
      assert.ok(text.length <= 5000, `${name}: ${text.length} characters`);
      assert.match(text, /\[… t\d+: \d+ lines left out; karl_recall\("t\d+"\) …\]/);
    }
    assert.ok(view.includes(contentText(messages.at(-4) ?? assert.fail())), 'the request stands whole');
  });

  it('is no longer than karl.sandwich.maxKeptCharacters, whoever wrote it, however little that is', async () => {
    const said = assistant(
      Array.from({ length: 90 }, (_, line) => `Line ${line} of what the agent said at length.`).join('\n'),
    );
    const settings = { sandwich: { maxKeptCharacters: 1500 } };
    const { report, conversation } = await ask([user('Begin.'), said, ...reads(40, 20), user('And now?')], {
      settings,
    });
    assert.ok(report.kind === 'compacted', report.message);
    assert.ok((conversation.view()[1]?.content?.length ?? 0) < 2000, `${conversation.view()[1]?.content?.length}`);
  });
});

it('a sandwich that is skipped names the positions of its cuts in the log', async () => {
  const conversation = converse(reads(3), { summarizer: scripted(SENTENCE) });
  const lines = logOf(conversation);
  const result = await conversation.compact({ trigger: 'command', strategy: 'sandwich' });
  assert.ok(result.kind === 'skipped' && result.reason === 'cuts-meet');
  assert.match(lines.join('\n'), /outcome=skipped reason=cuts-meet top_ends=t1 bottom_begins=t4 /);
});
