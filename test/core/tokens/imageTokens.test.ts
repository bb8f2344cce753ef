import assert from 'node:assert/strict';
import { imageSizeOf, imageTokens } from '../../../src/core/tokens/images.ts';

const url = (type: string, bytes: readonly number[]): string =>
  `data:image/${type};base64,${Buffer.from([...bytes, ...new Array(40).fill(0)]).toString('base64')}`;
const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')];
const big = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const png = (width: number, height: number): string =>
  url('png', [0x89, ...ascii('PNG\r\n\u001a\n'), 0, 0, 0, 13, ...ascii('IHDR'), ...big(width), ...big(height)]);
const part = (link: string, detail?: string) => ({ type: 'image_url', image_url: { url: link, detail } });

describe('the size of an image', () => {
  const webp = (...chunk: number[]) => url('webp', [...ascii('RIFF'), 0, 0, 0, 0, ...ascii('WEBP'), ...chunk]);
  for (const [where, image, width, height] of [
    ['the header of a PNG', png(1024, 700), 1024, 700],
    ['the header of a GIF', url('gif', [...ascii('GIF89a'), 0x40, 1, 0xf0, 0]), 320, 240],
    [
      'the frame header of a JPEG, after its other segments',
      url('jpeg', [
        ...[0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4],
        ...[0xff, 0xc4, 0, 4, 0, 0, 0xff, 0xc2, 0, 11, 8, 1, 0x2c, 2, 0x58],
      ]),
      600,
      300,
    ],
    ['a lossy WebP', webp(...ascii('VP8 '), 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1), 640, 480],
    ['a lossless WebP', webp(...ascii('VP8L'), 0, 0, 0, 0, 0x2f, ...big(639 | (479 << 14)).reverse()), 640, 480],
    ['an extended WebP', webp(...ascii('VP8X'), 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0), 640, 480],
  ] as const)
    it(`is read from ${where}`, () => assert.deepEqual(imageSizeOf(image), { width, height }));

  it('is unknown for a link, for another format and for damaged data', () => {
    assert.equal(imageSizeOf('https://example.org/cat.png'), undefined);
    assert.equal(imageSizeOf(url('bmp', ascii('BM'))), undefined);
    assert.equal(imageSizeOf('data:image/png;base64,@@@@'), undefined);
    assert.equal(imageSizeOf('data:image/png;base64,iVBO'), undefined);
  });
});

describe('the tokens of an image', () => {
  const tiles = { kind: 'tiles', base: 85, tile: 170 } as const;

  const patches = { kind: 'patches', most: 1536, factor: 1 } as const;
  const area = { kind: 'area', pixels: 750, longest: 1568 } as const;

  it('follow the examples of the guides of OpenAI and Anthropic; by the usual rule, they are an estimate', () => {
    for (const [image, rule, tokens] of [
      [part(png(1024, 1024)), tiles, 765], // four tiles
      [part(png(2048, 4096)), tiles, 1105], // six tiles
      [part(png(4096, 8192), 'low'), tiles, 85],
      [part(png(1024, 1024)), patches, 1024],
      [part(png(1800, 2400)), patches, 1536],
      [part(png(1000, 1000)), area, 1334],
      [part(png(3136, 1500)), area, Math.ceil((1568 * 750) / 750)],
      [part(png(1024, 1024)), undefined, 765],
      [part(png(9000, 700)), undefined, 85 + 170 * 4],
    ] as const)
      assert.deepEqual(imageTokens(image, rule), { tokens, source: rule === undefined ? 'estimated' : 'counted' });
  });

  it('are an estimate of the most that the rule gives when the size is unknown', () => {
    const most = { tokens: 85 + 8 * 170, source: 'estimated' };
    assert.deepEqual(imageTokens(part('https://example.org/cat.png'), tiles), most);
    assert.deepEqual(imageTokens({ type: 'image_url' }), most);
  });
});
