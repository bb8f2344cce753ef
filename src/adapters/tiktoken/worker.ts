import { parentPort, workerData } from 'node:worker_threads';
import type { Encoding } from '../../core/tokens/counter.ts';
import { ExactCounter, type TextStream } from '../../core/tokens/exactCounter.ts';
import { buildRankTable, type RankArrays } from '../../core/tokens/rankTable.ts';
import { loadRanks } from './ranks.ts';

/** The worker's start data. */
export interface WorkerStart {
  readonly encoding: Encoding;
  readonly ranksFile: string;
}

/** A part of a text. The parts of a text come in order, and the worker counts it after the last one. */
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

/**
 * The thread that loads the ranks and counts texts too large for the extension host. The tables are built in shared
 * memory and handed over, so that the host counts small texts without loading anything.
 */
if (parentPort !== null) serve(parentPort, workerData as WorkerStart);

function serve(port: NonNullable<typeof parentPort>, { encoding, ranksFile }: WorkerStart): void {
  const table = buildRankTable(loadRanks(ranksFile, encoding), (size) => new SharedArrayBuffer(size));
  const counter = new ExactCounter(encoding, table);
  const streams = new Map<number, TextStream>();
  const reply = (message: WorkerReply): void => port.postMessage(message);
  port.on('message', (parts: WorkerRequest) => {
    const counts: { id: number; tokens: number }[] = [];
    for (const { id, text, last } of parts) {
      const stream = streams.get(id) ?? counter.stream();
      stream.append(text);
      if (last) {
        counts.push({ id, tokens: stream.finish() });
        streams.delete(id);
      } else streams.set(id, stream);
    }
    reply({ kind: 'counted', counts });
  });
  reply({ kind: 'ready', ranks: table.arrays });
}
