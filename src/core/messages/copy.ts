import type { ChatMessage } from './chat.ts';

/**
 * A deep copy of JSON-like data: what a caller later does to a message that it gave or received does not affect the
 * transcript. Any value but a list or an object is returned as it is, for the parser to judge.
 */
export function copyData<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyData) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyData(item)])) as Value;
}

/** Fields with this prefix are private to Karl and its files; they are never sent. */
const OWN = 'karl_';

/** A message without the fields that are private to Karl and its files. */
export function withoutOwn(message: ChatMessage): ChatMessage {
  for (const name in message)
    if (name.startsWith(OWN))
      return Object.fromEntries(Object.entries(message).filter(([field]) => !field.startsWith(OWN))) as ChatMessage;
  return message;
}
