/**
 * npm run bench -- tokens [--rounds 7]
 *
 * How fast the exact counter is (o200k_base), in MB/s of processor time, at the first call on a text and in the median
 * of the warm rounds, and how many times as fast as js-tiktoken in the same run; and how long loading it takes. That it counts right, and that no text makes it hang, is tested.
 */
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k_base from 'js-tiktoken/ranks/o200k_base';
import { createExactCounter, findRanks } from '../../../src/adapters/tiktoken/ranks.ts';
import { seeded } from '../../adapters/tiktoken/randomText.ts';
import { median, table } from '../table.ts';

const root = new URL('../../..', import.meta.url);
const MOST_CHARACTERS = 1_500_000;
/** Some systems count processor time in steps of 4 ms, so a warm measurement takes many of them. */
const MEASURED_MS = 100;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const rounds = Number(values.rounds);

/** What fills the conversations of coding agents, from the packages that are installed here. */
const TEXTS: Readonly<Record<string, string>> = {
  prose: read(['node_modules/**/*.md']),
  TypeScript: read(['node_modules/{openai,zod}/src/**/*.ts', 'src/**/*.ts']),
  JSON: read(['node_modules/**/*.json']),
  'Chinese/emoji': chineseAndEmoji(300_000),
};

const started = process.threadCpuUsage();
const counter = createExactCounter('o200k_base', findRanks());
const count = (text: string) => counter.countTokens(text);
count('hello world');
console.log(`loading and the first call: ${spentSince(started).toFixed(0)} ms\n`);
const peer = new Tiktoken(o200k_base);
const countOfPeer = (text: string) => peer.encode(text, 'all').length;
const rows = Object.entries(TEXTS).map(([name, text]) => {
  const megabytes = Buffer.byteLength(text) / 1e6;
  const first = measure(count, text, 0);
  const warm = median(Array.from({ length: rounds }, () => measure(count, text, MEASURED_MS)));
  const others = median(Array.from({ length: 3 }, () => measure(countOfPeer, text, MEASURED_MS)));
  const speeds = [first, warm].map((ms) => ((1000 * megabytes) / ms).toFixed(1));
  return [name, megabytes.toFixed(2), ...speeds, `${(others / warm).toFixed(1)}x`];
});
console.log(table(['MB/s of processor time', 'MB', 'first call', `warm, of ${rounds} rounds`, 'js-tiktoken'], rows));

/** Milliseconds of one call, in the mean of as many as take `forMs`, but at least one. */
function measure(count: (text: string) => unknown, text: string, forMs: number): number {
  const start = process.threadCpuUsage();
  let calls = 0;
  do {
    count(text);
    calls += 1;
  } while (spentSince(start) < forMs);
  return spentSince(start) / calls;
}

/** Processor time of this thread, ms: what else runs on the machine does not count. */
function spentSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function read(patterns: readonly string[]): string {
  let text = '';
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    if (text.length > MOST_CHARACTERS) break;
    text += readFileSync(new URL(file, root), 'utf8');
  }
  return text.slice(0, MOST_CHARACTERS);
}

/** Random words between fixed sentences, so that a piece is not always one that was seen before. */
function chineseAndEmoji(characters: number): string {
  const below = seeded(99);
  const sentence = '当对话变长时，我们需要压缩旧的消息，但不能丢失用户关心的任何事实！🚀 发布成功 ✅ 所有测试通过 👍🏽';
  let text = '';
  while (text.length < characters) {
    for (let word = 4 + below(16); word > 0; word -= 1) text += String.fromCharCode(0x4e00 + below(3_000));
    text += below(6) === 0 ? `😀\n${sentence}` : '，';
  }
  return text;
}
