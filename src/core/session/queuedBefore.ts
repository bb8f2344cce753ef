import { findFault } from '../messages/parse.ts';
import type { UserContent } from './session.ts';

/** Reads the queue that an earlier session left, as it was stored; what is no message of a user is left out. */
export function readQueued(stored: unknown): readonly UserContent[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(
    (content: unknown): content is UserContent => findFault({ role: 'user', content }) === undefined,
  );
}
