import type { ChatMessage } from '../../core/messages/chat.ts';
import { INVISIBLE } from '../../core/messages/fence.ts';
import type { ModelError } from '../../core/model/classify.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { ModelFailure, ModelReply } from '../../core/session/modelClient.ts';

/** A shorter piece of a key at the edge of a quotation cannot be told from a word. */
const LEAST_PIECE = 4;

/** The words that servers without keys are given instead ("ollama", "not-needed") are shorter: they stay in replies. */
const LEAST_SECRET = 16;

/** How JSON writes a character: also a text within a text, such as a call's arguments. */
const ESCAPE = String.raw`\\(?:[nrtbf]|u[0-9a-f]{4})?`;

/** May occur between the characters of a key: line ends, white space, and invisible characters, also escaped. */
const GAP = `(?:[\\s${INVISIBLE}]|${ESCAPE})*`;

/** A visible character: not part of a gap. */
const SEEN = new RegExp(`[^\\s${INVISIBLE}]`, 'gu');

/**
 * Takes the key out of an error, however the server echoed it: verbatim, as part of an address, in another case, with
 * gaps between its characters, and as the piece that is left where a quotation was cut.
 */
export function withoutKey(error: ModelError, key: string | undefined): ModelError {
  if (key === undefined) return error;
  const hide = (text: string): string =>
    formsOf(key).reduce((hidden, form) => withoutPieces(hidden.replaceAll(drawnApart(form), '***'), form), text);
  const { evidence, words } = error;
  return { ...error, evidence: hide(evidence), ...(words !== undefined && { words: hide(words) }) };
}

/** The same for a whole answer of the model: what is kept of a reply must not contain the key either. */
export function resultWithoutKey(
  result: Result<ModelReply, ModelFailure>,
  key: string | undefined,
): Result<ModelReply, ModelFailure> {
  if (result.ok) return ok({ ...result.value, message: messageWithoutKey(result.value.message, key) });
  const { error, partial } = result.error;
  const kept = partial === undefined ? {} : { partial: messageWithoutKey(partial, key) };
  return err({ error: withoutKey(error, key), ...kept });
}

function messageWithoutKey(message: ChatMessage, key: string | undefined): ChatMessage {
  if (key === undefined || key.length < LEAST_SECRET) return message;
  const patterns = formsOf(key).map(drawnApart);
  const masked = (text: string): string => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, '***'), text);
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return masked(value);
    if (Array.isArray(value)) return value.map(hide);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [masked(name), hide(item)]));
  };
  return hide(message) as ChatMessage;
}

function formsOf(key: string): readonly string[] {
  return [...new Set([key, encodeURIComponent(key)])];
}

/** Finds a text in any case, also with gaps between its characters. */
function drawnApart(text: string): RegExp {
  const characters = Array.from(text, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return new RegExp(characters.join(GAP), 'giu');
}

function withoutPieces(evidence: string, key: string): string {
  const seen = [...evidence.matchAll(SEEN)].map(({ index }) => index);
  const text = seen
    .map((at) => evidence.charAt(at))
    .join('')
    .toLowerCase();
  const secret = key.toLowerCase();
  const end = text.endsWith('…') ? text.length - 1 : text.length;
  for (let length = secret.length - 1; length >= LEAST_PIECE; length -= 1) {
    if (text.slice(0, end).endsWith(secret.slice(0, length))) return `${evidence.slice(0, seen[end - length])}***…`;
    if (text.startsWith(secret.slice(-length)))
      return withoutPieces(`***${evidence.slice((seen[length - 1] ?? 0) + 1)}`, key);
  }
  return evidence;
}
