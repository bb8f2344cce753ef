import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeToolKit } from '../../../src/adapters/node/toolKit.ts';
import { ok } from '../../../src/core/result.ts';
import type { WorkAnswer, WorkRequest } from '../../../src/core/session/permission.ts';
import type { ToolOutcome } from '../../../src/core/session/tools.ts';
import type { EditableFiles, WorkPorts } from '../../../src/core/session/workPorts.ts';
import { openHarness } from '../../core/session/sessionHarness.ts';
import { useFolder } from '../folder.ts';
import { callsReply, type ScriptedCall, textReply } from '../server/reply.ts';
import { problem, value } from './kit.ts';

const { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } = fs;
const ALLOWED: WorkAnswer = { kind: 'allowed' };

/** Files as they are on the disk, without an editor. */
const FILES: EditableFiles = {
  read: async (file) => ok(existsSync(file) ? readFileSync(file, 'utf8') : undefined),
  write: async (file, text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return ok(undefined);
  },
};

describe('the tools that change the workspace', () => {
  let kit: ReturnType<ReturnType<typeof makeToolKit>['createWork']>;
  // Before the folder is removed, in which its commands run.
  afterEach(() => kit.close());
  const path = useFolder();
  let place: string;
  let folder: string;
  let asked: WorkRequest[];
  let answer: (request: WorkRequest) => WorkAnswer;
  let turn: number;
  let room: number;

  const { signal } = new AbortController();
  const at = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  const readText = (name: string): string | undefined =>
    existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined;
  const call = async (name: string, args: unknown, stop = signal): Promise<ToolOutcome> => {
    const tool = kit.tools.find(({ definition }) => definition.function.name === name);
    assert.ok(tool);
    return await tool.run(args, stop);
  };
  const edit = (path: string, old_text: string, new_text: string) =>
    call('edit_file', { path, edits: [{ old_text, new_text }] });
  /** A command line that runs a script of Node. */
  const script = (text: string): string => {
    write('.git/script.mjs', text);
    return `"${process.execPath}" .git/script.mjs`;
  };

  beforeEach(() => {
    place = fs.realpathSync(path());
    folder = join(place, 'workspace');
    mkdirSync(folder);
    asked = [];
    answer = () => ALLOWED;
    turn = 1;
    room = 24_000;
    const ports: WorkPorts = {
      ask: async (request) => {
        asked.push(request);
        return answer(request);
      },
      files: FILES,
      problemsOf: async () => '',
      showCommand: () => ({ print: () => undefined, end: () => undefined }),
      turn: () => turn,
      room: () => room,
    };
    kit = makeToolKit(() => [{ name: 'workspace', path: folder }]).createWork(place, 'c', ports);
  });

  describe('edit_file', () => {
    it('changes a file and makes one, each once the user has seen what would change', async () => {
      write('src/a.ts', 'one\ntwo\n');
      assert.equal((await edit('src/a.ts', 'two', 'three')).text, 'Changed src/a.ts: +1 -1 lines.');
      const created = (await call('edit_file', { path: 'src/new/b.ts', content: 'b\n' })).text;
      assert.equal(created, 'Created src/new/b.ts: +1 -0 lines.');
      assert.equal(readText('src/a.ts'), 'one\nthree\n');
      assert.equal(readText('src/new/b.ts'), 'b\n');
      const questions = asked.map(
        (request) => request.kind === 'edit' && [request.path, request.before, request.after],
      );
      assert.deepEqual(questions, [
        ['src/a.ts', 'one\ntwo\n', 'one\nthree\n'],
        ['src/new/b.ts', undefined, 'b\n'],
      ]);
    });

    it('does nothing that the user refuses, and tells the model why', async () => {
      write('a.ts', 'one');
      answer = () => ({ kind: 'denied', reason: 'use b.ts' });
      assert.deepEqual(await edit('a.ts', 'one', 'two'), { text: 'denied by the user: use b.ts', failed: true });
      assert.equal(readText('a.ts'), 'one');
    });

    it('does nothing when the file was changed while the user was asked', async () => {
      write('a.ts', 'one');
      answer = () => {
        write('a.ts', 'other one');
        return ALLOWED;
      };
      assert.match((await edit('a.ts', 'one', 'two')).text, /was changed meanwhile/);
      assert.equal(readText('a.ts'), 'other one');
    });

    it('asks nothing and writes nothing outside the workspace, through a link, or where things run automatically', async () => {
      mkdirSync(join(place, 'outside'));
      symlinkSync(join(place, 'outside'), at('link'));
      symlinkSync(join(place, 'outside/not-there-yet'), at('dangling'));
      const paths = [
        '../outside/a',
        join(place, 'outside/a'),
        'link/a',
        'dangling',
        '.git/hooks/pre-commit',
        '.vscode/tasks.json',
        '.karl/model-profiles.json',
        'sub/.git/config',
        'x.code-workspace',
        'a\0b',
      ];
      for (const path of paths) {
        const { text, failed } = await call('edit_file', { path, content: 'x' });
        assert.ok(failed, `${path}: ${text}`);
      }
      assert.deepEqual(asked, []);
      assert.ok(!existsSync(join(place, 'outside/a')) && !existsSync(join(place, 'outside/not-there-yet')));
    });

    it('does not follow a link that was put in the way while the user was asked', async () => {
      mkdirSync(join(place, 'outside'));
      answer = () => {
        symlinkSync(join(place, 'outside'), at('new'));
        return ALLOWED;
      };
      assert.match((await call('edit_file', { path: 'new/a', content: 'x' })).text, /was replaced meanwhile/);
      assert.ok(!existsSync(join(place, 'outside/a')));
    });
  });

  for (const [name, args, expected] of [
    ['edit_file', { path: 'a.ts' }, /either edits or content/],
    ['edit_file', { path: 'a.ts', content: 'x', edits: [{ old_text: 'a', new_text: 'b' }] }, /either edits or content/],
    ['edit_file', { path: 'none.ts', edits: [{ old_text: 'a', new_text: 'b' }] }, /none\.ts does not exist/],
    ['edit_file', { path: 'a.ts', edits: [{ old_text: '', new_text: 'b' }] }, /edits\.0\.old_text/],
    ['edit_file', { path: 'a.ts', edits: [{ old: 'a', new_text: 'b' }] }, /edits\.0/],
    ['edit_file', { path: 'a.ts', content: 'one' }, /already has exactly this text/],
    ['edit_file', { path: '.', content: 'x' }, /is a folder/],
    ['run_command', { command: '  ' }, /must be a command line/],
    ['run_command', { command: 'ls', folder: '..' }, /outside the workspace/],
    ['run_command', { command: 'ls', folder: 'none' }, /does not exist/],
    ['run_command', { cmd: 'ls' }, /Unrecognized key: "cmd"/],
    ['command_output', { id: '../c1' }, /no command|missing/],
    ['command_output', { id: 'c99' }, /no command|missing/],
    ['command_output', { id: '' }, /no command|missing/],
  ] as const)
    it(`${name} explains ${JSON.stringify(args)}`, async () => {
      write('a.ts', 'one');
      const { text, failed } = await call(name, args);
      assert.ok(failed);
      assert.match(text, expected);
      assert.deepEqual(asked, []);
    });

  describe('run_command', () => {
    it('runs in the folder, and says how it ended and what it printed', async () => {
      const command = script(
        "console.log(process.cwd()); console.error('\\u001b[31mred\\u001b[0m'); console.log('10%\\r20%'); process.exit(3);",
      );
      const { text, failed } = await call('run_command', { command });
      assert.equal(failed, false);
      assert.match(text, /^exit 3 after \d+\.\d s \[c1\]\n/);
      assert.ok(text.includes(folder) && text.includes('\nred') && text.includes('20%') && !text.includes('10%'), text);
      assert.deepEqual(asked, [{ kind: 'command', tool: 'run_command', command, folder }]);
    });

    it('shows of a long output its beginning, its end and the errors; command_output has the rest, also later', async () => {
      room = 4_000;
      const command = script(
        "for (let i = 1; i <= 5000; i++) console.log(i === 2500 ? 'error TS2322: in the middle' : 'line ' + i);",
      );
      const { text } = await call('run_command', { command });
      assert.ok(text.length < 6_000, `${text.length} characters`);
      for (const part of ['line 1\n', 'error TS2322: in the middle', 'line 5000']) assert.ok(text.includes(part), part);
      const look = await call('command_output', { id: 'c1', start_line: 1200, end_line: 1202 });
      assert.match(look.text, /lines 1200-1202 of 5000\nline 1200\nline 1201\nline 1202$/);
      const later = makeToolKit(() => [])
        .createWork(place, 'c', { room: () => 24_000 } as WorkPorts)
        .tools.find(({ definition }) => definition.function.name === 'command_output');
      assert.match((await later?.run({ id: 'c1', start_line: 7, end_line: 7 }, signal))?.text ?? '', /line 7$/);
    });

    it('goes on in the background when it takes long; it can be looked at, waited for and stopped', async () => {
      const command = script("console.log('up'); setInterval(() => undefined, 1000);");
      assert.match((await call('run_command', { command, wait_seconds: 1 })).text, /^still running after .*\nup$/s);
      assert.match((await call('command_output', { id: 'c1' })).text, /^still running[^\n]*\nlines 1-1 of 1\nup$/);
      const stopped = (await call('command_output', { id: 'c1', stop: true })).text;
      assert.match(stopped, /^Error: ended after .* stopped by the model/);
      assert.match((await call('run_command', { command: 'sleep 5', wait_seconds: 0 })).text, /^still running/);
    });

    it('ends with all that it started when its time is over, or the turn is stopped', async () => {
      write('.git/child.mjs', "import fs from 'node:fs'; setInterval(() => fs.appendFileSync('alive', 'x'), 20);");
      const command = script(
        `import { spawn } from 'node:child_process'; spawn(process.execPath, ['.git/child.mjs'], { stdio: 'ignore' }); setInterval(() => undefined, 1000);`,
      );
      const isStill = async (): Promise<boolean> => {
        const before = readText('alive');
        await sleep(200);
        return before !== undefined && readText('alive') === before;
      };
      assert.match(
        (await call('run_command', { command, timeout_seconds: 1 })).text,
        /its time limit of 1 s was reached/,
      );
      assert.ok(await isStill());
      const turnStop = new AbortController();
      setTimeout(() => turnStop.abort(), 500);
      assert.match((await call('run_command', { command }, turnStop.signal)).text, /stopped by the user/);
      assert.ok(await isStill());
    });

    it('runs nothing, as edit_file writes nothing, when the turn is stopped right after the user agreed', async () => {
      write('a', 'one');
      const stopping = async (name: string, args: unknown): Promise<string> => {
        const stop = new AbortController();
        answer = () => {
          stop.abort();
          return ALLOWED;
        };
        return (await call(name, args, stop.signal)).text;
      };
      await call('run_command', { command: ':' });
      assert.match(await stopping('run_command', { command: 'sleep 1; echo > made' }), /was stopped/);
      assert.match(await stopping('edit_file', { path: 'a', content: 'two' }), /was stopped/);
      assert.ok(readText('a') === 'one' && !existsSync(at('made')));
    });

    it('goes on where what it left behind prints more', async () => {
      const script = '(sleep 0.5; head -c 300000 /dev/zero; echo > done) & :';
      await call('run_command', { command: script });
      for (let tries = 0; tries < 30 && !existsSync(at('done')); tries += 1) await sleep(100);
      assert.ok(existsSync(at('done')));
    });

    it('shows a part of a line without end, in little time and memory', async () => {
      await call('run_command', { command: "head -c 90000000 /dev/zero | tr '\\0' x; echo; echo end" });
      const before = process.memoryUsage().rss;
      for (const args of [{ id: 'c1' }, { id: 'c1', start_line: 1, end_line: 9 }])
        assert.match((await call('command_output', args)).text, /lines 1-2 of 2\nx{100}.*\nend$/s);
      assert.ok(process.memoryUsage().rss - before < 100_000_000, `${process.memoryUsage().rss - before} bytes`);
    });

    it('has all that it printed, also where the editor is busy at its end', async () => {
      const busy = setInterval(() => {
        for (const end = Date.now() + 150; Date.now() < end; );
      }, 1);
      try {
        const command = 'head -c 300000 /dev/zero | tr "\\0" x; echo; echo the end';
        assert.match((await call('run_command', { command })).text, /the end$/);
      } finally {
        clearInterval(busy);
      }
    });

    it('gives its programs neither an input nor what is meant for the editor alone', async () => {
      process.env.VSCODE_TEST_SECRET = 'x';
      const command = script(
        "process.stdin.resume(); process.stdin.on('end', () => console.log('no input', process.env.VSCODE_TEST_SECRET));",
      );
      assert.match((await call('run_command', { command })).text, /no input undefined/);
      delete process.env.VSCODE_TEST_SECRET;
    });

    it('says so when a command kills its shell, is not there, or prints without end', async () => {
      assert.match((await call('run_command', { command: 'kill -9 $$' })).text, /^Error: ended after .*: by SIGKILL/);
      const missing = (await call('run_command', { command: 'not-a-program-of-this-machine' })).text;
      assert.match(missing, /^exit 127 after .*not found/s);
      const before = process.memoryUsage().rss;
      const endless = await call('run_command', {
        command: 'yes 0123456789012345678901234567890123456789',
        timeout_seconds: 2,
      });
      assert.match(endless.text, /its time limit of 2 s was reached/);
      assert.ok(endless.text.length < 30_000);
      assert.ok(process.memoryUsage().rss - before < 300_000_000, `${process.memoryUsage().rss - before} bytes`);
      const { size } = statSync(join(place, 'conversations/c/commands/c3.log'));
      assert.ok(size < 110_000_000, `${size} bytes`);
    });

    it('changes nothing and runs nothing when the files cannot be kept for a restore', async () => {
      write('a', 'one');
      mkdirSync(join(place, 'conversations/c'), { recursive: true });
      writeFileSync(join(place, 'conversations/c/checkpoints'), '');
      for (const { text, failed } of [
        await edit('a', 'one', 'two'),
        await call('run_command', { command: 'echo x > a' }),
      ]) {
        assert.ok(failed);
        assert.match(text, /Nothing was changed, since the files could not be kept for a restore/);
      }
      assert.equal(readText('a'), 'one');
    });
  });

  describe('the files before a turn', () => {
    const tryRestore = async (moment: number) => {
      const plan = value(await kit.checkpoints.planRestore(moment));
      return kit.checkpoints.restore(plan, turn + 1);
    };
    const restore = async (turnBefore: number): Promise<number> => {
      const { moment, notRestored } = value(await tryRestore(turnBefore));
      assert.deepEqual(notRestored, []);
      return moment;
    };
    const all = (...names: readonly string[]) => names.map(readText);

    it('come back after edits and commands of several turns, and the restore can be taken back', async () => {
      write('a', 'a0');
      write('gone', 'kept');
      write('.gitignore', 'ignored\n');
      write('ignored', 'mine');
      await edit('a', 'a0', 'a1');
      turn = 3;
      await call('run_command', {
        command: script(
          "import fs from 'node:fs'; fs.rmSync('gone'); fs.writeFileSync('made', 'x'); fs.writeFileSync('a', 'a2');",
        ),
      });
      turn = 5;
      await edit('made', 'x', 'y');
      const after = all('a', 'gone', 'made', 'ignored');
      assert.deepEqual(after, ['a2', undefined, 'y', 'mine']);
      assert.deepEqual([...value(await kit.checkpoints.turns())], [1, 3, 5]);

      const moment = await restore(3);
      assert.deepEqual(all('a', 'gone', 'made', 'ignored'), ['a1', 'kept', undefined, 'mine']);
      await restore(1);
      assert.deepEqual(all('a', 'gone', 'made', 'ignored'), ['a0', 'kept', undefined, 'mine']);
      turn = 7;
      await restore(moment);
      assert.deepEqual(all('a', 'gone', 'made', 'ignored'), after);
    });

    it('are known in the next window', async () => {
      write('a', 'a0');
      await edit('a', 'a0', 'a1');
      const { checkpoints } = makeToolKit(() => [{ name: 'workspace', path: folder }]).createWork(place, 'c', {
        room: () => 24_000,
      } as WorkPorts);
      const { steps } = value(await checkpoints.planRestore(0));
      const files = steps.map(({ file }) => file);
      assert.deepEqual(files, [at('a')]);
    });

    it('lose nothing that was there and not kept: what Git ignored then, what was too large and was edited later', async () => {
      write('.gitignore', 'secret\n.gitignore\n');
      write('secret', 'mine');
      write('large', `${'x'.repeat(5_000_001)}\n`);
      await call('run_command', { command: 'rm .gitignore; echo made > made' });
      turn = 3;
      await call('edit_file', { path: 'large', content: 'small' });
      await restore(1);
      assert.deepEqual(all('secret', 'made'), ['mine', undefined]);
      assert.equal(readText('large')?.length, 5_000_002);
    });

    it('come back where a folder is in the place of a file, a file in that of a folder, and as programs', async () => {
      write('file', 'a');
      write('folder/x', 'b');
      write('tool', 'c');
      chmodSync(at('tool'), 0o755);
      await call('run_command', {
        command: 'rm -r file folder tool; mkdir -p file/sub; echo > file/sub/y; echo > folder',
      });
      const moment = await restore(1);
      assert.deepEqual(all('file', 'folder/x', 'tool'), ['a', 'b', 'c']);
      assert.ok((statSync(at('tool')).mode & 0o100) !== 0);
      turn = 3;
      await restore(moment);
      assert.deepEqual(all('file/sub/y', 'folder', 'tool'), ['\n', '\n', undefined]);
    });

    it('come back as far as that can be done: a pipe, a link or a huge file in the way stays, and is named', async () => {
      write('a', 'a0');
      write('b', 'b0');
      write('c', 'c0');
      await call('run_command', { command: 'rm a c; mkfifo a; ln -s b c; echo b1 > b; truncate -s 3G huge' });
      const { notRestored } = value(await tryRestore(1));
      assert.deepEqual(notRestored.map((said) => said.split(': ')[0]).sort(), [at('a'), at('c'), at('huge')]);
      assert.equal(readText('b'), 'b0');
    });

    it('can be taken back after each of several restores, with what the user has written in between', async () => {
      write('a', 'a0');
      await edit('a', 'a0', 'a1');
      await restore(1);
      write('a', 'mine');
      const moment = await restore(1);
      assert.equal(readText('a'), 'a0');
      await restore(moment);
      assert.equal(readText('a'), 'mine');
    });

    it('leave alone what decides what runs automatically', async () => {
      write('.vscode/settings.json', '{}');
      await call('run_command', { command: 'echo x > .vscode/settings.json' });
      assert.deepEqual(value(await kit.checkpoints.planRestore(1)).steps, []);
    });

    it('that a damaged manifest names stay as they are; the agent can go on', async () => {
      write('a', 'a0');
      mkdirSync(join(place, 'conversations/c/checkpoints'), { recursive: true });
      writeFileSync(join(place, 'conversations/c/checkpoints/1.json'), '{"files"');
      turn = 3;
      assert.equal((await edit('a', 'a0', 'a1')).failed, false);
      assert.equal((await kit.checkpoints.planRestore(1)).ok, false);
      await restore(3);
      assert.equal(readText('a'), 'a0');
    });

    it('are kept before a command although one goes away or cannot be read meanwhile', async () => {
      write('a', 'a0');
      const busy = spawn('sh', ['-c', 'while :; do echo x > b; rm b; done'], { cwd: folder });
      for (turn = 1; turn < 10; turn += 1) assert.equal((await call('run_command', { command: ':' })).failed, false);
      busy.kill();
    });

    it('are not written through a link that was put in the way', async () => {
      write('sub/a', 'a0');
      await edit('sub/a', 'a0', 'a1');
      rmSync(at('sub'), { recursive: true });
      mkdirSync(join(place, 'outside'));
      symlinkSync(join(place, 'outside'), at('sub'));
      assert.match(problem(await tryRestore(1)), /no longer in the workspace/);
      assert.ok(!existsSync(join(place, 'outside/a')));
    });
  });

  it('work for 300 rounds in a window of 16k: no overflow, each result is read, all as expected and restorable', async function () {
    this.timeout(120_000);
    const [rounds, contextWindow] = [300, 16_384];
    const notRead: unknown[] = [];
    let [round, edits] = [0, 0];
    const next = (): ScriptedCall => {
      const command = `echo done ${round} > log/${round}; cat log/*`;
      if (round % 10 === 0) return { name: 'run_command', arguments: { command } };
      if (round % 3 === 0) return { name: 'read_file', arguments: { path: 'big.txt' } };
      edits += 1;
      const one = { old_text: `at ${edits - 1}\n`, new_text: `at ${edits}\n` };
      return { name: 'edit_file', arguments: { path: 'state.txt', edits: [one] } };
    };
    write('state.txt', 'at 0\n');
    write('log/0', 'begun\n');
    write('big.txt', Array.from({ length: 150 }, (_, line) => `line ${line} of the big file, with words`).join('\n'));
    const harness = await openHarness({
      profile: { contextWindow },
      session: { limits: { rounds: rounds + 1 } },
      tools: [...makeToolKit(() => [{ name: 'workspace', path: folder }]).readers, ...kit.tools],
      server: {
        window: contextWindow,
        respond: ({ body }) => {
          const last = body.messages?.at(-1);
          if (round > 0 && (last?.role !== 'tool' || /^(?:Error|\s*$)/.test(String(last.content)))) notRead.push(last);
          round += 1;
          return round > rounds ? textReply('All is done.') : callsReply([{ ...next(), id: `call_${round}` }]);
        },
      },
    });
    turn = 0;
    const outcome = await harness.session.send('Count up, and keep a log.');
    assert.deepEqual([outcome, notRead], [{ kind: 'answered', rounds: rounds + 1, cutOff: false }, []]);
    const count = (type: string) => harness.events.filter((event) => event.type === type).length;
    assert.equal(count('model-error'), 0);
    assert.ok(count('compaction-ended') > 3);
    assert.deepEqual([readText('state.txt'), fs.readdirSync(at('log')).length], [`at ${edits}\n`, rounds / 10 + 1]);
    const { messages } = harness.conversation.transcript;
    assert.equal(messages.filter(({ text }) => text.startsWith('Changed state.txt')).length, edits);
    value(await kit.checkpoints.restore(value(await kit.checkpoints.planRestore(0)), 1_000));
    assert.deepEqual(['state.txt', 'log/10', 'log/0'].map(readText), ['at 0\n', undefined, 'begun\n']);
    await harness.close();
  });
});
