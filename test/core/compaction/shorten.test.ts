import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  describeSize,
  MASKED,
  shortenCall,
  shortenText,
  shortenWritten,
} from '../../../src/core/compaction/shorten.ts';

const KEPT = { head: 100, tail: 100, errorLines: 6 };
const LONG = 'a line of the file\n'.repeat(200);

function shorten(text: string): string | undefined {
  return shortenCall({ id: 'a', function: { name: 'write_file', arguments: text } }, 't7')?.function.arguments;
}

describe('shortened arguments', () => {
  it('stay JSON, with long values cut around the handle', () => {
    const { path, edits } = JSON.parse(shorten(JSON.stringify({ path: 'a.ts', edits: [{ text: LONG }] })) ?? '') as {
      path: string;
      edits: { text: string }[];
    };
    assert.equal(path, 'a.ts');
    const edited = edits[0]?.text ?? '';
    assert.match(edited, /^a line of the file\n[\s\S]*\[… t7: \d+ lines left out; karl_recall\("t7"\) …\]/);
  });

  it('are left alone when there is little to gain', () => {
    assert.equal(shorten(JSON.stringify({ path: 'a.ts', content: 'short' })), undefined);
    assert.equal(shorten(JSON.stringify(Array.from({ length: 200 }, () => 'many short values'))), undefined);
  });

  it('nested without end do not exhaust the stack', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const cut = shorten(`${open.repeat(50_000)}1${close.repeat(50_000)}`);
      assert.ok(cut !== undefined && cut.length < 200 && cut.includes('t7'));
    }
  });

  it('never change a number: a call with one that cannot be read exactly stays as it is', () => {
    assert.equal(shorten(`{"id": 12345678901234567890, "text": ${JSON.stringify(LONG)}}`), undefined);
    const figures = shorten(`{"id": 1234567, "rate": 0.30000000000000004, "text": ${JSON.stringify(LONG)}}`) ?? '';
    assert.match(figures, /"id":1234567,"rate":0\.30000000000000004/);
  });
});

describe('a shortened text', () => {
  it('never splits a character', () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const text = `${'x'.repeat(shift)}${'🦊'.repeat(3000)}`;
      assert.ok(shortenText(text, 't7', { head: 101, tail: 101, errorLines: 2 })?.isWellFormed());
    }
  });

  it('keeps errors from the part left out, each once', () => {
    const text = shortenText(`${LONG}Error: it broke\n${LONG}Error: it broke\n${LONG}`, 't7', KEPT);
    assert.equal(text?.split('Error: it broke').length, 2);
  });

  it('stays whole if it consists mostly of errors', () => {
    const text = Array.from({ length: 12 }, (_, line) => `Error: ${line} ${'it broke '.repeat(5)}`).join('\n');
    assert.equal(shortenText(text, 't7', { head: 100, tail: 100, errorLines: 12 }), undefined);
  });

  it('keeps what explains an error: its neighbours, before lines that only mention one', () => {
    const mentions = 'src/error.ts handles errors that are not found\n'.repeat(3);
    const parts: readonly (readonly [string, readonly string[]])[] = [
      [
        '{\n  "at": "10:07",\n  "level": "ERROR",\n  "worker": "w-17 out of memory"\n}',
        ['10:07', 'w-17 out of memory'],
      ],
      [
        "src/a.ts(12,5): error TS2345: Argument of type 'A'.\n  Types of 'lease' are incompatible.",
        ['(12,5)', "'lease'"],
      ],
      [
        '  ✗ renews the lease\n    expected 200\n    received 401',
        ['renews the lease', 'expected 200', 'received 401'],
      ],
      ['● harbour › opens\n\n    Received: 9 boats', ['harbour › opens']],
      [`{"seq":1,"pad":"${'ok '.repeat(300)}","level":"error","why":"the lock broke"}`, ['the lock broke']],
    ];
    for (const [part, explained] of parts) {
      const text = shortenText(`${LONG}${mentions}${LONG}${part}\n${LONG}0 errors, no failures\n${LONG}`, 't7', KEPT);
      for (const wanted of explained) assert.ok(text?.includes(wanted), `${wanted} in ${text}`);
      assert.ok(!text?.includes('0 errors'), text);
    }
  });

  it('never shows less for more room', () => {
    const line = fc.oneof(
      fc.constantFrom('ok', 'Error: broke', 'error.ts is fine', '  at a.ts:12', '', '{', '}', 'x'.repeat(400)),
      fc.string({ maxLength: 60 }),
    );
    const text = fc.array(line, { minLength: 20, maxLength: 120 }).map((lines) => lines.join('\n'));
    const size = fc.nat(1_500);
    const room = fc.record({ head: size, tail: size, errorLines: fc.nat(8) });
    fc.assert(
      fc.property(text, room, room, (all, { head, tail, errorLines }, more) => {
        const shown = shortenText(all, 't7', { head, tail, errorLines });
        if (shown === undefined) return;
        const larger = { head: head + more.head, tail: tail + more.tail, errorLines: errorLines + more.errorLines };
        const there = shortenText(all, 't7', larger) ?? all;
        for (const part of shown.split('\n').map((one) => one.replace(/^\[…\] /, '')))
          assert.ok(part.startsWith('[…') || there.includes(part), part);
      }),
    );
  });

  it('states how many lines are left out, without newlines at the ends and lines that are shown', () => {
    assert.equal(describeSize('a\nb\nc\nd\n'), '4 lines');
    assert.equal(describeSize('\na\nb\nc\nd\n'), '4 lines');
    assert.equal(describeSize('a\nb\nc\nd\ne\n', 1), '4 lines');
    assert.equal(describeSize('a\nb\n'), '4 characters');
  });
});

describe('shortened JSON without lines', () => {
  const rows = Array.from({ length: 60 }, (_, id) => ({ id, state: id === 37 ? 'Error: the lock broke' : 'ok' }));

  it('keeps the errors of the part left out', () => {
    assert.match(shortenText(JSON.stringify(rows), 't7', MASKED) ?? '', /left out[\s\S]*state: Error: the lock broke/);
  });

  it('keeps a number unlike all others of its name, with what stands around it', () => {
    const metrics = Array.from({ length: 60 }, (_, seq) => ({
      seq,
      region: seq === 41 ? 'lagoon' : 'north',
      latency: seq === 41 ? 99_999 : 95 + (seq % 11),
    }));
    for (const text of [JSON.stringify(metrics), JSON.stringify(metrics, null, 2)]) {
      const shown = shortenText(text, 't7', MASKED) ?? '';
      assert.match(shown, /left out[\s\S]*lagoon[\s\S]*99999/);
      assert.ok(shown.length < 1_000, shown);
    }
  });

  it('never changes a number', () => {
    const big = JSON.stringify(rows).replaceAll('"ok"', '12345678901234567890');
    assert.ok(shortenText(big, 't7', MASKED)?.includes('12345678901234567890'));
  });
});

describe('what the human wrote', () => {
  const log = `${'ok\n'.repeat(2000)}error: the lock broke\n${'ok\n'.repeat(2000)}`;

  it('is cut in the middle, and keeps the errors in a log that is pasted there', () => {
    const cut = shortenWritten(`Look at this:\n\`\`\`\n${log}\`\`\`\nNever touch the schema.`, 't3', 1500) ?? '';
    assert.match(
      cut,
      /^Look at this:\n```\nok\n[\s\S]*\("t3"\)[\s\S]*error: the lock broke[\s\S]*\nNever touch the schema\.$/,
    );
    assert.ok((shortenWritten('Never touch the schema. '.repeat(400), 't3', 1500) ?? '').length < 1700);
  });
});
