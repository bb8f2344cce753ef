import type { ChatMessage } from '../../../src/engine.ts';

/** How a client writes the history of one session into its requests. */
export interface Style {
  readonly name: string;
  /** The request before the reply at `index` of `messages`. */
  write(messages: readonly ChatMessage[], index: number): readonly ChatMessage[];
}

/** Newer results that a client leaves as they are. */
const KEPT_RESULTS = 8;

const PROMPT = 'You are a coding agent. You work until the task is done.';

function plain(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  return [{ role: 'system', content: PROMPT }, ...messages.slice(0, index)];
}

function withDate(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  const time = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
  return [{ role: 'system', content: `${PROMPT}\nThe time is ${time}.` }, ...messages.slice(0, index)];
}

function cleared(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  // What the model has not seen yet is never cleared.
  const seen = messages.slice(0, index).findLastIndex(({ role }) => role === 'assistant');
  const results = messages.slice(0, index).flatMap(({ role }, at) => (role === 'tool' ? [at] : []));
  const kept = new Set(results.filter((at, place) => at > seen || place >= results.length - KEPT_RESULTS));
  return plain(messages, index).map((message, at) =>
    message.role === 'tool' && !kept.has(at - 1)
      ? { ...message, content: '[Old tool result content cleared]' }
      : message,
  );
}

/** From the middle on, the first half of what came before the middle is the client's own summary. */
function summarized(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  const middle = Math.floor(messages.length / 2);
  if (index < middle) return plain(messages, index);
  let start = Math.max(3, Math.floor(middle / 2));
  while (start < middle && messages[start]?.role === 'tool') start += 1;
  const summary: ChatMessage = {
    role: 'user',
    content: `Summary of the conversation so far: ${start} messages about the task; the work goes on below.`,
  };
  return [{ role: 'system', content: PROMPT }, summary, ...messages.slice(start, index)];
}

/** The styles of four clients. */
export const STYLES: readonly Style[] = [
  { name: 'as they come', write: plain },
  { name: 'moving date', write: withDate },
  { name: 'cleared results', write: cleared },
  { name: 'own summary', write: summarized },
];
