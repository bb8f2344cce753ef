import type { ChatPart } from '../messages/chat.ts';
import type { ImageRule } from '../profile/profile.ts';
import type { TokenCount } from './counter.ts';
import { type ImageSize, imageSizeOf } from './imageSize.ts';

/**
 * The rule for estimates when a profile states none: OpenAI's tiles with the prices of gpt-4o (guide "Images and
 * vision").
 */
const USUAL: ImageRule = { kind: 'tiles', base: 85, tile: 170 };

/**
 * Tiles: the image is fitted into 2048 x 2048, its shorter side is reduced to 768, and each tile or part of one is
 * charged.
 */
const TILE = 512;
const LONGEST_SIDE = 2048;
const SHORTER_SIDE = 768;
const PATCH = 32;
/** Assumed when the size is unknown: the most expensive size under the rule for tiles. */
const LARGEST: ImageSize = { width: LONGEST_SIDE, height: SHORTER_SIDE };
/** The most tokens under the usual rule: 2048 x 768, that is 4 x 2 tiles. */
export const LARGEST_IMAGE_TOKENS = 85 + 8 * 170;

/**
 * Tokens of an `image_url` part. Counted when the profile states the provider's rule and the size can be read from the
 * image itself; otherwise an estimate.
 */
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
