import { createExactCounter } from '../../../src/adapters/tiktoken/ranks.ts';
import { ByteBuffer } from '../../../src/core/tokens/exactCounter.ts';
import { O200K } from '../../../src/core/tokens/o200k.ts';
import { UNSURE } from '../../../src/core/tokens/pieces.ts';
import type { CorpusFile } from './speed.ts';
import { median, table } from './table.ts';

/**
 * How far counting is from its limits: turning the text into bytes, and that together with cutting it into pieces
 * without looking any up.
 */
export function measureLimits(corpora: readonly CorpusFile[], ranksFile: string, rounds: number): void {
  const counter = createExactCounter('o200k_base', ranksFile);
  const rows = corpora.map(({ name, text, bytes }) => {
    const speed = (work: () => void): string => {
      const times = Array.from({ length: rounds + 2 }, () => {
        const started = performance.now();
        work();
        return performance.now() - started;
      });
      return (bytes / 1000 / median(times.slice(2))).toFixed(0);
    };
    return [name, speed(() => encode(text)), speed(() => cut(text)), speed(() => counter.countTokens(text))];
  });
  console.log('\nLimits, MB/s\n');
  console.log(table(['', 'to bytes', 'to bytes and pieces', 'counted'], rows));
}

const BLOCK = 16_384;

function encode(text: string): void {
  const buffer = new ByteBuffer(4 * BLOCK);
  for (let at = 0; at < text.length; at += BLOCK) {
    buffer.clear();
    buffer.append(text.slice(at, at + BLOCK));
  }
}

function cut(text: string): number {
  const buffer = new ByteBuffer(4 * BLOCK);
  let pieces = 0;
  for (let at = 0; at < text.length; at += BLOCK) {
    buffer.clear();
    buffer.append(text.slice(at, at + BLOCK));
    for (let start = 0; start < buffer.end; pieces++) {
      const end = O200K.fast(buffer.bytes, start);
      start = end === UNSURE ? O200K.general(buffer.bytes, start, false) : end;
    }
  }
  return pieces;
}
