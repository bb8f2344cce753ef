import { readableCall } from '../../core/compaction/recall/readable.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Steps } from '../../core/steps.ts';
import type { FoundRow } from '../../protocol/viewState.ts';
import { readReasoning } from './rows.ts';

/** The most rows that are found: nobody steps through more. */
const MOST_ROWS = 5000;

/**
 * The rows of the full history that contain a text in anything that they show, folded or not, in capitals or not.
 * Yields after each message.
 */
export function* findRows(messages: readonly Message[], text: string): Steps<readonly FoundRow[]> {
  const words = text.toLowerCase();
  const has = (shown: string | undefined): boolean => shown?.toLowerCase().includes(words) === true;
  const found = new Map<string, FoundRow>();
  const note = (key: string, id: number): void => {
    if (!found.has(key)) found.set(key, { key, id });
  };
  /** The calls whose results have not come yet, each with its row. */
  let calls: { readonly id: string; readonly key: string; readonly of: number }[] = [];
  for (const message of messages) {
    if (found.size >= MOST_ROWS) break;
    const { id } = message;
    if (message.role === 'tool') {
      const at = calls.findIndex((call) => call.id === message.callId);
      const [call] = at < 0 ? [] : calls.splice(at, 1);
      if (has(message.text)) note(call?.key ?? `m${id}`, call?.of ?? id);
    } else if (has(message.text) || has(readReasoning(message.wire))) {
      note(`m${id}`, id);
    }
    if (message.role === 'assistant') {
      calls = message.calls.map((call, index) => ({ id: call.id, key: `c${id}.${index}`, of: id }));
      message.calls.forEach((call, index) => {
        if (has(call.name) || has(readableCall(call))) note(`c${id}.${index}`, id);
      });
    }
    yield;
  }
  return [...found.values()];
}
