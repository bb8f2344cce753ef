import type { ModelError } from '../../core/overflow/modelError.ts';

/** A shorter piece of a key at the edge of a quotation is not told from a word. */
const LEAST_PIECE = 4;

/**
 * Takes the key out of an error, whatever the server echoed: as it is, as a part of an address, in other letters, and
 * the piece of it that is left where a quotation was cut.
 */
export function withoutKey(error: ModelError, key: string | undefined): ModelError {
  if (key === undefined) return error;
  const evidence = maskKey(error.evidence, key);
  return { ...error, evidence, ...(error.words !== undefined && { words: maskKey(error.words, key) }) };
}

function maskKey(text: string, key: string): string {
  let masked = text;
  for (const form of new Set([key, encodeURIComponent(key)])) {
    masked = masked.replaceAll(new RegExp(form.replace(/[^A-Za-z0-9]/g, '\\$&'), 'gi'), '***');
    masked = withoutPieces(masked, form);
  }
  return masked;
}

function withoutPieces(evidence: string, key: string): string {
  const text = evidence.toLowerCase();
  const secret = key.toLowerCase();
  const end = text.endsWith('…') ? text.length - 1 : text.length;
  for (let length = secret.length - 1; length >= LEAST_PIECE; length -= 1) {
    if (text.slice(0, end).endsWith(secret.slice(0, length))) return `${evidence.slice(0, end - length)}***…`;
    if (text.startsWith(secret.slice(-length))) return withoutPieces(`***${evidence.slice(length)}`, key);
  }
  return evidence;
}
