import { INVISIBLE } from '../../core/chat/fence.ts';
import { DEEPEST_FIELD, weigh } from '../../core/chat/parse.ts';
import { classifyModelError, type ModelError } from '../../core/model/classify.ts';
import type { AnswerChunk, ModelDelta, ModelFailure, ModelReply, ModelRequest } from '../../core/model/modelClient.ts';
import { err, type Result } from '../../core/result.ts';
import { giveWay } from '../../core/steps.ts';
import { sentence } from '../../language/language.ts';
import { isFields } from '../fields.ts';
import { SLICES } from '../node/slices.ts';
import type { Exchange } from './exchange.ts';
import { classifyFailure, finalFailure, withoutKey } from './failure.ts';

/** How an answer ended: whether the stream announced its end, and whether nothing went wrong. */
export interface AnswerEnd {
  readonly isDone: boolean;
  readonly isClean: boolean;
}

/** Reads one answer of one API. */
export interface AnswerReading {
  /**
   * Takes an event; returns what it adds to the reply. That is nothing only if a client gets nothing from the event
   * either.
   */
  take(event: AnswerChunk): readonly ModelDelta[];
  /** Whether the end of the reply has come. */
  readonly isFinished: boolean;
  /** Why the answer cannot be used: the error that it reports, or a limit. */
  readonly error?: ModelError | undefined;
  /** Grows with everything that adds to the reply; absent where every event does. */
  readonly progress?: number;
  /** The size of what was kept, where that may be more than what was passed on. */
  readonly characters?: number;
  /** The answer in a body that is no stream; undefined if it is none. */
  parseWhole?(body: string): AnswerChunk | undefined;
  /** What is left to pass on after the last event. */
  flush?(): readonly ModelDelta[];
  /** The reply; undefined if it has no end. */
  result(end: AnswerEnd): Result<ModelReply, ModelError> | undefined;
}

/** A part of a reply without words, such as a signature. Once a client has it, the model is not asked again. */
export const WORDLESS: readonly ModelDelta[] = [{ type: 'reasoning', text: '' }];

/** Characters kept of a reply that broke off: an endless one would fill every later window. */
const LONGEST_PARTIAL = 200_000;

/** A reply that is passed on as it comes. */
export class PassedReply {
  readonly #reading: AnswerReading;
  readonly #onDelta: (delta: ModelDelta) => void;
  readonly #isForClient: boolean;
  readonly #said = { text: '', reasoning: '', 'tool-call': '' };
  #characters = 0;
  #hasPassed = false;

  /** `isForClient`: its events are passed on too. */
  constructor(reading: AnswerReading, onDelta: (delta: ModelDelta) => void, isForClient = false) {
    this.#reading = reading;
    this.#onDelta = onDelta;
    this.#isForClient = isForClient;
  }

  /** The size of all that was said or kept. */
  get characters(): number {
    return Math.max(this.#characters, this.#reading.characters ?? 0);
  }

  /** Whether anything was said. */
  get hasBegun(): boolean {
    return this.#hasPassed || (this.#reading.progress ?? 0) > 0;
  }

  /** Takes an event. */
  take(event: AnswerChunk): void {
    this.#pass(this.#reading.take(event));
  }

  /** The reply, or why it is none; undefined if it has no end. */
  finish(end: AnswerEnd): Result<ModelReply, ModelFailure> | undefined {
    const result = this.#reading.result(end);
    if (result?.ok === false) return err(this.fail(result.error));
    if (result !== undefined) this.#pass(this.#reading.flush?.() ?? []);
    return result;
  }

  /** The failure, with the beginning of the text and thoughts that had arrived. Calls must not run incomplete. */
  fail(error: ModelError): ModelFailure {
    const [content = '', thought = ''] = [this.#said.text, this.#said.reasoning].map((text) =>
      text.slice(0, LONGEST_PARTIAL).toWellFormed(),
    );
    if (this.#isForClient ? !this.#hasPassed : !saysSomething([content, thought])) return { error };
    return { error, partial: { role: 'assistant', content, ...(thought && { reasoning_content: thought }) } };
  }

  #pass(deltas: readonly ModelDelta[]): void {
    for (const delta of deltas) {
      const piece = delta.type === 'tool-call' ? delta.arguments : delta.text;
      this.#characters += piece.length;
      this.#said[delta.type] += piece;
      this.#hasPassed = true;
      this.#onDelta(delta);
    }
  }
}

/** Sends one attempt and reads its answer, which is passed on as it comes. Never rejects. */
export async function readAnswer(
  exchange: Exchange,
  reading: AnswerReading,
  onDelta: (delta: ModelDelta) => void,
  onChunk: ModelRequest['onChunk'],
): Promise<Result<ModelReply, ModelFailure>> {
  const { limits, watchdog } = exchange;
  const reply = new PassedReply(reading, onDelta, onChunk !== undefined);
  const hide = ({ error, ...failure }: ModelFailure) =>
    err({ ...failure, error: exchange.keys.reduce(withoutKey, error) });

  /** Takes an event; returns why the answer is stopped. */
  const take = (event: AnswerChunk): ModelError | undefined => {
    // Deeper nesting could be neither merged, nor written, nor passed on to a client.
    if (weigh(event, Number.POSITIVE_INFINITY).kind === 'too-deep')
      return finalFailure(
        sentence('The reply was stopped: its fields are nested more than {0} levels deep.', String(DEEPEST_FIELD)),
      );
    // After its end the reply is complete, whatever the server reports.
    if (isError(event)) return reading.isFinished === true ? undefined : classifyModelError(event);
    const before = reading.progress;
    reply.take(event);
    if (before === undefined || before !== reading.progress) watchdog.progress();
    if (reading.isFinished) watchdog.settle();
    if (reply.characters <= limits.characters) return reading.error;
    return finalFailure(sentence('The reply was stopped: it has more than {0} characters.', String(limits.characters)));
  };

  let thrown: unknown;
  try {
    for await (const event of exchange.post()) {
      await giveWay(SLICES);
      const stopped = take(event);
      if (stopped !== undefined) return hide(reply.fail(stopped));
      if (!isError(event)) await onChunk?.(event);
    }
  } catch (error) {
    thrown = error;
  }
  const { answer } = exchange;
  const whole = answer !== undefined && answer.status < 300 ? reading.parseWhole?.(answer.body) : undefined;
  const stopped = whole === undefined ? undefined : take(whole);
  if (stopped !== undefined) return hide(reply.fail(stopped));
  // After its end the reply is complete, whatever happened to the connection.
  const isClean = thrown === undefined && watchdog.ending === undefined;
  const result = watchdog.ending === 'cancelled' ? undefined : reply.finish({ isDone: exchange.isDone, isClean });
  if (result === undefined) return hide(reply.fail(classifyFailure(exchange, thrown, reply.hasBegun)));
  if (!result.ok) return hide(result.error);
  if (whole !== undefined) await onChunk?.(whole);
  return result;
}

function isError(event: AnswerChunk): boolean {
  return isFields(event) && Boolean(event.error);
}

/** A visible character. */
const SEEN = new RegExp(`[^\\s${INVISIBLE}]`, 'u');

/** Whether a value contains a string with a visible character. */
export function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return SEEN.test(value);
  if (Array.isArray(value)) return value.some(saysSomething);
  return isFields(value) && Object.entries(value).some(([name, inner]) => name !== 'type' && saysSomething(inner));
}
