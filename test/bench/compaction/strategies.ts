import {
  type CompactionReport,
  countTokens,
  openConversation,
  type StrategyId,
  type Summarize,
} from '../../../src/engine.ts';
import { checkLaws, type SummaryRequest, show } from '../../laws/checkLaws.ts';
import { measureBlocks } from '../blocking/meter.ts';
import type { NamedTranscript } from './transcripts.ts';

export const STRATEGIES = ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'] as const;

/** What one strategy did with one transcript. Tokens of the messages of the view; wall time in milliseconds. */
export interface Measured {
  readonly id: string;
  readonly strategy: StrategyId;
  readonly outcome: string;
  readonly reached: boolean;
  readonly before: number;
  readonly after: number;
  readonly ms: number;
  /** The longest time for which nothing else could run. */
  readonly longestBlock: number;
  readonly broken: readonly string[];
}

const SUMMARY_WINDOW = 32_768;
const PROFILE = {
  provider: 'bench',
  baseUrl: '',
  timeoutMs: 60_000,
  tools: true,
  envelope: 'standard',
  extra: {},
} as const;

/** Compacts a transcript in a window that it just fills, and undoes it. */
export async function measureStrategy(
  { id, messages }: NamedTranscript,
  strategy: StrategyId,
  target: number,
): Promise<Measured> {
  const requests: SummaryRequest[] = [];
  const summarize: Summarize = async (request) => {
    requests.push({ tokens: countTokens(request.messages), maxTokens: request.maxTokens });
    return 'Done: the work went on as the user asked. Open: what the last messages say.';
  };
  const tokens = countTokens([...messages]);
  const profile = { ...PROFILE, id: 'bench', contextWindow: Math.ceil(tokens * 1.1) + 512, completionReserve: 256 };
  const conversation = openConversation({
    profile,
    strategy,
    summarize,
    summaryProfile: { ...profile, id: 'summary', contextWindow: SUMMARY_WINDOW },
  });
  conversation.append(messages);
  const before = show(conversation);
  const run: { report?: CompactionReport } = {};
  const { total: ms, longestWall: longestBlock } = await measureBlocks(async () => {
    run.report = await conversation.compact({ targetTokens: Math.floor(tokens * target) });
  });
  const { report } = run;
  if (report === undefined) throw new Error('the run gave no report');
  const after = show(conversation);
  const broken = checkLaws({ before, after, report, requests, summarizerWindow: SUMMARY_WINDOW });
  if (report.reason === 'law-broken') broken.push(String(report.message));
  if (conversation.undo() && JSON.stringify(conversation.view()) !== JSON.stringify(before.view))
    broken.push('undo: the view is not what it was');
  const outcome = report.reason === undefined ? report.kind : `${report.kind} (${report.reason})`;
  const { reachedTarget: reached, tokensBefore, tokensAfter } = report;
  return { id, strategy, outcome, reached, before: tokensBefore, after: tokensAfter, ms, longestBlock, broken };
}
