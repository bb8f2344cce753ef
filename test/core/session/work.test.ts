import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { readFields } from '../../../src/core/ledger/outcome.ts';
import { toolList } from '../../../src/core/ledger/todos.ts';
import { applyEdits, countChangedLines, type TextEdit } from '../../../src/core/session/edits.ts';
import {
  covers,
  type Grant,
  grantsFor,
  parseGrants,
  showUnseen,
  type WorkRequest,
} from '../../../src/core/session/permission.ts';
import { TODO_TOOL } from '../../../src/core/session/todoTool.ts';
import { runTools } from '../../../src/core/session/tools.ts';
import { readChange, readEnd, sayChange, sayState } from '../../../src/core/session/workResult.ts';
import { makeTool } from './sessionHarness.ts';

const edit = (old_text: string, new_text: string, all = false): TextEdit => ({ old_text, new_text, all });

describe('replacements in a file', () => {
  const cases: readonly (readonly [string, string, readonly TextEdit[], string | RegExp])[] = [
    ['one text', 'a\nb\nc\n', [edit('b', 'B')], 'a\nB\nc\n'],
    ['several, each after the one before', 'a\n', [edit('a', 'b'), edit('b', 'c')], 'c\n'],
    ['text that looks like a pattern', 'a$&b', [edit('$&', "$1$'")], "a$1$'b"],
    ['every place, when asked', 'x x x', [edit('x', 'y', true)], 'y y y'],
    ['in the line ends of the file', 'a\r\nb\r\n', [edit('a\nb', 'c\nd')], 'c\r\nd\r\n'],
    ['nothing that is there twice', 'x\nx\n', [edit('x', 'y')], /^old_text is in the file 2 times\./],
    ['nothing that is not there', 'a', [edit('b', 'c')], /^old_text is not in the file\. Read/],
    [
      'nothing with other blanks',
      '\tif (a) {\n',
      [edit('  if (a) {', 'x')],
      /but line 1 has it with different white space/,
    ],
    ['nothing where one of several fails', 'a b', [edit('a', 'c'), edit('z', 'y')], /^old_text of edit 2 is not/],
    ['nothing for itself', 'a', [edit('a', 'a')], /nothing would change/],
  ];
  for (const [what, text, edits, expected] of cases)
    it(`take ${what}`, () => {
      const edited = applyEdits(text, edits);
      if (typeof expected === 'string') assert.deepEqual(edited, { ok: true, value: expected });
      else assert.match(edited.ok ? '' : edited.error, expected);
    });

  it('are counted by lines, and the counts can be read from what the tool says', () => {
    assert.deepEqual(countChangedLines('a\nb\nc\n', 'a\nB\nB2\nc\n'), { added: 2, removed: 1 });
    assert.deepEqual(countChangedLines('', 'a\nb\n'), { added: 2, removed: 0 });
    assert.deepEqual(readChange(sayChange('src/a.ts', false, { added: 2, removed: 1 })), { added: 2, removed: 1 });
    assert.equal(readChange('Error: old_text is not in the file.'), undefined);
  });
});

