import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { installApart } from '../setup/install.mjs';
import { root } from '../setup/root.ts';

const COLOURS = 64;

export interface Shot {
  /** PNG; all shots of a film are of one size. */
  readonly png: Buffer;
  readonly ms: number;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Writes the shots as a GIF that repeats. What does not change between shots takes no space. */
export function writeFilm(file: string, shots: readonly Shot[]): void {
  const load = createRequire(path.join(installApart(root, 'film'), 'package.json'));
  const { GIFEncoder, quantize, applyPalette } = load('gifenc');
  const { PNG } = load('pngjs');
  const frames: Pixels[] = shots.map(({ png }) => PNG.sync.read(png));
  const [first] = frames;
  if (first === undefined) throw new Error(`${file}: a film has at least one shot`);
  const { width, height } = first;
  // One palette for all, so that a colour does not change from shot to shot; its last entry means "as before".
  const palette = quantize(joined(frames), COLOURS - 1);
  const transparent = palette.length;
  const gif = GIFEncoder();
  let before: Uint8Array | undefined;
  for (const [index, frame] of frames.entries()) {
    const colours: Uint8Array = applyPalette(frame.data, palette);
    const changed =
      before === undefined ? colours : colours.map((one, at) => (one === before?.[at] ? transparent : one));
    gif.writeFrame(changed, width, height, {
      ...(index === 0 && { palette: [...palette, [0, 0, 0]] }),
      delay: shots[index]?.ms,
      transparent: index > 0,
      transparentIndex: transparent,
      dispose: 1,
    });
    before = colours;
  }
  gif.finish();
  fs.writeFileSync(file, gif.bytes());
}

function joined(frames: readonly Pixels[]): Uint8Array {
  const all = new Uint8Array(frames.reduce((sum, { data }) => sum + data.length, 0));
  let at = 0;
  for (const { data } of frames) {
    all.set(data, at);
    at += data.length;
  }
  return all;
}
