import type { Encoding } from '../../core/profile/profile.ts';
import type { RankArrays } from '../../core/tokens/rankTable.ts';

/** What the worker is started with. */
export interface WorkerStart {
  readonly encoding: Encoding;
  readonly ranksFile: string;
}

/** A part of a text; the worker counts a text when its last part has come. The parts of a text come in order. */
export interface TextPart {
  readonly id: number;
  readonly text: string;
  readonly last: boolean;
}

/** Host to worker: parts of one or more texts. */
export type WorkerRequest = readonly TextPart[];

/** Worker to host: first the ranks, in shared memory; then one answer per request, with the texts that it completed. */
export type WorkerReply =
  | { readonly kind: 'ready'; readonly ranks: RankArrays }
  | { readonly kind: 'counted'; readonly counts: readonly { readonly id: number; readonly tokens: number }[] };
