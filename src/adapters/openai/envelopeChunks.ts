import { type AnswerChunk, type ModelDelta, type ModelReply, withoutLogprobs } from '../../core/session/modelClient.ts';
import { type Fields, isFields } from './mergeFields.ts';

/**
 * Turns the chunks of a model that writes its calls as text into those of a model with native calls: the text that is
 * shown, then the calls, then how the answer ends. Everything else in a chunk stays, except log probabilities, which may
 * spell out another text.
 */
export class EnvelopeChunks {
  #text = '';
  #last: AnswerChunk | undefined;
  readonly #others: AnswerChunk[] = [];

  /** Takes the deltas that were passed on from the next chunk. */
  takeDelta(delta: ModelDelta): void {
    if (delta.type === 'text') this.#text += delta.text;
  }

  /** The chunk as it is shown; undefined for one that is shown at the end: a whole answer, or the usage. */
  show(chunk: AnswerChunk): AnswerChunk | undefined {
    const choice = firstOf(chunk);
    if (choice === undefined) {
      this.#others.push(chunk);
      return undefined;
    }
    this.#last = chunk;
    if (isFields(choice.message)) return undefined;
    const said = isFields(choice.delta) ? choice.delta : {};
    const text = this.#text;
    this.#text = '';
    return withChoice(chunk, { ...choice, finish_reason: null, delta: { ...said, content: text } });
  }

  /** The chunks that end the answer. */
  end({ message, finishReason }: ModelReply): readonly AnswerChunk[] {
    const last = this.#last ?? {};
    const choice = firstOf(last) ?? { index: 0 };
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
  return { ...chunk, choices: [withoutLogprobs(choice)] };
}
