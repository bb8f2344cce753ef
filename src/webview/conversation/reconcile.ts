import type { EntryName, MessageState } from '../../protocol/viewState.ts';

/**
 * Every snapshot arrives as new objects. Where a message is as it was, the object of the last snapshot is taken
 * again, so that its element sees no change and is not drawn again.
 */
export function reuseUnchanged(
  before: readonly MessageState[],
  after: readonly MessageState[],
): readonly MessageState[] {
  const known = new Map(before.map((message) => [keyOf(message), message]));
  return after.map((message) => {
    const earlier = known.get(keyOf(message));
    return earlier && isSame(earlier, message) ? earlier : message;
  });
}

/** Names the element of a message: a note that takes a message's place is another element. */
export function keyOf({ role, id }: EntryName): string {
  return `${role}:${id}`;
}

function isSame(one: MessageState, other: MessageState): boolean {
  return (
    one.text === other.text &&
    one.state === other.state &&
    one.pinned === other.pinned &&
    one.streaming === other.streaming &&
    one.interrupted === other.interrupted &&
    one.truncated === other.truncated &&
    one.tokens === other.tokens &&
    one.reasoning === other.reasoning &&
    one.toolName === other.toolName &&
    one.transcriptLength === other.transcriptLength &&
    hasSameCalls(one.calls ?? [], other.calls ?? [])
  );
}

type Calls = NonNullable<MessageState['calls']>;

function hasSameCalls(one: Calls, other: Calls): boolean {
  return (
    one.length === other.length &&
    one.every((call, index) => call.name === other[index]?.name && call.arguments === other[index].arguments)
  );
}
