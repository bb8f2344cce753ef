/** Replaces a secret. */
const MASK = '***';

/**
 * Masks what looks like a credential in text that goes to a log: bearer tokens, keys with a known prefix, `key=value`
 * pairs whose name says secret, and the user part of a URL. A second line of defence: callers never pass a key on.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/giu, `$1 ${MASK}`)
    .replace(/\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|AIza|nvapi)[-_]?[A-Za-z0-9_-]{16,}/gu, MASK)
    .replace(
      /\b((?:api[-_ ]?key|token|secret|password|authorization)["']?\s*[:=]\s*["']?)[^\s"',;}]{6,}/giu,
      `$1${MASK}`,
    )
    .replace(/\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@]{1,300}@/giu, `$1${MASK}@`);
}
