import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { seeded } from '../tiktoken/randomText.ts';
import { wiresOf } from './wiresOf.ts';

const KILLS = cases(200);
const LANES = 4;

interface Writer {
  readonly program: string;
  readonly root: string;
  readonly id: string;
  readonly delayMs: number;
}

/**
 * Starts a writer, kills it some milliseconds after its first acknowledgement, and returns the last one that it gave.
 */
async function writeAndKill({ program, root, id, delayMs }: Writer): Promise<number> {
  const child = spawn(process.execPath, [program, root, id], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const first = !output.includes('ack') && (output + text).includes('ack');
    output += text;
    if (first) setTimeout(() => child.kill('SIGKILL'), delayMs);
  });
  await once(child, 'close');
  assert.match(output, /^ready \d+\n/, output);
  const acknowledged = [...output.matchAll(/^ack (\d+)$/gm)].map((match) => Number(match[1]));
  return acknowledged.at(-1) ?? -1;
}

describe('a writer that is killed', () => {
  let root: string;
  let program: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'karl-kill-'));
    // Bundled into one file, it starts three times as fast, and it is started often.
    program = join(root, 'writer.mjs');
    const source = fileURLToPath(new URL('./writerProcess.ts', import.meta.url));
    buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: program });
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it(`at ${KILLS} random points loses nothing that it acknowledged, seed ${SEED}`, async function () {
    this.timeout(600_000);
    const store = new ConversationFiles({ root, now: Date.now });
    let acknowledgedInAll = 0;
    const lane = async (number: number): Promise<void> => {
      const id = `lane-${number}`;
      const below = seeded(SEED + number);
      const created = await store.create({ id, title: 'killed' });
      assert.ok(created.ok);
      await created.value.close();
      for (let kill = 0; kill < KILLS / LANES; kill += 1) {
        const last = await writeAndKill({ program, root, id, delayMs: below(12_000) / 1000 });
        const opened = await store.open(id);
        assert.ok(opened.ok && opened.value.access.kind === 'write', 'the dead writer must not lock anybody out');
        const messages = wiresOf(opened.value.stored);
        const { problems } = opened.value.stored;
        assert.ok(messages.length > last, `${last} was acknowledged, ${messages.length} messages were loaded`);
        messages.forEach((message, index) => {
          assert.equal(message.content, `${index}:${'x'.repeat((index * 7919) % 400)}`);
        });
        for (const { kind } of problems) assert.equal(kind, 'torn-line');
        await opened.value.close();
        acknowledgedInAll = Math.max(acknowledgedInAll, last);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
    assert.ok(acknowledgedInAll > KILLS / LANES, 'the writers must have written');
  });
});
