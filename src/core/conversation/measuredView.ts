import type { Compaction } from '../compaction/compaction.ts';
import { type Draft, type DraftInput, frozenTokens, startDraft } from '../compaction/draft.ts';
import type { Transcript } from '../messages/transcript.ts';
import { runAtOnce, type Steps } from '../steps.ts';
import type { CompactedView, PreparedRecord } from './compactedView.ts';
import { HumanFinder, type Humans } from './humans.ts';
import type { RequestMeter } from './requestMeter.ts';
import type { ViewSum } from './viewSums.ts';

/**
 * The view with what its messages come to and who wrote them. All of it is derived; of what has come since it was last
 * prepared only the new part is looked at.
 */
export class MeasuredView {
  readonly #view: CompactedView;
  readonly #meter: RequestMeter;
  readonly #humans: HumanFinder;

  constructor(transcript: Transcript, view: CompactedView, meter: RequestMeter) {
    this.#view = view;
    this.#meter = meter;
    this.#humans = new HumanFinder(transcript);
  }

  /** Derives, counts and finds in steps what has come since: what is asked then is answered at once. */
  *prepare(): Steps<void> {
    yield* this.#meter.sumInSteps(yield* this.#view.derive());
    yield* this.#humans.findInSteps();
  }

  /** Makes a record ready to be added: nothing need be derived or counted then. */
  *prepareRecord(compaction: Compaction): Steps<PreparedRecord> {
    const prepared = yield* this.#view.prepare(compaction);
    yield* this.#meter.sumInSteps(prepared.items);
    return prepared;
  }

  /** What the messages come to, before shaping and without the tool definitions. */
  sum(): ViewSum {
    return this.#meter.sum(this.#view.items());
  }

  humans(): Humans {
    return this.#humans.find();
  }

  /** Tokens of prompt and current request. */
  frozenTokens(): number {
    return frozenTokens({ ...this.#basis(), request: this.#humans.findRequest() });
  }

  /** The view as a planner sees it. */
  draft(): Draft {
    const { request, older } = this.#humans.find();
    return runAtOnce(startDraft({ ...this.#basis(), request, humans: older }));
  }

  #basis(): Omit<DraftInput, 'request' | 'humans'> {
    return { items: this.#view.items(), pins: this.#view.pins, ...this.#meter.counting };
  }
}
