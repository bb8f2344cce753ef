import { type CalibrationState, learn, UNCALIBRATED } from '../budget/calibration.ts';
import { english } from '../language.ts';
import type { Usage } from '../messages/chat.ts';
import type { TokenCount } from '../tokens/counter.ts';

/**
 * Turns counts into the best available figure: what the server reported for the last request plus what was added since,
 * counted and scaled by the factor learned from the model's reports.
 */
export class UsageMeter {
  #calibration: CalibrationState = UNCALIBRATED;
  #anchor: { readonly reported: number; readonly counted: number } | undefined;
  #lastRequest: number | undefined;
  #warned = false;

  /** Restores what was learned before. */
  restore(calibration: CalibrationState): void {
    this.#calibration = calibration;
  }

  /** What the reports have taught. */
  get calibration(): CalibrationState {
    return this.#calibration;
  }

  /** Takes note of Karl's count of the request about to be sent. */
  noteRequest(counted: number): void {
    this.#lastRequest = counted;
  }

  /**
   * Takes a report on the last request. Returns a warning, once per model, when the server seems to have dropped part
   * of the prompt.
   */
  report(usage: Usage): string | undefined {
    const counted = this.#lastRequest;
    if (usage.prompt_tokens === undefined || counted === undefined) return undefined;
    const reported = wholePrompt(usage.prompt_tokens, usage.prompt_tokens_details?.cached_tokens, counted);
    const { state, verdict } = learn(this.#calibration, reported, counted);
    this.#calibration = state;
    if (verdict === 'learned' || verdict === 'too-small') this.#anchor = { reported, counted };
    if (verdict !== 'truncated' || this.#warned) return undefined;
    this.#warned = true;
    return english(
      'The server reported {0} prompt tokens for a request of about {1}: it seems to have dropped part of the prompt. Check the context length that the server was started with.',
      reported,
      counted,
    );
  }

  /** The best figure for a request that Karl counts as `counted`. */
  scale(counted: TokenCount): TokenCount {
    if (this.#anchor?.counted === counted.tokens) return { tokens: this.#anchor.reported, source: 'reported' };
    if (this.#anchor === undefined) return { ...counted, tokens: this.byFactor(counted.tokens) };
    const delta = this.byFactor(counted.tokens - this.#anchor.counted);
    return { tokens: Math.max(0, this.#anchor.reported + delta), source: counted.source };
  }

  /** By how much more the server counts than Karl: by its newest report, so that no figure jumps after a change. */
  get factor(): number {
    return this.#calibration.latest ?? this.#calibration.factor;
  }

  /** The figure for a request that has nothing in common with the one last reported on. */
  byFactor(counted: number): number {
    return Math.round(counted * this.factor);
  }

  /** Forgets the last report: the view was compacted, or a compaction was undone. */
  forgetRequest(): void {
    this.#anchor = undefined;
    this.#lastRequest = undefined;
  }

  /** Forgets everything that was learned: another model counts differently. */
  forgetModel(): void {
    this.forgetRequest();
    this.#calibration = UNCALIBRATED;
    this.#warned = false;
  }
}

/**
 * Some servers exclude what came from their cache from the prompt tokens. No more can have been cached than was sent.
 */
function wholePrompt(reported: number, cached: number | undefined, counted: number): number {
  return cached !== undefined && cached > reported && reported + cached <= counted * 1.5 ? reported + cached : reported;
}
