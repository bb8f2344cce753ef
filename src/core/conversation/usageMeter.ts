import { english } from '../language.ts';
import type { Usage } from '../messages/chat.ts';
import { type CalibrationState, learn, UNCALIBRATED } from '../model/calibration.ts';
import type { TokenCount } from '../tokens/counter.ts';

/** A report that is larger by this factor has grown. */
const GROWN = 1.02;
/** A request that is larger by this factor cannot be reported alike, whatever the tokenizer. */
const OUTGROWN = 1.5;
/** What is left of a cut prompt differs with where its messages end. */
const LEAST_OF_CUT = 0.7;
const STUCK_TIMES = 2;
/** No server cuts prompts shorter than this (Ollama's smallest usual context is 2,048). Tokens. */
const LEAST_CUT = 1_900;

/**
 * Turns counts into the best available figure: what the server reported for the last request plus what was added since,
 * counted and scaled by the factor learned from the model's reports.
 */
export class UsageMeter {
  #calibration: CalibrationState = UNCALIBRATED;
  #anchor: { readonly reported: number; readonly counted: number } | undefined;
  #lastRequest: number | undefined;
  #warned = false;
  /** The largest report and its count, and how many later ones did not grow with their requests. */
  #largest: { readonly reported: number; readonly counted: number; readonly stuck: number } | undefined;

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
   * of the prompt; and the window, when its reports show where it cuts.
   */
  report(usage: Usage): { readonly message?: string; readonly window?: number } {
    const counted = this.#lastRequest;
    if (usage.prompt_tokens === undefined || counted === undefined) return {};
    const reported = wholePrompt(usage.prompt_tokens, usage.prompt_tokens_details?.cached_tokens, counted);
    const window = this.#findCut(reported, counted);
    if (window !== undefined) {
      this.#anchor = undefined;
      this.#warned = true;
      return {
        message: english(
          'The server cuts prompts at {0} tokens without saying so: a request of about {1} was reported as that. Karl takes this for its window. Start the server with a larger context length.',
          window,
          counted,
        ),
        window,
      };
    }
    const { state, verdict } = learn(this.#calibration, reported, counted);
    this.#calibration = state;
    if (verdict === 'learned' || verdict === 'too-small') this.#anchor = { reported, counted };
    if (verdict !== 'truncated' || this.#warned) return {};
    this.#warned = true;
    const message = english(
      'The server reported {0} prompt tokens for a request of about {1}: it seems to have dropped part of the prompt. Check the context length that the server was started with.',
      reported,
      counted,
    );
    return { message };
  }

  /**
   * Where the server cuts prompts without a word: its reports stay at one figure while the requests grow by half and
   * more. A server that reports only what was not in its cache tells of much less instead.
   */
  #findCut(reported: number, counted: number): number | undefined {
    const last = this.#largest;
    if (last === undefined || reported > last.reported * GROWN) {
      this.#largest = { reported, counted, stuck: 0 };
      return undefined;
    }
    const isStuck = counted >= last.counted * OUTGROWN && reported >= last.reported * LEAST_OF_CUT;
    const stuck = isStuck ? last.stuck + 1 : 0;
    this.#largest = { ...last, stuck };
    return stuck >= STUCK_TIMES && last.reported >= LEAST_CUT ? Math.max(last.reported, reported) : undefined;
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
    this.#largest = undefined;
  }
}

/**
 * Some servers exclude what came from their cache from the prompt tokens. No more can have been cached than was sent.
 */
function wholePrompt(reported: number, cached: number | undefined, counted: number): number {
  return cached !== undefined && cached > reported && reported + cached <= counted * 1.5 ? reported + cached : reported;
}
