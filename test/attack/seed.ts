/**
 * The seed of the random attacks in this run: a new one for each run, shown in the names of their tests; `KARL_SEED`
 * repeats one.
 */
export const SEED = Number(process.env.KARL_SEED ?? Date.now() % 1_000_000_000);

/**
 * How many random cases a test plays: a few in each run of the suite; many, which begin with the same few, when
 * `KARL_SEED` is given, as `npm run soak` does.
 */
export const cases = (few: number, many: number): number => (process.env.KARL_SEED === undefined ? few : many);
