import { isRecord } from '../core/result.ts';

/** The fields of a JSON object. */
export type Fields = Record<string, unknown>;

/** True for a JSON object: not null, not an array. */
export const isFields = isRecord as (value: unknown) => value is Fields;

/** Follows a path through parsed JSON; `undefined` as soon as a step is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (!isFields(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** The object at a path; an empty one where there is none. */
export function fieldsAt(value: unknown, ...path: readonly string[]): Fields {
  const found = at(value, ...path);
  return isFields(found) ? found : {};
}

/** The objects of the array at a path; none where there is no array. */
export function listAt(value: unknown, ...path: readonly string[]): readonly Fields[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter(isFields) : [];
}

/** The text at a path; `undefined` where there is none or an empty one. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A number of tokens, which some servers write as text; `undefined` for anything else. */
export function readCount(value: unknown): number | undefined {
  const figure = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof figure === 'number' && Number.isSafeInteger(figure) && figure >= 0 ? figure : undefined;
}

/** The number of tokens at a path; `undefined` also for 0, by which servers mean that it is unknown. */
export function tokensAt(value: unknown, ...path: readonly string[]): number | undefined {
  return readCount(at(value, ...path)) || undefined;
}
