/**
 * npm run bench -- compaction [--transcripts DIR] [--target 0.25] [--only NAME]
 *
 * Compacts each transcript of a folder (`*.json`, `*.json.gz`; default: the sample conversation and generated ones) with every
 * strategy and a scripted summarizer, and prints what came of it and which laws were broken; any sets the exit code.
 */
import { parseArgs } from 'node:util';
import { countTokens, openConversation, resolveProfile, type StrategyId, type Summarize } from '../../../src/engine.ts';
import { checkLaws, type SummaryRequest, show } from '../../laws/checkLaws.ts';
import { table } from '../table.ts';
import { defaultTranscripts, type NamedTranscript, readTranscripts } from './transcripts.ts';

const STRATEGIES = ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] as const;
const SUMMARY_WINDOW = 32_768;

const { values } = parseArgs({
  options: {
    transcripts: { type: 'string' },
    target: { type: 'string', default: '0.25' },
    only: { type: 'string', default: '' },
  },
});
const all = values.transcripts === undefined ? defaultTranscripts() : readTranscripts(values.transcripts);
const rows: string[][] = [];
const broken: string[] = [];
for (const transcript of all.filter(({ id }) => id.includes(values.only)))
  for (const strategy of STRATEGIES) {
    const measured = await measureStrategy(transcript, strategy);
    const { outcome, reached, tokensBefore, tokensAfter, ms, violations } = measured;
    const laws = violations.length === 0 ? 'held' : `${violations.length} broken`;
    const figures = [tokensBefore, tokensAfter, ms.toFixed(0)].map(String);
    rows.push([transcript.id, strategy, outcome, reached ? 'reached' : 'missed', ...figures, laws]);
    if (violations.length > 0) broken.push(`${transcript.id} ${strategy}:\n  ${violations.join('\n  ')}`);
    console.error(`${transcript.id} ${strategy}: ${outcome}, ${laws}`);
  }
console.log(table(['transcript', 'strategy', 'outcome', 'target', 'before', 'after', 'ms', 'laws'], rows));
console.log(`\n${[...broken, `${rows.length} runs, ${broken.length} broke a law.`].join('\n\n')}`);
console.log('karl and sandwich keep what their figures say, action-trace only looks at the running turn: by design.');
if (broken.length > 0) process.exitCode = 1;

/** Compacts a transcript in a window that it just fills, and undoes it. Tokens of the messages of the view. */
async function measureStrategy({ id, messages }: NamedTranscript, strategy: StrategyId) {
  const requests: SummaryRequest[] = [];
  const summarize: Summarize = async (request) => {
    requests.push({ tokens: countTokens(request.messages), maxTokens: request.maxTokens });
    return 'Done: the work went on as the user asked. Open: what the last messages say.';
  };
  const tokens = countTokens([...messages]);
  const conversation = openConversation({
    profile: { ...resolveProfile(id), contextWindow: Math.ceil(tokens * 1.1) + 512, completionReserve: 256 },
    strategy,
    summarize,
    summaryProfile: { ...resolveProfile('summary'), contextWindow: SUMMARY_WINDOW, completionReserve: 256 },
  });
  conversation.append(messages);
  const before = show(conversation);
  const started = performance.now();
  const report = await conversation.compact({ targetTokens: Math.floor(tokens * Number(values.target)) });
  const ms = performance.now() - started;
  const after = show(conversation);
  const violations = checkLaws({ before, after, report, requests, summarizerWindow: SUMMARY_WINDOW });
  if (report.reason === 'law-broken') violations.push(String(report.message));
  if (conversation.undo() && JSON.stringify(conversation.view()) !== JSON.stringify(before.view))
    violations.push('undo: the view is not what it was');
  const outcome = report.reason === undefined ? report.kind : `${report.kind} (${report.reason})`;
  const { reachedTarget: reached, tokensBefore, tokensAfter } = report;
  return { outcome, reached, tokensBefore, tokensAfter, ms, violations };
}
