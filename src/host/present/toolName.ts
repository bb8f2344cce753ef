import type { Message, MessageId } from '../../core/messages/message.ts';

/**
 * The tool whose result a message is: that of the call with its id in the nearest assistant message before it.
 * `undefined` for other messages.
 */
export function findToolName(id: MessageId, messages: readonly Message[]): string | undefined {
  const result = messages[id];
  if (result?.role !== 'tool') return undefined;
  for (let before = id - 1; before >= 0; before -= 1) {
    const message = messages[before];
    if (message?.role === 'assistant') return message.calls.find((call) => call.id === result.callId)?.name;
  }
  return undefined;
}
