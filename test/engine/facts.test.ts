import assert from 'node:assert/strict';
import { type ChatMessage, countTokens, openConversation } from '../../src/engine.ts';
import { formatEvent } from '../../src/host/log/formatEvent.ts';
import { PROFILE, reads, system, tool, user } from '../core/conversation/kit.ts';
import { checkLaws, type SummaryRequest, show } from '../laws/checkLaws.ts';
import { HOSTILE_SUMMARIZERS } from '../laws/hostileSummarizers.ts';

const CONSTRAINT = 'Never touch config/prod.yaml.';
const ERROR = "src/import.ts(41,7): error TS2345: Argument of type 'string' is not assignable.";
const SECRET = 'mellon-of-moria-1978';
const PLANTED = [CONSTRAINT, ERROR, 'src/queue.ts', 'write the migration'];

/** Work in which everything that law 7 protects is said once, early, among many other things. */
const MESSAGES: ChatMessage[] = [
  system('You are an agent.'),
  user(`Make the import idempotent. ${CONSTRAINT}`),
  ...reads(8),
  ...tool(
    'w',
    'write_file',
    { path: 'src/queue.ts', content: 'export class Queue {}\n'.repeat(60) },
    'The file was written.',
  ),
  ...tool('t', 'TodoWrite', { todos: [{ content: 'write the migration', status: 'pending' }] }, 'Saved.'),
  ...tool('n', 'bash', { command: 'npx tsc' }, `${'checking\n'.repeat(200)}${ERROR}\nexit code 2`),
  ...tool('s', 'bash', { command: 'cat .env' }, `PASSPHRASE is ${SECRET}\n`.repeat(40)),
  ...reads(14, 30, 20),
  user('How far are you?'),
  ...reads(4, 20, 60),
];

const SUMMARY_WINDOW = 8192;

describe('what the user cares about', () => {
  for (const strategy of ['adaptive', 'extractive', 'karl', 'sandwich'] as const) {
    for (const [name, hostile] of Object.entries(HOSTILE_SUMMARIZERS)) {
      // It asks no summarizer.
      if (strategy === 'extractive' && name !== 'honest') continue;
      it(`is literally in the view after ${strategy}, whatever the summarizer writes (${name})`, async () => {
        const requests: SummaryRequest[] = [];
        const conversation = openConversation({
          profile: { ...PROFILE, contextWindow: 30_000 },
          summaryProfile: { ...PROFILE, id: 'summary', contextWindow: SUMMARY_WINDOW },
          summarize: (request) => {
            requests.push({ tokens: countTokens(request.messages), maxTokens: request.maxTokens });
            return hostile(request);
          },
        });
        const logged: unknown[] = [];
        conversation.on((event) => logged.push(formatEvent(event, { at: 0, conversation: 'c', model: 'm' })));
        conversation.append(MESSAGES);
        // Twice: a second run must not lose what the first one kept.
        for (const more of [[], [...reads(20, 30, 100), user('Go on.')]]) {
          conversation.append(more);
          const before = show(conversation);
          const report = await conversation.compact({ strategy, targetTokens: 5000 });
          const after = show(conversation);
          // A missing or refused note is a failure of a strategy that needs it.
          const mayFail = name !== 'honest' && (strategy === 'karl' || strategy === 'sandwich');
          assert.ok(report.kind === 'compacted' || (mayFail && report.kind === 'failed'), report.message);
          const laws = { before, after, report, requests, summarizerWindow: SUMMARY_WINDOW, planted: PLANTED };
          assert.deepEqual(checkLaws(laws), []);
          assert.doesNotMatch(
            JSON.stringify(after.view),
            /quantum|48213|9f8e7d6|E9981/,
            'nothing invented stands in the view',
          );
        }
        const told = [...logged, ...conversation.compactions().map(({ receipt }) => receipt)];
        assert.ok(logged.length > 0 && !JSON.stringify(told).includes(SECRET), 'no text is in a log line or a receipt');
      });
    }
  }
});
