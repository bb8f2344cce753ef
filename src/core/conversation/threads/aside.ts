import type { ThreadRecord } from './threadStore.ts';

/** A request for at most this much output is hardly an agent at work. Tokens. */
const SMALL_OUTPUT = 1_024;

/** A request with at most this many new messages may be a question beside the conversation. */
const FEW_MESSAGES = 2;

/** What distinguishes a request beside a conversation, by its shape alone. */
export interface RequestShape {
  readonly hasTools: boolean;
  /** The fingerprint of its system prompt. */
  readonly prompt: number;
  readonly maxTokens: number | undefined;
  readonly client: string | undefined;
  /** Roles of the new messages; of all messages when the request continues nothing. */
  readonly newRoles: readonly string[];
}

/**
 * True for a title, a summary, a classification: what a client asks beside a conversation. `thread`: what the request
 * would continue; `others`: all threads. When this is too narrow, such a request becomes a thread that nobody
 * continues; when too wide, a conversation becomes a thread only with its second request.
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
