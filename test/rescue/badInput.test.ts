import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSession } from '../../src/adapters/sessions/readSession.ts';
import { countTokens } from '../../src/engine.ts';
import { checkPairs } from '../laws/checkView.ts';
import { ASKED, claudeLines, round, useKarl } from './kit.ts';

describe('karl rescue of a session that', () => {
  const { places, start, ended, karl } = useKarl();

  const save = (text: string) => writeFileSync(places.original, text);
  const files = () => readdirSync(path.dirname(places.original));

  /** Rescues the session, of which only a copy is written, and gives what was said and the new one. */
  async function rescue() {
    const before = readFileSync(places.original);
    const { said, complaint, code } = await karl('rescue', '--window', '60000');
    assert.equal(code, 0, complaint);
    assert.deepEqual(readFileSync(places.original), before, 'the original was only read');
    const [, file = ''] = /^Written: (.*)$/m.exec(said) ?? [];
    const { messages, repairs } = await readSession(file);
    assert.deepEqual(repairs, []);
    assert.deepEqual(checkPairs(messages), []);
    assert.match(JSON.stringify(messages), /never touch part 7/);
    return { said, messages, text: JSON.stringify(messages) };
  }

  it('ends in the middle of a line', async () => {
    appendFileSync(places.original, '{"uuid":"u200","type":"us');
    const { said, text } = await rescue();
    assert.match(said, /^Lines that are not JSON were skipped: 1\.$/m);
    assert.match(text, /part 59 row 79/);
  });

  it('two windows wrote into at the same time', async () => {
    const [begun, mine, yours] = [round(0), round(1), round(2)];
    const rounds = Array.from({ length: 50 }, (_, part) => round(part + 3)).flat();
    const lines = claudeLines(places.work, [ASKED, ...begun, ...mine, ...rounds]).slice();
    // The other window went on from the same message, and its lines lie between those of the first.
    const others = claudeLines(places.work, [ASKED, ...begun, ...yours]).slice(3);
    const moved = others.map((line) => line.replaceAll(/"(u[34])"/g, '"other-$1"'));
    lines.splice(4, 0, ...moved.slice(0, 1));
    lines.splice(7, 0, ...moved.slice(1));
    save(`${lines.join('\n')}\n`);
    const { said, text } = await rescue();
    assert.match(said, /^Messages of a second window, .* were left out: 2\.$/m);
    assert.match(text, /part 52 row 79/);
  });

  it('uses the ids of calls and messages twice', async () => {
    const rounds = Array.from({ length: 60 }, (_, part) => round(part, `toolu_${part % 2}`)).flat();
    const more = ['user', { role: 'user', content: 'Then look at part 61.' }] as const;
    const lines = claudeLines(places.work, [ASKED, ...rounds, more]);
    // The last message has the id of the first answer.
    save(lines.join('\n').replace('"uuid":"u121"', '"uuid":"u1"'));
    const { text } = await rescue();
    assert.match(text, /part 59 row 79.*Then look at part 61/);
  });

  it('has calls without results, in its middle and at its end', async () => {
    const rounds = Array.from({ length: 60 }, (_, part) => round(part));
    const [cut, last] = [rounds[58] ?? [], round(60)];
    save(
      claudeLines(places.work, [ASKED, ...rounds.flat().filter((one) => one !== cut[1]), ...last.slice(0, 1)]).join(
        '\n',
      ),
    );
    const { text } = await rescue();
    for (const part of [57, 59]) assert.match(text, new RegExp(`part ${part} row 79`));
    assert.match(text, /print 58/);
  });

  it('its agent has open: that is said, and the agent writes on', async () => {
    const running = start(['rescue', '--window', '60000']);
    const over = ended(running);
    let written = readFileSync(places.original, 'utf8');
    const add = (line: string) => {
      appendFileSync(places.original, line);
      written += line;
    };
    const timer = setInterval(() => add('{"type":"progress","sessionId":"s"}\n'), 5);
    const { said, complaint } = await over;
    clearInterval(timer);
    assert.match(said, /written to less than a minute ago: if its agent still has it open/, complaint);
    assert.equal(readFileSync(places.original, 'utf8'), written);
  });

  it('is in a folder that is a link', async () => {
    const elsewhere = path.join(places.home, 'elsewhere');
    renameSync(path.join(places.home, '.claude'), elsewhere);
    symlinkSync(elsewhere, path.join(places.home, '.claude'));
    const { said } = await rescue();
    assert.match(said, new RegExp(`^Written: ${elsewhere}`, 'm'));
  });

  it('finds no room on the disk', async function () {
    if (process.platform === 'win32') this.skip();
    const limited = ['sh', '-c', 'ulimit -f 4 && exec "$@"', 'sh'];
    const { complaint, code } = await ended(start(['rescue', '--window', '60000'], { before: limited }));
    assert.equal(code, 1);
    assert.match(complaint, /The new session could not be written to .*: EFBIG/);
    assert.equal(files().length, 1, 'no half of a file is left');
  });

  const within = (megabytes: number) => ({ variables: { NODE_OPTIONS: `--max-old-space-size=${megabytes}` } });

  it('has 130 MB of images, where there are 120 MB of memory', async () => {
    const data = Buffer.alloc(1_500_000, 7).toString('base64');
    const rounds = Array.from({ length: 65 }, (_, part) => {
      const [call] = round(part);
      const source = { type: 'base64', media_type: 'image/png', data: `${part + 100}A${data}` };
      const seen = [
        { type: 'text', text: `Picture ${part}` },
        { type: 'image', source },
      ];
      const content = [{ type: 'tool_result', tool_use_id: `toolu_${part}`, content: seen }];
      return [call, ['user', { role: 'user', content }] as const] as const;
    });
    save(claudeLines(places.work, [ASKED, ...rounds.flat()]).join('\n'));
    const { said, complaint, code } = await ended(start(['rescue', '--window', '60000', '--json'], within(120)));
    assert.equal(code, 0, complaint);
    const { file, after } = JSON.parse(said) as { file: string; after: { tokens: number } };
    assert.ok(after.tokens < 25_000, said);
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(`164A${data}`), 'the newest picture is whole');
  });

  it('has 60 MB of text, where there are 45 MB of memory: karl show counts all of it', async () => {
    const rows = Array.from({ length: 40_000 }, (_, row) => `row ${row} has the value ${row * row}`).join('\n');
    const rounds = Array.from({ length: 48 }, (_, part) => {
      const content = [{ type: 'tool_result', tool_use_id: `toolu_${part}`, content: `part ${part}\n${rows}` }];
      return [round(part)[0], ['user', { role: 'user', content }] as const] as const;
    });
    save(claudeLines(places.work, [ASKED, ...rounds.flat()]).join('\n'));
    const { said, complaint } = await ended(start(['show', '--json'], within(45)));
    const { parts } = JSON.parse(said || '{}') as { parts?: { what: string; tokens: number }[] };
    const { tokens = 0 } = parts?.find(({ what }) => what === 'results of Bash') ?? {};
    assert.equal(Math.floor(tokens / countTokens(rows)), 48, complaint);
  });

  for (const [what, make] of [
    ['is of something else', (file: string) => writeFileSync(file, '{"name":"package","version":"1.0.0"}')],
    ['is a folder', (file: string) => mkdirSync(file)],
    ...(process.platform === 'win32'
      ? []
      : [['is a pipe', (file: string) => void execFileSync('mkfifo', [file])] as const]),
  ] as const)
    it(`${what}: says so, and writes nothing`, async () => {
      const file = path.join(places.home, 'foreign');
      make(file);
      const { complaint, code } = await karl('rescue', file);
      assert.equal(code, 1);
      const says =
        /^karl rescue: .*foreign (?:is not a session of an agent that Karl knows|cannot be read|is not a regular file)/;
      assert.match(complaint, says);
      assert.equal(files().length, 1);
    });
});
