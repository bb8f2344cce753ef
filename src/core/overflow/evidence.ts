/** How many characters are read (masking may shorten them), and how long the evidence may be. */
const READ_CHARACTERS = 2_000;
const EVIDENCE_CHARACTERS = 300;

const KEY = /\b(?:[spr]k|gsk|xai|hf|gh[pous]|github_pat|glpat|AIza|nvapi|csk|fw|pplx|r8|key|AKIA)[-_]?[\w*-]{6,}/g;
const NAMED = /((?:api[-_ ]?key|token|secret|authorization|password)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"',}]{8,}/gi;

/** Text that may be shown and logged: keys masked, white space joined, at most 300 characters. */
export function toEvidence(text: string): string {
  const masked = text
    .slice(0, READ_CHARACTERS)
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 ***')
    .replace(KEY, maskIfKey)
    .replace(NAMED, '$1***')
    .replace(/\/\/[^/\s@]{1,200}@/g, '//***@')
    .replace(/[A-Za-z0-9_+/=-]{32,}/g, maskIfKey)
    .replace(/\s+/g, ' ')
    .trim();
  return masked.length <= EVIDENCE_CHARACTERS ? masked : `${masked.slice(0, EVIDENCE_CHARACTERS - 1)}…`;
}

/** A long word without a digit is an ordinary word (`prompt_tokens_details_and_more`); one with digits may be a key. */
function maskIfKey(word: string): string {
  return /\d/.test(word) || word.includes('*') ? '***' : word;
}
