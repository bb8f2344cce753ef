import type { Block } from '../../messages/blocks.ts';
import { cutHead, quoteHead } from '../../messages/cut.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { Steps } from '../../steps.ts';
import { headingsIn } from '../headings.ts';
import { type Kept, shortenText } from '../shorten.ts';
import { type BlockStep, stepsOf, writeStep } from './blockSteps.ts';

/** Characters of a call or an output in an outline: the most of these with which the range fits. */
const CLIPPED_TO: readonly number[] = [2400, 1000, 400];

/** In the shortest outline, output that belongs to no call is shown by its start, characters. */
const OUTPUT_START = 200;

/**
 * The blocks of a range: whole where that fits in the room, else a step a line with what was said in full and output
 * clipped, and where even that is too long, as far as it fits and where to go on. At least one step is shown.
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
  const text = shortenText(step.text, `t${step.id}`, kept, step.kind === 'call' ? '' : whatIsBetween(step.text, kept));
  return text === undefined ? writeStep(step) : writeStep({ ...step, text });
}

/** The headings of what is left out of a message, and the line at which it goes on. */
function whatIsBetween(text: string, { head, tail }: Kept): string {
  const start = cutHead(text, head);
  const line = start.split('\n').length + (text[start.length] === '\n' ? 1 : 0);
  const headings = headingsIn(text.slice(start.length, -tail), head);
  return `${headings === '' ? '' : `${headings}\n`}[goes on with from_line ${line}]`;
}

/** One line a call, which says how it went; its result has none of its own. */
function writeLines(all: readonly BlockStep[], range: MessageRange, room: number): string {
  const steps = all.filter(({ kind }) => kind !== 'result');
  const last = Math.min(range.to, all.at(-1)?.id ?? range.to);
  const shown: string[] = [];
  let size = 0;
  for (const [index, step] of steps.entries()) {
    const text = writeLine(step);
    size += text.length + 1;
    // A message is never parted: going on at its handle shows all of its steps.
    if (index > 0 && size > room && steps[index - 1]?.id !== step.id) {
      return `${shown.join('\n')}\n[${last - step.id + 1} more messages; continue at t${step.id}-${last}]`;
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
