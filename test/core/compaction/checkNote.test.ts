import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { AuditedNote } from '../../../src/core/compaction/audit/judge.ts';
import { UNVERIFIED } from '../../../src/core/compaction/audit/statements.ts';
import { PassageIndex } from '../../../src/core/compaction/recall/passageIndex.ts';
import { withDefaults } from '../../../src/core/compaction/strategy.ts';
import { checkNote, readCheck } from '../../../src/core/compaction/summarizers/checkNote.ts';
import type { NoteWriting, Summarizer } from '../../../src/core/compaction/summarizers/summarizer.ts';
import { runAtOnce, type Steps } from '../../../src/core/steps.ts';
import { asksForCheck, assistant, converse, counter, tool, transcriptOf, user } from '../conversation/kit.ts';

const WORDS = 'The batch of rows is stored before the lock of the queue is released, one after the other. '.repeat(30);
const WORK: readonly ChatMessage[] = [
  user('Please make the queue faster.'),
  ...tool('a', 'read_file', { path: 'src/queue/lock.ts' }, `1811 lock.ts\n2044 clock.ts\n${WORDS}`),
  assistant(`The lock is released late. ${WORDS}`),
  ...tool('b', 'read_file', { path: 'src/queue/clock.ts' }, WORDS),
  assistant(`The clock is read once. ${WORDS}`),
  user('And now the clock.'),
  assistant('I look at it.'),
];
const NOTE = '- The lock of the queue is released late [t3].\n- `src/queue/lock.ts` has 2044 bytes [t1-2].';

type Request = Parameters<Summarizer['write']>[0];

/** A model that writes this note and answers checks like this, all or the first of them; records the requests. */
function writer(
  note: string,
  check: string,
  options: { readonly complete?: boolean; readonly inputLimit?: number } = {},
) {
  const asked: Request[] = [];
  const summarizer: Summarizer = {
    model: 'writer',
    inputLimit: options.inputLimit ?? 32_000,
    write: async (request) => {
      asked.push(request);
      const isCheck = asksForCheck(request.messages);
      return { text: isCheck ? check : note, complete: !isCheck || (options.complete ?? true) };
    },
  };
  return { ...summarizer, asked };
}

async function summarized(summarizer: Summarizer, check: 'model' | 'words' = 'model') {
  const settings = withDefaults({ keepLastMessages: 1, summary: { check } });
  const conversation = converse(WORK, { strategy: 'karl', summarizer, settings });
  const result = await conversation.compact({ trigger: 'command', targetTokens: 600 });
  assert.ok(result.kind === 'compacted', JSON.stringify(result));
  return { view: conversation.request().map(contentText).join('\n'), receipt: result.receipt };
}

describe('a summary that its model checks', () => {
  it('marks what the model doubts, even where the names are right', async () => {
    const summarizer = writer(NOTE, '2');
    const { view, receipt } = await summarized(summarizer);
    assert.match(view, /released late \[t3\]\.\n/);
    assert.ok(view.includes(`2044 bytes [t1-2]. ${UNVERIFIED}`), view);
    assert.deepEqual([receipt.unverified, receipt.modelCalls, receipt.unchecked], [1, 2, undefined]);
  });

  it('is checked against excerpts of what it cites, with its statements numbered', async () => {
    const summarizer = writer(NOTE, 'none');
    const { view } = await summarized(summarizer);
    assert.ok(!view.includes(UNVERIFIED));
    const asked = textOf(summarizer.asked[1]);
    assert.match(asked, /\[t2\][^\n]*\n(?:.*\n)*1811 lock\.ts/);
    assert.match(asked, /\n1\. The lock of the queue is released late\. ?\[t3\]\n2\. `src\/queue\/lock\.ts`/);
  });

  it('takes one request where no check by the model is wanted', async () => {
    const summarizer = writer(NOTE, 'none');
    const { receipt } = await summarized(summarizer, 'words');
    assert.deepEqual([summarizer.asked.length, receipt.unchecked], [1, undefined]);
  });

  const LONGER = `${NOTE}\n- The clock is read once [t5].`;
  for (const [what, note, answer, complete] of [
    ['does not answer with numbers', NOTE, 'They all look fine to me.', true],
    ['doubts all of it', LONGER, '1, 2, 3', true],
    ['is cut off within its answer', NOTE, '2', false],
  ] as const)
    it(`stays as it was, and the receipt says why, where the model ${what}`, async () => {
      const { view, receipt } = await summarized(writer(note, answer, { complete }));
      assert.ok(!view.includes(UNVERIFIED));
      assert.ok(receipt.unchecked);
    });

  it('stays unchanged when the check fails', async () => {
    const { asked, ...first } = writer(NOTE, 'none');
    const write: Summarizer['write'] = (request) =>
      asked.length > 0 ? Promise.reject(new Error('the server is gone')) : first.write(request);
    const { view, receipt } = await summarized({ ...first, write });
    assert.ok(view.includes('2044 bytes'));
    assert.equal(receipt.unchecked, 'the server is gone');
  });

  it('loses the mark of the word comparison where the model confirms it, and what is cited shares words with it', async () => {
    const note =
      '- The lock of `src/queue/lock.ts` is released late [t3].\n- `src/queue/lock.ts` paints wide banners yellow [t3].';
    assert.equal((await summarized(writer(note, ''), 'words')).receipt.unverified, 2);
    const { view, receipt } = await summarized(writer(note, 'none'));
    assert.equal(receipt.unverified, 1);
    assert.match(view, /yellow \[t3\]\. \*\(unverified\)\*/);
  });

  it('is judged like any other if it contains the mark itself', async () => {
    const note = `${NOTE}\n- The queue moved to \`lib/quantum.ts\` [t3]. This is ${UNVERIFIED} but fine [t3].`;
    const { view, receipt } = await summarized(writer(note, 'none'));
    assert.ok(!view.includes('lib/quantum.ts'), view);
    assert.equal(receipt.rejected?.length, 1);
  });
});

