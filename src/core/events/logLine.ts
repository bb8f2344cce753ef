/** The value of a logfmt field; `undefined` leaves the field out. */
export type LogValue = string | number | boolean | undefined;

/** A longer value is cut: people read the log, and the text of an error can fill a page. */
const LONGEST_VALUE = 300;

/** Quoting is needed for spaces, quotes, equals signs, backslashes, empty text, and every control or line-breaking character. */
const NEEDS_QUOTES = /[\s"=\\\p{Cc}\p{Zl}\p{Zp}]|^$/u;

/**
 * Writes fields as one logfmt line without a line end: `key=value key="quoted value"`.
 * Whatever a value contains, the line stays one line; lone surrogates become U+FFFD, so that it is valid UTF-8.
 */
export function formatFields(fields: Readonly<Record<string, LogValue>>): string {
  return Object.entries(fields)
    .filter((entry): entry is [string, Exclude<LogValue, undefined>] => entry[1] !== undefined)
    .map(([key, value]) => `${key}=${formatValue(value)}`)
    .join(' ');
}

function formatValue(value: Exclude<LogValue, undefined>): string {
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (typeof value === 'boolean') return String(value);
  const text = cut(value).toWellFormed();
  return NEEDS_QUOTES.test(text) ? `"${text.replace(/["\\\p{Cc}\p{Zl}\p{Zp}]/gu, escapeCharacter)}"` : text;
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}

function escapeCharacter(character: string): string {
  switch (character) {
    case '"':
    case '\\':
      return `\\${character}`;
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default:
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  }
}

/** Local time as ISO 8601 with its offset, e.g. `2026-03-01T23:59:59.120+01:00`. `at` is milliseconds since 1970. */
export function formatLocalTime(at: number, offsetMinutes: number = -new Date(at).getTimezoneOffset()): string {
  const local = new Date(at + offsetMinutes * 60_000).toISOString().slice(0, -1);
  const sign = offsetMinutes < 0 ? '-' : '+';
  const size = Math.abs(Math.round(offsetMinutes));
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${local}${sign}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
