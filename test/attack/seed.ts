/**
 * The seed of the random attacks in this run: a new one for each run, shown in the names of their tests; `KARL_SEED`
 * repeats one.
 */
export const SEED = Number(process.env.KARL_SEED ?? Date.now() % 1_000_000_000);

/**
 * How many random or hostile cases a test plays: `full` of them when `KARL_SEED` is given, as `npm run soak` does, and
 * in each run of the suite the first quarter, or another `share`.
 */
export const cases = (full: number, share = 4): number =>
  process.env.KARL_SEED === undefined ? Math.ceil(full / share) : full;
