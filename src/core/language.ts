/**
 * Translations by English sentence, with the same `{0}`: the content of `l10n/bundle.l10n.*.json`. The keys of
 * sentences said with `english` end with `RETOLD`; a suffix after a slash is how such files mark a comment.
 */
export type Sentences = Readonly<Record<string, string>>;

const ENGLISH = 'en';

/**
 * Marks the keys of sentences that `retell` recognises. Text said only with `t` is never stored, so when it is read
 * from somewhere, Karl did not write it.
 */
export const RETOLD = '/retold';

interface Language {
  readonly name: string;
  readonly sentences: Sentences;
  /** Made when the first sentence is retold. */
  patterns?: readonly Pattern[];
}

/** A sentence with values: the texts around them, and which value is at which place. */
interface Pattern {
  readonly texts: readonly string[];
  readonly places: readonly string[];
  readonly translated: string;
}

let current: Language = { name: ENGLISH, sentences: {} };

/** The language that the user reads, as in the `lang` attribute of a page; English until `speak` names another. */
export function language(): string {
  return current.name;
}

/** What a page needs in order to speak the same language. */
export function spoken(): { readonly language: string; readonly sentences: Sentences } {
  return { language: current.name, sentences: current.sentences };
}

/** Sets the user's language: a BCP 47 tag and its translations. What they lack stays English. */
export function speak(name: string, sentences: Sentences): void {
  current = { name, sentences };
}

/**
 * A sentence in the user's language; `{0}` is replaced by the first value. Numbers are formatted for the language. The
 * English sentence must be a literal, so that a test can find it. Not for what a model, a log or a file gets.
 */
export function t(sentence: string, ...values: readonly (string | number)[]): string {
  return fill(current.sentences[sentence] ?? sentence, values, formatNumber);
}

/**
 * A sentence in English whatever the user's language: for what a log, a file or an error keeps, and users read through
 * `retell`.
 */
export function english(sentence: string, ...values: readonly (string | number)[]): string {
  return fill(sentence, values, groupThousands);
}

/**
 * Translates an English sentence that `english` made, now or in an earlier session. Anything else, such as the words of
 * a server, stays as it is.
 */
export function retell(said: string): string {
  return retellWithin(said, DEEPEST);
}

/** A value with several words may be a sentence again: nesting is followed up to this depth. */
const DEEPEST = 3;

function retellWithin(said: string, depth: number): string {
  const { sentences } = current;
  const whole = `${said}${RETOLD}`;
  if (Object.hasOwn(sentences, whole)) return sentences[whole] ?? said;
  if (depth === 0) return said;
  current.patterns ??= patternsOf(sentences);
  for (const pattern of current.patterns) {
    const values = valuesIn(said, pattern);
    if (values === undefined) continue;
    return pattern.translated.replace(PLACE, (place, index: string) => {
      const value = values.get(index) ?? place;
      return value.includes(' ') ? retellWithin(value, depth - 1) : value;
    });
  }
  return said.endsWith('.') ? `${retellWithin(said.slice(0, -1), depth - 1)}.` : said;
}

/**
 * The values of a sentence that fits a pattern; undefined when it does not. Searches for the texts instead of matching
 * an expression, since what servers say may be long.
 */
function valuesIn(said: string, { texts, places }: Pattern): ReadonlyMap<string, string> | undefined {
  const last = texts.at(-1) ?? '';
  const end = said.length - last.length;
  if (!said.startsWith(texts[0] ?? '') || !said.endsWith(last)) return undefined;
  const values = new Map<string, string>();
  let from = texts[0]?.length ?? 0;
  for (const [index, place] of places.entries()) {
    const text = texts[index + 1] ?? '';
    const to = index === places.length - 1 ? end : said.indexOf(text, from);
    if (to < from || to > end) return undefined;
    values.set(place, said.slice(from, to));
    from = to + text.length;
  }
  return values;
}

const PLACE = /\{(\d+)\}/g;

/** How much text a pattern must have besides its values: `{0}: {1}` would fit everything. */
const LEAST_CHARACTERS = 18;

/** The `english` sentences with values as patterns, the most specific first. */
function patternsOf(sentences: Sentences): readonly Pattern[] {
  return Object.entries(sentences)
    .filter(([key]) => key.endsWith(RETOLD))
    .map(([key, translated]) => {
      const sentence = key.slice(0, -RETOLD.length);
      return { sentence, translated, own: sentence.replace(PLACE, '').length };
    })
    .filter(({ sentence, own }) => own >= LEAST_CHARACTERS && own < sentence.length)
    .sort((one, other) => other.own - one.own)
    .map(({ sentence, translated }) => ({
      texts: sentence.split(/\{\d+\}/),
      places: [...sentence.matchAll(PLACE)].map(([, place = '']) => place),
      translated,
    }));
}

function fill(sentence: string, values: readonly (string | number)[], write: (value: number) => string): string {
  return sentence.replace(PLACE, (place, index: string) => {
    const value = values[Number(index)];
    return typeof value === 'number' ? write(value) : (value ?? place);
  });
}

/** A whole number for people to read: 12,400. */
export function formatNumber(value: number): string {
  if (current.name === ENGLISH) return groupThousands(value);
  return new Intl.NumberFormat(current.name, { maximumFractionDigits: 0 }).format(value);
}

/** Without `Intl`, since its first use takes as long as a whole snapshot. */
function groupThousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3}){1,13}$)/g, ',');
}

/** A percentage: 42%. `percent` is 42 out of 100; decimals are rounded to `digits`. */
export function formatShare(percent: number, digits = 0): string {
  if (current.name === ENGLISH) return `${Number(percent.toFixed(digits))}%`;
  const options = { style: 'percent', maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(current.name, options).format(percent / 100);
}

/** How finely a time is written: 14:32, 14:32:07 or 14:32:07.120. */
export type Precision = 'minute' | 'second' | 'millisecond';

/** A time of day, milliseconds since 1970: 14:32. */
export function formatClock(at: number, precision: Precision = 'minute'): string {
  const name = current.name === ENGLISH ? 'en-GB' : current.name;
  return new Date(at).toLocaleTimeString(name, {
    hour: '2-digit',
    minute: '2-digit',
    ...(precision !== 'minute' && { second: '2-digit' }),
    ...(precision === 'millisecond' && { fractionalSecondDigits: 3 }),
  });
}

/** A time, milliseconds since 1970, as "14:32" today and "Nov 20, 14:32" before, in local time. */
export function formatMoment(at: number, precision: Precision = 'minute', now: Date = new Date()): string {
  const [day, clock] = [new Date(at), formatClock(at, precision)];
  if (day.toDateString() === now.toDateString()) return clock;
  return `${day.toLocaleDateString(current.name, { month: 'short', day: 'numeric' })}, ${clock}`;
}
