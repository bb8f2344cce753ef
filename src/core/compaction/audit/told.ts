import type { Evidence } from './evidence.ts';
import { share, tellingWords } from './words.ts';

/**
 * Of a statement's words, this share is in what its sources tell best: one sentence or one use of a tool for each.
 * (In thirteen sessions, with notes by a model and false statements written for them, 51 of 1,397 true ones fall by it,
 * and 15 of the 37 false ones that pass otherwise.)
 */
const TOLD_SHARE = 0.5;
/** A statement of fewer words says nothing of its own: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/** Of each argument and of the result of a tool, so much of its beginning and of its end is read. Characters. */
const READ = 2_000;

/** How a statement begins, as the prompt asks, when it is about something that is not done. */
const NOT_DONE =
  /^\W{0,8}(?:open|pending|not done|unchecked|(?:only )?claimed|never (?:run|checked|tested))\b\W{0,3}(?::|\(|at t\d)/i;

/** Whether a statement begins with what it is: open, only claimed, never run. No message shows what was not done. */
export function saysNothingDone(text: string): boolean {
  return NOT_DONE.test(text);
}

/**
 * Whether what a statement says of the state of the work is told by its sources, by each in one place and in whatever
 * language. What is put together from words all over a long message is not.
 */
export function isTold(text: string, sources: readonly Evidence[]): boolean {
  const words = tellingWords(text);
  if (words.size < LEAST_WORDS) return true;
  return share(words, new Set(sources.flatMap((source) => [...bestOf(words, source)]))) >= TOLD_SHARE;
}

/** The words of the sentence or act that has most of some words. */
function bestOf(words: ReadonlySet<string>, { said, acts }: Evidence): ReadonlySet<string> {
  let best: ReadonlySet<string> = new Set();
  let most = 0;
  for (const place of [...said, ...acts.map(textOf)]) {
    const there = tellingWords(place);
    const shared = share(words, there);
    if (shared > most) [most, best] = [shared, there];
  }
  return best;
}

function textOf({ called, printed }: Evidence['acts'][number]): string {
  return [...called, printed].flatMap((part) => [part.slice(0, READ), part.slice(READ).slice(-READ)]).join('\n');
}
