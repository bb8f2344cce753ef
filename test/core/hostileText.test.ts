import { isFenced, neutralise } from '../../src/core/chat/fence.ts';
import { splitUserText } from '../../src/core/chat/human.ts';
import type { ChatMessage } from '../../src/core/chat/wire.ts';
import { auditNote } from '../../src/core/compaction/audit/judge.ts';
import { Recall } from '../../src/core/compaction/recall/recall.ts';
import { shortenMessage, shortenText } from '../../src/core/compaction/shorten.ts';
import { createLedger } from '../../src/core/ledger/ledger.ts';
import { classifyModelError } from '../../src/core/model/classify.ts';
import { maskSecrets } from '../../src/core/model/secrets.ts';
import { parseEnvelope } from '../../src/core/session/envelope/parse.ts';
import { runAtOnce } from '../../src/core/steps.ts';
import { estimateTokens } from '../../src/core/tokens/estimate.ts';
import { tool, transcriptOf } from './conversation/kit.ts';
import { blocksOf, call, human, model } from './ledger/script.ts';

const SIZE = 1_000_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);

/** Text that makes a careless expression look at the same characters again and again. */
const HOSTILE: Readonly<Record<string, string>> = {
  'one word': fill('a'),
  blanks: fill(' '),
  'a key and blanks': `api key${fill(' ')}`,
  'keys and blanks': fill('token    '),
  digits: fill('7'),
  'digits and commas': fill('1,000,'),
  'comparisons without end': fill('12 > '),
  'words of overflows': fill('prompt tokens exceed the maximum context length of '),
  'words of output caps': fill('max_tokens must be at most the '),
  'ranges without end': fill('[1, 8192 max_tokens from 1 to '),
  'words of errors': fill('error: failed to '),
  'words of rules': fill('never do not must '),
  'boxes without end': fill(`- [ ] PAY-1 ${'(('.repeat(150)}\n`),
  'lists as JSON': fill('[{"status":"open","key":"PAY-1","title":'),
  'open brackets': fill('(['),
  'tags without end': fill('<a '),
  'open and closed tags': fill('<task><b></b'),
  'calls without end': fill('<tool_call>{"name":"x",'),
  'fences without end': fill('```tool_call\n{'),
  quotes: fill('\\"'),
  'paths without end': fill('src/../'),
  addresses: fill('https://a:b'),
  'starts of keys': fill('sk-'),
  'rows of lines': fill('\n'),
  ideographs: fill('上下文超过'),
  'half a surrogate pair': fill('\ud83d'),
  'results of a client': `[x for ${fill('y')}`,
  'ran a command': `Ran \`${fill('`')}`,
};

/** The text in the result of a call; what a human or a model writes is shorter. */
function conversationWith(text: string): ChatMessage[] {
  const short = text.slice(0, 100_000);
  return [{ role: 'user', content: short }, ...tool('a', 'bash', short, text)];
}

/** Everything that reads text written by a tool, a model or a server. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the classifier of errors': (text) => classifyModelError({ status: 400, body: text, error: { message: text } }),
  'the ledger': (text) => {
    const ledger = createLedger();
    const edited = { file_path: 'a.ts', old_string: text, new_string: `${text} ` };
    const calls = [
      call('bash', { command: text }, text),
      call('Edit', edited, text),
      call('apply_patch', `*** Begin Patch\n*** Update File: a.ts\n+${text}`, text),
      call('TodoWrite', text, text),
    ];
    runAtOnce(ledger.read(blocksOf(human(text), model(text), ...calls)));
    return ledger.facts();
  },
  'the audit of a note': (text) => {
    const transcript = transcriptOf(...conversationWith(text));
    return runAtOnce(auditNote(text.slice(0, 50_000), transcript));
  },
  recall: (text) => {
    const recall = new Recall(transcriptOf(...conversationWith(text)));
    return [text.slice(0, 5000), 'overflow tokens', 't0-2'].map((query) => runAtOnce(recall.answer({ query })));
  },
  'the shortening of results': (text) => [
    shortenText(text, 't1', { head: 100, tail: 100, errorLines: 6 }),
    shortenMessage({ role: 'tool', content: text }, 't1', { head: 100, tail: 100, errorLines: 6 }),
  ],
  'who wrote a message': (text) =>
    [text, `<task>${text}`, `# Context from my IDE setup:\n${text}`, `<context></context>${text}`].map((content) =>
      splitUserText({ role: 'user', content }, content),
    ),
  'the masking of secrets': (text) => maskSecrets(text),
  'the fence of notes': (text) => [isFenced(text), neutralise(text)],
  'calls as text': (text) => [parseEnvelope(text, 'json'), parseEnvelope(text, 'xml')],
  'the estimate of tokens': (text) => estimateTokens(text),
};

/** Mocha's time limit ends what hangs: a quadratic expression takes minutes on a megabyte. */
describe('a megabyte of hostile text', () => {
  for (const [reader, read] of Object.entries(READERS)) {
    it(`does not hang ${reader}`, () => {
      for (const text of Object.values(HOSTILE)) read(text);
    });
  }
});
