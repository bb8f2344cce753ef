import type { Block } from '../../messages/blocks.ts';
import { cutHead, quoteHead } from '../../messages/cut.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { headingsIn } from '../headings.ts';
import { type Kept, shortenText } from '../shorten.ts';
import { type BlockStep, stepsOf, writeStep } from './blockSteps.ts';
import { numberedLines } from './passages.ts';

/** To how many characters calls and outputs in an outline are clipped: the first of these with which the range fits. */
const CLIPPED_TO: readonly number[] = [2400, 1000, 400];

/** In the shortest outline, how much is shown of output that belongs to no call. Characters. */
const OUTPUT_START = 200;

/**
 * The blocks of a range: whole if that fits in the room; else with long calls and outputs clipped; else one line per
 * step (what was said stays in full), as many as fit, and where to go on. At least one step is shown.
 */
export function* writeOutline(blocks: readonly Block[], range: MessageRange, room: number): Steps<string> {
  const steps: BlockStep[] = [];
  for (const block of blocks) {
    steps.push(...stepsOf(block));
    yield;
  }
  const whole = steps.map(writeStep);
  if (fits(whole, room)) return whole.join('\n');
  for (const limit of CLIPPED_TO) {
    const clipped: string[] = [];
    for (const step of steps) {
      clipped.push(clip(step, limit));
      yield;
    }
    if (fits(clipped, room)) return clipped.join('\n');
  }
  return writeLines(steps, range, room);
}

function clip(step: BlockStep, limit: number): string {
  if (step.kind === 'said' || step.text.length <= limit) return writeStep(step);
  const kept = { head: Math.floor(limit * 0.5), tail: Math.floor(limit * 0.3), errorLines: Math.floor(limit / 400) };
  const text = shortenText(step.text, `t${step.id}`, kept, step.kind === 'call' ? '' : whatIsBetween(step, kept));
  return text === undefined ? writeStep(step) : writeStep({ ...step, text });
}

/** The headings of the part that is left out of a message, and how to open that part. */
function whatIsBetween({ id, text }: BlockStep, { head, tail }: Kept): string {
  const start = cutHead(text, head).length;
  let line = 1;
  let end = 0;
  for (const { length } of numberedLines(text)) {
    end += length;
    if (end > start + 1) break;
    line += 1;
  }
  const headings = headingsIn(text.slice(start, -tail), head);
  return `${headings === '' ? '' : `${headings}\n`}[goes on: karl_recall("t${id}:${line}")]`;
}

/** One line per call, which says how it went; results have no line of their own. */
function writeLines(all: readonly BlockStep[], range: MessageRange, room: number): string {
  const steps = all.filter(({ kind }) => kind !== 'result');
  const last = Math.min(range.to, all.at(-1)?.id ?? range.to);
  const shown: string[] = [];
  let size = 0;
  for (const [index, step] of steps.entries()) {
    const text = writeLine(step);
    size += text.length + 1;
    // Steps of one message are never separated, since going on at its handle shows all of them.
    if (index > 0 && size > room && steps[index - 1]?.id !== step.id) {
      return `${shown.join('\n')}\n[the rest, ${last - step.id + 1} messages: karl_recall("t${step.id}-${last}")]`;
    }
    shown.push(text);
  }
  return shown.join('\n');
}

function writeLine(step: BlockStep): string {
  if (step.kind === 'said') return writeStep(step);
  return step.kind === 'output' ? writeStep({ ...step, text: quoteHead(step.text, OUTPUT_START) }) : step.label;
}

function fits(texts: readonly string[], room: number): boolean {
  return texts.reduce((sum, text) => sum + text.length + 1, 0) <= room;
}
