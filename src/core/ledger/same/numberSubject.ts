import { normalizeWords } from '../read/sentences.ts';
import { FILLERS, LINKS, PLACED, UNITS, UNSPACED_FILLERS } from '../words/fillerWords.ts';

/** What a figure is about, in a form that stays the same when the sentence is put in other words. */
export interface Subject {
  /** The words that name it, in their order; never empty. */
  readonly words: readonly string[];
  /** All words of the clause that may belong to it. */
  readonly around: readonly string[];
  /** The name of a setting, a key or a symbol among them (`flush_interval`, `DB_TIMEOUT`, `maxRetries`). */
  readonly name?: string;
}

/**
 * What a figure in a sentence is about: the noun group that stands close before it ("the cold start of the worker is
 * …"), with what is linked behind it ("… for the worker"), else the group behind it. Undefined when the sentence does
 * not say.
 */
export function subjectOf(before: string, after: string): Subject | undefined {
  // A name before another figure is what that figure is about.
  const figure = [...before.matchAll(FIGURE)].at(-1);
  const since = groupsOf(figure === undefined ? '' : before.slice(figure.index + figure[0].length));
  const ahead = since.length > 0 ? since : groupsOf(before);
  const behind = groupsOf(after);
  const around = [...ahead, ...behind].flat();
  const name = [...(ahead.at(-1) ?? []), ...(behind[0] ?? []), ...around].find((word) => isName(word, before + after));
  if (name !== undefined) return { words: [name], around, name };
  const main = ahead.at(-1);
  const linked = LINKED.test(after) || (main?.length === 1 && UNITS.has(main[0] ?? ''));
  const words = [...(main ?? []), ...(main === undefined || linked ? (behind[0] ?? []) : [])];
  return words.length === 0 ? undefined : { words: [...new Set(words)], around };
}

/** The subject that a label in a file or in a program's output is: `pool_size = 40`, `p95 latency: 412 ms`. */
export function subjectOfLabel(label: string): Subject {
  const words = normalizeWords(label)
    .split(/\s+/)
    .map(withoutMarks)
    .filter((word) => /\p{L}/u.test(word));
  const [only] = words;
  const named = words.length === 1 && only !== undefined && isName(only, label);
  return { words, around: words, ...(named ? { name: only } : {}) };
}

/** The word that a figure without a unit counts ("30 callers"): the one right behind it. */
export function countedWord(after: string): string | undefined {
  const word = /^\s([\p{L}]{3,})/u.exec(after)?.[1]?.toLowerCase();
  return word === undefined || FILLERS.has(word) || LINKS.has(word) ? undefined : word;
}

/** A word of several parts, or with a digit: the name of a service, a package, a route. */
export function isProper(word: string): boolean {
  return /[\d/_.-]/.test(word);
}

const FIGURE = /(?<![\w.])\d[\d.,]*(?!\w)/g;

/** What follows a figure when the next words still say what it is about. */
const LINKED = new RegExp(`^[\\s,]*(?:${[...LINKS].join('|')})(?![\\p{L}\\p{N}])`, 'iu');

/** `flush_interval`, `cache.ttl` and, as the text has it, `maxRetries`: one word of several parts. */
function isName(word: string, text: string): boolean {
  if (/^[a-z]\w*\.[a-z]\w*(?:\.\w+)*$/.test(word)) return !FILE_NAME.test(word);
  if (/^[a-z][a-z\d]*(?:_[a-z\d]+)+$/.test(word)) return true;
  return /^[a-z]\w+$/.test(word) && (text.match(HUMPED) ?? []).some((name) => name.toLowerCase() === word);
}

/** Of a file several things are counted; `cache.ttl` and `http.keepalive` are settings. */
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kts?|rb|php|cs|c|cc|cpp|h|hpp|swift|scala|vue|svelte|md|json|ya?ml|toml|lock|html?|css|scss|sql|sh|txt|xml|csv|log)$/;

/** A class name (`TuiRenderer`) is no setting: many figures may belong to it. */
const HUMPED = /\b[a-z][a-z\d]+[A-Z]\w*/g;

/** Runs of words that name one thing: nothing but a link ("of", "for", "in" before a name) stands between them. */
function groupsOf(text: string): string[][] {
  const groups: string[][] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) groups.push(open);
    open = [];
  };
  for (const part of text.split(/[,;:()=\u3001\uff0c\uff1a\uff08\uff09"“”„«»|]|\s[-–—]\s/)) {
    const tokens = normalizeWords(part.replace(SCRIPT_CHANGE, ' ')).split(/\s+/).map(withoutMarks);
    for (const [index, token] of tokens.entries()) {
      if (token === '' || LINKS.has(token)) continue;
      if (PLACED.has(token) && isProper(tokens[index + 1] ?? '')) continue;
      const words = CJK.test(token) ? token.split(UNSPACED_FILLERS) : [token];
      for (const word of words) {
        if (word === '' && words.length > 1 && words[0] === '') continue;
        if (word === '' || FILLERS.has(word) || CONNECTIVE.test(word)) close();
        else if (/\p{L}/u.test(word)) open.push(word);
      }
    }
    close();
  }
  return groups;
}

/** Between a name in Latin letters and the script around it there need not be a blank. */
const SCRIPT_CHANGE = /(?<=[\u3040-\u9fff\uac00-\ud7af])(?=[\w/])|(?<=\w)(?=[\u3040-\u9fff\uac00-\ud7af])/g;
/** A Korean verb that joins clauses. */
const CONNECTIVE = /(?:더니|보니|니까|면서|지만|아서|어서)$/;
const CJK = /[\u3040-\u9fff\uac00-\ud7af]/;

function withoutMarks(word: string): string {
  return word.replace(/^[._/-]+|[._/-]+$/g, '');
}
