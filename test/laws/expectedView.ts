import type { ChatMessage, CompactionInfo } from '../../src/engine.ts';

/** A run of raw messages that stands or falls together: a call with what directly follows it, or a single message. */
export interface RawGroup {
  readonly from: number;
  readonly to: number;
  /** Its messages when it is sent whole; a string stands for a fenced message that names this handle. */
  readonly whole: readonly (ChatMessage | string)[];
  readonly open: boolean;
}

/** What the view must show at one place, in the order of the raw messages. */
export type Expected =
  | { readonly kind: 'whole'; readonly group: RawGroup }
  | { readonly kind: string; readonly from: number; readonly to: number; readonly groups: readonly RawGroup[] };

/** Groups raw messages as chat-completions servers demand: a call and its results cannot be separated. */
export function groupRaw(messages: readonly ChatMessage[]): RawGroup[] {
  const groups: RawGroup[] = [];
  for (let index = 0; index < messages.length; ) {
    const group = groupAt(messages, index);
    groups.push(group);
    index = group.to + 1;
  }
  return groups;
}

function groupAt(messages: readonly ChatMessage[], from: number): RawGroup {
  const first = messages[from] as ChatMessage;
  if (first.role === 'tool') return { from, to: from, whole: [`t${from}`], open: false };
  const waiting = first.role === 'assistant' ? [...(first.tool_calls ?? [])].map((call) => call.id) : [];
  if (waiting.length === 0) {
    const empty = first.role === 'assistant' && isNothing(first);
    return { from, to: from, whole: [empty ? `t${from}` : first], open: false };
  }
  const results: ChatMessage[] = [];
  const strays: string[] = [];
  let next = from + 1;
  // A result that comes when every call has been answered belongs to no call: it is a group of its own.
  for (; messages[next]?.role === 'tool' && waiting.length > 0; next += 1) {
    const result = messages[next] as ChatMessage;
    const place = waiting.indexOf(String(result.tool_call_id));
    if (place < 0) strays.push(`t${next}`);
    else {
      waiting.splice(place, 1);
      results.push(result);
    }
  }
  const open = waiting.length > 0 && next === messages.length;
  const made = open ? [] : waiting.map((id): ChatMessage => ({ role: 'tool', tool_call_id: id, content: NO_RESULT }));
  return { from, to: next - 1, whole: [first, ...results, ...made, ...strays], open };
}

/** Stands for whatever words the engine puts into the result of a call that never got one. */
export const NO_RESULT = '(no result)';

function isNothing(message: ChatMessage): boolean {
  const { content } = message;
  if (typeof content === 'string') return content.trim() === '';
  return content === null || content === undefined || content.length === 0;
}

/** Lays the records over the raw messages: of the ranges that cover a message the newest one counts. */
export function expectView(messages: readonly ChatMessage[], records: readonly CompactionInfo[]): Expected[] {
  const ranges = records.flatMap((record) => record.ranges);
  const expected: Expected[] = [];
  let last: (typeof ranges)[number] | undefined;
  for (const group of groupRaw(messages)) {
    const range = ranges.findLast((candidate) => candidate.from <= group.from && group.to <= candidate.to);
    const previous = expected.at(-1);
    if (range === undefined) expected.push({ kind: 'whole', group });
    else if (range === last && previous !== undefined && 'groups' in previous)
      expected[expected.length - 1] = { ...previous, groups: [...previous.groups, group] };
    else expected.push({ kind: range.kind, from: range.from, to: range.to, groups: [group] });
    last = range;
  }
  return expected;
}
