import type { Phrase, Phrases, Value, Words } from '../core/phrase.ts';
import { TEXTS } from './english.ts';

/** Translations by English sentence, with the same `{0}`: the content of `l10n/bundle.l10n.*.json`. */
export type Sentences = Readonly<Record<string, string>>;

const ENGLISH = 'en';

/** What a page needs in order to speak the user's language: a BCP 47 tag and the translations. */
export interface Spoken {
  readonly language: string;
  readonly sentences: Sentences;
}

let current: Spoken = { language: ENGLISH, sentences: {} };

/** The language that the user reads, as in the `lang` attribute of a page; English until `speak` names another. */
export function language(): string {
  return current.language;
}

/** The user's language with its translations. */
export function spoken(): Spoken {
  return current;
}

/** Sets the user's language. What the translations lack stays English. */
export function speak(name: string, sentences: Sentences): void {
  current = { language: name, sentences };
}

/** Makes a phrase of rooms outside core, whose code is its English text: a literal, so that a test can find it. */
export function sentence(text: string, ...values: readonly Value[]): Phrase {
  return { code: text, values };
}

/** In the user's language. */
export function translate(words: Words): string {
  return typeof words === 'string' ? words : t(textOf(words), ...words.values);
}

/** In English, whatever the user's language. */
export function inEnglish(words: Words): string {
  if (typeof words === 'string') return words;
  return fill(textOf(words), words.values, (value) =>
    typeof value === 'number' ? groupThousands(value) : inEnglish(value),
  );
}

/** A sentence in the user's language, not for models, logs or files. Its text is a literal, so that a test finds it. */
export function t(text: string, ...values: readonly Value[]): string {
  const translated = Object.hasOwn(current.sentences, text) ? (current.sentences[text] ?? text) : text;
  return fill(translated, values, (value) => (typeof value === 'number' ? formatNumber(value) : translate(value)));
}

/** The English text of a phrase. A stored one may have any code, also the name of what every object has. */
function textOf({ code }: Phrase): string {
  return Object.hasOwn(TEXTS, code) ? TEXTS[code as keyof Phrases] : code;
}

const PLACE = /\{(\d+)\}/g;

function fill(text: string, values: readonly Value[], write: (value: Value) => string): string {
  return text.replace(PLACE, (place, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? place : write(value);
  });
}

/** A whole number for people to read: 12,400. */
export function formatNumber(value: number): string {
  if (current.language === ENGLISH) return groupThousands(value);
  return new Intl.NumberFormat(current.language, { maximumFractionDigits: 0 }).format(value);
}

/** Without `Intl`, since its first use takes as long as a whole snapshot. */
function groupThousands(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3}){1,13}$)/g, ',');
}

/** A percentage: 42%. `percent` is 42 out of 100; decimals are rounded to `digits`. */
export function formatShare(percent: number, digits = 0): string {
  if (current.language === ENGLISH) return `${Number(percent.toFixed(digits))}%`;
  const options = { style: 'percent', maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(current.language, options).format(percent / 100);
}

/** A time, milliseconds since 1970, as "14:32" today and "Nov 20, 14:32" before, in local time; with seconds if asked. */
export function formatMoment(at: number, hasSeconds = false, now: Date = new Date()): string {
  const day = new Date(at);
  // A stored time may be anything, and a formatter throws.
  if (Number.isNaN(day.getTime())) return String(day);
  const seconds = hasSeconds ? ({ second: '2-digit' } as const) : {};
  const locale = current.language === ENGLISH ? 'en-GB' : current.language;
  const clock = formatterOf(locale, { hour: '2-digit', minute: '2-digit', ...seconds }).format(day);
  if (day.toDateString() === now.toDateString()) return clock;
  return `${formatterOf(current.language, { month: 'short', day: 'numeric' }).format(day)}, ${clock}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are kept: making one takes a tenth of a millisecond, and the history of tokens has hundreds of times. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter;
}
