import { type Block, blockMessages } from '../../messages/blocks.ts';
import type { Message, MessageId } from '../../messages/message.ts';
import { readableCall, readableText } from './readableCall.ts';
import { describeMessage } from './recalled.ts';

/** One step of a block: what somebody said, a call, or a result. */
export interface BlockStep {
  readonly id: MessageId;
  /** `[t41 npm test · exit 1 · 212 lines]` */
  readonly label: string;
  readonly text: string;
  /**
   * `said` by human or agent; a `call`; its `result`; `output` that belongs to no call, such as what a client wrote.
   */
  readonly kind: 'said' | 'call' | 'result' | 'output';
}

/**
 * The steps of a block, in order. A call's label says how it went; its result's label says only that it is a result.
 */
export function stepsOf(block: Block): readonly BlockStep[] {
  return blockMessages(block).flatMap((message) => stepsOfMessage(block, message));
}

function stepsOfMessage(block: Block, message: Message): BlockStep[] {
  const { id, text } = message;
  if (message.role === 'assistant') {
    const said = text.trim() === '' ? [] : [{ id, label: `[t${id} agent]`, text, kind: 'said' as const }];
    const calls = message.calls.map((call, index) => ({
      id,
      label: `[t${id} ${call.name}: ${describeMessage(block, id, index)}]`,
      text: readableCall(call),
      kind: 'call' as const,
    }));
    return [...said, ...calls];
  }
  if (message.role === 'tool' && block.kind === 'tools')
    return [{ id, label: `[t${id} result]`, text: readableText(message), kind: 'result' }];
  const kind = message.role === 'user' && message.by === 'human' ? 'said' : 'output';
  return [{ id, label: `[t${id} ${describeMessage(block, id)}]`, text: readableText(message), kind }];
}

/** The label and text of a step. */
export function writeStep({ label, text }: BlockStep): string {
  return text === '' ? label : `${label}\n${text}`;
}
