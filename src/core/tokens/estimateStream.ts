import type { Encoding } from '../profile/profile.ts';
import type { StreamCount, TokenCount } from './counter.ts';
import { estimateTokens } from './estimate.ts';

/** Parts are collected up to this size before they are estimated: many tiny parts would be rounded up too often. */
const CHUNK = 4096;

/** Estimates a text that arrives in parts, for when no vocabulary is loaded. */
export class EstimateStream implements StreamCount {
  readonly #encoding: Encoding;
  #settled = 0;
  #rest = '';

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  append(part: string): void {
    this.#rest += part;
    if (this.#rest.length < CHUNK) return;
    this.#settled += estimateTokens(this.#rest, this.#encoding).tokens;
    this.#rest = '';
  }

  count(): TokenCount {
    return { tokens: this.#settled + estimateTokens(this.#rest, this.#encoding).tokens, source: 'estimated' };
  }
}
