import { RECALL_TOOL } from '../../../../core/conversation/threads/own.ts';
import type { AnswerChunk } from '../../../../core/session/modelClient.ts';
import { type Fields, isFields } from '../../../openai/mergeFields.ts';
import type { HttpError } from '../../httpError.ts';
import { type AnswerForm, eventText } from '../dialect.ts';
import { messagesError } from './error.ts';
import { MessageReading } from './reading.ts';

/**
 * Passes the events of a message on. To the client all answers of the model to one request are one message: Karl's own
 * calls are taken out, the blocks are numbered anew, and the end is held back until it is known to be the last.
 */
export class MessagesForm implements AnswerForm {
  readonly keepAlive = eventText({ type: 'ping' }, 'ping');
  /** What the client got, for one that does not stream. */
  readonly #shown = new MessageReading();
  readonly #hidesRecall: boolean;
  #hasBegun = false;
  #held: AnswerChunk[] = [];
  /** The indexes of blocks in the current answer, and in the client's message. */
  #indexes = new Map<number, number>();
  #hidden = new Set<number>();
  #next = 0;
  #outputTokens = 0;

  constructor(hidesRecall: boolean) {
    this.#hidesRecall = hidesRecall;
  }

  take(chunk: AnswerChunk): string {
    return this.#select(chunk)
      .map((event) => this.#write(event))
      .join('');
  }

  end(): string {
    const held = this.#held;
    this.#held = [];
    return held.map((event) => this.#write(event)).join('');
  }

  whole(): object {
    for (const event of this.#held) this.#shown.take(event);
    return this.#shown.whole();
  }

  fail(failure: HttpError): string {
    return eventText(messagesError(failure), 'error');
  }

  #write(event: AnswerChunk): string {
    this.#shown.take(event);
    return eventText(event, String(event.type));
  }

  #select(event: AnswerChunk): readonly AnswerChunk[] {
    switch (event.type) {
      case 'message_start': {
        for (const { usage } of this.#held) if (isFields(usage)) this.#outputTokens += Number(usage.output_tokens ?? 0);
        this.#held = [];
        this.#indexes.clear();
        this.#hidden.clear();
        const isFirst = !this.#hasBegun;
        this.#hasBegun = true;
        return isFirst ? [event] : [];
      }
      case 'message_delta':
        this.#held.push(this.#outputTokens === 0 ? event : withOutput(event, this.#outputTokens));
        return [];
      case 'message_stop':
        this.#held.push(event);
        return [];
      case 'error':
        return [];
      default:
        return typeof event.index === 'number' ? this.#renumber(event, event.index) : [event];
    }
  }

  #renumber(event: AnswerChunk, index: number): readonly AnswerChunk[] {
    if (event.type === 'content_block_start') {
      if (this.#hidesRecall && isRecall(event.content_block)) this.#hidden.add(index);
      else {
        this.#indexes.set(index, this.#next);
        this.#next += 1;
      }
    }
    if (this.#hidden.has(index)) return [];
    const shown = this.#indexes.get(index) ?? index;
    return [shown === index ? event : { ...event, index: shown }];
  }
}

function isRecall(block: unknown): boolean {
  return isFields(block) && block.type === 'tool_use' && block.name === RECALL_TOOL;
}

function withOutput(event: AnswerChunk, before: number): AnswerChunk {
  const usage = (event.usage ?? {}) as Fields;
  return { ...event, usage: { ...usage, output_tokens: before + Number(usage.output_tokens ?? 0) } };
}
