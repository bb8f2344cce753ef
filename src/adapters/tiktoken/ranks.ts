import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib';
import { runAtOnce } from '../../core/steps.ts';
import type { Encoding } from '../../core/tokens/counter.ts';
import { ExactCounter } from '../../core/tokens/exactCounter.ts';
import { buildRankTable, type PackedTokens, type RankTable } from '../../core/tokens/rankTable.ts';

/**
 * The rank file: the magic, then a header for each encoding (number of tokens, offset and length of its section; three
 * little-endian 32-bit words), then the sections. Each section is compressed by itself, so that one encoding can be loaded
 * without the other; it has the tokens' lengths, a byte each in rank order, and then their bytes.
 */
const MAGIC = 'KARLRNK1';
const HEADER_BYTES = 12;

/** The encodings that can be counted exactly, in the order of the file. */
export const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];

/** Returns the content of a rank file. */
function encodeRanks(tokens: Readonly<Record<Encoding, PackedTokens>>): Uint8Array {
  const header = Buffer.alloc(MAGIC.length + ENCODINGS.length * HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  let offset = header.length;
  const sections = ENCODINGS.map((encoding, index) => {
    const { lengths, bytes } = tokens[encoding];
    const raw = Buffer.concat([lengths, bytes]);
    const section = brotliCompressSync(raw, {
      params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
    });
    const at = MAGIC.length + index * HEADER_BYTES;
    header.writeUInt32LE(lengths.length, at);
    header.writeUInt32LE(offset, at + 4);
    header.writeUInt32LE(section.length, at + 8);
    offset += section.length;
    return section;
  });
  return Buffer.concat([header, ...sections]);
}

/** True for the content of a rank file of this version. */
function isRanks(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/** The compressed section of one encoding in a rank file. @throws if it is not a rank file of this version. */
function findSection(file: string, encoding: Encoding): { readonly count: number; readonly section: Uint8Array } {
  const content = readFileSync(file);
  if (!isRanks(content)) throw new Error(`not a rank file of this version: ${file}`);
  const at = MAGIC.length + ENCODINGS.indexOf(encoding) * HEADER_BYTES;
  const offset = content.readUInt32LE(at + 4);
  return { count: content.readUInt32LE(at), section: content.subarray(offset, offset + content.readUInt32LE(at + 8)) };
}

/** Reads the tokens of one encoding from a rank file. @throws if it is not a rank file of this version. */
export function loadRanks(file: string, encoding: Encoding): PackedTokens {
  const { count, section } = findSection(file, encoding);
  return unpack(count, brotliDecompressSync(section));
}

/** The same; decompresses in another thread, and rejects instead. */
export async function readRanks(file: string, encoding: Encoding): Promise<PackedTokens> {
  const { count, section } = findSection(file, encoding);
  return unpack(count, await promisify(brotliDecompress)(section));
}

function unpack(count: number, raw: Uint8Array): PackedTokens {
  return { lengths: raw.subarray(0, count), bytes: raw.subarray(count) };
}

/**
 * Build step: packs the public rank data of js-tiktoken, for both encodings, into one compressed file that engine and
 * worker load. js-tiktoken itself is not shipped.
 * @returns the file's size in bytes.
 */
export function packRanks(outFile: string): number {
  const content = encodeRanks({ o200k_base: parseRanks('o200k_base'), cl100k_base: parseRanks('cl100k_base') });
  mkdirSync(dirname(outFile), { recursive: true });
  const part = `${outFile}.${process.pid}.part`;
  writeFileSync(part, content);
  renameSync(part, outFile); // another process never sees half a file
  return content.length;
}

/** The tokens of js-tiktoken's `bpe_ranks`: lines of `! <first rank> <base64 token> <base64 token> ...`. */
function parseRanks(encoding: Encoding): PackedTokens {
  const { bpe_ranks } = createRequire(import.meta.url)(`js-tiktoken/ranks/${encoding}`) as { bpe_ranks: string };
  const tokens: Buffer[] = [];
  for (const line of bpe_ranks.split('\n').filter((text) => text !== '')) {
    const [, firstRank, ...encoded] = line.split(' ');
    if (Number(firstRank) !== tokens.length) throw new Error(`${encoding}: a gap in the ranks at ${tokens.length}`);
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64'));
  }
  return { lengths: Uint8Array.from(tokens, (token) => token.length), bytes: Buffer.concat(tokens) };
}

/**
 * Finds the rank file: the one beside the running module (a bundle in `dist`); from source, that of the last build, or else
 * one packed now and kept in `node_modules/.cache`.
 * @returns the file's path.
 * @throws Error saying where the file must be, if the module was bundled or moved without it.
 */
export function findRanks(): string {
  // Beside the bundle, beside the folder of its chunks, or from source.
  for (const place of ['./ranks.bin', '../ranks.bin', '../../../dist/ranks.bin']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file) && isRanks(readFileSync(file))) return file;
  }
  const dataFolder = dirname(findTables());
  const file = join(dataFolder, '../../.cache/karl/ranks-1.bin');
  if (!existsSync(file)) packRanks(file);
  return file;
}

function findTables(): string {
  try {
    return createRequire(import.meta.url).resolve('js-tiktoken/lite');
  } catch (cause) {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const message = `ranks.bin is not in ${folder}: copy it there from the package of the engine, or keep the package out of the bundle.`;
    throw new Error(message, { cause });
  }
}

const tables = new Map<string, RankTable>();

/**
 * An exact counter that counts in the calling thread, for the engine, tests and benchmarks. Loads the ranks of the
 * encoding on the first call (tens of milliseconds); counters of one encoding share them.
 * @param ranksFile path of the packed ranks, see `findRanks`.
 */
export function createExactCounter(encoding: Encoding, ranksFile: string): ExactCounter {
  const key = `${encoding} ${ranksFile}`;
  const table = tables.get(key) ?? runAtOnce(buildRankTable(loadRanks(ranksFile, encoding)));
  tables.set(key, table);
  return new ExactCounter(encoding, table);
}