/** The text of a request as its model sees it. */
const textOf = (request: Request | undefined): string =>
  request?.messages.map(({ content }) => content).join('\n') ?? '';

describe('what a model thinks before it writes', () => {
  const thought = 'The user allowed to drop the queue [t3]. Should I say so?\n1. No.';
  for (const [what, answer] of [
    ['in a block', `<think>\n${thought}\n</think>\n\n${NOTE}`],
    ['in a block of another name', `<thinking>${thought}</thinking>\n${NOTE}`],
    ['without its first mark', `${thought}\n</think>\n\n${NOTE}`],
    ['between two parts', `${NOTE.split('\n')[0]}\n<think>${thought}</think>\n${NOTE.split('\n')[1]}`],
  ] as const)
    it(`is not in the summary (${what})`, async () => {
      const { view } = await summarized(writer(answer, 'none'));
      assert.ok(view.includes('released late') && view.includes('2044 bytes'), view);
      assert.ok(!/think|drop the queue|Should I/.test(view), view);
    });

  it('leads to no summary if it never ends', async () => {
    const summarizer = writer(`<think>\n${NOTE}\n- The clock is read once [t5].`, 'none');
    await assert.rejects(summarized(summarizer), /"kind":"failed"/);
  });

  it('is not confused with a mention of its mark', async () => {
    const mention = '- The lock is released late; `<think>` is no part of it [t3].';
    const { view } = await summarized(writer(`${NOTE}\n${mention}`, 'none'));
    assert.ok(view.includes('2044 bytes') && view.includes('<think>'), view);
  });
});

describe('the request for a check', () => {
  const countText = (text: string): number => counter.count(text).tokens;
  const SENTENCE = '数据库连接池在高并发时会超时，所以我把最大连接数调到了五十，并且重新部署了服务。';
  const MESSAGES = Array.from({ length: 120 }, (_none, at) => user(`第${at}步：${SENTENCE.repeat(6)}（任务${at}）`));
  const STATEMENTS = MESSAGES.map((_none, at) => `- 第${at}步：${SENTENCE}（任务${at}） [t${at}].`);

  function checked(note: string, messages: readonly ChatMessage[], inputLimit: number) {
    const transcript = transcriptOf(messages);
    const index = new PassageIndex(transcript.messages);
    runAtOnce(index.update());
    const summarizer = writer('', 'none', { inputLimit });
    const settings = withDefaults();
    const run = async <Value>(steps: Steps<Value>): Promise<Value> => runAtOnce(steps);
    const signal = new AbortController().signal;

    const writing = { transcript, index, summarizer, settings, run, signal, countText };
    return {
      done: checkNote(writing as unknown as NoteWriting, { note, verdicts: [] } as unknown as AuditedNote),
      asked: summarizer.asked,
    };
  }

  for (const inputLimit of [4_000, 8_000, 30_000])
    it(`fits a window of ${inputLimit} tokens together with its answer, in any language`, async () => {
      const { done, asked } = checked(STATEMENTS.join('\n'), MESSAGES, inputLimit);
      await done;
      assert.ok(asked.length > 1);
      for (const request of asked) {
        const tokens = countText(textOf(request)) + request.maxTokens;
        assert.ok(tokens <= inputLimit, `${tokens} tokens`);
      }
    });

  it('quotes a short answer that is cited, with what it answers', async () => {
    const talk = [assistant('Shall I leave the folder runs/ or remove it?'), user('remove it'), assistant('Removed.')];
    const { done, asked } = checked('- The user wants runs/ kept [t1].', talk, 30_000);
    await done;
    assert.match(textOf(asked[0]), /\[t1\] user\n[^\n]*leave the folder[^\n]*\nremove it/);
  });

  it('quotes the cited message even if a later one says the same', async () => {
    const read = [0, 1].flatMap((at) => tool(`r${at}`, 'read_file', { path: 'a.yml' }, 'port: 8080\nretries: 3'));
    const { done, asked } = checked('- `a.yml` has port 8080 and retries 3 [t1].', read, 30_000);
    await done;
    assert.match(textOf(asked[0]), /\[t1\][^\n]*\nport: 8080/);
  });
});

describe('the answer of a check', () => {
  for (const [answer, indexes] of [
    ['None.', []],
    ['1, 3 and 3', [0, 2]],
    ['4', undefined],
    ['', undefined],
    ['1. The lock is fine.\n2. So is the clock.', undefined],
    ['Number 1 is said in t3, number 2 nowhere.\n\n**2**', [1]],
    ['Statements that do not hold: 1, and 3.', [0, 2]],
    ['<think>\n1? No.\n2\n</think>\nnone', []],
    ['- 1\n- 3', [0, 2]],
    ['2\n\nThe clock is not named there.', [1]],
    ['## State\n- Open: 2\n- The clock is read once [t5].', undefined],
    ['none\n2', undefined],
  ] as const)
    it(`${JSON.stringify(answer)} of three statements is ${JSON.stringify(indexes) ?? 'none'}`, () =>
      assert.deepEqual(readCheck(answer, 3), indexes));
});
