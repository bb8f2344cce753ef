import { classifyModelError, type ModelError } from '../../../../core/model/classify.ts';
import type { AnswerChunk, ModelDelta, ModelReply } from '../../../../core/model/modelClient.ts';
import { ok, type Result } from '../../../../core/result.ts';
import { at, type Fields, fieldsAt, isFields, listAt } from '../../../fields.ts';
import { type AnswerReading, WORDLESS } from '../../../openai/readAnswer.ts';
import { readUsage } from '../../../openai/readUsage.ts';
import type { HttpError } from '../../httpError.ts';
import { type AnswerForm, eventText, PartNumbers } from '../dialect.ts';
import { type Item, isCall, ORIGINS } from './items.ts';

/** How an answer ends. */
const ENDS = new Set(['response.completed', 'response.incomplete']);

/** Reads the events of a streamed answer. */
export class ItemReading implements AnswerReading {
  readonly #items: Item[] = [];
  #end: Fields | undefined;
  error: ModelError | undefined;

  take(event: AnswerChunk): readonly ModelDelta[] {
    const { type } = event;
    const response = fieldsAt(event, 'response');
    const index = Number(event.output_index ?? 0);
    const item = isFields(event.item) ? event.item : undefined;
    const piece = typeof event.delta === 'string' ? event.delta : '';
    if (ENDS.has(String(type))) this.#end = response;
    else if (type === 'response.failed') this.error = classifyModelError({ error: response.error });
    else if (type === 'error') this.error = classifyModelError({ error: event });
    else if (type === 'response.output_text.delta') return [{ type: 'text', text: piece }];
    else if (/^response\.reasoning(?:_summary)?_text\.delta$/.test(String(type)))
      return [{ type: 'reasoning', text: piece }];
    else if (type === 'response.output_item.done' && item !== undefined) {
      this.#items.push(item);
      if (!isCall(item)) return WORDLESS;
      return [{ type: 'tool-call', index, name: String(item.name ?? item.type), arguments: '' }];
    }
    return [];
  }

  get isFinished(): boolean {
    return this.#end !== undefined;
  }

  result(): Result<ModelReply, ModelError> | undefined {
    if (this.#end === undefined) return undefined;
    const message = ORIGINS.toReply(this.#items.length > 0 ? this.#items : listAt(this.#end, 'output'));
    const usage = readUsage(this.#end.usage);
    const cut = at(this.#end, 'incomplete_details', 'reason') === 'content_filter' ? 'content_filter' : 'length';
    const whole = message.tool_calls === undefined ? 'stop' : 'tool_calls';
    const finishReason = this.#end.status === 'incomplete' ? cut : whole;
    return ok({ message, finishReason, ...(usage !== undefined && { usage }) });
  }
}

/** A response without content. */
export function makeResponse(model: string): Fields {
  const about = { id: `resp_${crypto.randomUUID()}`, object: 'response', created_at: Math.floor(Date.now() / 1000) };
  return { ...about, status: 'in_progress', model, error: null, incomplete_details: null, output: [], usage: null };
}

/**
 * Passes the events of an answer on. To the client all answers of the model to one request are one: Karl's own calls are
 * taken out, the items are numbered anew, and the end is held back until it is known to be the last.
 */
export class ItemsForm implements AnswerForm {
  readonly takesComments = true;
  readonly #model: string;
  readonly #numbers: PartNumbers;
  readonly #output: Item[] = [];
  #response: Fields | undefined;
  #held: AnswerChunk | undefined;
  #sequence = 0;

  constructor(model: string, hidesRecall: boolean) {
    this.#model = model;
    this.#numbers = new PartNumbers(hidesRecall);
  }

  take(event: AnswerChunk): string {
    const { type } = event;
    if (type === 'response.created') {
      this.#numbers.beginAnswer();
      this.#held = undefined;
      if (this.#response !== undefined) return '';
      this.#response = fieldsAt(event, 'response');
      return this.#write(event);
    }
    if (ENDS.has(String(type))) {
      this.#held = event;
      return '';
    }
    if (isFields(event.response)) return this.#output.length === 0 ? this.#write(event) : '';
    if (typeof event.output_index !== 'number') return this.#write(event);
    const index = this.#numbers.numberOf(event.output_index, event.item);
    if (index === undefined) return '';
    if (type === 'response.output_item.done' && isFields(event.item)) this.#output.push(event.item);
    return this.#write({ ...event, output_index: index });
  }

  /** Codex abandons a stream after five minutes without an event; comments do not count. */
  keepAlive(): string {
    const begun =
      this.#response === undefined ? this.take({ type: 'response.created', response: makeResponse(this.#model) }) : '';
    const response = { ...this.#response, output: this.#output };
    return begun + this.#write({ type: 'response.in_progress', response });
  }

  end(): string {
    return this.#held === undefined ? '' : this.#write({ ...this.#held, response: this.whole() });
  }

  whole(): object {
    const last = fieldsAt(this.#held, 'response');
    const id = this.#response?.id ?? last.id;
    return { ...last, ...(id !== undefined && { id }), output: this.#output };
  }

  fail({ error }: HttpError): string {
    const { code, message } = error;
    const response = { ...this.#response, status: 'failed', error: { code: code ?? 'server_error', message } };
    return this.#write({ type: 'response.failed', response });
  }

  #write(event: AnswerChunk): string {
    const numbered = { ...event, sequence_number: this.#sequence };
    this.#sequence += 1;
    return eventText(numbered, String(event.type));
  }
}
