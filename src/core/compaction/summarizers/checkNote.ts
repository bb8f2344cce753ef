import { english } from '../../language.ts';
import { sortStatements } from '../audit/sortStatements.ts';
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
  /** Why not all statements were checked, as a sentence. The others stay as they were. */
  readonly unchecked?: string;
}

/** The most tokens of one request, and of its answer: a line of numbers, and what a model thinks before. */
const MOST_INPUT = 40_000;
const MOST_ANSWER = 4_000;
/** The prompt's own words. Tokens. */
const PROMPT_TOKENS = 500;
/** An answer may take this share of the summarizer's window. */
const ANSWER_SHARE = 0.25;
/** A model that doubts more than this share of its own statements, and more than a few, has not understood the question. */
const MOST_DOUBTED = 0.5;
const FEW = 2;

/**
 * Has the model that wrote a note compare each statement with excerpts of what it cites, and marks those that do not
 * hold. A comparison of words finds a name that no message has, not one that belongs to something else in the same
 * message. Whatever goes wrong, the note stays, with the marks that were found until then.
 */
export async function checkNote(writing: NoteWriting, note: string): Promise<CheckedNote> {
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
  const checks = await writing.run(planChecks(note, writing, room));
  const doubted = new Set<number>();
  let calls = 0;
  let statements = 0;
  let unchecked: string | undefined;
  for (const check of checks) {
    if (signal.aborted || unchecked !== undefined) break;
    calls += 1;
    try {
      const answer = summarizer.write({ messages: checkPrompt(check), maxTokens, signal });
      const { text, complete } = await unlessAborted(answer, signal);
      const found = complete ? readCheck(text, check.statements.length) : undefined;
      if (found === undefined) unchecked = english('The model did not answer with numbers of statements.');
      else statements += check.statements.length;
      for (const index of found ?? []) doubted.add(check.numbers[index] ?? -1);
    } catch (error) {
      unchecked = error instanceof Error ? error.message : String(error);
    }
  }
  if (doubted.size > Math.max(FEW, statements * MOST_DOUBTED)) {
    unchecked = english('Its answer was not used: it doubted {0} of the {1} statements.', doubted.size, statements);
    doubted.clear();
  }
  const sorted = await writing.run(
    sortStatements(note, ({ number = -1 }) => (doubted.has(number) ? 'unverified' : 'holds')),
  );
  return { text: sorted.text, unverified: sorted.unverified, calls, ...(unchecked !== undefined && { unchecked }) };
}
