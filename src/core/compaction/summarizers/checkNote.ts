import { english } from '../../language.ts';
import type { AuditedNote } from '../audit/auditNote.ts';
import { placedStatements, type Verdict } from '../audit/sortStatements.ts';
import { planChecks } from './checkPlan.ts';
import { checkPrompt, readCheck } from './checkPrompt.ts';
import { ANSWER_SHARE } from './summarizer.ts';
import { unlessAborted } from './unlessAborted.ts';
import type { NoteWriting } from './writeNote.ts';

/** What the model's own check of its note came to. */
export interface CheckedNote {
  /** On each statement and heading, by their numbers. */
  readonly verdicts: readonly Verdict[];
  readonly calls: number;
  /** Why not all statements were checked, as a sentence. The verdicts on the others stay as they were. */
  readonly unchecked?: string;
}

/** The most tokens of one request, and of its answer: a line of numbers, and what a model thinks before. */
const MOST_INPUT = 40_000;
const MOST_ANSWER = 4_000;
/** The prompt's own words. Tokens. */
const PROMPT_TOKENS = 500;
/** A model that doubts more than this share of its own statements, and more than a few, has not understood the question. */
const MOST_DOUBTED = 0.5;
const FEW = 2;

/**
 * Has the model that wrote a note compare each statement with excerpts of what it cites. What it doubts is unverified; what
 * only a comparison of words doubted holds when it confirms it. (Words find a name that no message has, not one that
 * belongs to something else in the same message; and not what is said in other words.) Whatever goes wrong, the verdicts
 * stay as they were for what was not checked.
 */
export async function checkNote(writing: NoteWriting, { note, verdicts }: AuditedNote): Promise<CheckedNote> {
  const { summarizer, settings, signal } = writing;
  const maxTokens = Math.floor(
    Math.min(
      MOST_ANSWER,
      settings.summary.maxTokens,
      summarizer.outputLimit ?? MOST_ANSWER,
      summarizer.inputLimit * ANSWER_SHARE,
    ),
  );
  const room = Math.min(MOST_INPUT, summarizer.inputLimit - maxTokens) - PROMPT_TOKENS;
  const standing = placedStatements(note).filter(({ number, isHeading }) => !isHeading && verdicts[number] !== 'fails');
  const checks = await writing.run(planChecks(standing, writing, room));
  const holds = new Map<number, boolean>();
  let calls = 0;
  let unchecked: string | undefined;
  for (const { numbers, ...check } of checks) {
    if (signal.aborted || unchecked !== undefined) break;
    calls += 1;
    try {
      const answer = summarizer.write({ messages: checkPrompt(check), maxTokens, signal });
      const { text, complete } = await unlessAborted(answer, signal);
      const doubted = complete ? readCheck(text, numbers.length) : undefined;
      if (doubted === undefined) unchecked = english('The model did not answer with numbers of statements.');
      else for (const [index, number] of numbers.entries()) holds.set(number, !doubted.includes(index));
    } catch (error) {
      unchecked = error instanceof Error ? error.message : String(error);
    }
  }
  const doubts = [...holds.values()].filter((one) => !one).length;
  if (doubts > Math.max(FEW, holds.size * MOST_DOUBTED)) {
    unchecked = english('Its answer was not used: it doubted {0} of the {1} statements.', doubts, holds.size);
    holds.clear();
  }
  return {
    verdicts: verdicts.map((verdict, number) => (holds.has(number) ? join(verdict, holds.get(number)) : verdict)),
    calls,
    ...(unchecked !== undefined && { unchecked }),
  };
}

function join(verdict: Verdict, holds: boolean | undefined): Verdict {
  if (holds !== true) return 'unverified';
  return verdict === 'doubtful' ? 'holds' : verdict;
}
