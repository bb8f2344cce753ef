import { parentPort, workerData } from 'node:worker_threads';
import { ExactCounter } from '../../core/tokens/exactCounter.ts';
import { buildRankTable } from '../../core/tokens/rankTable.ts';
import type { TextStream } from '../../core/tokens/textStream.ts';
import { loadRanks } from './ranksFile.ts';
import type { WorkerReply, WorkerRequest, WorkerStart } from './workerMessages.ts';

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
