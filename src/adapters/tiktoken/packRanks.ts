import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Encoding } from '../../core/profile/profile.ts';
import type { PackedTokens } from '../../core/tokens/rankTable.ts';
import { encodeRanks } from './ranksFile.ts';

/**
 * Build step: packs the public rank data of js-tiktoken, for both encodings, into one compressed file that engine and
 * worker load. js-tiktoken itself is not shipped.
 * @returns the file's size in bytes.
 */
export function packRanks(outFile: string): number {
  const content = encodeRanks({ o200k_base: readRanks('o200k_base'), cl100k_base: readRanks('cl100k_base') });
  mkdirSync(dirname(outFile), { recursive: true });
  const part = `${outFile}.${process.pid}.part`;
  writeFileSync(part, content);
  renameSync(part, outFile); // another process never sees half a file
  return content.length;
}

/** The tokens of js-tiktoken's `bpe_ranks`: lines of `! <first rank> <base64 token> <base64 token> ...`. */
function readRanks(encoding: Encoding): PackedTokens {
  const { bpe_ranks } = createRequire(import.meta.url)(`js-tiktoken/ranks/${encoding}`) as { bpe_ranks: string };
  const tokens: Buffer[] = [];
  for (const line of bpe_ranks.split('\n').filter((text) => text !== '')) {
    const [, firstRank, ...encoded] = line.split(' ');
    if (Number(firstRank) !== tokens.length) throw new Error(`${encoding}: a gap in the ranks at ${tokens.length}`);
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64'));
  }
  return { lengths: Uint8Array.from(tokens, (token) => token.length), bytes: Buffer.concat(tokens) };
}
