/**
 * What core has to tell people: codes, each with the values that its words have places for. `src/language/english.ts` has the
 * words. Counts are numbers, which are formatted for the reader's language; figures that are names (ids, limits) are strings.
 */
export interface Phrases {
  'window.shortage': [fixed: number, unread: number, limit: number];
  'window.typed': [least: number, most: number];
  'window.silent-cut': [window: number, counted: number];
  'usage.too-small': [reported: number, counted: number];

  'error.status': [status: string];

  'profile.not-json': [reason: string];
  'profile.no-form': [];
  'profile.missing': [];
  'profile.unknown-field': [fields: string];
  'profile.one-of': [values: string];
  'profile.id': [];
  'profile.base-url': [];
  'profile.tokens': [];
  'profile.milliseconds': [];
  'profile.extra': [levels: number];
  'profile.at-least': [limit: string];
  'profile.more-than': [limit: string];
  'profile.type': [type: string];
  'profile.other': [];
  'profile.not-by-folder': [];
  'profile.more': [named: Phrase, more: number];

  'skipped.empty': [];
  'skipped.nothing-to-compact': [];
  'skipped.already-under-target': [];
  'skipped.too-few-messages': [];
  'skipped.cuts-meet': [];
  'skipped.single-turn': [];
  'skipped.trace-too-small': [];
  'skipped.vetoed': [];
  'skipped.gain-too-small': [];

  'summary.no-model': [strategy: string];
  'summary.empty': [];
  'summary.too-long': [tokens: string, limit: string];
  'summary.no-statements': [];
  'summary.unsupported': [kept: number, statements: number];
  'summary.cut-off': [limit: string];
  'check.no-numbers': [];
  'check.too-many-doubts': [doubts: number, statements: number];

  'law.gap': [range: string, before: string];
  'law.unnamed': [message: string];
  'law.end': [ofView: string, ofTranscript: string];
  'law.frozen': [range: string, role: string];
  'law.no-call': [range: string];
  'law.no-result': [range: string];
  'law.no-content': [range: string];
  'law.last-call': [];
  'law.unfenced': [range: string];
  'law.fence-inside': [range: string];
  'law.human-fenced': [range: string];
  'law.fact-missing': [of: string, value: string, at: string];

  'by-hand.nothing': [];
  'by-hand.no-message': [id: string];
  'by-hand.gone': [id: string];
  'by-hand.already-dropped': [id: string];
  'by-hand.already-short': [id: string];
  'by-hand.already-whole': [id: string];
  'by-hand.breaks-law': [law: Phrase];
  'frozen.instructions': [];
  'frozen.request': [];
  'frozen.running': [];
  'frozen.stray': [id: string];
  'frozen.pinned': [id: string];

  'listener.failed': [reason: string];
  'run.busy': [];
  'run.overtaken': [];
  'preview.stale': [];
  'preview.broken': [problem: Words];

  'hook.timed-out': [setting: string, seconds: string, limit: string];
  'hook.not-run': [setting: string, reason: string];
  'hook.exit-code': [setting: string, code: string];
  'hook.no-reason': [];

  'reply.output-limit': [];
  'reply.filtered': [];
  'request.foreign': [];

  'stored.compaction': [place: string, field: string];
  'stored.undone': [];
  'stored.profiles': [];
  'stored.pins': [];
  'stored.profile-name': [];
  'stored.profile-values': [fields: string];
}

/**
 * A report of something that happened. Each reader gets it in a language of its own: the user in the display language; a log, a file
 * or another program in English. `code`: one of `Phrases`; outside core also the English text itself (`sentence` of `src/language`).
 */
export interface Phrase {
  readonly code: string;
  readonly values: readonly Value[];
}

/** What stands in a place of a phrase. Numbers are formatted for the language, phrases are told in it. */
export type Value = Words | number;

/** A phrase of Karl, or the words of somebody else (a server, the system), which nobody translates. */
export type Words = Phrase | string;

/** Makes a phrase for whoever will read it. */
export function phrase<Code extends keyof Phrases>(code: Code, ...values: Phrases[Code]): Phrase {
  return { code, values };
}

/** Puts words in a row; each is told in the reader's language. */
export function join(words: readonly Words[], separator: string): Phrase {
  return { code: words.map((_, index) => `{${index}}`).join(separator), values: words };
}

/** Whether words are the phrase with this code. */
export function hasCode(words: Words, code: string): boolean {
  return typeof words !== 'string' && words.code === code;
}

/** Whatever somebody else said in these words; nothing of Karl's own. */
export function foreignWords(words: Words): string {
  if (typeof words === 'string') return words;
  return words.values.map((value) => (typeof value === 'number' ? '' : foreignWords(value))).join(' ');
}
