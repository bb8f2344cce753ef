import type { Evidence } from './evidence.ts';
import { share, tellingWords } from './words.ts';

/**
 * The share of a statement's words that must be in the one sentence or tool use, of each source, that matches it best.
 * (In thirteen sessions, with notes by a model and false statements written for them, this marks 51 of 1,397 true ones,
 * and 15 of the 37 false ones that pass all other checks.)
 */
const TOLD_SHARE = 0.5;
/** A statement with fewer words claims nothing that could be checked: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/** How much is read of the beginning, and of the end, of each argument and result. Characters. */
const READ = 2_000;

/** How the prompt asks a statement to begin when it is about something that was not done. */
const NOT_DONE =
  /^\W{0,8}(?:open|pending|not done|unchecked|(?:only )?claimed|never (?:run|checked|tested))\b\W{0,3}(?::|\(|at t\d)/i;

/**
 * Whether a statement begins by saying that it is open, only claimed, or never run. No message shows what was not done.
 */
export function saysNothingDone(text: string): boolean {
  return NOT_DONE.test(text);
}

/**
 * Whether the sources of a statement about the state of the work support it, each with a single passage, in whatever
 * language. Words gathered from all over a long message are no support.
 */
export function isTold(text: string, sources: readonly Evidence[]): boolean {
  const words = tellingWords(text);
  if (words.size < LEAST_WORDS) return true;
  return share(words, new Set(sources.flatMap((source) => [...bestOf(words, source)]))) >= TOLD_SHARE;
}

/** The words of the one sentence or act that shares the most words. */
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
