import { FILLERS, UNITS, UNSPACED_FILLERS } from './fillerWords.ts';
import { normalizeWords } from './sentences.ts';

/** What a figure is about, in a form that stays the same when the sentence is put in other words. */
export interface Subject {
  /** The words that name it, in their order; never empty. */
  readonly words: readonly string[];
  /** The one of them that is the name of a setting, a key or a symbol (`flush_interval`, `DB_TIMEOUT`, `maxRetries`). */
  readonly name?: string;
}

/** At most this many words name a thing. */
const MOST_WORDS = 3;

/**
 * What a figure in a sentence is about: the name of a setting that stands close before it, else the last words before
 * it, else the first words after it. Undefined when the sentence does not say.
 */
export function subjectOf(before: string, after: string): Subject | undefined {
  // A name before another figure is what that figure is about.
  const figure = [...before.matchAll(FIGURE)].at(-1);
  const since = wordsOf(figure === undefined ? '' : before.slice(figure.index + figure[0].length));
  const words = (since.length > 0 ? since : wordsOf(before)).slice(-MOST_WORDS);
  const named = words.findLast((word) => isName(word, before));
  if (named !== undefined) return { words: [named], name: named };
  if (words.length === 0) return subjectBehind(after);
  const unit = words.length === 1 && UNITS.has(words[0] ?? '');
  return { words: unit ? [...words, ...wordsOf(after).slice(0, 2)] : words };
}

function subjectBehind(after: string): Subject | undefined {
  const words = wordsOf(after);
  const named = words.slice(0, MOST_WORDS + 1).find((word) => isName(word, after));
  if (named !== undefined) return { words: [named], name: named };
  return words.length === 0 ? undefined : { words: words.slice(0, MOST_WORDS) };
}

/** The subject that a label in a file or in a program's output is: `pool_size = 40`, `p95 latency: 412 ms`. */
export function subjectOfLabel(label: string): Subject {
  const words = normalizeWords(label)
    .split(/\s+/)
    .map(withoutMarks)
    .filter((word) => word !== '');
  const [only] = words;
  return words.length === 1 && only !== undefined && isName(only, label) ? { words, name: only } : { words };
}

/** The word that a figure without a unit counts ("30 callers"): the one right behind it. */
export function countedWord(after: string): string | undefined {
  const word = /^\s([\p{L}]{3,})/u.exec(after)?.[1]?.toLowerCase();
  return word === undefined || FILLERS.has(word) ? undefined : word;
}

const FIGURE = /(?<![\w.])\d[\d.,]*(?!\w)/g;

/** `flush_interval`, `cache.ttl`, `worker-threads` and, as the text has it, `maxRetries`: one word of several parts. */
function isName(word: string, text: string): boolean {
  if (/^[a-z]\w*(?:[._-][a-z]\w*)+$/.test(word)) return !FILE_NAME.test(word);
  return /^[a-z]\w+$/.test(word) && (text.match(HUMPED) ?? []).some((name) => name.toLowerCase() === word);
}

/** Of a file several things are counted; `cache.ttl` and `http.keepalive` are settings. */
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kts?|rb|php|cs|c|cc|cpp|h|hpp|swift|scala|vue|svelte|md|json|ya?ml|toml|lock|html?|css|scss|sql|sh|txt|xml|csv|log)$/;

/** A class name (`TuiRenderer`) is no setting: many figures may belong to it. */
const HUMPED = /\b[a-z][a-z\d]+[A-Z]\w*/g;

function wordsOf(text: string): string[] {
  return normalizeWords(text)
    .split(/\s+/)
    .map(withoutMarks)
    .map((word) => (/[\u3040-\u9fff\uac00-\ud7af]/.test(word) ? word.replace(UNSPACED_FILLERS, '').slice(-6) : word))
    .filter((word) => /\p{L}/u.test(word) && !FILLERS.has(word));
}

function withoutMarks(word: string): string {
  return word.replace(/^[._/-]+|[._/-]+$/g, '');
}
