/** Follows a path through parsed JSON; `undefined` as soon as a step is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** An array at a path, empty when there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A text at a path. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** A number of tokens at a path: an integer greater than 0. Some servers write it as text, and 0 when it is unknown. */
export function tokensAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  const number = typeof found === 'string' && /^\d{1,12}$/u.test(found) ? Number(found) : found;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
