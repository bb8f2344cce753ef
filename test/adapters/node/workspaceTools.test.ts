import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { SLICES } from '../../../src/adapters/node/slices.ts';
import { makeWorkspaceTools } from '../../../src/adapters/node/toolKit.ts';
import { readGlob } from '../../../src/adapters/node/workspaceTools/glob.ts';
import type { WorkspaceToolLimits } from '../../../src/adapters/node/workspaceTools/toolArguments.ts';
import { walkFolder } from '../../../src/adapters/node/workspaceTools/walkFolder.ts';
import type { ToolOutcome } from '../../../src/core/session/tools.ts';
import { useFolder } from '../folder.ts';
import { value } from './kit.ts';

describe('the workspace tools', () => {
  const at = useFolder();
  let workspace: string;
  let folders: { name: string; path: string }[];

  const write = (path: string, content: string | Buffer = ''): void => {
    mkdirSync(at(path, '..'), { recursive: true });
    writeFileSync(at(path), content);
  };
  const run = async (
    name: string,
    args: unknown,
    options: { limits?: Partial<WorkspaceToolLimits>; signal?: AbortSignal } = {},
  ): Promise<ToolOutcome> => {
    const { limits = {}, signal = new AbortController().signal } = options;
    const tools = makeWorkspaceTools(() => folders, limits);
    const tool = tools.find(({ definition }) => definition.function.name === name) ?? assert.fail(name);
    return tool.run(args, signal);
  };
  const succeeding = (name: string) => async (args: unknown, limits?: Partial<WorkspaceToolLimits>) => {
    const outcome = await run(name, args, limits ? { limits } : {});
    assert.equal(outcome.failed, false, outcome.text);
    return outcome.text;
  };
  const read = succeeding('read_file');
  const list = succeeding('list_files');
  const search = succeeding('search_text');
  const fails = async (name: string, args: unknown, reason: RegExp): Promise<void> => {
    const outcome = await run(name, args);
    assert.equal(outcome.failed, true, outcome.text);
    assert.match(outcome.text, reason);
    assert.doesNotMatch(outcome.text, /TOP SECRET/);
  };

  beforeEach(() => {
    workspace = at('ws');
    folders = [{ name: 'ws', path: workspace }];
    write('ws/src/main.ts', 'first\nsecond needle\nthird\n');
    write('ws/readme.md', 'A Needle here\r\n');
    write('ws/node_modules/dep/index.js', 'needle\n');
    write('outside/secret.txt', 'TOP SECRET needle\n');
    write('ws2/other.txt', 'another needle\n');
  });

  describe('read_file', () => {
    it('gives the lines with their numbers', async () => {
      const whole = await read({ path: 'src/main.ts' });
      assert.equal(whole, 'src/main.ts, lines 1-3 of 3\n1\tfirst\n2\tsecond needle\n3\tthird');
      assert.equal(await read({ path: './src/../readme.md' }), 'readme.md, lines 1-1 of 1\n1\tA Needle here');
      assert.match(await read({ path: join(workspace, 'src/main.ts') }), /1\tfirst/);
    });

    it('gives a range', async () => {
      const second = await read({ path: 'src/main.ts', start_line: 2, end_line: 2 });
      assert.equal(second, 'src/main.ts, lines 2-2 of 3\n2\tsecond needle');
      assert.match(await read({ path: 'src/main.ts', start_line: 9 }), /only 3 lines/);
      await fails('read_file', { path: 'src/main.ts', start_line: 3, end_line: 2 }, /comes before/);
    });

    it('says how to read on when the answer is full, and reading on reaches every line', async () => {
      write('ws/long.txt', Array.from({ length: 100 }, (_, index) => `line number ${index + 1}`).join('\n'));
      const seen = new Set<string>();
      for (let start: number | undefined = 1, rounds = 0; start !== undefined && rounds < 50; rounds += 1) {
        const text: string = await read({ path: 'long.txt', start_line: start }, { characters: 200 });
        for (const match of text.matchAll(/^\d+\t(line number \d+)$/gm)) seen.add(match[1] ?? '');
        const next = /Read on with start_line (\d+)/.exec(text)?.[1];
        start = next === undefined ? undefined : Number(next);
      }
      assert.equal(seen.size, 100);
    });

    it('bounds one endless line', async () => {
      write('ws/line.txt', 'x'.repeat(1_000_000));
      const text = await read({ path: 'line.txt' }, { characters: 1000 });
      assert.ok(text.length < 1300);
      assert.match(text, /fills the answer/);
    });

    it('says that a file is huge, and still reads a range of it', async () => {
      write('ws/huge.log', Array.from({ length: 20_000 }, (_, index) => `entry ${index + 1}`).join('\n'));
      const limits = { wholeFileBytes: 10_000 };
      const whole = await run('read_file', { path: 'huge.log' }, { limits });
      assert.equal(whole.failed, true);
      assert.match(whole.text, /huge \(\d+\.\d kB\).*start_line/);
      const lines = await read({ path: 'huge.log', start_line: 15_000, end_line: 15_001 }, limits);
      assert.match(lines, /15000\tentry 15000\n15001\tentry 15001$/);
    });

    it('says that a file is binary, empty or a folder, and reads text in any common encoding', async () => {
      write('ws/image.png', Buffer.from([0x89, 0x50, 0, 0x47]));
      write('ws/wide.txt', Buffer.from('\ufeffhello', 'utf16le'));
      write('ws/empty.txt');
      await fails('read_file', { path: 'image.png' }, /binary file \(4 bytes\)/);
      write('ws/latin.txt', Buffer.from('grün', 'latin1'));
      assert.match(await read({ path: 'wide.txt' }), /1\thello$/);
      assert.match(await read({ path: 'latin.txt' }), /1\tgrün$/);
      await fails('read_file', { path: 'src' }, /is a folder/);
      assert.equal(await read({ path: 'empty.txt' }), 'empty.txt is empty.');
    });

    it('keeps characters whole that lie across two pieces', async () => {
      write('ws/emoji.txt', `${'x'.repeat(256 * 1024 - 1)}\u{1f600}\n`);
      const text = await read({ path: 'emoji.txt' }, { characters: 400_000 });
      assert.ok(text.endsWith('x\u{1f600}'));
    });

    for (const [args, reason] of [
      [{}, /path: .*expected string, received undefined/],
      [{ path: 7 }, /path: .*expected string, received number/],
      [{ path: 'a', start_line: 0 }, /start_line: .*>=1/],
      [{ path: 'a', start_line: '3' }, /start_line: .*expected number, received string/],
      [{ path: 'a', lines: 3 }, /Unrecognized key: "lines"/],
      ['path', /expected object, received string/],
      [null, /expected object, received null/],
      [{ path: 'nowhere.txt' }, /does not exist/],
    ] as const) {
      it(`explains what is wrong with ${JSON.stringify(args)}`, () => fails('read_file', args, reason));
    }
  });

  describe('stay in the workspace', () => {
    for (const path of [
      '../outside/secret.txt',
      'src/../../outside/secret.txt',
      '/etc/passwd',
      '\\\\server\\share\\file',
      '//server/share/file',
      '\\\\?\\C:\\file',
      'file:///etc/passwd',
      '/dev/zero',
      'src/main.ts\0.png',
    ]) {
      it(`refuses ${JSON.stringify(path)}`, async () => {
        for (const name of ['read_file', 'list_files']) await fails(name, { path }, /./);
        await fails('search_text', { path, query: 'needle' }, /./);
      });
    }

    it('refuses an absolute path outside, also of a folder whose name begins the same', async () => {
      for (const path of ['outside/secret.txt', 'ws2/other.txt'])
        await fails('read_file', { path: at(path) }, /outside the workspace/);
    });

    it('refuses symbolic links that leave it, at the end and on the way', async () => {
      symlinkSync(at('outside/secret.txt'), join(workspace, 'link.txt'));
      symlinkSync(at('outside'), join(workspace, 'linked'));
      symlinkSync('loop', join(workspace, 'loop'));
      await fails('read_file', { path: 'link.txt' }, /leads out of the workspace/);
      await fails('read_file', { path: 'linked/secret.txt' }, /leads out of the workspace/);
      await fails('list_files', { path: 'linked' }, /leads out of the workspace/);
      await fails('search_text', { path: 'linked', query: 'SECRET' }, /leads out of the workspace/);
      await fails('read_file', { path: 'loop' }, /a loop of symbolic links/);
      assert.doesNotMatch(await search({ query: 'TOP' }), /SECRET/);
      assert.match(await list({}), /linked \(symbolic link\)/);
    });

    it('follow a link that stays inside, and one to the workspace itself', async () => {
      symlinkSync('src/main.ts', join(workspace, 'inner.ts'));
      assert.match(await read({ path: 'inner.ts' }), /1\tfirst/);
      symlinkSync(workspace, at('alias'));
      folders = [{ name: 'alias', path: at('alias') }];
      assert.match(await read({ path: 'src/main.ts' }), /^src\/main\.ts, lines/);
      assert.match(await search({ query: 'needle' }), /src\/main\.ts:2/);
    });

    it('does not hang on a pipe, and reads no socket or device', async function () {
      if (process.platform === 'win32') this.skip();
      execFileSync('mkfifo', [join(workspace, 'pipe')]);
      symlinkSync('/dev/zero', join(workspace, 'zero'));
      await fails('read_file', { path: 'pipe' }, /not a regular file/);
      await fails('read_file', { path: 'zero' }, /leads out/);
      assert.match(await search({ query: 'needle' }), /2 matches/);
      assert.match(await list({}), /pipe \(not a regular file\)/);
    });

    it('says that no folder is open', async () => {
      folders = [];
      await fails('read_file', { path: 'a' }, /No folder is open/);
      await fails('list_files', {}, /No folder is open/);
    });
  });

  it('list and search several folders, whose names begin the paths', async () => {
    folders.push({ name: 'ws2', path: at('ws2') });
    assert.match(await read({ path: 'ws2/other.txt' }), /^ws2\/other\.txt, lines 1-1 of 1/);
    await fails('read_file', { path: 'other.txt' }, /begins with one of ws\/, ws2\//);
    await fails('read_file', { path: 'ws2/../outside/secret.txt' }, /outside the workspace/);
    assert.match(await list({}), /^ws\/readme\.md$.*^ws2\/other\.txt$/ms);
    assert.match(await search({ query: 'another' }), /^ws2\/other\.txt:1: another needle$/m);
  });

  describe('list_files', () => {
    it('names two levels, folders with a slash, and says what it passes over', async () => {
      write('ws/src/deep/er/x.ts');
      assert.equal(await list({}), 'node_modules/ (not listed)\nreadme.md\nsrc/\nsrc/deep/\nsrc/main.ts');
      assert.equal(await list({ path: 'src', depth: 3 }), 'src/deep/\nsrc/deep/er/\nsrc/deep/er/x.ts\nsrc/main.ts');
      assert.match(await list({ path: 'node_modules' }), /dep\//);
    });

    it('finds by glob on all levels', async () => {
      write('ws/src/deep/er/x.ts');
      assert.equal(await list({ pattern: '*.ts' }), 'src/deep/er/x.ts\nsrc/main.ts');
      assert.equal(await list({ pattern: '*.none' }), 'No file matches *.none.');
    });

    it('passes over what Git ignores, unless it is asked for by name', async () => {
      write('ws/.gitignore', '*.log\n/dist/\n');
      write('ws/src/.gitignore', '!keep.log\n');
      for (const name of ['a.log', 'dist/out.ts', 'src/keep.log', 'src/dist/in.ts', 'src/b.log'])
        write(`ws/${name}`, 'needle');
      const listed = (await list({ depth: 5 })).split('\n');
      assert.ok(listed.includes('dist/ (not listed)'));
      const odd = listed.filter((line) => /log|\/dist|dist\//.test(line));
      assert.deepEqual(odd, ['dist/ (not listed)', 'src/dist/', 'src/dist/in.ts', 'src/keep.log']);
      assert.equal(await list({ path: 'dist' }), 'dist/out.ts');
      assert.match(await search({ query: 'needle', path: 'src' }), /\[3 matches in 4 files searched\.\]$/);
    });

    it('stops at its limits, says so, and says how to get more', async () => {
      for (let index = 0; index < 30; index += 1) write(`ws/many/f${index}`);
      assert.match(await list({ pattern: '*.none' }, { visited: 5 }), /^No file was found so far\.\n\[Stopped: /);
      const text = await list({ path: 'many' }, { entries: 10 });
      assert.equal(text.split('\n').length, 11);
      assert.match(text, /more than 10 entries/);
    });

    it('keeps a name with a line end on one line', async function () {
      if (process.platform === 'win32') this.skip();
      write('ws/odd/a\nb');
      assert.ok(readdirSync(join(workspace, 'odd')).includes('a\nb'));
      assert.equal(await list({ path: 'odd' }), 'odd/a?b');
    });
  });

  describe('search_text', () => {
    it('finds text in any common encoding, with any line ends, and far along a line', async () => {
      write('ws/t/crlf.txt', 'one\r\nthe pearl\r\n');
      write('ws/t/bom.txt', '\ufeffthe pearl\n');
      write('ws/t/wide.txt', Buffer.from('\ufeffthe pearl\n', 'utf16le'));
      write('ws/t/latin.txt', Buffer.from('für the pearl\n', 'latin1'));
      write('ws/t/long.txt', `${'x'.repeat(50_000)} the pearl ${'y'.repeat(50_000)}`);
      const text = await search({ query: '(^|ür |x )the pearl( y+)?$', is_regex: true, path: 't' });
      for (const name of ['crlf.txt:2', 'bom.txt:1', 'wide.txt:1', 'latin.txt:1', 'long.txt:1'])
        assert.ok(text.includes(name), text);
      assert.match(text, /long\.txt:1: …x* the pearl y+…/);
      assert.ok(text.length < 2_000);
    });

    it('finds text without regard to case, and with it', async () => {
      const text = await search({ query: 'NEEDLE' });
      assert.equal(text, 'readme.md:1: A Needle here\nsrc/main.ts:2: second needle\n[2 matches in 2 files searched.]');
      assert.match(await search({ query: 'Needle', case_sensitive: true }), /^readme.*\n\[1 matches/);
      assert.match(await search({ query: 'a.needle' }), /No line matches/);
    });

    it('finds by regular expression, in one file, by glob', async () => {
      assert.match(await search({ query: '^s\\w+ n', is_regex: true }), /^src\/main\.ts:2/);
      const inFile = await search({ query: 'needle', path: 'src/main.ts' });
      assert.match(inFile, /^src\/main\.ts:2.*\n\[1 matches in 1 files/);
      assert.match(await search({ query: 'needle', include: '*.md' }), /^readme/);
      await fails('search_text', { query: '(', is_regex: true }, /not a valid regular expression/);
      await fails('search_text', { query: '' }, /query: .*>=1 characters/);
    });

    it('takes a query for text, whatever characters it has', async () => {
      write('ws/odd.txt', 'a [x-y]{2} $^ \\d |/ -b\n');
      assert.match(await search({ query: '[x-y]{2} $^ \\d |/ -b' }), /odd\.txt:1/);
    });

    it('passes over binary and huge files, and says so of the huge ones', async () => {
      write('ws/binary.bin', Buffer.from('needle\0needle'));
      write('ws/huge.txt', 'needle\n'.repeat(3000));
      const text = await search({ query: 'needle' }, { wholeFileBytes: 10_000 });
      assert.doesNotMatch(text, /binary\.bin|huge\.txt/);
      assert.match(text, /1 huge files were not searched/);
    });

    it('stops at its limit of matches', async () => {
      write('ws/many.txt', 'needle\n'.repeat(500));
      const text = await search({ query: 'needle' }, { matches: 10 });
      assert.match(text, /more than 10 matches/);
      assert.equal(text.split('\n').length, 11);
    });

    it('is not hung by a hostile expression on hostile text, and leaves the event loop free', async function () {
      this.timeout(20_000);
      write('ws/hostile.txt', `${'a'.repeat(900)}!\n`.repeat(1000));
      let ticks = 0;
      const ticker = setInterval(() => {
        ticks += 1;
      }, 10);
      const text = await search({ query: '(a+)+$', is_regex: true }, { fileMs: 300 });
      clearInterval(ticker);
      assert.match(text, /took too long: hostile\.txt/);
      assert.ok(ticks > 5, `the event loop turned ${ticks} times`);
      assert.match(await search({ query: 'needle' }), /2 matches/);
    });

    it('gives up on an expression that is slow everywhere', async function () {
      this.timeout(20_000);
      for (let index = 0; index < 10; index += 1) write(`ws/hostile${index}.txt`, `${'a'.repeat(900)}!\n`);
      assert.match(await search({ query: '(a+)+$', is_regex: true }, { fileMs: 100 }), /simplify it/);
    });

    it('stops when it is cancelled', async function () {
      this.timeout(20_000);
      write('ws/hostile.txt', `${'a'.repeat(900)}!\n`);
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const args = { query: '(a+)+$', is_regex: true, path: 'hostile.txt' };
      const outcome = await run('search_text', args, { signal: controller.signal, limits: { fileMs: 15_000 } });
      assert.deepEqual(outcome, { text: 'Cancelled.', failed: true });
    });
  });

  describe('globs', () => {
    for (const [glob, matching, others] of [
      ['*.ts', ['src/main.ts'], ['src/main.tsx']],
      ['src/*.ts', ['src/main.ts'], ['src/deep/main.ts']],
      ['src/**/*.ts', ['src/deep/er/main.ts', 'src/main.ts'], []],
      ['**/test/*.ts', ['a/test/x.ts'], ['atest/x.ts']],
      ['src/**', ['src/a/b'], []],
      ['?.md', ['a.md'], ['ab.md']],
      ['src', ['src/main.ts'], []],
      ['x/a*b', [], ['x/a/y/b']],
      ['**/**', ['a'], []],
      ['src/', ['src/a/b'], []],
      ['./src/*.ts', ['src/main.ts'], []],
      ['/src/*.ts', ['src/main.ts'], []],
      ['/main.ts', [], ['src/main.ts']],
      ['*.{ts,tsx}', ['src/main.tsx'], ['src/main.js']],
      ['{src,test}/**/*.ts', ['test/a/b.ts'], []],
      ['*.md, *.ts', ['src/main.ts'], []],
      ['*.ts,!*.test.ts', [], ['src/main.test.ts']],
      ['!*.md', ['src/main.ts'], []],
      ['[a-m]*.ts', ['main.ts'], []],
      ['[!a-m]*.ts', [], ['main.ts']],
    ] as const)
      it(`match what ${glob} says`, () => {
        for (const path of matching) assert.ok(value(readGlob(glob))(path), path);
        for (const path of others) assert.ok(!value(readGlob(glob))(path), path);
      });

    it('and paths of any length are answered at once, in a sentence', async () => {
      const long = '**/'.repeat(300_000);
      await fails('list_files', { pattern: long }, /^The arguments are wrong \(pattern: .*<=256 characters\)\.$/);
      await fails('read_file', { path: 'a/'.repeat(500_000) }, /path: Too big/);
      await fails('search_text', { query: 'a', include: long }, /include: Too big/);
      await fails('read_file', { path: 'a', toString: 1 }, /Unrecognized key: "toString"/);
      assert.ok((await run('read_file', { path: 'a', ['x'.repeat(1_000_000)]: 1 })).text.length < 1_000);
    });

    it('cannot be made to hang, neither by an argument nor by a .gitignore', async () => {
      const hostile = [`${'*a'.repeat(100)}b`, `${'**/a/'.repeat(40)}b`];
      write(`ws/${'a'.repeat(250)}`);
      write(`ws/${'a/'.repeat(90)}c`);
      for (const pattern of hostile) {
        await fails('list_files', { pattern }, /takes too long/);
        await fails('search_text', { query: 'a', include: pattern }, /takes too long/);
      }
      write('ws/.gitignore', hostile.join('\n'));
      assert.match(await list({ depth: 100 }), /a\/c$/m);
    });

    it('hold nothing up: a walk gives way when its slice of time is over, so that it can be cancelled', async () => {
      for (let file = 0; file < 20; file += 1) write(`ws/many/${file}`);
      let [turn, now] = [0, SLICES.elapsed() + 1_000];
      const count = (): void => {
        turn += 1;
        counting = setImmediate(count);
      };
      let counting = setImmediate(count);
      mock.method(SLICES, 'elapsed', () => now);
      const start = { folder: workspace, shown: '.', real: join(workspace, 'many') };
      const turns: number[] = [];
      for await (const _ of walkFolder(start, 1, { mayGoOn: () => true })) {
        turns.push(turn);
        now += 2; // two entries fill a slice
      }
      clearImmediate(counting);
      mock.restoreAll();
      assert.equal(turns.length, 20);
      assert.equal(new Set(turns).size, 11);
    });
  });
});
