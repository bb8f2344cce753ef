import { english } from '../../language.ts';
import { sortStatements } from '../audit/sortStatements.ts';
import { CHARACTERS_A_TOKEN } from '../shorten.ts';
import { planChecks } from './checkPlan.ts';
import { checkPrompt, readCheck } from './checkPrompt.ts';
import { unlessAborted } from './unlessAborted.ts';
import type { NoteWriting } from './writeNote.ts';

/** What the model's own check of its note came to. */
export interface CheckedNote {
  readonly text: string;
  /** Statements that it marked. */
  readonly unverified: number;
  readonly calls: number;
  /** Why statements were not checked, as a sentence. They stay as they were. */
  readonly unchecked?: string;
}

/** The most tokens of one request, and of its answer: a line of numbers, and what a model thinks before. */
const MOST_INPUT = 40_000;
const MOST_ANSWER = 4_000;
/** The prompt's own words. Tokens. */
const PROMPT_TOKENS = 500;
/** A model that doubts more than this share of its own statements has not understood the question. */
const MOST_DOUBTED = 0.5;

/**
 * Has the model that wrote a note compare each statement with excerpts of what it cites, and marks those that do not
 * hold. A comparison of words finds a name that no message has, not one that belongs to something else in the same
 * message. Whatever goes wrong, the note stays as it was.
 */
export async function checkNote(writing: NoteWriting, note: string): Promise<CheckedNote> {
  const { summarizer, settings, signal } = writing;
  const maxTokens = Math.min(MOST_ANSWER, settings.summary.maxTokens, summarizer.outputLimit ?? MOST_ANSWER);
  const input = Math.min(MOST_INPUT, summarizer.inputLimit - maxTokens) - PROMPT_TOKENS;
  const checks = await writing.run(planChecks(note, writing, Math.max(1_000, input * CHARACTERS_A_TOKEN)));
  const doubted = new Set<number>();
  let calls = 0;
  let statements = 0;
  const unchecked = (reason: string): CheckedNote => ({ text: note, unverified: 0, calls, unchecked: reason });
  for (const check of checks) {
    if (signal.aborted) break;
    statements += check.statements.length;
    calls += 1;
    try {
      const answer = summarizer.write({ messages: checkPrompt(check), maxTokens, signal });
      const { text } = await unlessAborted(answer, signal);
      const found = readCheck(text, check.statements.length);
      if (found === undefined) return unchecked(english('The model did not answer with numbers of statements.'));
      for (const index of found) doubted.add(check.numbers[index] ?? -1);
    } catch (error) {
      return unchecked(error instanceof Error ? error.message : String(error));
    }
  }
  if (doubted.size > statements * MOST_DOUBTED)
    return unchecked(english('The model doubts {0} of its {1} statements.', doubted.size, statements));
  const sorted = await writing.run(
    sortStatements(note, ({ number = -1 }) => (doubted.has(number) ? 'unverified' : 'holds')),
  );
  return { text: sorted.text, unverified: sorted.unverified, calls };
}
