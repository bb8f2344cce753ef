import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { ReadTranscript } from '../../../src/core/chat/transcript.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { Result } from '../../../src/core/result.ts';

/** A message of the user. */
export const say = (content: string): ChatMessage => ({ role: 'user', content });

/** The messages of what was read, as they came. */
export function wiresOf({ transcript }: { readonly transcript: ReadTranscript }): readonly ChatMessage[] {
  return transcript.messages.map(({ wire }) => wire);
}

/** What each message of an opened conversation says. */
export function textsOf({ stored }: { readonly stored: { readonly transcript: ReadTranscript } }): unknown[] {
  return wiresOf(stored).map(({ content }) => content);
}

/** What a call gave that must not fail. */
export function value<Value>(result: Result<Value, unknown>): Value {
  return result.ok ? result.value : assert.fail(JSON.stringify(result.error));
}

/** Why a call failed that must. */
export function problem<Problem>(result: Result<unknown, Problem>): Problem {
  return result.ok ? assert.fail('it should have failed') : result.error;
}

/** What the message at a position of the conversation of `writerProcess.ts` says. */
export const writtenAt = (position: number): string => `${position}:${'x'.repeat((position * 7919) % 400)}`;

/** The path of the program that writes without end. */
export const WRITER = fileURLToPath(new URL('./writerProcess.ts', import.meta.url));

/** Bundles the writer into one file: it starts three times as fast, and it is started often. */
export function bundleWriter(outfile: string): string {
  buildSync({ entryPoints: [WRITER], bundle: true, platform: 'node', format: 'esm', outfile });
  return outfile;
}

/** A writer that runs: calls back once, some milliseconds after its first acknowledgement. */
export function startWriter(
  [program, root, id]: readonly [string, string, string],
  delayMs: number,
  afterFirst: (child: ChildProcessByStdio<null, Readable, null>) => void,
) {
  const child = spawn(process.execPath, [program, root, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const isFirst = !output.includes('ack') && (output + text).includes('ack');
    output += text;
    if (isFirst) setTimeout(() => afterFirst(child), delayMs);
  });
  /** The positions that it acknowledged so far. */
  const acknowledged = () => [...output.matchAll(/^ack (\d+)$/gm)].map((match) => Number(match[1]));
  return { child, output: () => output, acknowledged };
}
