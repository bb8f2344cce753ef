/**
 * The seed of the random attacks in this run: a new one for each run, shown in the names of their tests; `KARL_SEED`
 * repeats one.
 */
export const SEED = Number(process.env.KARL_SEED ?? Date.now() % 1_000_000_000);
