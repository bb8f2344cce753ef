import { readProperty } from './gather.ts';

const CANCELLED =
  /^(?:AbortError|APIUserAbortError|Cancell?edError|CancellationError|Canceled|ERR_CANCELED|ABORT_ERR|ResponseAborted)$/i;
const TIMED_OUT = new RegExp(
  '^(?:(?:API(?:Connection)?|Connect|Headers|Body|Read)?Timeout(?:Error)?|DeadlineExceeded|E(?:SOCKET)?TIMEDOUT|' +
    'TIMEOUT_ERR|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$',
  'i',
);
/** Wrappers nest a few levels deep; anything deeper is a cycle or noise. */
const CAUSE_LIMIT = 8;

/** Whether somebody gave up waiting or cancelled the request, by type, name or code, outermost first. */
export function findInterruption(error: unknown, depth = 0): readonly ['cancelled' | 'timeout', string] | undefined {
  if (depth >= CAUSE_LIMIT || typeof error !== 'object' || error === null) return undefined;
  const named = error instanceof Error ? error.constructor.name : undefined;
  const all = [named, readProperty(error, 'name'), readProperty(error, 'code')];
  const labels = all.filter((label) => typeof label === 'string');
  const cancelled = labels.find((label) => CANCELLED.test(label));
  if (cancelled !== undefined) return ['cancelled', cancelled];
  const timedOut = labels.find((label) => TIMED_OUT.test(label));
  if (timedOut !== undefined) return ['timeout', timedOut];
  // The server answered, so anything deeper is only its transport.
  if (readProperty(error, 'status') !== undefined) return undefined;
  return findInterruption(readProperty(error, 'cause'), depth + 1);
}
