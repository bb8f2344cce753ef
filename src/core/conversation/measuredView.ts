import type { Compaction } from '../compaction/compaction.ts';
import { type Draft, type DraftInput, type FrozenTokens, frozenTokens, startDraft } from '../compaction/draft.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { Growing } from '../messages/growing.ts';
import type { Transcript } from '../messages/transcript.ts';
import type { ViewItem } from '../messages/view.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import type { CompactedView, PreparedRecord } from './compactedView.ts';
import { HumanFinder, type Humans } from './humans.ts';
import type { RequestMeter } from './requestMeter.ts';
import type { ViewSum } from './viewSums.ts';

/**
 * The view with its messages, their token sum, and which of them the human wrote. All of it is derived; only what is
 * new since the last time is looked at.
 */
export class MeasuredView {
  readonly #view: CompactedView;
  readonly #meter: RequestMeter;
  readonly #humans: HumanFinder;
  readonly #messages = new Growing(({ messages }: ViewItem) => messages);

  constructor(transcript: Transcript, view: CompactedView, meter: RequestMeter) {
    this.#view = view;
    this.#meter = meter;
    this.#humans = new HumanFinder(transcript);
  }

  /** Derives and counts in steps what has been appended since, so that later questions are answered at once. */
  *prepare(): Steps<void> {
    const items = yield* this.#view.derive();
    yield* this.#meter.sumInSteps(items);
    yield* this.#messages.ofInSteps(items);
    yield* this.#humans.findInSteps();
  }

  /** Makes a record ready to be added: nothing needs to be derived or counted then. */
  *prepareRecord(compaction: Compaction): Steps<PreparedRecord> {
    const prepared = yield* this.#view.prepare(compaction);
    yield* this.#meter.sumInSteps(prepared.items);
    return prepared;
  }

  /** The messages in order, before shaping. */
  messages(): readonly ChatMessage[] {
    return this.#messages.of(this.#view.items());
  }

  /** The sum over all messages, before shaping and without the tool definitions. */
  sum(): ViewSum {
    return this.#meter.sum(this.#view.items());
  }

  humans(): Humans {
    return this.#humans.find();
  }

  frozenTokens(): FrozenTokens {
    return frozenTokens({ ...this.#basis(), ...this.#humans.findNewest() });
  }

  /** The view as a planner sees it. */
  draft(): Draft {
    const { older, ...newest } = this.#humans.find();
    return runAtOnce(startDraft({ ...this.#basis(), ...newest, humans: older }));
  }

  #basis(): Omit<DraftInput, 'requests' | 'humans' | 'unread'> {
    return { items: this.#view.items(), pins: this.#view.pins, ...this.#meter.counting };
  }
}
