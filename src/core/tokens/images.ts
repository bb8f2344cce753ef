import type { ChatPart } from '../chat/wire.ts';
import type { ImageRule, TokenCount } from './counter.ts';

/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How many bytes of the image are read: a JPEG's size comes after its metadata. Bytes. */
const HEAD_BYTES = 48 * 1024;

/** The size that the header of a PNG, GIF, WebP or JPEG in a base64 data URL states; `undefined` for anything else. */
export function imageSizeOf(url: string): ImageSize | undefined {
  const data = /^data:image\/[\w.+-]+;base64,/.exec(url.slice(0, 100));
  if (data === null) return undefined;
  const bytes = decodeHead(url.slice(data[0].length, data[0].length + (HEAD_BYTES / 3) * 4));
  return bytes === undefined ? undefined : readSize(bytes);
}

function decodeHead(base64: string): DataView | undefined {
  const whole = base64.slice(0, base64.length & ~3);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(whole)) return undefined;
  const decoded = atob(whole);
  // Not `Uint8Array.from`, which takes milliseconds.
  const bytes = new Uint8Array(decoded.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = decoded.charCodeAt(at);
  return new DataView(bytes.buffer);
}

function readSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30) return undefined;
  const signature = view.getUint32(0);
  if (signature === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) }; // PNG: IHDR
  if (signature === 0x47494638) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }; // GIF8
  if (signature === 0x52494646 && view.getUint32(8) === 0x57454250) return readWebP(view); // RIFF....WEBP
  return view.getUint16(0) === 0xffd8 ? readJpeg(view) : undefined;
}

function readWebP(view: DataView): ImageSize | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 "
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // VP8L: two 14-bit numbers, each one less than the size
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // VP8X: two 24-bit numbers, each one less than the size
      return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
    default:
      return undefined;
  }
}

/** Walks the segments to the frame header (SOF0 to SOF15 without DHT, JPG and DAC). */
function readJpeg(view: DataView): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** The rule for estimates when a profile states none: OpenAI's tiles with the prices of gpt-4o. */
const USUAL: ImageRule = { kind: 'tiles', base: 85, tile: 170 };

/** Tiles: the image is fitted into 2048 x 2048, its shorter side reduced to 768, and each tile charged. */
const TILE = 512;
const LONGEST_SIDE = 2048;
const SHORTER_SIDE = 768;
const PATCH = 32;
/** Assumed when the size is unknown: the most expensive size under the rule for tiles. */
const LARGEST: ImageSize = { width: LONGEST_SIDE, height: SHORTER_SIDE };

/** Tokens of an `image_url` part: counted if the rule is stated and the image's size can be read, or else estimated. */
export function imageTokens(part: ChatPart, rule?: ImageRule): TokenCount {
  const image = part.image_url;
  const { url, detail } = typeof image === 'object' && image !== null ? (image as Record<string, unknown>) : {};
  const used = rule ?? USUAL;
  const known = rule === undefined ? 'estimated' : 'counted';
  if (detail === 'low' && used.kind === 'tiles') return { tokens: used.base, source: known };
  const size = typeof url === 'string' ? imageSizeOf(url) : undefined;
  if (size === undefined) return { tokens: tokensOfSize(LARGEST, used), source: 'estimated' };
  return { tokens: tokensOfSize(size, used), source: known };
}

function tokensOfSize(size: ImageSize, rule: ImageRule): number {
  switch (rule.kind) {
    case 'tiles':
      return rule.base + rule.tile * countTiles(size);
    case 'patches':
      return Math.ceil(
        Math.min(rule.most, Math.ceil(size.width / PATCH) * Math.ceil(size.height / PATCH)) * rule.factor,
      );
    case 'area': {
      const fit = Math.min(1, rule.longest / Math.max(size.width, size.height));
      return Math.ceil((size.width * fit * size.height * fit) / rule.pixels);
    }
  }
}

function countTiles({ width, height }: ImageSize): number {
  const fit = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const shrink = Math.min(1, SHORTER_SIDE / (Math.min(width, height) * fit)) * fit;
  return tilesAlong(width * shrink) * tilesAlong(height * shrink);
}

function tilesAlong(pixels: number): number {
  return Math.max(1, Math.ceil(Math.round(pixels) / TILE));
}
