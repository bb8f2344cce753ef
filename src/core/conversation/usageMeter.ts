import type { Usage } from '../chat/wire.ts';
import { type CalibrationState, learn, UNCALIBRATED } from '../model/calibration.ts';
import { phrase, type Words } from '../phrase.ts';
import type { TokenCount } from '../tokens/counter.ts';

/** The report on a request that grew by this factor must grow too, whatever the tokenizer. */
const GROWN = 1.1;
/** The same report on a request that grew by this factor proves a cut. */
const OUTGROWN = 1.5;
/** Reports that differ by at most this share count as the same. */
const SAME = 0.02;
/** The least share of the largest report for a cut prompt, whose length depends on where its messages end. */
const LEAST_OF_CUT = 0.7;
/** The number of reports in a row that must not grow if they are not the same. */
const STUCK_TIMES = 2;
/** No server cuts prompts shorter than this (Ollama's smallest usual context is 2,048). Tokens. */
const LEAST_CUT = 1_900;
/** The shares by which a sum over requests, and a report without cached tokens, may differ from the expected figure. */
const SUM_TOLERANCE = 0.03;
const CACHE_TOLERANCE = 0.1;

/** Findings of a report. */
export interface Reported {
  /** A sentence for the user, once for each finding. */
  readonly message?: Words;
  /** The length at which the server silently cuts prompts. Tokens. */
  readonly window?: number;
}

/**
 * Turns counts into the best available figure: what the server reported for the last request plus what was added since,
 * counted and scaled by the factor learned from the model's reports.
 */
export class UsageMeter {
  /** What the reports taught; set when a conversation is opened again. */
  calibration: CalibrationState = UNCALIBRATED;
  #anchor: { readonly reported: number; readonly counted: number } | undefined;
  #lastRequest: number | undefined;
  /** The length of the cut that was reported to the user; 0: a cut of unknown length. */
  #told: number | undefined;
  /** The prompt tokens of the newest report, as stated. */
  #stated: number | undefined;
  /**
   * The largest report with Karl's count, and the number of later reports in a row that did not grow with their
   * requests.
   */
  #largest: { readonly reported: number; readonly counted: number; readonly stuck: number } | undefined;
  /** A larger request had a far smaller report: the figures leave out cached tokens, so they cannot show a cut. */
  #leavesOut = false;

  /** Notes Karl's count of the request about to be sent. */
  noteRequest(counted: number): void {
    this.#lastRequest = counted;
  }

  /** Learns from a report on the last request, unless it is missing, not positive, far off or a sum over requests. */
  report({ prompt_tokens: stated, prompt_tokens_details: details }: Usage): Reported {
    const counted = this.#lastRequest;
    const before = this.#stated;
    this.#stated = stated;
    if (stated === undefined || counted === undefined || !(stated > 0)) return {};
    const own = this.byFactor(counted);
    const isNear = (figure: number, tolerance: number): boolean => Math.abs(figure - own) <= own * tolerance;
    // A server that adds up the prompts of all requests.
    if (before !== undefined && !isNear(stated, CACHE_TOLERANCE) && isNear(stated - before, SUM_TOLERANCE)) return {};
    const { cached_tokens: cached = 0 } = details ?? {};
    const reported = wholePrompt(stated, cached, counted);
    // Cached tokens explain a small report.
    const growth =
      cached > 0 && isNear(reported + cached, CACHE_TOLERANCE) ? 'unknown' : this.#growthOf(reported, counted);
    if (growth === 'cut') return this.#cutAt(Math.max(this.#largest?.reported ?? 0, reported), counted);
    const { state, verdict } = learn(this.calibration, reported, counted);
    if (growth !== 'stuck') {
      this.calibration = state;
      if (verdict === 'learned' || verdict === 'too-small') this.#anchor = { reported, counted };
    }
    if (verdict !== 'truncated' || this.#told !== undefined) return {};
    this.#told = 0;
    const message = phrase('usage.too-small', reported, counted);
    return { message };
  }

  /** How a report compares with the largest one; `stuck`: the request has grown, the report has not. */
  #growthOf(reported: number, counted: number): 'grown' | 'stuck' | 'cut' | 'unknown' {
    const last = this.#largest;
    if (last === undefined || reported > last.reported * (1 + SAME)) {
      this.#largest = { reported, counted, stuck: 0 };
      return 'grown';
    }
    this.#leavesOut ||= counted >= last.counted && reported < last.reported * LEAST_OF_CUT;
    if (this.#leavesOut) return 'unknown';
    const isStuck = counted >= last.counted * GROWN && reported >= last.reported * LEAST_OF_CUT;
    const isSame = reported >= last.reported * (1 - SAME);
    const isOutgrown = counted >= last.counted * OUTGROWN;
    const stuck = isStuck ? last.stuck + Number(isOutgrown) : 0;
    this.#largest = { ...last, stuck };
    if (!isStuck) return 'unknown';
    const isCut = (isSame && isOutgrown) || stuck >= STUCK_TIMES;
    return isCut && last.reported >= LEAST_CUT ? 'cut' : 'stuck';
  }

  /** Forgets what was learned from cut prompts. */
  #cutAt(window: number, counted: number): Reported {
    this.#anchor = undefined;
    this.calibration = UNCALIBRATED;
    if (this.#told === window) return { window };
    this.#told = window;
    const message = phrase('window.silent-cut', window, counted);
    return { message, window };
  }

  /** The best figure for a request that Karl counts as `counted`. */
  scale(counted: TokenCount): TokenCount {
    if (this.#anchor?.counted === counted.tokens) return { tokens: this.#anchor.reported, source: 'reported' };
    if (this.#anchor === undefined) return { ...counted, tokens: this.byFactor(counted.tokens) };
    const delta = this.byFactor(counted.tokens - this.#anchor.counted);
    return { tokens: Math.max(0, this.#anchor.reported + delta), source: counted.source };
  }

  /** The server's count divided by Karl's, by the newest report, so that no figure jumps after a change. */
  get factor(): number {
    return this.calibration.latest ?? this.calibration.factor;
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
}

/** Adds cached tokens where a server excludes them from the prompt tokens. No more can be cached than was sent. */
function wholePrompt(reported: number, cached: number, counted: number): number {
  return cached > reported && reported + cached <= counted * 1.5 ? reported + cached : reported;
}
