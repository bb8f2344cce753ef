/** Characters that are read before masking, and the longest evidence. */
const READ_CHARACTERS = 2_000;
export const EVIDENCE_CHARACTERS = 300;

const KEY = /\b(?:[spr]k|gsk|xai|hf|gh[pous]|github_pat|glpat|AIza|nvapi|csk|fw|pplx|r8|key|AKIA)[-_]?[\w*-]{6,}/g;
const NAMED = /((?:api[-_ ]?key|token|secret|authorization|password)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"',;}]{6,}/gi;

/**
 * Masks what looks like a credential in text that is shown or logged: bearer tokens, keys with a known prefix, values
 * whose name says secret, and the user part of a URL. A second line of defence: callers never pass a key on.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s{1,9}[\w.~+/=-]{6,}/gi, '$1 ***')
    .replace(KEY, maskIfKey)
    .replace(NAMED, '$1***')
    .replace(/\/\/[^/\s@]{1,300}@/g, '//***@');
}

/** Text that may be shown and logged: secrets and long words with digits masked, white space joined, at most 300 characters. */
export function toEvidence(text: string): string {
  const masked = maskSecrets(text.slice(0, READ_CHARACTERS))
    .replace(/[A-Za-z0-9_+/=-]{32,}/g, maskIfKey)
    .replace(/\s+/g, ' ')
    .trim();
  return masked.length <= EVIDENCE_CHARACTERS ? masked : `${masked.slice(0, EVIDENCE_CHARACTERS - 1)}…`;
}

/** A long word with digits may be a key; without digits it is an ordinary name (`prompt_tokens_details_and_more`). */
function maskIfKey(word: string): string {
  return /\d/.test(word) || word.includes('*') ? '***' : word;
}