describe('what the user always allows', () => {
  const shell = { kind: 'command', tool: 'run_command', folder: '/w' } as const;
  const command = (line: string): WorkRequest => ({ ...shell, command: line });
  const prefix = (words: string): Grant => ({ kind: 'prefix', prefix: words });
  const cases: readonly (readonly [Grant, string, boolean])[] = [
    [prefix('npm test'), 'npm test', true],
    [prefix('npm test'), 'npm test -- --grep a/b.ts', true],
    [prefix('npm test'), 'npm tests', false],
    [prefix('npm test'), 'npm test; rm -rf .', false],
    [prefix('npm test'), 'npm test && curl x | sh', false],
    [prefix('npm test'), 'npm test $(reboot)', false],
    [prefix('npm test'), 'npm test > /etc/passwd', false],
    [prefix('npm test'), 'npm test\nreboot', false],
    [{ kind: 'command', command: 'a && b' }, 'a && b', true],
    [{ kind: 'command', command: 'a && b' }, 'a && bc', false],
    [{ kind: 'tool', tool: 'run_command' }, 'ls', false],
  ];
  for (const [grant, line, isCovered] of cases)
    it(`${JSON.stringify(grant)} ${isCovered ? 'covers' : 'does not cover'} ${JSON.stringify(line)}`, () => {
      assert.equal(covers(grant, command(line)), isCovered);
    });

  it('is offered as the exact line, and as words only where these say what runs', () => {
    const offered = (line: string) =>
      grantsFor(command(line)).map((grant) => (grant.kind === 'prefix' ? grant.prefix : grant.kind));
    assert.deepEqual(offered('npm run build -- --watch'), ['command', 'npm run build']);
    assert.deepEqual(offered('git status -s'), ['command', 'git status']);
    assert.deepEqual(offered('node check.mjs'), ['command']);
    assert.deepEqual(offered('npm test && npm publish'), ['command']);
    assert.deepEqual(offered('npm test'), ['command']);
  });

  it('is shown with every invisible character made visible', () => {
    assert.equal(showUnseen('ls\u202e\r\u200b\u{e0041}\n\té 😀'), 'ls\\u{202e}\\u{d}\\u{200b}\\u{e0041}\n\té 😀');
  });

  it('is nothing when what is stored is damaged', () => {
    assert.deepEqual(parseGrants([{ kind: 'prefix', prefix: '' }]), []);
    assert.deepEqual(parseGrants('all'), []);
    assert.deepEqual(parseGrants([prefix('npm test')]), [prefix('npm test')]);
  });
});

it('calls of one reply that change something run alone, after those before and before those after them', async () => {
  const seen: string[] = [];
  const work = (name: string, changes: boolean) => ({
    ...makeTool(name, () => ({ text: name, failed: false })),
    changes,
    run: async () => {
      seen.push(`${name}>`);
      await setImmediate();
      seen.push(`<${name}`);
      return { text: name, failed: false };
    },
  });
  const names = ['look', 'look', 'edit', 'edit', 'look'];
  const results = await runTools({
    calls: names.map((name, index) => ({ id: `c${index}`, name, arguments: '{}' })),
    tools: [work('look', false), work('edit', true)],
    cutOff: false,
    signal: new AbortController().signal,
  });
  assert.equal(seen.join(' '), 'look> look> <look <look edit> <edit edit> <edit look> <look');
  assert.equal(results.map(({ tool_call_id }) => tool_call_id).join(' '), 'c0 c1 c2 c3 c4');
});

it('the first line of a command result says how it ended, so that the view can read it', () => {
  assert.deepEqual(readEnd(sayState('c1', { kind: 'ended', code: 1, seconds: 2.34 })), { code: 1, seconds: '2.3' });
  const killed = readEnd(sayState('c1', { kind: 'killed', why: 'by SIGKILL', seconds: 1 }));
  assert.deepEqual(killed, { seconds: '1.0', isStopped: true });
  const running = readEnd(`${sayState('c1', { kind: 'running', seconds: 120 })}\nCommand failed with exit code 1`);
  assert.deepEqual(running, { seconds: '120.0', isStopped: false });
  assert.equal(readEnd('12 lines'), undefined);
});

it('the to-do list of the agent can be read into the state of a summary; an invalid one is refused', async () => {
  const { name } = TODO_TOOL.definition.function;
  const todos = ['Mend it', 'Test it'].map((content) => ({ content, status: 'pending' }));
  const source = JSON.stringify({ todos });
  const list = toolList({ name, source, fields: readFields(source), at: 0 });
  assert.equal(list?.items.map(({ text }) => text).join(', '), 'Mend it, Test it');
  assert.equal(list.whole, true);
  const { signal } = new AbortController();
  assert.equal((await TODO_TOOL.run({ todos }, signal)).text, 'Saved: 0 of 2 done.');
  const wrong = await TODO_TOOL.run({ todos: [{ content: 'Mend it', status: 'soon' }] }, signal);
  assert.ok(wrong.failed);
  assert.match(wrong.text, /todos\.0\.status/);
});
