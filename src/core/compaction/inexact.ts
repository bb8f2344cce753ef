/** Values nested deeper are not looked at: endless nesting must not exhaust the stack. */
export const MOST_DEPTH = 12;

/** True when a number is too long to be read exactly: written again it would be a different one. */
export function holdsInexactNumber(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (depth >= MOST_DEPTH || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsInexactNumber(item, depth + 1));
}
