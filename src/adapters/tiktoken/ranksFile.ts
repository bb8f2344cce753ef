import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Encoding } from '../../core/profile/profile.ts';
import type { PackedTokens } from '../../core/tokens/rankTable.ts';

/**
 * The rank file: the magic, then for each encoding a header (number of tokens, offset and length of its section; three
 * little-endian 32-bit words), then the sections. A section is compressed by itself, so that loading one encoding does
 * not touch the other; inside are the tokens' lengths, a byte each in rank order, and then their bytes.
 */
const MAGIC = 'KARLRNK1';
const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];
const HEADER_BYTES = 12;

/** Returns the file's content. */
export function encodeRanks(tokens: Readonly<Record<Encoding, PackedTokens>>): Uint8Array {
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
export function isRanks(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/**
 * Reads the tokens of one encoding from a rank file or its content.
 * @throws when it is not a rank file of this version.
 */
export function loadRanks(file: string | Uint8Array, encoding: Encoding): PackedTokens {
  const content =
    typeof file === 'string' ? readFileSync(file) : Buffer.from(file.buffer, file.byteOffset, file.length);
  if (!isRanks(content))
    throw new Error(`not a rank file of this version${typeof file === 'string' ? `: ${file}` : ''}`);
  const at = MAGIC.length + ENCODINGS.indexOf(encoding) * HEADER_BYTES;
  const count = content.readUInt32LE(at);
  const offset = content.readUInt32LE(at + 4);
  const raw = brotliDecompressSync(content.subarray(offset, offset + content.readUInt32LE(at + 8)));
  return { lengths: raw.subarray(0, count), bytes: raw.subarray(count) };
}
