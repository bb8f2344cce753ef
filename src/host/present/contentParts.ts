import type { Message, ToolCall } from '../../core/messages/message.ts';
import type { ContentGroup } from '../../protocol/contents.ts';
import { outcomeOf, subjectOf } from './callRow.ts';
import type { ContentsInput } from './contents.ts';
import type { SentBlock, SentMessage } from './sent.ts';

/** One thing in the window: a message, or a result of a tool. */
export interface Part {
  readonly kind: ContentGroup['kind'];
  readonly label: string;
  readonly note: string;
  readonly tokens: number;
  readonly from: number;
  readonly to: number;
  readonly pinned: boolean;
  /** The file that it is a reading of. */
  readonly file?: string;
  /** The file that its call changed. */
  readonly changes?: string;
  /** The tool whose result it is. */
  readonly tool?: string;
}

/** The longest label, characters. */
const LONGEST_LABEL = 120;

/** The parts of a block that is sent, whole or shortened. */
export function readBlockParts({ messages }: SentBlock, input: Pick<ContentsInput, 'pins' | 'count'>): Part[] {
  const calls = messages.flatMap(({ message }) => (message.role === 'assistant' ? [...message.calls] : []));
  return messages.flatMap((one): Part[] => {
    const { message, sent, wire } = one;
    if (sent === 'dropped') return [];
    const base = {
      note: sent === 'shortened' ? 'shortened' : '',
      tokens: input.count(wire ?? message.wire),
      from: message.id,
      to: message.id,
      pinned: input.pins.has(message.id),
    };
    if (message.role === 'tool') {
      const index = calls.findIndex((call) => call.id === message.callId);
      const [call] = index < 0 ? [] : calls.splice(index, 1);
      return [{ ...base, ...describeResult(one, call) }];
    }
    return [{ ...base, ...describeMessage(message) }];
  });
}

function describeMessage(message: Exclude<Message, { role: 'tool' }>): Pick<Part, 'kind' | 'label'> {
  const text = firstLine(message.text);
  switch (message.role) {
    case 'system':
      return { kind: 'instructions', label: text };
    case 'user':
      return { kind: 'user', label: text };
    case 'assistant':
      return { kind: 'replies', label: text === '' ? message.calls.map(({ name }) => name).join(', ') : text };
  }
}

function describeResult(
  { message }: SentMessage,
  call: ToolCall | undefined,
): Pick<Part, 'kind' | 'label' | 'tool' | 'file' | 'changes'> {
  if (call === undefined) return { kind: 'results', label: 'Result without a call', tool: 'Result without a call' };
  const { action, file, target } = subjectOf(call);
  if (action === 'read' && file !== undefined) return { kind: 'files', label: target, file: file.path };
  const isDone = message.role === 'tool' && outcomeOf(message).outcome === 'done';
  return {
    kind: 'results',
    label: target,
    tool: call.name,
    ...(action === 'change' && file !== undefined && isDone && { changes: file.path }),
  };
}

function firstLine(text: string): string {
  return text.slice(0, LONGEST_LABEL).replace(/\s+/g, ' ').trim().toWellFormed();
}
