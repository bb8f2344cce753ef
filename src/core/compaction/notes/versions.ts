import type { Steps } from '../../steps.ts';
import { LONG_TEXTS_AT_ONCE, type Passage, type Tier } from './passage.ts';

/** A text can have versions when it has at least LEAST_LINES significant lines, of at least this many characters. */
const TELLING_LINE = 20;
const LEAST_LINES = 5;
/** A text is an earlier version when this share of its significant lines occurs in newer ones. */
const SAID_AGAIN = 0.6;
const VERSIONED: ReadonlySet<Tier> = new Set(['report', 'said']);

/** The passages (reports, documents, plans, long commands) that a newer one repeats: a plan and its revision. */
export function* earlierVersions(passages: readonly Passage[]): Steps<ReadonlySet<Passage>> {
  const earlier = new Set<Passage>();
  const newer = new Set<string>();
  for (let index = passages.length - 1; index >= 0; index -= 1) {
    if (index % LONG_TEXTS_AT_ONCE === 0) yield;
    const passage = passages[index];
    const [shortest] = passage?.variants ?? [];
    if (passage === undefined || shortest === undefined || !VERSIONED.has(shortest.tier)) continue;
    const longest = passage.variants.at(-1)?.text ?? '';
    if (longest.length < TELLING_LINE * LEAST_LINES) continue;
    const lines = longest.split('\n').map((line) => line.trim());
    const telling = lines.filter((line) => line.length >= TELLING_LINE);
    const again = telling.filter((line) => newer.has(line)).length;
    if (telling.length >= LEAST_LINES && again >= telling.length * SAID_AGAIN) earlier.add(passage);
    for (const line of telling) newer.add(line);
  }
  return earlier;
}
