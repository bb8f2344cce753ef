import assert from 'node:assert/strict';
import { imageSizeOf, imageTokens, LARGEST_IMAGE_TOKENS } from '../../../src/core/tokens/images.ts';

const url = (type: string, bytes: readonly number[]): string =>
  `data:image/${type};base64,${Buffer.from([...bytes, ...new Array(40).fill(0)]).toString('base64')}`;
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];
const big = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const png = (width: number, height: number): string =>
  url('png', [0x89, ...ascii('PNG\r\n\u001a\n'), 0, 0, 0, 13, ...ascii('IHDR'), ...big(width), ...big(height)]);
const part = (link: string, detail?: string) => ({ type: 'image_url', image_url: { url: link, detail } });

describe('the size of an image', () => {
  it('is read from the header of a PNG', () => {
    assert.deepEqual(imageSizeOf(png(1024, 700)), { width: 1024, height: 700 });
  });

  it('is read from the header of a GIF', () => {
    assert.deepEqual(imageSizeOf(url('gif', [...ascii('GIF89a'), 0x40, 1, 0xf0, 0])), { width: 320, height: 240 });
  });

  it('is read from the frame header of a JPEG, after its other segments', () => {
    const jpeg = [
      0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4, 0xff, 0xc4, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 1, 0x2c, 2, 0x58,
    ];
    assert.deepEqual(imageSizeOf(url('jpeg', jpeg)), { width: 600, height: 300 });
  });

  it('is read from the three kinds of WebP', () => {
    const riff = [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP')];
    const lossy = [...riff, ...ascii('VP8 '), 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1];
    assert.deepEqual(imageSizeOf(url('webp', lossy)), { width: 640, height: 480 });
    const bits = 639 | (479 << 14);
    const lossless = [...riff, ...ascii('VP8L'), 0, 0, 0, 0, 0x2f, ...big(bits).reverse()];
    assert.deepEqual(imageSizeOf(url('webp', lossless)), { width: 640, height: 480 });
    const extended = [...riff, ...ascii('VP8X'), 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0];
    assert.deepEqual(imageSizeOf(url('webp', extended)), { width: 640, height: 480 });
  });

  it('is unknown for a link, for another format and for damaged data', () => {
    assert.equal(imageSizeOf('https://example.org/cat.png'), undefined);
    assert.equal(imageSizeOf(url('bmp', ascii('BM'))), undefined);
    assert.equal(imageSizeOf('data:image/png;base64,@@@@'), undefined);
    assert.equal(imageSizeOf('data:image/png;base64,iVBO'), undefined);
  });
});

describe('the tokens of an image', () => {
  const tiles = { kind: 'tiles', base: 85, tile: 170 } as const;

  it('follow the examples of the OpenAI guide', () => {
    assert.deepEqual(imageTokens(part(png(1024, 1024)), tiles), { tokens: 765, source: 'counted' }); // four tiles
    assert.deepEqual(imageTokens(part(png(2048, 4096)), tiles), { tokens: 1105, source: 'counted' }); // six tiles
    assert.deepEqual(imageTokens(part(png(4096, 8192), 'low'), tiles), { tokens: 85, source: 'counted' });
    const patches = { kind: 'patches', most: 1536, factor: 1 } as const;
    assert.deepEqual(imageTokens(part(png(1024, 1024)), patches), { tokens: 1024, source: 'counted' });
    assert.deepEqual(imageTokens(part(png(1800, 2400)), patches), { tokens: 1536, source: 'counted' });
  });

  it('follow the example of the Anthropic guide', () => {
    const area = { kind: 'area', pixels: 750, longest: 1568 } as const;
    assert.deepEqual(imageTokens(part(png(1000, 1000)), area), { tokens: 1334, source: 'counted' });
    assert.deepEqual(imageTokens(part(png(3136, 1500)), area), {
      tokens: Math.ceil((1568 * 750) / 750),
      source: 'counted',
    });
  });

  it('are an estimate by the usual rule where the profile states none', () => {
    assert.deepEqual(imageTokens(part(png(1024, 1024))), { tokens: 765, source: 'estimated' });
    assert.deepEqual(imageTokens(part(png(9000, 700))), { tokens: 85 + 170 * 4, source: 'estimated' });
  });

  it('are an estimate of the most that the rule gives when the size is unknown', () => {
    const most = { tokens: LARGEST_IMAGE_TOKENS, source: 'estimated' };
    assert.deepEqual(imageTokens(part('https://example.org/cat.png'), tiles), most);
    assert.deepEqual(imageTokens({ type: 'image_url' }), most);
  });
});
