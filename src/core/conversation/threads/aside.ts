import type { ThreadRecord } from './threadStore.ts';

/** Who asks for no more output than this has no agent at work, tokens. */
const SMALL_OUTPUT = 1_024;

/** A conversation that says no more than this may be a question beside one, messages. */
const FEW_MESSAGES = 2;

/** What tells a request that is not the conversation, by shape alone. */
export interface RequestShape {
  readonly hasTools: boolean;
  /** The fingerprint of its system prompt. */
  readonly prompt: number;
  readonly maxTokens: number | undefined;
  readonly client: string | undefined;
  /** Roles of the messages that are new, or of all of them where the request continues nothing. */
  readonly newRoles: readonly string[];
}

/**
 * True for a title, a summary, a classifier: what a client asks beside a conversation. `thread`: what the request would
 * go on with; `others`: all threads. Judged too narrowly, a request becomes a thread that nobody continues; too widely, a
 * conversation is a thread from its second request on.
 */
export function isAside(
  shape: RequestShape,
  thread: ThreadRecord | undefined,
  others: Iterable<ThreadRecord>,
): boolean {
  if (shape.newRoles.length > FEW_MESSAGES || shape.newRoles.includes('assistant') || shape.hasTools) return false;
  const isSmall = shape.maxTokens !== undefined && shape.maxTokens <= SMALL_OUTPUT;
  if (thread !== undefined) return thread.hasTools || (isSmall && thread.prompt !== shape.prompt);
  if (isSmall) return true;
  for (const other of others) {
    if (other.client === shape.client && other.hasTools && other.prompt !== shape.prompt) return true;
  }
  return false;
}
