import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { runHookCommand } from '../../../src/adapters/node/shellCommand.ts';
import { type HookInput, readHookEnd } from '../../../src/core/session/hooks.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';

const INPUT: HookInput = {
  hook: 'beforeCompact',
  conversation: 'c-1',
  model: 'test',
  trigger: 'threshold',
  strategy: 'adaptive',
  tokens: { before: 12_000, limit: 14_848 },
};

describe('the command of a hook', () => {
  const path = useFolder();
  const runCommand = (command: string, folder = path(), timeoutMs = 60_000, signal?: AbortSignal) =>
    runHookCommand({ command, folder, input: INPUT, timeoutMs, signal });
  const run = (script: string, timeoutMs?: number, signal?: AbortSignal) => {
    writeFileSync(path('hook.mjs'), script);
    return runCommand(`"${process.execPath}" hook.mjs`, path(), timeoutMs, signal);
  };
  it('runs in its folder with one line of JSON on its input', async () => {
    const script = `import fs from 'node:fs';
      fs.writeFileSync('told.json', fs.readFileSync(0, 'utf8'));`;
    assert.deepEqual(await run(script), { kind: 'ended', code: 0, text: '' });
    const told = readFileSync(path('told.json'), 'utf8');
    assert.deepEqual(JSON.parse(told), INPUT);
    assert.match(told, /^[^\n]+\n$/);
  });

  it('says no with exit code 2, and prints why', async () => {
    const end = await run("console.log('noise'); console.error('release day'); process.exit(2);");
    assert.deepEqual(end, { kind: 'ended', code: 2, text: 'release day\n' });
    assert.deepEqual(readHookEnd('beforeCompact', end, 1), { kind: 'veto', reason: 'release day' });
    const quiet = await run("console.log('on the output'); process.exit(2);");
    assert.deepEqual(readHookEnd('beforeCompact', quiet, 1), { kind: 'veto', reason: 'on the output' });
  });

  it('need not read its input, and may print more than anybody reads', async () => {
    const end = await run("process.stdout.write('x'.repeat(5_000_000));");
    assert.ok(end.kind === 'ended' && end.code === 0 && end.text.length === 2000);
  });

  // What a command leaves running, and that it ends with all that it started, is tested with `run_command`.
  it('is ended when its time is over', async () => {
    assert.deepEqual(await run('setInterval(() => undefined, 1000);', 1000), { kind: 'timed-out' });
  });

  it('counts as ended in time although a background process keeps its output open beyond the limit', async () => {
    const end = await runCommand('sleep 7 & sleep 0.2; exit 2', path(), 1_000);
    assert.deepEqual(end, { kind: 'ended', code: 2, text: '' });
  });

  it('is ended when the compaction is cancelled', async () => {
    const stop = new AbortController();
    const running = run('setInterval(() => undefined, 1000);', 60_000, stop.signal);
    stop.abort();
    assert.deepEqual(await running, { kind: 'cancelled' });
    assert.deepEqual(await run('', 60_000, stop.signal), { kind: 'cancelled' });
  });

  it('that fails in any other way stops nothing, and the sentence names the setting', async () => {
    const missing = await runCommand('no-such-command-of-karl');
    const nowhere = await runCommand(process.execPath, path('gone'));
    const garbled = await runCommand('a\0b');
    assert.deepEqual([nowhere.kind, garbled.kind], ['failed', 'failed']);
    for (const end of [missing, nowhere, garbled, await run('process.exit(1);'), { kind: 'timed-out' } as const]) {
      const verdict = readHookEnd('beforeCompact', end, 5000);
      assert.ok(verdict.kind === 'broken', JSON.stringify(end));
      assert.match(inEnglish(verdict.problem), /^The command of karl\.hooks\.beforeCompact .*Run the command by hand/);
    }
    const after = readHookEnd('afterCompact', { kind: 'ended', code: 2, text: 'no' }, 5000);
    assert.equal(after.kind, 'broken', 'what has happened cannot be vetoed');
  });
});
