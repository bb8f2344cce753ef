import { readInput } from '../../../../core/chat/parseJson.ts';
import type { Usage } from '../../../../core/chat/wire.ts';
import type { ModelError } from '../../../../core/model/classify.ts';
import type { AnswerChunk, ModelDelta, ModelReply } from '../../../../core/model/modelClient.ts';
import { ok, type Result } from '../../../../core/result.ts';
import { type Fields, fieldsAt, isFields } from '../../../fields.ts';
import { type AnswerReading, WORDLESS } from '../../../openai/readAnswer.ts';
import { readUsage } from '../../../openai/readUsage.ts';
import type { HttpError } from '../../httpError.ts';
import { type AnswerForm, eventText, PartNumbers } from '../dialect.ts';
import { type Block, ORIGINS } from './blocks.ts';

/** The reasons why a message ends, and the finish reasons of chat completions. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** Reads the events of a streamed message. */
export class MessageReading implements AnswerReading {
  #message: Fields = {};
  readonly #blocks: (Fields | undefined)[] = [];
  /** The input of a call as it comes, by the index of its block. */
  readonly #inputs = new Map<number, string>();
  #isEnded = false;

  take(event: AnswerChunk): readonly ModelDelta[] {
    const index = Number(event.index ?? 0);
    const delta = fieldsAt(event, 'delta');
    switch (event.type) {
      case 'message_start':
        this.#message = { ...fieldsAt(event, 'message') };
        return [];
      case 'content_block_start':
        return this.#begin(index, { ...fieldsAt(event, 'content_block') });
      case 'content_block_delta':
        return this.#grow(index, delta);
      case 'message_delta':
        Object.assign(this.#message, delta, {
          usage: { ...fieldsAt(this.#message, 'usage'), ...fieldsAt(event, 'usage') },
        });
        return [];
      case 'content_block_stop':
        return WORDLESS;
      case 'message_stop':
        this.#isEnded = true;
        return [];
      default:
        return [];
    }
  }

  /** The message as a server that does not stream would give it. */
  whole(): object {
    return { ...this.#message, content: this.#content() };
  }

  get isFinished(): boolean {
    return this.#isEnded;
  }

  result(): Result<ModelReply, ModelError> | undefined {
    if (!this.#isEnded) return undefined;
    const message = ORIGINS.toReply(this.#content());
    const usage = usageOf(this.#message.usage);
    const finishReason = FINISH_REASONS[String(this.#message.stop_reason)] ?? 'stop';
    return ok({ message, finishReason, ...(usage !== undefined && { usage }) });
  }

  #begin(index: number, block: Fields): readonly ModelDelta[] {
    this.#blocks[index] = block;
    if (block.type !== 'tool_use') return [];
    return [{ type: 'tool-call', index, name: String(block.name), arguments: '' }];
  }

  #grow(index: number, delta: Fields): readonly ModelDelta[] {
    const block = this.#blocks[index];
    if (block === undefined) return [];
    const join = (field: string): string => {
      const piece = String(delta[field] ?? '');
      block[field] = `${typeof block[field] === 'string' ? block[field] : ''}${piece}`;
      return piece;
    };
    switch (delta.type) {
      case 'text_delta':
        return [{ type: 'text', text: join('text') }];
      case 'thinking_delta':
        return [{ type: 'reasoning', text: join('thinking') }];
      case 'signature_delta':
        join('signature');
        return WORDLESS;
      case 'citations_delta':
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
        return [];
      case 'input_json_delta': {
        const piece = String(delta.partial_json ?? '');
        this.#inputs.set(index, `${this.#inputs.get(index) ?? ''}${piece}`);
        return [{ type: 'tool-call', index, name: String(block.name), arguments: piece }];
      }
      default:
        return [];
    }
  }

  #content(): readonly Block[] {
    return this.#blocks.flatMap((block, index) => {
      if (block === undefined) return [];
      const input = this.#inputs.get(index);
      return [(input === undefined || input === '' ? block : { ...block, input: readInput(input) }) as Block];
    });
  }
}

/** Anthropic counts what it reads from and writes to its cache separately from the rest of the input. */
function usageOf(usage: unknown): Usage | undefined {
  if (!isFields(usage)) return undefined;
  const figures = [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
  const input = figures.reduce<number>((sum, figure) => sum + (typeof figure === 'number' ? figure : 0), 0);
  return readUsage({
    prompt_tokens: input,
    completion_tokens: usage.output_tokens,
    prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
  });
}

/**
 * Passes the events of a message on. To the client all answers of the model to one request are one message: Karl's own
 * calls are taken out, the blocks are numbered anew, and the end is held back until it is known to be the last.
 */
export class MessagesForm implements AnswerForm {
  readonly takesComments = true;
  /** What the client got, for one that does not stream. */
  readonly #shown = new MessageReading();
  readonly #numbers: PartNumbers;
  #hasBegun = false;
  /** Blocks are shown together with their first content: until then the model may be asked again. */
  #begun: AnswerChunk[] = [];
  #held: AnswerChunk[] = [];

  constructor(hidesRecall: boolean) {
    this.#numbers = new PartNumbers(hidesRecall);
  }

  take(event: AnswerChunk): string {
    switch (event.type) {
      case 'message_start': {
        this.#held = [];
        this.#begun = [];
        this.#numbers.beginAnswer();
        const isFirst = !this.#hasBegun;
        this.#hasBegun = true;
        return isFirst ? this.#write(event) : '';
      }
      case 'message_delta':
      case 'message_stop':
        this.#held.push(event);
        return '';
      case 'content_block_start':
        this.#begun.push(event);
        return '';
      default: {
        if (typeof event.index !== 'number') return this.#write(event);
        const events = [...this.#begun, event];
        this.#begun = [];
        return events.map((one) => this.#number(one)).join('');
      }
    }
  }

  keepAlive(): string {
    return eventText({ type: 'ping' }, 'ping');
  }

  end(): string {
    return this.#held.map((event) => this.#write(event)).join('');
  }

  whole(): object {
    for (const event of this.#held) this.#shown.take(event);
    return this.#shown.whole();
  }

  fail(failure: HttpError): string {
    return eventText(messagesError(failure), 'error');
  }

  #number(event: AnswerChunk): string {
    const index = this.#numbers.numberOf(Number(event.index ?? 0), event.content_block);
    return index === undefined ? '' : this.#write({ ...event, index });
  }

  #write(event: AnswerChunk): string {
    this.#shown.take(event);
    return eventText(event, String(event.type));
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An error in the form of Anthropic's API. */
export function messagesError({ status, error }: HttpError): object {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  // By these words clients recognize an overflow, which a summary of their own can cure.
  const message = error.code === 'context_length_exceeded' ? `prompt is too long: ${error.message}` : error.message;
  return { type: 'error', error: { type, message } };
}
