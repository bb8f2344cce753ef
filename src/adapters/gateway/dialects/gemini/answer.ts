import type { ModelError } from '../../../../core/model/classify.ts';
import type { AnswerChunk, ModelDelta, ModelReply } from '../../../../core/model/modelClient.ts';
import { ok, type Result } from '../../../../core/result.ts';
import { RECALL_TOOL } from '../../../../core/session/threads/own.ts';
import { at, type Fields, isFields, listAt } from '../../../fields.ts';
import { type AnswerReading, WORDLESS } from '../../../openai/readAnswer.ts';
import { readUsage } from '../../../openai/readUsage.ts';
import type { HttpError } from '../../httpError.ts';
import { type AnswerForm, eventText } from '../dialect.ts';
import { isCall, ORIGINS, type Part } from './contents.ts';

/** The reasons why an answer ends, and the finish reasons of chat completions; all others are refusals. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'stop',
};

/** Reads the chunks of a streamed answer. */
export class ContentReading implements AnswerReading {
  readonly #parts: Part[] = [];
  #calls = 0;
  #finish: string | undefined;
  #usage: unknown;

  take(event: AnswerChunk): readonly ModelDelta[] {
    const candidate = firstCandidate(event);
    if (typeof candidate.finishReason === 'string') this.#finish = candidate.finishReason;
    // A prompt that was refused has no candidates.
    if (at(event, 'promptFeedback', 'blockReason') !== undefined) this.#finish = 'BLOCKED';
    if (isFields(event.usageMetadata)) this.#usage = event.usageMetadata;
    const parts = partsIn(candidate);
    this.#parts.push(...parts);
    return parts.flatMap((part) => this.#deltasOf(part));
  }

  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  result(): Result<ModelReply, ModelError> | undefined {
    if (this.#finish === undefined) return undefined;
    const message = ORIGINS.toReply(this.#parts);
    const usage = usageOf(this.#usage);
    const finish = FINISH_REASONS[this.#finish] ?? 'content_filter';
    const finishReason = finish === 'stop' && message.tool_calls !== undefined ? 'tool_calls' : finish;
    return ok({ message, finishReason, ...(usage !== undefined && { usage }) });
  }

  #deltasOf(part: Part): readonly ModelDelta[] {
    if (isCall(part)) {
      const { name, args } = part.functionCall;
      this.#calls += 1;
      return [{ type: 'tool-call', index: this.#calls - 1, name: String(name), arguments: JSON.stringify(args ?? {}) }];
    }
    if (typeof part.text !== 'string' || part.text === '') return isEmpty(part) ? [] : WORDLESS;
    return [{ type: part.thought === true ? 'reasoning' : 'text', text: part.text }];
  }
}

function usageOf(usage: unknown): ReturnType<typeof readUsage> {
  if (!isFields(usage)) return undefined;
  return readUsage({
    prompt_tokens: usage.promptTokenCount,
    completion_tokens: Number(usage.candidatesTokenCount ?? 0) + Number(usage.thoughtsTokenCount ?? 0),
    prompt_tokens_details: { cached_tokens: usage.cachedContentTokenCount },
  });
}

function firstCandidate(event: AnswerChunk): Fields {
  return listAt(event, 'candidates')[0] ?? {};
}

function partsIn(candidate: Fields): readonly Part[] {
  return listAt(candidate, 'content', 'parts');
}

function isEmpty(part: Part): boolean {
  return part.text === '' && Object.keys(part).length === 1;
}

/** A chunk with other parts in its candidate; `ends`: with finish reason and usage. */
function withParts(event: AnswerChunk, parts: readonly Part[], ends: boolean): AnswerChunk {
  const { usageMetadata, ...rest } = event;
  const { finishReason, ...candidate } = firstCandidate(event);
  const content = { role: 'model', parts };
  return {
    ...rest,
    candidates: [{ ...candidate, content, ...(ends && { finishReason }) }],
    ...(ends && usageMetadata !== undefined && { usageMetadata }),
  };
}

/**
 * Passes the chunks of an answer on. To the client all answers of the model to one request are one: Karl's own calls are
 * taken out, and the end is held back until it is known to be the last.
 */
export class ContentsForm implements AnswerForm {
  /** Google's library reads nothing but data. */
  readonly takesComments = false;
  readonly #hidesRecall: boolean;
  /** What the client got, for one that does not stream. */
  readonly #shown: Part[] = [];
  #held: AnswerChunk[] = [];

  constructor(hidesRecall: boolean) {
    this.#hidesRecall = hidesRecall;
  }

  take(event: AnswerChunk): string {
    const candidate = firstCandidate(event);
    const hasParts = isFields(candidate.content);
    // The model has begun another answer, so what was held back is not the end.
    if (hasParts) this.#held = [];
    const parts = partsIn(candidate).filter((part) => !this.#isHidden(part));
    this.#shown.push(...parts);
    if (candidate.finishReason === undefined && hasParts)
      return parts.length === 0 ? '' : eventText(withParts(event, parts, false));
    this.#held.push(hasParts ? withParts(event, [{ text: '' }], true) : event);
    return parts.every(isEmpty) ? '' : eventText(withParts(event, parts, false));
  }

  /** White space before data is skipped. */
  keepAlive(): string {
    return '\n';
  }

  end(): string {
    return this.#held.map((event) => eventText(event)).join('');
  }

  whole(): object {
    const last: AnswerChunk = Object.assign({}, ...this.#held);
    return this.#held.some(({ candidates }) => candidates !== undefined) ? withParts(last, this.#shown, true) : last;
  }

  /** As Google writes it: the body of an error, and not an event. */
  fail(failure: HttpError): string {
    return JSON.stringify(geminiError(failure));
  }

  #isHidden(part: Part): boolean {
    return this.#hidesRecall && isCall(part) && part.functionCall.name === RECALL_TOOL;
  }
}

const STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An error in the form of Google's APIs. */
export function geminiError({ status, error }: HttpError): object {
  const name = STATUSES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
  return { error: { code: status, message: error.message, status: name } };
}
