import type { AnswerChunk, ModelDelta, ModelReply } from '../../core/session/modelClient.ts';
import { withoutLogprobs } from '../../core/session/withoutLogprobs.ts';
import { type Fields, isFields } from './mergeFields.ts';

/**
 * The chunks of a model that writes its calls as text, as those of one that has calls of its own: the text that is shown,
 * then the calls, then how the answer ends. What else a chunk has stays, but for the tokens that spell the calls out.
 */
export class EnvelopeChunks {
  #text = '';
  #last: AnswerChunk | undefined;
  readonly #others: AnswerChunk[] = [];

  /** Takes what was passed on of the chunk that comes next. */
  takeDelta(delta: ModelDelta): void {
    if (delta.type === 'text') this.#text += delta.text;
  }

  /** The chunk as it is shown; undefined for what is shown at the end: a whole answer, the usage. */
  show(chunk: AnswerChunk): AnswerChunk | undefined {
    const choice = firstOf(chunk);
    if (choice === undefined) {
      this.#others.push(chunk);
      return undefined;
    }
    this.#last = chunk;
    if (isFields(choice.message)) return undefined;
    const delta = { ...(isFields(choice.delta) && choice.delta), content: this.#text };
    this.#text = '';
    return withChoice(chunk, { ...withoutLogprobs(choice), finish_reason: null, delta });
  }

  /** The chunks that end the answer. */
  end({ message, finishReason }: ModelReply): readonly AnswerChunk[] {
    const last = this.#last ?? {};
    const choice = withoutLogprobs(firstOf(last) ?? { index: 0 });
    const finish_reason = finishReason === 'stop' && message.tool_calls !== undefined ? 'tool_calls' : finishReason;
    if (isFields(choice.message)) return [withChoice(last, { ...choice, message, finish_reason })];
    const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
    const rest = this.#text === '' ? {} : { content: this.#text };
    const delta = { ...rest, ...(calls !== undefined && { tool_calls: calls }) };
    return [withChoice(last, { ...choice, delta, finish_reason }), ...this.#others];
  }
}

function firstOf({ choices }: AnswerChunk): Fields | undefined {
  return Array.isArray(choices) ? choices.find(isFields) : undefined;
}

function withChoice(chunk: AnswerChunk, choice: Fields): AnswerChunk {
  return { ...chunk, choices: [choice] };
}
