import type { Steps } from '../../steps.ts';
import { LONG_TEXTS_AT_ONCE, type Passage, type Tier, type Variant } from './passage.ts';

/** Lines that tell something, and how many of them make a text of which there can be versions. */
const TELLING_LINE = 20;
const LEAST_LINES = 5;
/** A text is an earlier version when this share of its telling lines stands in newer ones. */
const SAID_AGAIN = 0.6;
const WRITTEN: ReadonlySet<Tier> = new Set(['report', 'said']);
const PRINTED: ReadonlySet<Tier> = new Set(['output', 'long output']);

/**
 * What was said again later: of what somebody wrote (reports, documents, plans, long commands) a plan and its revision; of
 * what tools printed the same check, the same file.
 */
export function* earlierVersions(passages: readonly Passage[]): Steps<ReadonlySet<Passage>> {
  const earlier = new Set<Passage>();
  const newer = new Set<string>();
  for (let index = passages.length - 1; index >= 0; index -= 1) {
    if (index % LONG_TEXTS_AT_ONCE === 0) yield;
    const passage = passages[index];
    const shortest = passage?.variants[0];
    const last = passage?.variants.at(-1);
    if (passage === undefined || shortest === undefined || last === undefined) continue;
    if (!WRITTEN.has(shortest.tier) && !PRINTED.has(last.tier)) continue;
    const longest = last.text;
    if (longest.length < TELLING_LINE * LEAST_LINES) continue;
    const lines = longest.split('\n').map((line) => line.trim());
    const telling = lines.filter((line) => line.length >= TELLING_LINE);
    const again = telling.filter((line) => newer.has(line)).length;
    if (telling.length >= LEAST_LINES && again >= telling.length * SAID_AGAIN) earlier.add(passage);
    for (const line of telling) newer.add(line);
  }
  return earlier;
}

/** What is still worth its tier of something that was said again: a little of what somebody wrote, nothing of what was printed. */
export function variantsOfEarlier({ variants }: Passage): readonly Variant[] {
  const told = variants.filter(({ tier }) => !PRINTED.has(tier));
  return told[0] !== undefined && WRITTEN.has(told[0].tier) ? told.slice(0, 1) : told;
}
