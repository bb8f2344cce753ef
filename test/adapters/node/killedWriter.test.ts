import assert from 'node:assert/strict';
import { once } from 'node:events';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { useFolder } from '../folder.ts';
import { seeded } from '../tiktoken/randomText.ts';
import { bundleWriter, startWriter, textsOf, value, writtenAt } from './kit.ts';

const KILLS = cases(200);
const LANES = 4;

describe('a writer that is killed', () => {
  const path = useFolder();

  it(`at ${KILLS} random points loses nothing that it acknowledged, seed ${SEED}`, async function () {
    this.timeout(600_000);
    const program = bundleWriter(path('writer.mjs'));
    const store = new ConversationFiles({ root: path(), now: Date.now });
    let acknowledgedInAll = 0;
    const lane = async (number: number): Promise<void> => {
      const id = `lane-${number}`;
      const below = seeded(SEED + number);
      await value(await store.create({ id, title: 'killed' })).close();
      for (let kill = 0; kill < KILLS / LANES; kill += 1) {
        const writer = startWriter([program, path(), id], below(12_000) / 1000, (child) => child.kill('SIGKILL'));
        await once(writer.child, 'close');
        assert.match(writer.output(), /^ready \d+\n/);
        const last = writer.acknowledged().at(-1) ?? -1;
        const opened = value(await store.open(id));
        assert.equal(opened.access.kind, 'write', 'the dead writer must not lock anybody out');
        const texts = textsOf(opened);
        assert.ok(texts.length > last, `${last} was acknowledged, ${texts.length} messages were loaded`);
        for (const [index, text] of texts.entries()) assert.equal(text, writtenAt(index));
        for (const { kind } of opened.stored.problems) assert.equal(kind, 'torn-line');
        await opened.close();
        acknowledgedInAll = Math.max(acknowledgedInAll, last);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
    assert.ok(acknowledgedInAll > KILLS / LANES, 'the writers must have written');
  });
});
