/** Token figures that a text states. Nothing is guessed: unclear figures are left out. */
export interface StatedTokens {
  readonly actual?: number; // the total that is compared with the limit
  readonly limit?: number;
  readonly input?: number;
  readonly output?: number;
  readonly tools?: number; // of tool definitions alone
  readonly lowerBound?: true; // `actual` is the least it can be
}

/** Figures without those that are missing or not numbers. */
export function toTokens<Names extends string>(
  figures: Readonly<Record<Names, number | undefined>>,
): { readonly [Name in Names]?: number } {
  const stated = Object.entries(figures).filter(([, value]) => !Number.isNaN(value ?? Number.NaN));
  return Object.fromEntries(stated) as { readonly [Name in Names]?: number };
}

/** The figures of several texts about one failure: the first that states both, completed by the others. */
export function joinTokens(readings: readonly StatedTokens[]): StatedTokens {
  const best = readings.find((one) => one.actual !== undefined && one.limit !== undefined);
  const merged: StatedTokens = best ?? Object.assign({}, ...[...readings].reverse());
  const { actual = 0, limit = 0, ...parts } = merged;
  return best !== undefined || limit === 0 || actual >= limit ? merged : { ...parts, limit };
}
