import type { ChatMessage } from '../../chat/wire.ts';
import { type AnswerChunk, type ModelDelta, withoutLogprobs } from '../../model/modelClient.ts';
import { isRecord } from '../../result.ts';

type CallDelta = Extract<ModelDelta, { type: 'tool-call' }>;

/** Receives what the client may see of an answer. */
export interface AnswerListener {
  /** Called once, before anything of the answer is passed on. */
  readonly onStart?: () => void;
  readonly onDelta?: (delta: ModelDelta) => void;
  /** A returned promise is awaited before more is read. */
  readonly onChunk?: (chunk: AnswerChunk) => Promise<void> | undefined;
}

/**
 * Passes an answer on without the calls that Karl answers itself. An answer to the client may combine several of the
 * model: what ends one of those is held back until it is known to be the last.
 */
export class VisibleAnswer {
  readonly #listener: AnswerListener;
  /** The name of the calls to hide; none where Karl offers no tool. */
  readonly #hidden: string | undefined;
  readonly #hiddenAt = new Set<number>();
  #calls: CallDelta[] = [];
  #held: AnswerChunk[] = [];
  #hasStarted = false;
  /** Whether the client has received more of this answer than its role: another answer would be appended to it. */
  hasShown = false;
  #first: AnswerChunk | undefined;
  /** The first chunk passed on, if it belonged to an earlier answer of the model: the client sees one answer. */
  #earlier: AnswerChunk | undefined;

  constructor(listener: AnswerListener, hidden: string | undefined) {
    this.#listener = listener;
    this.#hidden = hidden;
  }

  /** The model is asked, perhaps again: what remained of an earlier attempt is discarded. */
  begin(): void {
    this.#earlier = this.#first;
    this.hasShown = false;
    this.#hiddenAt.clear();
    this.#calls = [];
    this.#held = [];
  }

  /** Takes a delta of the answer. */
  onDelta(delta: ModelDelta): void {
    if (delta.type !== 'tool-call') {
      this.#start().onDelta?.(delta);
      return;
    }
    this.#calls.push(delta);
    if (delta.name === this.#hidden) this.#hiddenAt.add(delta.index);
    else this.#start().onDelta?.({ ...delta, index: this.#visibleIndex(delta.index) });
  }

  /** Takes the chunk whose deltas have just been given. */
  onChunk(chunk: AnswerChunk): Promise<void> | undefined {
    const calls = this.#calls;
    this.#calls = [];
    if (this.#held.length > 0 || finishes(chunk)) {
      this.#held.push(this.#show(chunk, calls));
      return undefined;
    }
    const shown = this.#show(chunk, calls);
    const mayBeLeftOut = shown !== chunk || this.#earlier !== undefined;
    return mayBeLeftOut && saysNothing(shown) ? undefined : this.#pass(shown);
  }

  /** The answer is complete: passes on how it ended. */
  async end(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#start();
    for (const chunk of held) await this.#pass(chunk);
  }

  #start(): AnswerListener {
    if (!this.#hasStarted) this.#listener.onStart?.();
    this.#hasStarted = true;
    return this.#listener;
  }

  #pass(chunk: AnswerChunk): Promise<void> | undefined {
    this.#first ??= chunk;
    this.#start();
    this.hasShown ||= firstChoice(chunk) !== undefined && !saysNothing(chunk);
    if (this.#earlier === undefined || typeof chunk.id !== 'string') return this.#listener.onChunk?.(chunk);
    const { id, created } = this.#earlier;
    return this.#listener.onChunk?.({ ...chunk, id, created });
  }

  #show(chunk: AnswerChunk, deltas: readonly CallDelta[]): AnswerChunk {
    if (this.#hiddenAt.size === 0) return chunk;
    let position = 0;
    return withCalls(chunk, (call) => {
      const at = deltas[position]?.index ?? 0;
      position += 1;
      if (this.#hiddenAt.has(at)) return undefined;
      return typeof call.index === 'number' ? { ...call, index: this.#visibleIndex(at) } : call;
    });
  }

  #visibleIndex(index: number): number {
    return index - [...this.#hiddenAt].filter((hidden) => hidden < index).length;
  }
}

/** A message without the calls of one name; without `tool_calls` when none is left. */
export function withoutCalls(message: ChatMessage, name: string): ChatMessage {
  const { tool_calls: calls = [], ...rest } = message;
  const left = calls.filter((call) => call.function.name !== name);
  return left.length === 0 ? rest : { ...message, tool_calls: left };
}

type Fields = Readonly<Record<string, unknown>>;

function firstChoice({ choices }: AnswerChunk): Fields | undefined {
  const list: readonly unknown[] = Array.isArray(choices) ? choices : [];
  return list.filter(isRecord).find(({ index }) => index === undefined || index === 0);
}

function finishes(chunk: AnswerChunk): boolean {
  const reason = firstChoice(chunk)?.finish_reason;
  return typeof reason === 'string' && reason !== '';
}

/** The chunk with the calls of its first choice changed or removed. */
function withCalls(chunk: AnswerChunk, change: (call: Fields) => Fields | undefined): AnswerChunk {
  const choice = firstChoice(chunk);
  const place = choice !== undefined && isRecord(choice.delta) ? 'delta' : 'message';
  const said = choice?.[place];
  if (choice === undefined || !isRecord(said) || !Array.isArray(said.tool_calls)) return chunk;
  const { tool_calls: all, ...rest } = said;
  const calls = (all as readonly unknown[]).filter(isRecord).flatMap((call) => change(call) ?? []);
  const kept = calls.length < all.length ? withoutLogprobs(choice) : choice;
  const changed = { ...kept, [place]: calls.length === 0 ? rest : { ...rest, tool_calls: calls } };
  return { ...chunk, choices: (chunk.choices as readonly unknown[]).map((one) => (one === choice ? changed : one)) };
}

/** Whether a chunk has no content, or only the role. */
function saysNothing(chunk: AnswerChunk): boolean {
  const delta = firstChoice(chunk)?.delta;
  return (
    isRecord(delta) && Object.values(delta).every((value) => value === null || value === '' || value === 'assistant')
  );
}
