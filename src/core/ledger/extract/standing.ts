import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { looksLikeCode, normalizeWords, sentences } from '../read/sentences.ts';
import { tellsHowThingsStand } from '../words/standingCues.ts';

/** At most this many are taken from one message. */
const MOST_PER_MESSAGE = 4;

/**
 * What the model found out about the world outside of the code ("the nightly job starts at 19:10"): it stands in no file
 * that would be read again. Quoted as a soft constraint.
 */
export function findStanding(reading: Reading): Found[] {
  if (reading.model === undefined) return [];
  const found: Found[] = [];
  for (const sentence of sentences(reading.model)) {
    if (found.length >= MOST_PER_MESSAGE) break;
    if (!tellsHowThingsStand(sentence) || looksLikeCode(sentence)) continue;
    const key = normalizeWords(sentence);
    found.push({ class: 'constraint', value: sentence, key, at: reading.at, strength: 'soft', by: 'model' });
  }
  return found;
}
