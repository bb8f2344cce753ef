import assert from 'node:assert/strict';
import { formatRecord, parseRawTranscript, type RawRecord } from '../../../src/adapters/node/rawTranscript.ts';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { seeded } from '../tiktoken/randomText.ts';

const RUNS = cases(1_000);
const MESSAGES = 30;
const LOST = /could not be read from the disk/;

const recordOf = (id: number): RawRecord => ({
  id,
  at: 1_700_000_000_000 + id,
  message: { role: 'user', content: `message ${id}: {"v":1,"id":${id}} ${'äöü \n "x" '.repeat(id % 7)}` },
});

/** A line as Karl 0.1 wrote it, without a checksum. */
const oldLine = (id: number, record = recordOf(id)): string => `${JSON.stringify({ v: 1, ...record })}\n`;

const range = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

/** A line in a file that is damaged; `whole` until something hits it. */
interface Entry {
  readonly id: number;
  readonly bytes: Buffer;
  whole: boolean;
  /** Its line end was hit: then it can be told from the next line only if that begins like a line. */
  open?: boolean;
}

/** Flips bits, repeats lines and cuts the file; returns it, with the messages that must survive. */
function damage(below: (limit: number) => number): { content: Buffer; surviving: Set<number> } {
  const entries: Entry[] = range(MESSAGES).map((id) => ({
    id,
    bytes: Buffer.from(formatRecord(recordOf(id))),
    whole: true,
  }));
  const pick = (): Entry => entries[below(entries.length)] ?? assert.fail();
  for (let blow = below(5); blow >= 0; blow -= 1) {
    const { id, bytes, whole, open } = pick();
    if (below(3) === 0)
      entries.splice(below(entries.length + 1), 0, { id, bytes: Buffer.from(bytes), whole, ...(open && { open }) });
    else {
      const hit = pick();
      const at = below(hit.bytes.length);
      hit.bytes[at] = (hit.bytes[at] ?? 0) ^ (1 << below(8));
      if (at < hit.bytes.length - 1) hit.whole = false;
      else hit.open = true;
    }
  }
  const all = Buffer.concat(entries.map(({ bytes }) => bytes));
  const cut = below(3) === 0 ? below(all.length) : all.length;
  const surviving = new Set<number>();
  let end = 0;
  for (const [index, { id, bytes, whole, open }] of entries.entries()) {
    end += bytes.length;
    const isTold = open !== true || entries[index + 1]?.whole !== false;
    if (whole && isTold && end - 1 <= cut) surviving.add(id);
  }
  return { content: all.subarray(0, cut), surviving };
}

const parse = (...lines: readonly (string | Buffer)[]) => {
  const read = runAtOnce(parseRawTranscript(Buffer.concat(lines.map((line) => Buffer.from(line)))));
  return { ...read, messages: read.records.map(({ message }) => message) };
};

describe('a damaged transcript', () => {
  it(`loses no more than its damaged lines: ${RUNS} files of flipped bits, repeated lines and cuts, seed ${SEED}`, () => {
    for (let run = 0; run < RUNS; run += 1) {
      const { content, surviving } = damage(seeded(SEED + run));
      const { records, messages, transcript, lost } = parse(content);
      const place = `seed ${SEED + run}`;
      const expected = messages.map((message, id) => parseMessage(message, id));
      assert.deepEqual(transcript.messages, expected, place);
      assert.ok(messages.length <= MESSAGES, place);
      for (const id of surviving) assert.deepEqual(messages[id], recordOf(id).message, `${place}, message ${id}`);
      const read = records.filter(({ message }) => !LOST.test(String(message.content)));
      for (const record of read) assert.deepEqual(record, recordOf(record.id), place);
      assert.equal(lost, messages.length - read.length, place);
    }
  });

  it('keeps the message before a damaged line end, wherever the next one is cut off', () => {
    const whole = formatRecord(recordOf(0));
    const next = formatRecord(recordOf(1));
    for (let cut = 0; cut < next.length - 1; cut += 1) {
      const { messages } = parse(`${whole.slice(0, -1)}*${next.slice(0, cut)}`);
      assert.deepEqual(messages, [recordOf(0).message], `${cut}`);
    }
  });

  it(`of Karl 0.1, without checksums, loses nothing by a wrong digit in a position, seed ${SEED}`, () => {
    const below = seeded(SEED);
    const count = 1_200;
    for (let run = 0; run < cases(60); run += 1) {
      const hit = run < 2 ? ([0, count - 1][run] ?? 0) : below(count);
      const digits = [...String(hit)];
      const at = below(digits.length);
      digits[at] = String((Number(digits[at]) + 1 + below(8)) % 9 || 9);
      const wrong = Number(digits.join(''));
      const lines = range(count).map((id) => oldLine(id, id === hit ? { ...recordOf(id), id: wrong } : recordOf(id)));
      const { messages, damaged } = parse(...lines);
      assert.deepEqual(
        messages.map(({ content }) => content),
        range(count).map((id) => recordOf(id).message.content),
        `seed ${SEED}: ${hit} became ${wrong}`,
      );
      assert.ok(damaged.every(({ repaired }) => repaired) && damaged.length <= 1);
      if (wrong !== hit) assert.equal(damaged[0]?.bytes.toString(), lines[hit]?.trimEnd());
    }
  });

  it('of Karl 0.1 keeps the places of lines that were lost between others', () => {
    const lines = [0, 1, 5, 6].map((id) => oldLine(id));
    const { messages, damaged } = parse(...lines);
    assert.equal(messages.length, 7);
    assert.equal(messages[6]?.content, recordOf(6).message.content);
    assert.deepEqual(damaged, []);
  });

  it('of Karl 0.1 has every message once, also where lines are repeated', () => {
    const lines = [0, 1, 1, 2, 0, 3, 4, 4].map((id) => oldLine(id));
    const { messages, damaged } = parse(...lines);
    const expected = range(5).map((id) => recordOf(id).message);
    assert.deepEqual(messages, expected);
    const repeated = damaged.map(({ line, repaired }) => [line, repaired]);
    const told = [3, 5, 8].map((line) => [line, false]);
    assert.deepEqual(repeated, told);
  });

  it('prefers a line with a checksum to one without', () => {
    const lines = [oldLine(0), oldLine(1, { ...recordOf(1), id: 70 }), oldLine(2, { ...recordOf(2), id: 80 })];
    const { messages } = parse(...lines, formatRecord(recordOf(3)));
    const expected = range(4).map((id) => recordOf(id).message);
    assert.deepEqual(messages, expected);
  });

  it('is read in steps when it is long', () => {
    const lines = Array.from({ length: 10_000 }, (_, id) => formatRecord(recordOf(id)));
    const inSteps = (content: string): number => [...parseRawTranscript(Buffer.from(content))].length;
    assert.ok(inSteps(lines.join('')) > 200);
    assert.ok(inSteps(['damaged\n', ...lines].join('')) > 10_200);
  });
});
